"""What is written is read back: formats of ratings and runs, ids of any characters, times of any unit."""

from __future__ import annotations

import csv
import io
import lzma
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from tests.data.files import rows, write
from tests.refusals import refused

from heldout import InputError, SpecError, WriteError, read, read_log, read_side
from heldout.data import delimited, runs
from heldout.data.runs import RunFrame, read_run
from heldout.data.write import FORMATS, write_ratings


@pytest.mark.parametrize("ending", sorted(FORMATS))
def test_what_is_written_is_read_back(tmp_path: Path, ending: str) -> None:
    data = read({"user": ["a", "b", "b"], "item": [3, 1, 3], "rating": [1.5, 2.0, 4.0], "timestamp": [5, 6, 7]})
    path = write_ratings(data, tmp_path / f"r{ending}")
    again = read(path)
    assert (
        again.to_polars()
        .select("user_id", "item_id", "value")
        .equals(data.to_polars().select("user_id", "item_id", "value"))
    )
    if ending != ".qrels":
        assert again.digest == data.digest


@pytest.mark.parametrize("ending", sorted(set(FORMATS) - {".qrels"}))
@pytest.mark.parametrize(
    "times",
    [
        pl.Series([1_465_000_000_123, 1_465_000_000_124, 1_465_000_000_125]),
        pl.Series([1_465_000_000_123_456, 1_465_000_000_123_457, 1_465_000_000_123_458]),
        pl.Series([1_465_000_000_123_456_789, 1_465_000_000_123_456_790, 1_465_000_000_123_456_791]),
        pl.Series([5, 200_000_000, 7]).cast(pl.Datetime("ms")),  # numbers that would be seconds
        pl.Series([-1, 2, 10**12]).cast(pl.Datetime("us")),
        pl.Series([1, 2, 3]).cast(pl.Datetime("ns")),
        pl.Series([1_999_000, 2_000_000, 2_001_000]).cast(pl.Datetime("ms")),  # seconds that look like years
    ],
)
def test_times_are_read_back_in_their_unit(tmp_path: Path, ending: str, times: pl.Series) -> None:
    data = read({"user": ["a", "b", "b"], "item": [3, 1, 3], "rating": [1.5, 2.0, 4.0], "timestamp": times})
    again = read(write_ratings(data, tmp_path / f"r{ending}"))
    assert again.time_unit == data.time_unit
    assert again.digest == data.digest
    if data.time_unit != "s":
        assert read(data.to_polars()).digest == data.digest


def test_milliseconds_stay_numbers_in_texts(tmp_path: Path) -> None:
    data = read({"user": ["a"], "item": [3], "timestamp": [1_465_000_000_123]})
    assert write_ratings(data, tmp_path / "r.csv").read_text() == "user_id,item_id,rating,timestamp\na,3,1.0,1465000000123\n"
    part = data.select(np.array([], dtype=np.int64))
    assert part.time_unit == "ms"


def test_an_ending_that_is_not_known(tmp_path: Path) -> None:
    data = read({"user": ["a b"], "item": [3], "rating": [1.5]})
    with refused(SpecError, where="r.xls", found=".xls", expected=".parquet"):
        write_ratings(data, tmp_path / "r.xls")
    with refused(SpecError, where="r.qrels", found="a b", hint="use .tsv"):
        write_ratings(data, tmp_path / "r.qrels")
    write(tmp_path / "file", "")
    with refused(WriteError, where="r.csv"):
        write_ratings(data, tmp_path / "file" / "r.csv")


PARTS_OF_IDS = ["\u00a0", "\u2003", "\u3000", "\u0085", "\u2028", "\ufeff", "\v", "\f", "\x1c", "\x1f"]
"""White space of other kinds than blanks and tabs, and characters that some programs take for it."""
ODD = [
    *PARTS_OF_IDS,
    " ",
    "\t",
    "\n",
    "\r",
    "\0",
    ",",
    ";",
    "|",
    ":",
    '"',
    "'",
    "\\",
    "{",
    "}",
    "#",
    "a",
    "b",
    "0",
    "1",
    "é",
]
IDS = st.one_of(
    st.text(st.sampled_from(ODD), min_size=1, max_size=6),
    st.text(st.sampled_from(["a", " ", "\t", '"', ",", "\n", "1"]), min_size=1, max_size=8),
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=4),
    st.integers(-5, 300).map(str),
)
NUMBERS = st.one_of(st.integers(-9, 9).map(float), st.floats(allow_nan=False, allow_infinity=False))
ROWS = st.lists(
    st.tuples(IDS, IDS, NUMBERS, st.integers(-(10**12), 10**13)), min_size=1, max_size=8, unique_by=lambda r: r[:2]
)


def survives(ids: list[str], ending: str) -> bool:
    """Whether a format is able to hold ids; what it cannot hold must be refused in words."""
    if ending in (".parquet", ".arrow", ".jsonl"):
        return True
    if "\0" in "".join(ids):
        return False
    return ending in (".csv", ".tsv", ".inter") or not any(
        c.isspace() or c in "\ufeff\x1c\x1d\x1e\x1f" for c in "".join(ids)
    )


