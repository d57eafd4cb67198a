"""Parts of sections, drawings of Markdown, and bars of terminals."""

from dataclasses import replace

from heldout.reports.columns import Column
from heldout.reports.document import Chart, Document, Section, Table, Text
from heldout.reports.render import html, markdown, terminal
from heldout.reports.render.screen import printed

CHART = Chart(name="curve", title="Curve", caption="A curve.", draw=lambda _: {"mark": "line"}, table="shares")
SHARES = Table(
    name="shares",
    title="Shares",
    columns=(Column(name="Part", kind="text"), Column(name="Share", kind="share", bar=True)),
    rows=(("half", 0.5), ("all", 1.0)),
)
DOCUMENT = Document(
    kind="test",
    title="Title",
    answer="It holds.",
    sections=(
        Section(id="whole", title="Whole", blocks=(Text("Said."),)),
        Section(id="part", title="Part", blocks=(CHART, SHARES), level=2),
        Section(id="drawn", title="Drawn", blocks=(CHART,)),
    ),
)


def test_parts_of_sections_are_one_level_below_and_not_in_the_contents() -> None:
    page = html.page(DOCUMENT)
    assert '<h3 id="part-head">Part</h3>' in page and '<h2 id="whole-head">Whole</h2>' in page
    assert '<a href="#whole">' in page and '<a href="#part">' not in page
    lines = markdown.document(DOCUMENT).splitlines()
    assert [line for line in lines if line.startswith("#")] == ["# Title", "## Whole", "### Part", "#### Shares", "## Drawn"]


def test_a_table_with_the_name_of_its_section_has_no_heading_of_its_own() -> None:
    named = replace(DOCUMENT, sections=(Section(id="shares", title="Shares", blocks=(SHARES,)),))
    assert markdown.document(named).count("Shares") == 1


def test_markdown_has_the_drawings_whose_files_are_named() -> None:
    assert "![" not in markdown.document(DOCUMENT)
    assert markdown.document(DOCUMENT, {"curve": "a/curve.svg"}).count("![Curve](a/curve.svg)") == 2


def test_terminals_draw_bars_if_there_is_room_and_skip_sections_of_charts_only() -> None:
    text = printed(terminal.document(DOCUMENT, full=True), 80)
    assert "Drawn" not in text and "Whole" in text
    bars = {line.split()[0]: line.count("█") for line in text.splitlines() if "█" in line}
    assert bars == {"half": 8, "all": 16}
    assert "█" not in printed(terminal.document(DOCUMENT, full=True), 20)


def test_rows_of_numbers_may_have_four_significant_figures() -> None:
    column = Column(name="p", kind="value", digits=(3, None))
    assert [column.text(value, k) for k, value in enumerate((0.5, 1.234567e-9))] == ["0.500", "1.235e−09"]
    interval = Column(name="range", kind="interval", digits=(3, None))
    assert [interval.text((0.1, 0.25), k) for k in (0, 1)] == ["0.100–0.250", "0.1 to 0.25"]
    assert Column(name="density", kind="share", digits=3).text(0.063047, 0) == "6.305%"
