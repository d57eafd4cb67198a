"""The explorer in a real browser: every switch, links, the back button, keys, narrow and dark screens, print, odd names."""

# ruff: noqa: F401  (fixtures are imported by name)

from __future__ import annotations

import html
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from heldout.reports.page.document import to_html as study_page
from markupsafe import escape
from tests.browser.test_report_page import CELLS, address, choose, playwright, turn
from tests.heavy import ALL, heavy, sampled
from tests.reports.sample import SYSTEMS, facts
from tests.universes.grids import USUAL, made, of

from heldout.analysis.explored import Switchboard, explored_settings
from heldout.analysis.findings import Findings
from heldout.reports.multiverse_views import MultiverseReport
from heldout.reports.page.explorer import universe_cells, universe_heads
from heldout.reports.page.multiverse import to_html as multiverse_page
from heldout.universes.analysis import multiverse_findings
from heldout.universes.explored import ExploredUniverses, explored_universes
from heldout.universes.grid.decisions import NAMES, decision
from heldout.universes.universes import Universes

AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text(encoding="utf-8")
HOSTILE = ("<script>alert(1)</script>", "</script><img src=x onerror=alert(1)>", "مرحبا بالعالم", "x" * 200)
SORTED_BY = """(rows, k) => rows.map((row) => {
    const number = row.cells[k].querySelector('data');
    return number ? Number(number.value) : null;
})"""


def grid(systems: tuple[str, ...] = ("UserKNN(k=20)", "EASE(l2=50)", "Popularity")) -> Universes:
    """Three systems over 54 universes: a gain map only of nDCG, no seed 2 of the split in time, one without a value."""
    levels = {"target": ["AllItems", "TestRatings"], "cutoff": ["1", "5", "10"], "metric": ["P", "nDCG"]}
    levels |= {"gain": ["binary", "exp2"], "split": ["ratio", "temporal(at=0.8)"], "seed": ["1", "2"]}
    grid = made(levels, lambda row: 0.0, keep=lambda row: row["split"] == "ratio" or row["seed"] == "1")
    decisions = tuple(decision(name, levels.get(name, USUAL[name])) for name in NAMES)
    codes, k = grid.codes, len(systems)
    values = 0.4 + np.random.default_rng(3).normal(0, 0.004, (len(codes), k)) + 0.02 * (codes[:, [6]] == 1) * np.arange(k)
    values[5, 0] = np.nan
    universes = of(decisions, codes, values, systems=systems)
    spread = np.random.default_rng(4).gamma(2.0, 0.005, (2, *values.shape))
    low, high = values - spread[0], values + spread[1]
    low[::7], high[::7] = np.nan, np.nan  # as of a median
    return replace(universes, low=low, high=high)


def multiverse(universes: Universes, folder: Path) -> tuple[str, ExploredUniverses]:
    shown = explored_universes(universes, level=0.05)
    report = MultiverseReport(findings=multiverse_findings(universes, level=0.05), title="Films", explored=shown)
    path = folder / "multiverse.html"
    path.write_text(multiverse_page(report), encoding="utf-8")
    return path.as_uri(), shown


def study(sample: Findings, folder: Path) -> tuple[str, Switchboard]:
    path = folder / "study.html"
    path.write_text(study_page(sample), encoding="utf-8")
    return path.as_uri(), explored_settings(sample, [s for s in sample.settings if not s.descriptive])


@pytest.fixture(scope="module")
def universes(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ExploredUniverses]:
    return multiverse(grid(), tmp_path_factory.mktemp("multiverse"))


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Switchboard]:
    return study(facts(), tmp_path_factory.mktemp("study"))


def opened(browser: Any, uri: str, *, width: int = 1100, scheme: str = "light") -> Any:
    page = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme).new_page()
    page.said = []
    page.on("console", lambda message: page.said.append(message.text))
    page.on("pageerror", lambda error: page.said.append(str(error)))
    page.on("dialog", lambda dialog: page.said.append(dialog.message))
    page.goto(uri)
    page.wait_for_selector("html.explorable")
    return page


def texts(cells: list[list[Any]]) -> list[list[list[str]]]:
    return [[[html.unescape(re.sub(r"<[^>]*>", "", str(escape(t)))), c, x] for t, c, x in line] for line in cells]


def way(page: Any) -> int:
    return int(page.get_attribute("#explore", "data-way"))


