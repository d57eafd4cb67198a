"""Documents as one HTML page: what each block becomes, what is packed for the script, and what cannot get out of a text."""

from __future__ import annotations

import base64
import hashlib
import itertools
import json
import math
import re
import struct
import zlib
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.reports.render.documents import SYSTEMS, board, document, dots, line, settings, universes

from heldout.reports.columns import Column
from heldout.reports.document import Section, Table, Text, link
from heldout.reports.render import html

HOSTILE = "</script><script>alert(1)</script>"


@pytest.fixture(scope="module")
def page() -> str:
    return html.page(document())


def unpacked(page: str) -> dict[str, Any]:
    """What the script reads, with its arrays."""
    text = re.search(r'<script type="application/octet-stream" id="packed">(.*?)</script>', page)[1]
    raw = zlib.decompress(base64.b85decode(text.replace(",", "<")))
    size = struct.unpack("<I", raw[:4])[0]
    record = json.loads(raw[4 : 4 + size])
    kinds = {"Int8Array": "i1", "Uint8Array": "u1", "Int16Array": "<i2", "Uint16Array": "<u2", "Int32Array": "<i4"}
    kinds["Float64Array"] = "<f8"
    record["arrays"] = [np.frombuffer(raw, kinds[kind], length, 4 + size + at) for kind, at, length in record["arrays"]]
    return record


def element(page: str, id_: str) -> str:
    """The figure of this id."""
    return re.search(rf'<figure[^>]*id="{id_}".*?</figure>', page, re.S)[0]


def cells(markup: str) -> list[list[str]]:
    """The cells of the body of a table, as markup."""
    body = re.search(r"<tbody>(.*?)</tbody>", markup, re.S)[1]
    return [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.S) for row in re.findall(r"<tr.*?</tr>", body, re.S)]


def words(markup: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", "", markup).split())


def paged(*blocks: Any, **changes: Any) -> str:
    return html.page(document(sections=(Section(id="one", title="One", blocks=blocks),), **changes))


def test_the_same_document_gives_the_same_bytes(page: str) -> None:
    assert html.page(document()) == page


def test_people_read_the_answer_first_and_the_appendix_last(page: str) -> None:
    body = page[page.index("<body>") :]
    parts = ['class="answer"', 'class="numbers"', 'class="strip"', 'id="leaderboard"', 'id="universes"', 'id="notices"']
    places = [body.index(part) for part in (*parts, 'id="appendix"', "<footer>")]
    assert places == sorted(places)
    assert "<details open" not in body and body.count('<details id="') == len(document().appendix)


def test_contents_lead_to_every_section(page: str) -> None:
    contents = re.search(r'<nav class="contents".*?</nav>', page, re.S)[0]
    targets = re.findall(r'href="#([^"]*)"', contents)
    assert targets == ["answer", "leaderboard", "curves", "universes", "notices", "appendix"]
    assert all(f'id="{target}"' in page for target in (*targets, "main"))


def test_the_policy_names_every_script_by_its_hash(page: str) -> None:
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1].replace("&#39;", "'")
    directives = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert directives["default-src"] == directives["base-uri"] == directives["form-action"] == "'none'"
    scripts = [re.search(r"<script>(.*?)</script>", page, re.S)[1].encode()]
    scripts += [
        zlib.decompress(base64.b85decode(t.replace(",", "<")))
        for t in re.findall(r'(?:id="script"|data-library)>(.*?)</script>', page)
    ]
    digests = [f"'sha256-{base64.b64encode(hashlib.sha256(script).digest()).decode()}'" for script in scripts]
    assert directives["script-src"].split() == digests and len(scripts) == 5
    assert not re.search(r'(src|href)="(?!#)', page)


def test_a_page_without_charts_has_no_library() -> None:
    without = paged(board())
    assert "data-library>" not in without and "Licences" not in without
    assert len(without) < 100_000


# A leaderboard of six systems; the row of EASE: 0.204 + 0.0001234, interval 0.194 to 0.214, letter b, marked.


def test_cells_have_the_printed_value_and_seven_figures() -> None:
    rows = cells(element(paged(board()), "table-leaderboard"))
    value, ends = board().rows[1][1:3]
    assert rows[1][1] == f'<data value="{value:.7g}">0.204</data>'
    assert rows[1][3].startswith(f'<data value="{ends[0]:.7g} {ends[1]:.7g}">0.194–0.214</data>')
    assert rows[1][8] == '<data value="2.2">2.20 s</data>'
    assert rows[0][8].strip() == "–"


