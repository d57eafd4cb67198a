"""A large text is read a block at a time, to the same rows as the whole."""

from __future__ import annotations

import gzip
from pathlib import Path

import polars as pl
import pytest

from heldout.data import tabular
from heldout.data.column_table import FrameOrigin, log_of
from heldout.data.columns import AUTO
from heldout.errors import InputError
from heldout.tables import Log

WANTED = {"user": AUTO, "item": AUTO, "value": AUTO, "time": AUTO}
ROWS = [(7 * k % 11 + 1, k % 13, k % 5 + 0.5, 1_000_000_000 + k) for k in range(40)]


def written(separator: str = ",", header: str = "user,item,rating,timestamp\n", end: str = "\n") -> bytes:
    return (header + "".join(separator.join(map(str, row)) + end for row in ROWS)).encode()


def read(path: Path, **how: object) -> tuple[Log, bool]:
    """The rows, and whether they were read in blocks."""
    table = tabular.read_table(path, WANTED, **how)  # type: ignore[arg-type]
    return log_of(table, "error"), isinstance(table.origin, FrameOrigin)


@pytest.mark.parametrize(
    ("content", "how"),
    [
        (written(), {}),
        (written().removesuffix(b"\n"), {}),
        (written(end="\r\n"), {}),
        (written("::", ""), {"separator": "::", "header": False}),
        (b"\xef\xbb\xbf" + written(), {}),
        (written().replace(b"\n", b"\n\n", 20), {}),
    ],
    ids=["plain", "no last end", "CRLF", "two colons", "byte order mark", "blank lines"],
)
@pytest.mark.parametrize("block", [64, 100, 333, 600])
def test_blocks_give_the_rows_of_the_whole(
    content: bytes, how: dict[str, object], block: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "ratings.csv"
    path.write_bytes(content)
    whole, in_blocks = read(path, **how)
    assert not in_blocks and len(whole) == len(ROWS)
    monkeypatch.setattr(tabular, "BLOCK", block)
    log, in_blocks = read(path, **how)
    assert in_blocks
    for name, column in whole.columns().items():
        assert column is None or list(column) == list(log.columns()[name])
    path.with_suffix(".csv.gz").write_bytes(gzip.compress(content))
    assert read(path.with_suffix(".csv.gz"), **how)[0].interactions().digest == whole.interactions().digest


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"3,x9,4,1000000099\n", ""),
        (b"3,,4,1000000099\n", "line 42.*the item id is missing"),
        (b"3,9\n", "line 42"),
        (b"3,9,four,1000000099\n", "line 42.*'four' is not a finite number"),
    ],
)
def test_what_is_not_plain_is_read_whole_and_told_by_its_line(
    line: bytes, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "ratings.csv"
    path.write_bytes(written() + line)
    monkeypatch.setattr(tabular, "BLOCK", 300)
    if says:
        with pytest.raises(InputError, match=says):
            read(path)
        return
    log, in_blocks = read(path)
    assert not in_blocks and log.item_id.dtype == pl.String and log.item_id[-1] == "x9"


def test_a_time_in_another_unit_is_noticed_in_another_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "ratings.csv"
    path.write_bytes(written() + b"3,9,4,1000000099000\n")
    monkeypatch.setattr(tabular, "BLOCK", 300)
    with pytest.raises(InputError, match=r"row 1: .* the times are in two units"):
        read(path)


def test_a_first_column_that_numbers_the_rows_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "ratings.csv"
    path.write_text("".join(f"{k},{u},{i},{v}\n" for k, (u, i, v, _) in enumerate(ROWS)))
    with pytest.raises(InputError) as whole:
        read(path)
    monkeypatch.setattr(tabular, "BLOCK", 200)
    with pytest.raises(InputError) as in_blocks:
        read(path)
    assert str(whole.value) == str(in_blocks.value)