@sampled
def test_every_universe_reads_as_python_writes_it(browser: Any, universes: tuple[str, ExploredUniverses]) -> None:
    uri, shown = universes
    page = opened(browser, uri)
    explored = shown.explored
    assert len(explored.codes) == 54
    tried = range(0, len(explored.codes), 1 if ALL else 5)
    assert all(set(codes[list(tried)].tolist()) == set(codes.tolist()) for codes in explored.codes.T)  # every option
    for at in tried:
        choose(page, explored, at)
        assert page.locator("#answer").text_content() == explored.sentences[at]
        assert page.evaluate(CELLS, "leaderboard") == texts(universe_cells(shown, at))
        heads = page.locator("#leaderboard thead th").evaluate_all(
            "(c) => c.map((n) => [n.textContent, n.className, n.title])"
        )
        assert heads == texts([universe_heads(shown, at)])[0]
    assert page.said == []
    page.context.close()


@pytest.mark.parametrize("which", ["sample", "universes"])
def test_every_option_of_every_switch_can_be_turned_or_says_why_not(
    browser: Any,
    which: str,
    request: pytest.FixtureRequest,
) -> None:
    uri, shown = request.getfixturevalue(which)
    explored = shown if isinstance(shown, Switchboard) else shown.explored
    page = opened(browser, uri)
    codes = {tuple(line): at for at, line in enumerate(explored.codes.tolist())}
    turned = refused = 0
    for k, switch in enumerate(explored.switches):
        for option in range(len(switch.options)):
            page.click("#reset")
            assert way(page) == explored.start
            box = page.locator(f'[data-switch="{switch.name}"]')
            radio = box.locator("input").nth(option)
            wanted = explored.codes[explored.start].tolist()
            wanted[k] = option
            if radio.is_disabled():
                assert tuple(wanted) not in codes
                assert f"{switch.options[option]}: only with" in box.locator(".reasons").text_content()
                box.locator(".reasons button").first.click()
                assert explored.codes[way(page), k] >= 0
                refused += 1
                continue
            radio.check()
            assert explored.codes[way(page), k] == option
            if tuple(wanted) in codes:
                assert way(page) == codes[tuple(wanted)]
            turned += 1
    assert turned > 8 and refused >= 1
    assert page.said == []
    page.context.close()


def test_a_choice_that_does_not_apply_waits_and_comes_back(browser: Any, universes: tuple[str, ExploredUniverses]) -> None:
    page = opened(browser, universes[0])
    assert "Does not apply" in page.locator('[data-switch="gain"] .reasons').text_content()
    for option in ("nDCG", "exp2", "P", "nDCG"):
        turn(page, option)
    assert page.locator('[data-switch="gain"] input').nth(1).is_checked()
    page.context.close()


def test_the_address_keeps_the_choice_and_back_goes_back(browser: Any, universes: tuple[str, ExploredUniverses]) -> None:
    uri, shown = universes
    page = opened(browser, uri)
    turn(page, "TestRatings")
    first, link = way(page), page.url
    turn(page, "10")
    second = way(page)
    assert link.endswith("#explore&target=TestRatings") and len({first, second, shown.explored.start}) == 3
    again = opened(browser, page.url)
    assert way(again) == second and again.locator("#answer").text_content() == shown.explored.sentences[second]
    again.context.close()
    for expected in (first, shown.explored.start):
        page.go_back()
        playwright.expect(page.locator("#explore")).to_have_attribute("data-way", str(expected))
    page.go_forward()
    playwright.expect(page.locator("#explore")).to_have_attribute("data-way", str(first))
    page.click('nav a[href="#grid"]')  # an anchor leaves the choice as it is
    assert way(page) == first
    page.context.close()


@pytest.mark.parametrize(
    "link", ["explore&target=Nowhere", "explore&%E0%A4%A=x", "explore&target=TestRatings&soup=1", "explore&seed"]
)
def test_a_damaged_link_says_so(browser: Any, universes: tuple[str, ExploredUniverses], link: str) -> None:
    page = opened(browser, f"{universes[0]}#{link}")
    assert "does not have" in page.locator("#link-note").text_content()
    assert page.said == []
    page.context.close()


def test_a_link_to_what_does_not_go_together_shows_the_nearest(
    browser: Any, universes: tuple[str, ExploredUniverses]
) -> None:
    page = opened(browser, f"{universes[0]}#explore&split=temporal(at%3D0.8)&seed=2")
    assert "do not go together" in page.locator("#link-note").text_content()
    page.context.close()