@pytest.mark.parametrize("ending", sorted(FORMATS))
@settings(max_examples=150, deadline=None)
@example([("u ", "\u00a0i", 1.0, 5), ("u", "i", 2.0, 6)])
@example([('"a\\"b"', "x\\", 1.0, 5)])
@example([("a\n1,2,3\nb", "1,2\n3,4", 3.0, 4)])
@given(ROWS)
def test_ratings_are_read_back(ending: str, table: list[tuple[str, str, float, int]]) -> None:
    user, item, value, time = zip(*table, strict=True)
    moments = pl.Series(time).cast(pl.Datetime("ms"))  # numbers that look like dates are refused
    data = read({"user": user, "item": item, "rating": value, "timestamp": moments})
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"r{ending}"
        if not survives([*user, *item], ending):
            with refused(SpecError, hint="use .tsv" if ending == ".qrels" else "use .parquet"):
                write_ratings(data, path)
            return
        again = read(write_ratings(data, path))
    assert rows_of(again) == rows_of(data)
    if ending != ".qrels":
        assert again.digest == data.digest


def rows_of(data: object) -> list[tuple[object, ...]]:
    return data.to_polars().select("user_id", "item_id", "value").rows()  # type: ignore[attr-defined,no-any-return]


@pytest.mark.parametrize("ending", sorted(runs.FORMATS))
@settings(max_examples=100, deadline=None)
@given(ROWS)
def test_runs_are_read_back(ending: str, table: list[tuple[str, str, float, int]]) -> None:
    table.sort(key=lambda row: (row[0], -row[3]))
    user, item, _, value = zip(*table, strict=True)
    run = RunFrame.of(pl.Series("user", user), pl.Series("item", item), np.array(value, float))
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"r{ending}"
        if not survives([*user, *item], ending):
            with refused(SpecError, hint="use .parquet" if ending in (".csv", ".tsv") else "write .csv"):
                runs.write_run(run, path)
            return
        runs.write_run(run, path)
        again = read_run(path)
    assert again.user_id.cast(pl.String).to_list() == list(user)
    assert again.item_id.cast(pl.String).to_list() == list(item)
    assert again.score.astype(np.float32).tolist() == run.score.astype(np.float32).tolist()  # shortest digits are written


@settings(max_examples=300, deadline=None)
@given(ROWS, st.sampled_from(",;|\t"), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_other_writers_are_read_as_they_wrote_or_refused(
    table: list[tuple[str, str, float, int]], separator: str, end: str, header: bool
) -> None:
    assume("\0" not in "".join(u + i for u, i, _, _ in table))
    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator, lineterminator=end, quoting=csv.QUOTE_ALL)
    writer.writerows(([("user", "item", "rating", "timestamp")] if header else []) + table)  # type: ignore[arg-type]
    wanted = read_log({"user": [r[0] for r in table], "item": [r[1] for r in table], "rating": [r[2] for r in table]})
    with TemporaryDirectory() as folder:
        path = write(Path(folder) / "r.csv", text.getvalue())
        log = read_log(
            f'csv("{path}", separator="{separator}", user=1, item=2, value=3, time=none, header={str(header).lower()})'
        )
    assert rows(log) == rows(wanted)


@pytest.mark.parametrize("mark", PARTS_OF_IDS)
@pytest.mark.parametrize("quotes", [False, True])
@pytest.mark.parametrize("header", [False, True])
@pytest.mark.parametrize("separator", [",", "\t", ";", "|", "::", " "])
def test_only_blanks_and_tabs_are_left_out(mark: str, quotes: bool, header: bool, separator: str, tmp_path: Path) -> None:
    if quotes and separator in ("::", " "):
        pytest.skip("nothing is quoted between these separators")
    blanks = {"\t": "  ", " ": " "}.get(separator, " \t")
    lines = [(f"{mark}u{mark}", f"i{mark}", "5"), ("u", f"{mark}i", "4"), ("u", "i", "3")]
    if header:
        lines.insert(0, ("user", "item", "rating"))
    text = "\n".join(blanks + f"{blanks}{separator}{blanks}".join(line) + blanks for line in lines) + "\n"
    if quotes:
        text += f'"q "{separator}{blanks}" i"{blanks}{separator}2\n'
    path = write(tmp_path / "r.csv", text)
    expected = [(f"{mark}u{mark}", f"i{mark}", 5.0), ("u", f"{mark}i", 4.0), ("u", "i", 3.0)]
    expected += [("q ", " i", 2.0)] if quotes else []
    assert rows(read_log(path)) == expected
    assert rows(read_log(path, on_bad_rows="skip")) == expected
    run = read_run(path, score="3") if not header else read_run(path)
    assert [*zip(run.user_id, run.item_id, run.score, strict=True)] == expected


