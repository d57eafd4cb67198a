"""The page of a document in a real browser: charts, tooltips, keys, explorers, tables, saving, print, and no script."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
import pytest
from tests.heavy import ALL, heavy, sampled
from tests.reports.render.documents import SYSTEMS, TARGETS, board, document, dots, line, settings, universes

from heldout.reports.document import Document, PackedExplorer, Section
from heldout.reports.render import html
from heldout.reports.render.figures import mimebundle

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text(encoding="utf-8")
HOSTILE = ("<script>alert(1)</script>", "</script><img src=x onerror=alert(1)>", "مرحبا بالعالم", "x" * 200)
CELLS = """(id) => [...document.querySelectorAll(`#${id} tbody tr`)].map((row) =>
    [...row.cells].filter((cell) => !cell.matches('.t')).map((cell) => cell.textContent.trim()))"""


def written(folder: Path, shown: Document, name: str = "report") -> str:
    path = folder / f"{name}.html"
    path.write_text(html.page(shown), encoding="utf-8")
    return path.as_uri()


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    return written(tmp_path_factory.mktemp("page"), document())


def opened(browser: Any, uri: str, *, width: int = 1000, scheme: str = "light", **options: Any) -> Any:
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, **options)
    page = context.new_page()
    page.said, page.asked = [], []
    page.on("console", lambda message: page.said.append(message.text))
    page.on("pageerror", lambda error: page.said.append(str(error)))
    page.on("dialog", lambda dialog: page.said.append(dialog.message))
    page.on("request", lambda request: page.asked.append(request.url))
    page.goto(uri)
    # The content policy forbids eval, on which wait_for_function rests: wait by selectors.
    page.wait_for_selector("html.drawn", state="attached")
    return page


@pytest.fixture
def page(browser: Any, report: str) -> Iterator[Any]:
    page = opened(browser, report)
    yield page
    assert page.said == []
    assert [url for url in page.asked if not url.startswith(("blob:", report))] == []
    page.context.close()


def turn(page: Any, option: str, number: int = 0) -> None:
    """Choose an option of a switch of an explorer."""
    page.locator(f'[data-explorer="{number}"] .switches').get_by_label(option, exact=True).check()


def state(page: Any, number: int = 0) -> int:
    return int(page.get_attribute(f'[data-explorer="{number}"]', "data-state"))


def fill(page: Any, figure: str) -> list[str]:
    """Opacities of the marks of a chart."""
    selector = f"#figure-{figure} .mark-line path, #figure-{figure} .mark-symbol path"
    return page.locator(selector).evaluate_all("(marks) => marks.map((mark) => mark.getAttribute('opacity'))")


# ---- charts


def test_charts_are_drawn_without_a_word_or_a_request(page: Any) -> None:
    playwright.expect(page.locator(".plot svg")).to_have_count(3)
    assert page.locator(".plot .note").count() == 0
    heights = page.locator(".plot").evaluate_all("(plots) => plots.map((plot) => plot.getBoundingClientRect().height)")
    assert min(heights) >= 200


@pytest.mark.parametrize(("width", "expected"), [(400, 340), (800, 640), (1000, 896)])
def test_a_chart_has_the_layout_for_its_room(browser: Any, report: str, width: int, expected: int) -> None:
    page = opened(browser, report, width=width)
    assert 0.9 * expected <= float(page.locator("#figure-means svg").first.get_attribute("width")) <= expected + 20
    tops = [page.locator(f"#figure-{name}").bounding_box()["y"] for name in ("recall", "coverage")]
    assert (tops[0] == tops[1]) == (width >= 900)
    page.set_viewport_size({"width": 400 if width > 400 else 1000, "height": 900})
    drawn = re.compile(r"^3\d\d" if width > 400 else r"^[89]\d\d")
    playwright.expect(page.locator("#figure-means svg").first).to_have_attribute("width", drawn)
    page.context.close()


def test_the_licences_of_the_library_are_in_the_page(page: Any) -> None:
    assert page.locator("#licences").text_content().count("Redistribution and use") >= 1


def test_colours_follow_the_scheme(browser: Any, report: str) -> None:
    page = opened(browser, report, scheme="dark")
    line = page.locator("#figure-recall .mark-line path").first
    assert line.get_attribute("stroke") == "#6baaff"
    page.emulate_media(color_scheme="light")
    playwright.expect(line).to_have_attribute("stroke", "#075fce")
    page.context.close()


def test_a_mark_says_its_values_to_a_mouse(page: Any) -> None:
    mark = page.locator("#figure-means .mark-symbol path").first
    mark.scroll_into_view_if_needed()
    mark.hover()
    assert page.locator("#tip").is_visible()
    assert page.locator("#tip td").all_text_contents() == ["System", "UserKNN", "Mean nDCG@10", "0.239"]
    page.mouse.move(2, 2)
    playwright.expect(page.locator("#tip")).to_be_hidden()


def test_a_mark_says_its_values_to_a_finger(browser: Any, report: str) -> None:
    page = opened(browser, report, width=400, has_touch=True, is_mobile=True)
    mark = page.locator("#figure-means .mark-symbol path").nth(1)
    mark.scroll_into_view_if_needed()
    mark.tap(force=True)
    assert "EASE" in page.locator("#tip").inner_text()
    box = page.locator("#tip").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 400
    page.context.close()


def test_a_cell_says_its_value_in_more_digits_to_a_mouse(page: Any) -> None:
    cell = page.locator("#table-leaderboard tbody td:has(data)").first
    cell.hover()
    title, text = cell.get_attribute("title"), cell.locator("data").text_content()
    assert float(title) == pytest.approx(float(text), abs=5e-4) and len(title) > len(text)


def test_a_chart_is_one_stop_and_arrow_keys_step_through_its_marks(page: Any) -> None:
    plot = page.locator("#figure-means .plot")
    plot.focus()
    names = []
    for _ in range(7):
        page.keyboard.press("ArrowRight")
        names.append(page.locator("#tip td").nth(1).text_content())
    assert names == [*SYSTEMS, SYSTEMS[0]]  # after the last mark comes the first one
    assert "UserKNN" in page.locator("#live").text_content() and "0.239" in page.locator("#live").text_content()
    page.keyboard.press("ArrowLeft")
    assert page.locator("#tip td").nth(1).text_content() == "Random"
    ring, mark = (page.locator(s).last.bounding_box() for s in ("#figure-means .ring", "#figure-means .mark-symbol path"))
    for axis, size in (("x", "width"), ("y", "height")):
        assert abs(ring[axis] + ring[size] / 2 - mark[axis] - mark[size] / 2) < 2
    assert fill(page, "means").count("0.2") == 5
    page.keyboard.press("Escape")
    assert page.locator("#tip").is_hidden() and page.locator(".ring").count() == 0
    assert fill(page, "means").count("0.2") == 0
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('#figure-means .plot')") is None


def test_a_system_is_highlighted_in_its_section_only(page: Any) -> None:
    page.locator("#table-settings th[data-system]").first.hover()
    for figure in ("recall", "coverage"):
        assert sorted(set(fill(page, figure))) == ["0.2", "1"]
    assert page.locator("#table-settings th.hot").count() == 1
    assert fill(page, "means").count("0.2") == 0
    page.locator("#table-leaderboard tbody tr").nth(2).hover()
    assert fill(page, "means").count("0.2") == 5 and fill(page, "recall").count("0.2") == 0
    page.locator("#figure-means .mark-symbol path").nth(3).hover()
    assert page.locator("#table-leaderboard tr.hot").get_attribute("data-system") == "Popularity"


# ---- explorers


def test_every_state_shows_the_blocks_that_python_wrote(page: Any) -> None:
    explorer = document().sections[0].blocks[0]
    for number, own in enumerate(explorer.states):
        turn(page, TARGETS[own.codes[0]])
        turn(page, ("permutation", "t")[own.codes[1]])
        assert state(page) == number
        sentence, table, chart = own.blocks
        assert page.locator('[data-explorer="0"] .state > p').first.text_content() == sentence.plain
        assert [row[0] for row in page.evaluate(CELLS, "table-leaderboard")] == table.values("system")
        values = {row["system"]: row["Mean"] for row in chart.spec()["data"]["values"]}
        page.locator("#figure-means .plot").focus()
        for system in SYSTEMS:
            page.keyboard.press("ArrowDown")
            assert page.locator("#tip td").all_text_contents()[1::2] == [system, values[system]]


def test_a_combination_that_is_absent_leads_to_the_nearest(page: Any) -> None:
    turn(page, "t")
    turn(page, "TestItems")
    assert state(page) == 2
    status = page.locator('[data-explorer="0"] .status')
    assert "was not combined" in status.text_content() and "Test permutation" in status.text_content()
    turn(page, "TestRatings")
    assert status.text_content() == ""


def test_the_address_keeps_the_choice_and_back_goes_back(browser: Any, page: Any) -> None:
    turn(page, "TestRatings")
    assert page.url.endswith("#explore&target=TestRatings")
    turn(page, "t")
    other = opened(browser, page.url)
    assert state(other) == state(page) == 4
    other.context.close()
    page.go_back()
    playwright.expect(page.locator('[data-explorer="0"]')).to_have_attribute("data-state", "3")
    page.click('.contents a[href="#curves"]')  # an anchor leaves the choice as it is
    assert state(page) == 3
    page.locator('[data-explorer="0"] [data-reset]').click()
    assert state(page) == 0
    turn(page, "TestItems", 1)
    assert "#explore-2&target=TestItems" in page.url and state(page) == 0


def test_a_choice_that_does_not_apply_waits_and_comes_back(page: Any) -> None:
    test = page.locator('[data-explorer="1"] fieldset').nth(1)
    turn(page, "t", 1)
    turn(page, "TestRatings", 1)
    assert "idle" in test.get_attribute("class") and test.locator("input:checked").count() == 0
    turn(page, "TestItems", 1)
    assert test.locator("input").nth(1).is_checked() and test.get_attribute("class") == ""


@pytest.mark.parametrize("link", ["explore&target=Nowhere", "explore&%E0%A4%A=x", "explore&target=TestRatings&soup=1"])
def test_a_damaged_link_says_so(browser: Any, report: str, link: str) -> None:
    page = opened(browser, f"{report}#{link}")
    assert "does not have" in page.locator('[data-explorer="0"] .status').text_content()
    assert page.said == []
    page.context.close()


def test_a_link_to_an_absent_combination_shows_the_nearest(browser: Any, report: str) -> None:
    page = opened(browser, f"{report}#explore&target=TestItems&test=t")
    assert "not combined" in page.locator('[data-explorer="0"] .status').text_content()
    page.context.close()


def test_flips_are_the_nearest_states_with_another_leader(page: Any) -> None:
    flips = page.locator('[data-explorer="0"] .flips')
    assert (
        flips.locator("p").first.text_content().startswith("What would flip this? Target TestRatings (AverageRating leads")
    )
    flips.locator("button").first.click()
    assert state(page) == 3
    explorer = universes()
    for way in range(0, len(explorer.codes), 5):
        page.evaluate("(hash) => { location.hash = hash; }", address(explorer, way))
        playwright.expect(page.locator('[data-explorer="1"]')).to_have_attribute("data-state", str(way))
        shown = page.locator('[data-explorer="1"] .flips p').first.locator("button").all_text_contents()
        own = explorer.leader[way]
        both = (explorer.codes >= 0) & (explorer.codes[way] >= 0)
        differs = (explorer.codes != explorer.codes[way]) & both
        apart = differs.sum(axis=1)
        others = (explorer.leader >= 0) & (explorer.leader != own) & (own >= 0)
        nearest = np.flatnonzero(others & (apart == apart[others].min())) if others.any() else []
        changes = {tuple(np.where(differs[k], explorer.codes[k], -1)) for k in nearest}
        assert len(shown) == len(set(shown)) == min(6, len(changes))


def address(explorer: PackedExplorer, way: int, anchor: str = "explore-2") -> str:
    parts = [
        f"{quote(switch.name)}={quote(switch.options[code])}"
        for switch, code, first in zip(explorer.switches, explorer.codes[way], explorer.codes[explorer.start], strict=True)
        if code not in (first, -1)
    ]
    return "&".join([anchor, *parts])


@sampled
def test_every_packed_state_reads_as_python_writes_it(browser: Any, tmp_path: Path) -> None:
    explorer = universes(states=24 if not ALL else 300)
    section = Section(id="universes", title="Universes", blocks=(explorer,))
    page = opened(browser, written(tmp_path, document(sections=(section,))))
    for way in range(0, len(explorer.codes), 1 if ALL else 3):
        page.evaluate("(hash) => { location.hash = hash; }", address(explorer, way, "explore"))
        playwright.expect(page.locator(".explorer")).to_have_attribute("data-state", str(way))
        table = explorer.table(way)
        expected = [[column.text(cell, 0) for column, cell in zip(table.columns, row, strict=True)] for row in table.rows]
        assert page.evaluate(CELLS, "table-universe") == expected
        assert page.locator(".state > p").text_content() == explorer.sentences[way]
        assert page.locator("#table-universe thead .label").nth(1).text_content() == explorer.heads["value"][way]
        # The drawing is the one that Python makes of the same state.
        again = html.page(document(sections=(replace(section, blocks=explorer.blocks(way)),)))
        drawn = re.findall(r'<line class="(?:ci|tick)"[^>]*?x1="([\d.]+)%" x2="([\d.]+)%"', again)
        lines = page.locator("#table-universe .track line:not(.base):not([visibility])")
        shares = lines.evaluate_all("(l) => l.map((n) => ['x1', 'x2'].map((a) => parseFloat(n.getAttribute(a))))")
        assert np.abs(np.array(shares) - np.array(drawn, dtype=float)).max() < 0.6  # printed digits, not all of them
    assert page.said == []
    page.context.close()


def test_a_switch_keeps_the_order_that_a_reader_chose(page: Any) -> None:
    head = '#table-leaderboard th[data-column="0"]'
    page.locator(f"{head} .sort").click()
    turn(page, "TestRatings")
    assert page.get_attribute(head, "aria-sort") == "ascending"
    assert [row[0] for row in page.evaluate(CELLS, "table-leaderboard")] == sorted(SYSTEMS)


def test_keys_alone_turn_switches(page: Any) -> None:
    page.locator('[data-explorer="0"] input:checked').first.focus()
    page.keyboard.press("ArrowRight")
    assert state(page) == 2 and page.evaluate("document.activeElement.value") == "1"


# ---- tables


def test_heads_sort_by_all_digits(page: Any) -> None:
    head = page.locator('#table-settings th[data-column="2"]')
    for order, turn_ in (("descending", -1), ("ascending", 1)):
        head.locator("button").click()
        assert head.get_attribute("aria-sort") == order
        values = [float(row[2]) for row in page.evaluate(CELLS, "table-settings")]
        assert values == sorted(values, key=lambda value: turn_ * value) and len(set(values)) == 30
    assert page.locator("#table-settings tbody tr:visible").count() == 12


def test_a_row_without_a_number_comes_last(page: Any) -> None:
    head = page.locator('#table-leaderboard th[data-column="8"]')
    for _ in range(2):
        head.locator("button").click()
        assert page.evaluate(CELLS, "table-leaderboard")[-1][6] == "–"


def test_long_tables_show_their_first_rows_until_asked(page: Any) -> None:
    rows = page.locator("#table-settings tbody tr:visible")
    assert rows.count() == 12
    page.get_by_role("button", name="Show all rows").click()
    assert rows.count() == 30
    page.get_by_role("button", name="Show the first rows").click()
    assert rows.count() == 12


@pytest.mark.parametrize("width", [1000, 1600])
def test_a_leaderboard_is_a_table_that_keeps_its_first_column_on_phones(browser: Any, report: str, width: int) -> None:
    page = opened(browser, report, width=width)
    tops = (
        page.locator("#table-leaderboard tbody tr")
        .first.locator("> *")
        .evaluate_all("(cells) => cells.map((cell) => cell.getBoundingClientRect().top)")
    )
    assert len(set(tops)) == 1
    page.set_viewport_size({"width": 400, "height": 900})
    scroll = page.locator("#table-leaderboard .scroll")
    name = page.locator("#table-leaderboard tbody th").first
    before = name.bounding_box()["x"]
    scroll.evaluate("(node) => { node.scrollLeft = 200; }")
    assert name.bounding_box()["x"] == pytest.approx(before, abs=1) and scroll.get_attribute("tabindex") == "0"
    page.context.close()


# ---- saving


def saved(page: Any, figure: str, entry: str) -> tuple[str, bytes]:
    menu = page.locator(f"#{figure} .save")
    menu.locator("summary").click()
    with page.expect_download() as download:
        menu.get_by_role("button", name=entry, exact=True).click()
    page.keyboard.press("Escape")
    assert not menu.evaluate("(node) => node.open")
    return download.value.suggested_filename, Path(download.value.path()).read_bytes()


def test_tables_are_saved_as_python_writes_them(page: Any) -> None:
    table = settings()
    for entry, ending, text in (
        ("CSV", "csv", table.to_csv()),
        ("Markdown", "md", table.to_markdown()),
        ("LaTeX", "tex", table.to_latex()),
    ):
        assert saved(page, "table-settings", entry) == (f"settings.{ending}", text.encode())
    turn(page, "TestRatings")
    assert saved(page, "table-leaderboard", "CSV") == ("leaderboard.csv", board("TestRatings").to_csv().encode())
    name, text = saved(page, "table-universe", "CSV")
    lines = [line.split('","') for line in text.decode().splitlines()]
    assert name == "universe.csv" and len(lines) == 7 and lines[1][0] == f'"{page.evaluate(CELLS, "table-universe")[0][0]}'


def test_charts_are_saved_as_pictures_with_light_colours_and_as_specifications(browser: Any, report: str) -> None:
    page = opened(browser, report, scheme="dark")
    name, svg = saved(page, "figure-recall", "SVG")
    assert name == "recall.svg" and b"#075fce" in svg and b'fill="#ffffff"' in svg and b"var(" not in svg
    name, png = saved(page, "figure-recall", "PNG")
    assert name == "recall.png" and png.startswith(b"\x89PNG") and int.from_bytes(png[16:20], "big") >= 3 * 400
    name, spec = saved(page, "figure-recall", "Specification")
    assert name == "recall.vl.json"
    loaded = json.loads(spec)
    rows = line("recall", "Recall").spec()["data"]["values"]
    assert loaded["data"]["values"] == [{**row, "recall": float(f"{row['recall']:.7g}")} for row in rows]
    assert loaded["$schema"].endswith("v6.json") and loaded["config"]["range"]["category"][0] == "#075fce"
    assert page.said == []
    page.context.close()


# ---- frame


def test_contents_stay_in_view_and_mark_the_current_section(browser: Any, report: str) -> None:
    for width in (1000, 1600):
        page = opened(browser, report, width=width)
        page.click('.contents a[href="#universes"]')
        playwright.expect(page.locator(".contents a[aria-current]")).to_have_text("Universes")
        assert 0 <= page.locator(".contents").bounding_box()["y"] < 100
        rail = page.locator(".contents").bounding_box()
        assert (rail["width"] < 250) == (width >= 1200)
        page.context.close()


def test_the_skip_link_comes_first(page: Any) -> None:
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    assert page.locator(".skip").bounding_box()["x"] >= 0


def test_the_appendix_opens_as_a_whole_and_where_a_link_leads(page: Any) -> None:
    folds = page.locator("#appendix > details")
    assert folds.evaluate_all("(folds) => folds.map((own) => own.open)") == [False, False]
    page.locator("#curves").get_by_role("link", name="the systems").click()
    playwright.expect(page.locator("#systems")).to_have_attribute("open", "")
    page.click("#open-all")
    assert folds.evaluate_all("(folds) => folds.every((own) => own.open)")
    page.click("#open-all")
    assert not folds.evaluate_all("(folds) => folds.some((own) => own.open)")


@pytest.mark.parametrize("width", [400, 1000, 1600])
def test_nothing_overflows_and_text_is_large_enough(browser: Any, report: str, width: int) -> None:
    page = opened(browser, report, width=width)
    page.evaluate("document.querySelectorAll('#appendix details').forEach((own) => { own.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    sizes = page.evaluate("""() => {
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), sizes = [];
        while (walker.nextNode()) {
            const node = walker.currentNode.parentElement;
            if (walker.currentNode.data.trim() && node.getClientRects().length && !node.closest('script, style'))
                sizes.push([parseFloat(getComputedStyle(node).fontSize), walker.currentNode.data]);
        }
        return sizes.filter(([size]) => size < 15);
    }""")
    assert sizes == []
    page.context.close()


def test_print_draws_every_chart_in_print_colours_first(browser: Any, report: str) -> None:
    page = opened(browser, report, width=400, scheme="dark")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    strokes = page.locator("#figure-recall .mark-line path").first.get_attribute("stroke")
    assert strokes == "#075fce" and float(page.locator("#figure-means svg").get_attribute("width")) > 800
    assert page.locator("#settings tr:visible, #table-settings tbody tr:visible").count() == 30
    assert page.locator(".switches").first.is_hidden() and page.locator("#systems dt").is_visible()
    assert page.locator("header .numbers").is_visible() and page.locator("figcaption p").first.is_visible()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    page.emulate_media(media="screen", color_scheme="dark")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("#figure-recall .mark-line path").first.get_attribute("stroke") == "#6baaff"
    assert page.locator("#systems dt").is_hidden()
    page.context.close()


def test_everything_but_charts_is_there_without_a_script(browser: Any, report: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(report)
    assert page.locator(".answer").is_visible() and page.locator("#table-settings tbody tr:visible").count() == 30
    assert page.locator("#figure-means .plot a").get_attribute("href") == "#table-leaderboard"
    assert page.locator("#table-leaderboard").is_visible() and page.locator("#figure-means figcaption").is_visible()
    assert page.locator(".switches").first.is_hidden() and page.locator("#open-all").is_hidden()
    context.close()


def test_names_stay_text_whatever_they_hold(browser: Any, tmp_path: Path) -> None:
    sections = (
        Section(id="leaderboard", title="Leaderboard", blocks=(board(systems=HOSTILE),)),
        Section(id="universes", title="Universes", blocks=(universes(systems=HOSTILE),)),
    )
    page = opened(browser, written(tmp_path, document(sections=sections, systems=HOSTILE)), width=400)
    for option in ("TestRatings", "AllItems"):
        turn(page, option)
        assert set(HOSTILE) == {row[0] for row in page.evaluate(CELLS, "table-universe")}
    assert page.said == [] and page.locator("main img, main script").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") == 400
    page.context.close()


def test_one_figure_shows_itself_in_the_frame_of_a_notebook(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "notebook.html"
    path.write_text(f'<!doctype html><meta charset="utf-8">{mimebundle(dots())["text/html"]}', encoding="utf-8")
    page = browser.new_page()
    said = []
    page.on("console", lambda message: said.append(message.text))
    page.goto(path.as_uri())
    frame = page.frame_locator("iframe")
    playwright.expect(frame.locator(".plot svg")).to_have_count(1)
    assert frame.locator("figcaption h3").text_content() == "Means" and said == []
    page.close()


def test_numbers_of_a_chart_are_folded_in_the_appendix_but_open_without_a_script(browser: Any, tmp_path: Path) -> None:
    blocks = (dots(table="settings"), replace(settings(), charted=True))
    uri = written(tmp_path, document(sections=(Section(id="one", title="One", blocks=blocks),)))
    page = opened(browser, uri)
    cell = page.locator("#table-settings tbody td").first
    assert cell.is_hidden()
    page.evaluate("location.hash = 'table-settings'")
    playwright.expect(cell).to_be_visible()
    page.context.close()
    plain = browser.new_context(java_script_enabled=False).new_page()
    plain.goto(uri)
    assert plain.locator("#table-settings tbody td").first.is_visible()
    plain.context.close()


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=heavy)])
@pytest.mark.parametrize("whole", [True, pytest.param(False, marks=heavy)])
def test_axe_finds_nothing(browser: Any, report: str, scheme: str, whole: bool) -> None:
    page = opened(browser, report, scheme=scheme)
    if whole:
        page.evaluate("document.querySelectorAll('details').forEach((own) => { own.open = true; })")
    page.evaluate(AXE)
    result = page.evaluate(
        "() => axe.run(document).then((r) => ({ violations: r.violations, held: r.passes.map((p) => p.id) }))"
    )
    assert {"color-contrast", "label", "aria-allowed-attr"} <= set(result["held"])
    assert [(rule["id"], [node["target"] for node in rule["nodes"]][:5]) for rule in result["violations"]] == []
    page.context.close()