@pytest.mark.parametrize("which", ["sample", "universes"])
def test_flips_are_the_nearest_ways_with_another_leader(browser: Any, which: str, request: pytest.FixtureRequest) -> None:
    uri, shown = request.getfixturevalue(which)
    explored = shown if isinstance(shown, Switchboard) else shown.explored
    page = opened(browser, uri)
    for at in range(0, len(explored.codes), 5):
        choose(page, explored, at)
        own = explored.leader[at]
        apart = ((explored.codes != explored.codes[at]) & (explored.codes >= 0) & (explored.codes[at] >= 0)).sum(axis=1)
        others = (explored.leader >= 0) & (explored.leader != own)
        buttons = page.locator("#flips .flip span").all_text_contents()
        if own < 0 or not others.any():
            assert buttons == []
            continue
        nearest = np.flatnonzero(others & (apart == apart[others].min()))
        assert len(buttons) == min(8, len(nearest))
        assert set(buttons) <= {explored.briefs[k] for k in nearest}
    page.click("#reset")
    page.locator("#flips .flip").first.click()
    assert explored.leader[way(page)] != explored.leader[explored.start]
    page.context.close()


def test_the_curve_marks_what_is_chosen_and_chooses_where_it_is_clicked(
    browser: Any,
    universes: tuple[str, ExploredUniverses],
) -> None:
    uri, shown = universes
    page = opened(browser, uri)
    explored = shown.explored
    drawn = int(np.isfinite(explored.margin).sum())
    least = int(np.nanargmin(explored.margin))
    box = page.locator("#margins svg").bounding_box()
    page.locator("#margins svg").click(position={"x": 1, "y": box["height"] / 2})
    assert explored.margin[way(page)] == explored.margin[least]
    assert float(page.get_attribute("#margins .here", "x1")) == pytest.approx(500 / drawn)
    assert f"place 1 of {drawn}" in page.locator("#standing").text_content()
    page.context.close()


def test_keys_alone_reach_and_turn_every_switch(browser: Any, universes: tuple[str, ExploredUniverses]) -> None:
    page = opened(browser, universes[0])
    page.locator('[data-switch="target"] input:checked').focus()
    page.keyboard.press("ArrowRight")
    assert page.locator('[data-switch="target"] input').nth(1).is_checked() and page.url.endswith("target=TestRatings")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('fieldset').dataset.switch") != "target"
    names = set()
    for _ in range(40):
        page.keyboard.press("Tab")
        names.add(
            page.evaluate(
                "(document.activeElement.closest('fieldset') || {dataset: {}}).dataset.switch || document.activeElement.id"
            )
        )
    assert {"metric", "cutoff", "split", "reset"} <= names
    page.locator("#flips .flip").first.focus()
    before = way(page)
    page.keyboard.press("Enter")
    assert way(page) != before
    assert page.get_attribute("#answer", "aria-live") == "polite"
    page.context.close()