def test_cells_say_the_exact_value_where_a_reader_points() -> None:
    table = html.table(board())
    assert '<td title="0.2041"' in table
    assert "0.194–0.214" in table and 'title="0.194' not in table  # the text says all
    absent = Table(name="t", title="T", columns=board().columns[:2], rows=[("EASE", math.nan)])
    assert 'title="–"' not in html.table(absent)


def test_letters_are_raised_after_the_column_before() -> None:
    rows = cells(element(paged(board()), "table-leaderboard"))
    assert [re.search(r"<sup>(.*?)</sup>", row[3])[1] for row in rows] == list("abcdef")
    assert all(len(row) == 10 for row in rows)  # 11 columns, less 2 of letters and 1 that is folded, and 2 drawings


def test_a_drawing_has_its_values_on_one_scale() -> None:
    markup = element(paged(board()), "table-leaderboard")
    # The least end is 0.006 − 0.01 = −0.004 and the greatest 0.249: 0.239 is at (0.239 + 0.004) / 0.253 = 96.05% of it.
    ends = re.findall(r'<line class="(?:ci|tick)" x1="([\d.]+)%" x2="([\d.]+)%"', cells(markup)[0][2])
    assert ends == [("92.09", "100.00"), ("96.10", "96.10")]  # the mean is 0.2391234
    assert '<span class="scale"><span>−0.004</span><span>0.249</span></span>' in markup
    assert 'class="track s1"' in cells(markup)[0][2] and 'class="track s2"' in cells(markup)[1][2]


def test_a_scale_begins_at_zero_unless_that_takes_most_of_it() -> None:
    def scale(low: float) -> str:
        columns = (
            Column(name="system", kind="system"),
            Column(name="v", kind="value", digits=2),
            Column(name="i", kind="interval", digits=2, track="v"),
        )
        rows = [("a", low, (low, low)), ("b", 1.0, (1.0, 1.0))]
        markup = paged(Table(name="t", title="T", columns=columns, rows=rows))
        return words(re.search(r'class="scale">(.*?)</th>', markup, re.S)[1].replace("</span><span>", " "))

    assert scale(0.49) == "0 1.00"
    assert scale(0.51) == "0.51 1.00"


def test_absent_values_are_not_drawn() -> None:
    columns = (
        Column(name="system", kind="system"),
        Column(name="v", kind="value"),
        Column(name="i", kind="interval", track="v"),
    )
    markup = paged(Table(name="t", title="T", columns=columns, rows=[("a", None, None), ("b", 1.0, (0.5, 1.5))]))
    absent, present = cells(element(markup, "table-t"))
    assert absent[2].count('visibility="hidden"') == 2 and "visibility" not in present[2]
    assert [cell.strip() for cell in (absent[1], absent[3])] == ["–", "–"]


def test_strong_cells_marked_rows_and_shares_stand_out() -> None:
    markup = element(paged(board()), "table-leaderboard")
    first, second, *_ = cells(markup)
    assert "<b>" in first[1] and "<b>" not in second[1]
    assert re.findall(r'<tr data-system="(\w+)" class="marked">', markup) == ["EASE"]
    assert 'class="part" width="81.6%"' in first[7]


def test_columns_with_one_value_are_a_sentence() -> None:
    markup = element(paged(board()), "table-leaderboard")
    assert "Same for all systems: users averaged 1,946." in markup and "Users averaged" not in markup


def test_columns_of_a_group_share_a_head() -> None:
    heads = re.search(r"<thead>(.*?)</thead>", element(paged(board()), "table-leaderboard"), re.S)[1]
    top, bottom = re.findall(r"<tr>(.*?)</tr>", heads, re.S)
    assert re.findall(r'scope="colgroup" colspan="(\d)"', top) == ["3", "3"]
    assert [int(n) for n in re.findall(r'rowspan="2"[^>]*data-column="(\d)"', top)] == [0, 7, 8, 9]
    assert [int(n) for n in re.findall(r'data-column="(\d)"', bottom)] == [1, 2, 3, 4, 5, 6]


def test_systems_have_the_mark_of_their_place_in_rows_and_heads() -> None:
    markup = paged(board(), settings())
    rows = cells(element(markup, "table-leaderboard"))
    assert [re.search(r"#mark-(\d)", row[0])[1] for row in rows] == ["1", "2", "3", "4", "5", "6"]
    assert 'data-system="EASE"><svg class="mark s2"' in element(markup, "table-settings")
    reordered = paged(board(), systems=tuple(reversed(SYSTEMS)))
    assert "#mark-6" in cells(element(reordered, "table-leaderboard"))[0][0]


