"""The pages of `heldout serve` in a real browser: search, compare, report in its sandbox, form, keyboard."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import heldout as ho

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
uvicorn = pytest.importorskip("uvicorn", reason="the extra web is not installed")
pytest.importorskip("starlette", reason="the extra web is not installed")

from heldout.web.app import application  # noqa: E402
from heldout.web.serve import _listen  # noqa: E402
from heldout.web.served_folder import ServedFolder  # noqa: E402

EVIL = "<script>document.title = 'stolen'</script>"
STUDY = {
    "title": f"Small {EVIL}",
    "data": "simulate(users=60, items=40, ratings=1200)",
    "split": "ratio(train=0.7, by=user)",
    "recommend": ["Popularity", "Random"],
    "relevance": "threshold(4)",
    "target": ["AllItems", "TestRatings"],
    "metrics": "nDCG(gain=binary)@5",
}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    home = tmp_path_factory.mktemp("served")
    ho.run(STUDY, out=home / "small")
    ho.run({**STUDY, "title": "Other split", "split": "ratio(train=0.5, by=user)"}, out=home / "other")
    (home / "mine.toml").write_text('data = "simulate(users=60, items=40, ratings=1200)"\nrecommend = "Popularity"\n')
    listening = _listen("127.0.0.1", 0)
    port = listening.getsockname()[1]
    app = application(ServedFolder(home), host="127.0.0.1", port=port, token="token")
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join(10)
    listening.close()


@pytest.fixture
def page(browser, address):
    context = browser.new_context(viewport={"width": 1200, "height": 900}, accept_downloads=True)
    opened = context.new_page()
    opened.said, opened.requested = [], []
    opened.on("console", lambda m: opened.said.append(m.text))
    opened.on("pageerror", lambda e: opened.said.append(str(e)))
    opened.on("request", lambda r: opened.requested.append(r.url))
    opened.goto(f"{address}/?token=token")
    yield opened
    assert opened.said == [] and opened.title() != "stolen"
    assert all(url.startswith((address, "data:", "blob:")) for url in opened.requested)
    context.close()


expect = playwright.expect


def test_the_token_leaves_the_address(page, address):
    assert page.url == f"{address}/"
    assert page.evaluate("document.cookie") == ""  # scripts do not see it


def test_search_filter_and_sort(page):
    rows = page.locator("table.studies tbody tr")
    expect(rows).to_have_count(2)
    page.get_by_label("Search").fill("other split")
    expect(rows).to_have_count(1)
    assert "words=other" in page.url
    page.get_by_label("Search").fill("")
    expect(rows).to_have_count(2)
    page.get_by_label("Kind").select_option("multiverse")
    expect(page.get_by_text("No study has all of this.")).to_be_visible()
    page.get_by_label("Kind").select_option("")
    page.get_by_role("link", name="Study", exact=True).click()
    expect(rows.first).to_contain_text("Other split")


def test_two_are_compared_by_keyboard_alone(page, address):
    for box in page.get_by_role("checkbox").all():
        box.focus()
        page.keyboard.press("Space")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="What differs in their protocols")).to_be_visible()
    expect(page.locator("table").first).to_contain_text("ratio(train=0.5, by=user)")


def test_a_report_opens_in_its_sandbox_and_works_there(page, address):
    page.goto(f"{address}/study/small")
    page.get_by_role("link", name="Open the report").click()
    page.wait_for_selector("html.drawn")
    assert page.locator(".plot svg").count() > 0
    assert page.evaluate("window.origin") == "null"
    page.locator("input[type=radio]:not(:checked):not(:disabled)").first.check()  # a switch of the explorer
    expect(page).to_have_url(re.compile(r"/report/small#explore"))
    assert page.said == []
    menu = page.locator("#table-leaderboard details.save")
    menu.locator("summary").click()
    with page.expect_download() as started:
        menu.get_by_role("button", name="CSV").click()
    assert Path(started.value.path()).read_text().startswith("System,")
    menu = page.locator("figure:has(.plot svg) details.save").first
    menu.locator("summary").click()
    with page.expect_download() as started:  # the drawing taints no canvas, though the page has no origin
        menu.get_by_role("button", name="PNG").click()
    assert Path(started.value.path()).read_bytes().startswith(b"\x89PNG")
    read = "fetch('/study/other').then(() => 'read', () => 'refused')"
    assert page.evaluate(read) == "refused"
    page.said.clear()  # the policy tells of what was just tried


def test_downloads(page, address):
    page.goto(f"{address}/study/other")
    with page.expect_download() as started:
        page.get_by_role("link", name="All files (zip)").click()
    assert started.value.suggested_filename == "other.zip" and Path(started.value.path()).read_bytes()[:2] == b"PK"


def test_the_form_is_reviewed_while_it_is_filled_in(page, address):
    page.goto(f"{address}/new?file=mine.toml")
    review = page.locator("#review")
    expect(review).to_contain_text("split")  # it is missing
    page.get_by_label("A component for split").select_option(label="ratio")
    expect(page.locator("#card")).to_contain_text("ratio (split")
    page.get_by_role("button", name="Add the component to split").click()
    expect(page.locator("textarea[name='split']")).to_have_value("ratio")
    expect(review.locator(".findings li").first).to_be_visible()
    page.locator("textarea[name='split']").fill("raito")
    expect(review).to_contain_text("did you mean ratio")
    page.locator("input[name='name']").fill("bad")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator("#started")).to_contain_text("did you mean ratio")


@pytest.mark.parametrize("path", ["/", "/study/small", "/compare?study=small&study=other", "/new?file=mine.toml"])
@pytest.mark.parametrize("width", [400, 900])
def test_pages_fit_their_window(page, address, path, width):
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(f"{address}{path}")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(browser, address, scheme):
    axe = (Path(__file__).parent / "vendor" / "axe.min.js").read_text(encoding="utf-8")
    context = browser.new_context(viewport={"width": 1000, "height": 900}, bypass_csp=True, color_scheme=scheme)
    opened = context.new_page()
    opened.goto(f"{address}/?token=token")
    for path in ("/", "/study/small", "/compare?study=small&study=other", "/new?file=mine.toml", "/nothing"):
        opened.goto(f"{address}{path}")
        opened.evaluate(axe)
        violations = opened.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
        assert [(v["id"], [node["html"] for node in v["nodes"]]) for v in violations] == [], path
    context.close()


def test_controls_have_names(page, address):
    """Every control has a label, every page one heading of the first level and a language."""
    unnamed = """[...document.querySelectorAll('input, select, textarea, button, a')].filter((e) =>
        !(e.labels?.length || e.ariaLabel || e.textContent.trim())).map((e) => e.outerHTML)"""
    for path in ("/", "/study/small", "/new", "/compare?study=small&study=other"):
        page.goto(f"{address}{path}")
        assert page.evaluate(unnamed) == [] and page.locator("h1").count() == 1 and page.locator("html[lang]").count() == 1