@pytest.mark.parametrize("which", ["sample", "universes"])
@pytest.mark.parametrize("width", [400, 900, 1500])
def test_nothing_overflows_light_dark_or_printed(
    browser: Any, which: str, width: int, request: pytest.FixtureRequest
) -> None:
    page = opened(browser, request.getfixturevalue(which)[0], width=width, scheme="dark")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    ink, paper = (page.evaluate(f"getComputedStyle(document.body).{name}") for name in ("color", "backgroundColor"))
    assert (ink, paper) == ("rgb(229, 232, 237)", "rgb(20, 23, 28)")
    turn(page, "TestRatings")
    page.emulate_media(media="print")
    assert page.locator("#switches").is_hidden() and page.locator("#answer").is_visible()
    assert "TestRatings" in page.locator("#protocol").text_content()  # what is printed is what was chosen
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    if width == 900:  # a sheet of A4 between usual margins is 680 wide
        page.set_viewport_size({"width": 680, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") == 680
        assert page.evaluate("document.getElementById('leaderboard').scrollWidth") <= 680
    page.context.close()


def renamed(sample: Findings) -> Findings:
    """The sample with names that would break out of a page, run from right to left, or never end."""
    names = dict(zip(SYSTEMS, HOSTILE, strict=False))

    def name(system: str) -> str:
        return names.get(system, system)

    return replace(
        sample,
        systems=tuple(map(name, sample.systems)),
        leaderboard=tuple(replace(row, system=name(row.system)) for row in sample.leaderboard),
        comparisons=tuple(replace(row, a=name(row.a), b=name(row.b)) for row in sample.comparisons),
        verdict=replace(
            sample.verdict,
            rows=tuple(replace(row, leader=name(row.leader), rival=name(row.rival)) for row in sample.verdict.rows),
        ),
    )


def test_names_stay_text_whatever_they_hold(browser: Any, tmp_path: Path) -> None:
    for uri, _ in (study(renamed(facts()), tmp_path), multiverse(grid(HOSTILE), tmp_path)):
        page = opened(browser, uri, width=400)
        for option in ("TestRatings", "AllItems"):
            turn(page, option)
            shown = page.locator("#leaderboard tbody td.name").all_text_contents()
            assert set(HOSTILE) <= set(shown)
        assert page.said == [] and page.locator("main img, main script").count() == 0
        assert page.evaluate("document.documentElement.scrollWidth") == 400
        page.context.close()


def test_the_overview_sorts_by_every_column(browser: Any, sample: tuple[str, Switchboard]) -> None:
    page = opened(browser, sample[0])
    table = page.locator("#overview-table")
    heads = table.locator("thead tr").last.locator("th")
    for column in range(1, heads.count()):
        for order, sign in (("descending", -1), ("ascending", 1)):
            heads.nth(column).locator("button").click()
            assert heads.nth(column).get_attribute("aria-sort") == order
            shown = table.locator("tbody tr").evaluate_all(SORTED_BY, column)
            known = [v for v in shown if v is not None]
            assert shown == sorted(known, key=lambda v: sign * v) + [None] * (len(shown) - len(known))
        assert table.locator("[aria-sort]").count() == 1
    heads.first.locator("button").focus()
    page.keyboard.press("Enter")
    names = table.locator("tbody th").all_text_contents()
    assert names == sorted(names)
    page.context.close()


def test_many_settings_are_filtered_by_what_is_chosen(browser: Any, tmp_path: Path) -> None:
    base = facts()
    rules = ("zero", "intersection")
    settings, boards, pairs, rows = [], [], [], []
    for turn_, rule in enumerate(rules):
        shift = 10 * turn_
        settings += [replace(s, id=s.id + shift, coverage=rule, label=f"{s.label} · {rule}") for s in base.settings]
        boards += [replace(row, setting=row.setting + shift) for row in base.leaderboard]
        pairs += [replace(row, setting=row.setting + shift) for row in base.comparisons]
        rows += [replace(row, setting=row.setting + shift) for row in base.verdict.rows]
    many = replace(
        base,
        settings=tuple(settings),
        leaderboard=tuple(boards),
        comparisons=tuple(pairs),
        verdict=replace(base.verdict, rows=tuple(rows)),
    )
    page = opened(browser, study(many, tmp_path)[0])
    visible = page.locator("#settings tbody tr:visible")
    # By hand: nDCG@10 under two other targets, three other metrics under AllItems, the other rule, and itself.
    assert visible.count() == 2 + 3 + 1 + 1
    page.select_option("#settings-filter", "other")
    assert visible.count() == 8 and all("✗" in text for text in visible.locator("td.word").all_text_contents())
    page.select_option("#settings-filter", "all")
    assert visible.count() == 16
    page.context.close()


@pytest.mark.parametrize(
    ("which", "scheme"),
    [
        ("sample", "light"),
        pytest.param("universes", "dark", marks=heavy),
        pytest.param("sample", "dark", marks=heavy),
        pytest.param("universes", "light", marks=heavy),
    ],
)
def test_axe_finds_nothing(browser: Any, which: str, scheme: str, request: pytest.FixtureRequest) -> None:
    page = opened(browser, request.getfixturevalue(which)[0], scheme=scheme)
    page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    page.evaluate(AXE)
    result = page.evaluate(
        "() => axe.run(document).then((r) => ({ violations: r.violations, held: r.passes.map((p) => p.id) }))"
    )
    assert {"color-contrast", "label", "aria-allowed-attr"} <= set(result["held"])
    violations = [
        (rule["id"], rule["impact"], [node["target"] for node in rule["nodes"]][:5], rule["nodes"][0]["failureSummary"])
        for rule in result["violations"]
    ]
    assert violations == []
    page.context.close()