def test_each_system_of_a_row_has_its_own_mark_and_short_name() -> None:
    names = {"UserKNN": "KNN", "EASE": "E"}
    columns = (
        Column(name="setting", kind="text"),
        Column(name="leader", kind="system", names=names),
        Column(name="rival", kind="system", names=names),
        Column(name="EASE", kind="value", head="E"),
    )
    markup = element(paged(Table(name="t", title="T", columns=columns, rows=[("a", "UserKNN", "EASE", 0.5)])), "table-t")
    _, leader, rival, _ = cells(markup)[0]
    assert ("#mark-1" in leader, words(leader)) == (True, "KNN") and ("#mark-2" in rival, words(rival)) == (True, "E")
    assert re.findall(r'<td class="l" title="(\w+)" data-system="(\w+)">', markup) == [("UserKNN",) * 2, ("EASE",) * 2]
    assert '<th scope="row" class="l">a</th>' in markup  # the setting names the row, whoever leads
    assert 'data-system="EASE"><svg class="mark s2"' in markup[: markup.index("<tbody>")]


def test_a_title_that_the_section_has_is_not_repeated() -> None:
    titled = html.page(document(sections=(Section(id="a", title="Leaderboard", blocks=(board(),)),)))
    assert "<h3>Leaderboard</h3>" not in titled and "<h3>Leaderboard</h3>" in paged(board())


def test_each_chart_leads_to_its_table_without_a_script() -> None:
    markup = paged(dots(), board())
    assert '<a href="#table-leaderboard">' in element(markup, "figure-means")
    assert "<a href" not in element(paged(dots(table="elsewhere")), "figure-means")


def test_charts_have_a_layout_for_each_room_and_share_their_data() -> None:
    record = unpacked(paged(dots(), line("recall", "Recall")))
    wide, half = record["charts"]
    assert [width for width, _ in wide] == [896, 640, 340] and [width for width, _ in half] == [448, 340]
    assert {spec["data"]["values"]["$rows"] for _, spec in wide} == {0}
    assert len(record["rows"]) == 2 and record["rows"][0][0]["system"] == "UserKNN"
    assert wide[0][1]["width"] > wide[2][1]["width"]


def test_every_state_is_packed_with_the_markup_of_its_blocks(page: str) -> None:
    record = unpacked(page)
    explorer = document().sections[0].blocks[0]
    packed = record["explorers"][0]
    assert packed["codes"] == [list(state.codes) for state in explorer.states]
    for state, blocks in zip(explorer.states, packed["states"], strict=True):
        markup = [record["texts"][number] for number in blocks]
        assert state.blocks[0].plain in words(markup[0])
        shown = [words(row[1]) for row in cells(markup[1])]
        assert shown == [state.blocks[1].column("nDCG@10").text(row[1], 0) for row in state.blocks[1].rows]
    assert packed["states"][0] != packed["states"][-1]
    used = list(itertools.chain(*packed["states"]))
    assert len(set(used)) < len(used)  # what is alike is there once
    assert [packed["names"][k] for k in packed["leaders"]] == [state.leader for state in explorer.states]


def test_values_of_many_states_are_whole_numbers_of_their_printed_digits(page: str) -> None:
    record, explorer = unpacked(page), universes()
    packed = record["explorers"][1]["packed"]

    def array(own: dict[str, int]) -> np.ndarray:
        return record["arrays"][own["$array"]].reshape(len(explorer.codes), -1)

    digits = array(packed["digits"])
    assert (digits[:, 0] == explorer.digits).all()
    own, raw = packed["columns"][1]["values"], explorer.cells["value"]
    values = array(own)
    assert ((values == own["absent"]) == np.isnan(raw)).all() and np.isnan(raw).any()
    whole = np.where(np.isnan(raw), 0, raw) * 10.0**digits
    assert np.abs(np.where(np.isnan(raw), 0, values) - whole).max() <= 0.5 + 1e-6
    ends = packed["columns"][2]
    low = values - array(ends["below"])
    known = array(ends["below"]) != ends["below"]["absent"]
    assert (known == np.isfinite(explorer.cells["interval"][..., 0])).all()
    assert np.abs(low - explorer.cells["interval"][..., 0] * 10.0**digits)[known].max() <= 0.5 + 1e-6
    texts = packed["columns"][3]["texts"]
    places = array(packed["columns"][3]["places"])
    assert [texts[k] for k in places[3]] == [explorer.columns[3].text(p, 0) for p in explorer.cells["p"][3].tolist()]


def test_states_leave_out_columns_that_people_do_not_see() -> None:
    explorer = universes()
    hidden = replace(
        explorer, columns=(explorer.columns[0], replace(explorer.columns[3], shown=False), *explorer.columns[1:3])
    )
    markup = paged(hidden)
    columns = unpacked(markup)["explorers"][0]["packed"]["columns"]
    assert [column["kind"] for column in columns] == ["system", "value", "interval"] and columns[2]["track"] == 1
    assert {len(row) for row in cells(element(markup, "table-universe"))} == {4}  # with the drawing