@pytest.mark.parametrize("mark", PARTS_OF_IDS)
def test_item_tables_and_other_formats_keep_the_same_ids(mark: str, tmp_path: Path) -> None:
    wanted = [("u", f"{mark}i", 5.0), ("v", f"i{mark}", 4.0)]
    table = write(tmp_path / "items.csv", f'item , genre\n {mark}i , Drama\ni{mark}\t, War\n" j ", War\n')
    assert read_side(table).ids.to_list() == [f"{mark}i", f"i{mark}", " j "]
    inter = "user_id:token\titem_id:token\trating:float\n" + "".join(f" {u}\t{i} \t {v}\n" for u, i, v in wanted)
    assert rows(read_log(write(tmp_path / "r.inter", inter))) == wanted
    write(tmp_path / "r.item", f"item_id:token\tclass:token\n {mark}i\tA\ni{mark} \tB\n")
    assert read_side(f'recbole("{tmp_path / "r.inter"}")').ids.to_list() == [f"{mark}i", f"i{mark}"]
    qrels = "".join(f" {u}\t0  {i} {v:.0f} \n" for u, i, v in wanted)
    for name in ("r.qrels", "r.txt"):
        assert rows(read_log(write(tmp_path / name, qrels))) == wanted
    run = read_run(write(tmp_path / "r.run", "".join(f"{u} Q0 {i} 1 {v}\ttag \n" for u, i, v in wanted)))
    assert [*zip(run.user_id, run.item_id, run.score, strict=True)] == wanted
    lines = "".join(f' {{"user": "{u}", "item": "{i} ", "rating": {v}}}\n' for u, i, v in [("u", "i", 5.0), ("v", "j", 4.0)])
    assert rows(read_log(write(tmp_path / "r.jsonl", lines))) == [("u", "i ", 5.0), ("v", "j ", 4.0)]
    baskets = write(tmp_path / "r.dat", f"z\n{mark}a\tb  c{mark}\nb\t\n")
    items = read_log(f'fimi("{baskets}")').item_id.to_list()
    assert items == ["z", f"{mark}a", "b", f"c{mark}", "b"]


@pytest.mark.parametrize("block", [40, 80, 1 << 26])
def test_blocks_follow_the_same_rule(block: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ["user, item, rating", *(f"{k}, {k} ,\t5 " for k in range(20))]
    path = write(tmp_path / "r.csv", "\n".join(lines))
    monkeypatch.setattr(delimited, "BLOCK", block)
    assert rows(read_log(path)) == [(k, k, 5.0) for k in range(20)]
    packed = write(tmp_path / "r.csv.xz", lzma.compress(path.read_bytes()))
    assert rows(read_log(packed)) == rows(read_log(path))
    write(path, "\n".join(["user,item,rating,note", *(f"{k},{k},5,x" for k in range(20)), '20,20,5,"a', '21,21,5,b"']))
    assert rows(read_log(path)) == [(k, k, 5.0) for k in range(21)]


def test_a_quotation_mark_far_down_a_tab_file(tmp_path: Path) -> None:
    first = "user\titem\trating\n" + "v\tx\t3\n" * 60
    log = read_log(write(tmp_path / "r.tsv", first + 'w\t"q\tr "\t4\n'))
    assert rows(log)[-1] == ("w", "q\tr ", 4.0)
    log = read_log(write(tmp_path / "r.tsv", first + 'w\t"Heroes" by B\t4\n'))
    assert rows(log)[-1] == ("w", '"Heroes" by B', 4.0)


@pytest.mark.parametrize("separator", [",", "\t", "::", " "])
def test_a_carriage_return_ends_a_line_only_before_a_line_feed(separator: str, tmp_path: Path) -> None:
    for end in ("\n", "\r\n"):
        lines = [("user", "item", "rating"), ("a\r", "\rb", "5"), ("c", "d\re", "4 " if separator == "," else "4")]
        path = write(tmp_path / "r.csv", end.join(separator.join(line) for line in lines) + end)
        assert rows(read_log(path)) == [("a\r", "\rb", 5.0), ("c", "d\re", 4.0)]


def test_line_breaks_in_ids(tmp_path: Path) -> None:
    log = read_log(write(tmp_path / "r.csv", 'user,item,rating\n"a\nb",x,5\nc,"y\r\nz",4\n'))
    assert rows(log) == [("a\nb", "x", 5.0), ("c", "y\r\nz", 4.0)]
    two_marks = 'user,item,rating\na,"x,1\nb,y",2\n'
    with refused(InputError, line=2, column="item", found="x,1\nb,y", hint="quote every field of the row"):
        read_log(write(tmp_path / "r.csv", two_marks))
    log = read_log(write(tmp_path / "r.csv", 'user,item,rating\n"a","x,1\nb,y","2"\n'))
    assert rows(log) == [("a", "x,1\nb,y", 2.0)]
    # A short line makes the reader look at lines one by one: the same rows are certain, and the same are not.
    for text, count in ((two_marks, 3), ('user,item,rating\n"a","x,1\nb,y","2"\n', 1)):
        log = read_log(write(tmp_path / "r.csv", text + "g,h,1\n" * 3 + "c,d\ne, f,3\n"), on_bad_rows="skip")
        assert sum(s.count for s in log.skipped) == count
        assert rows(log)[-1] == ("e", "f", 3.0)