def test_switches_have_labels_for_people_and_options_for_addresses() -> None:
    explorer = document().sections[0].blocks[0]
    labels = ("All items", "Test items", "Test ratings")
    labelled = replace(explorer, switches=(replace(explorer.switches[0], labels=labels), explorer.switches[1]))
    markup = paged(labelled)
    assert [words(label) for label in re.findall(r"<label>(.*?)</label>", markup)][:3] == list(labels)
    assert unpacked(markup)["explorers"][0]["switches"][0]["options"] == list(explorer.switches[0].options)


def test_tables_are_packed_as_files(page: str) -> None:
    saves = dict(text for text in unpacked(page)["texts"] if isinstance(text, list))
    table = settings()
    assert saves["settings"] == {"csv": table.to_csv(), "md": table.to_markdown(), "tex": table.to_latex()}


def test_nothing_in_a_text_becomes_markup() -> None:
    names = (HOSTILE, *SYSTEMS[1:])
    markup = paged(
        board(systems=names),
        Text(HOSTILE, link("run", "javascript:alert(1)"), link("web", "https://example.org/?a=1&b"), link("file", "a.csv")),
        systems=names,
        title=HOSTILE,
        answer=HOSTILE,
    )
    assert "<script>alert" not in markup and markup.count("<script") == html.page(document()).count("<script") - 3
    assert "javascript:" not in markup
    assert '<a href="https://example.org/?a=1&amp;b">web</a>' in markup and '<a href="a.csv">file</a>' in markup


def test_numbers_that_json_lacks_are_null_in_charts() -> None:
    def spec(layout: Any) -> Any:
        return {"data": {"values": [{"v": float("nan")}, {"v": np.float64(2.5)}]}, "mark": "point", "encoding": {}}

    assert unpacked(paged(replace(dots(), draw=spec)))["rows"] == [[{"v": None}, {"v": 2.5}]]


def test_a_fragment_is_answer_numbers_and_main_table_without_a_script() -> None:
    fragment = html.fragment(document())
    assert words(fragment).count("UserKNN wins, except under TestRatings.") == 1 and "0.239" in fragment
    assert len(cells(fragment)) == 6 and "<script" not in fragment and "<svg" not in fragment
    assert fragment.startswith('<div class="heldout">') and fragment.endswith("</div>")


def test_a_table_alone_has_its_caption_and_its_folded_columns() -> None:
    markup = html.table(board())
    assert markup == board().to_html()
    assert "Systems that share a letter" in re.search(r"<caption>(.*?)</caption>", markup, re.S)[1]
    assert "users averaged 1,946" in markup and len(cells(markup)[0]) == 8


def test_a_figure_alone_is_a_page_of_one_chart() -> None:
    markup = html.figure(line("recall", "Recall"), systems=SYSTEMS)
    assert markup.count("<figure") == 1 and markup.count("data-library>") == 3 and 'class="answer"' not in markup
    assert [width for width, _ in unpacked(markup)["charts"][0]] == [896, 640, 340]


def wide(columns: int) -> Table:
    """Five systems with so many columns of values."""
    names = [f"Measure {k}" for k in range(columns)]
    fields = (Column(name="System", kind="system"), *(Column(name=name, kind="value", digits=4) for name in names))
    rows = tuple((f"System {k}", *(k + n / 7 for n in range(columns))) for k in range(5))
    return Table(name="wide", title="Wide", columns=fields, rows=rows)


def test_columns_without_room_go_into_a_table_below_that_begins_with_the_names() -> None:
    markup = element(paged(wide(16)), "table-wide")
    parts = markup.split("<table")[1:]
    assert len(parts) == 2 and [part.count(">System 3<") for part in parts] == [1, 1]
    heads = [re.findall(r'class="label">(.*?)</span>', part) for part in parts]
    assert heads[0] == ["System", *(f"Measure {k}" for k in range(8))]
    assert heads[1] == ["System", *(f"Measure {k}" for k in range(8, 16))]
    assert element(paged(wide(4)), "table-wide").count("<table") == 1 == wide(16).to_html().count("<table")


def test_columns_under_one_head_stay_together() -> None:
    source = wide(16)
    grouped = replace(source, columns=tuple(replace(c, group="" if k < 6 else "Both") for k, c in enumerate(source.columns)))
    first, second = element(paged(grouped), "table-wide").split("<table")[1:]
    assert "Both" not in first and second.count('class="label">Measure') == 11
