"""Texts that could be read in two ways: one of them is never taken in silence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from heldout.data.read import read_log
from heldout.data.runs import read_run
from heldout.errors import InputError
from heldout.tables import Log


def log(folder: Path, text: str | bytes, name: str = "r.csv", **columns: Any) -> Log:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_log(path, **columns)


def rows(found: Log) -> list[tuple[Any, ...]]:
    return list(zip(found.user_id.to_list(), found.item_id.to_list(), found.value.tolist(), strict=True))


def test_a_key_of_json_lines_that_comes_late_is_seen(tmp_path: Path) -> None:
    lines = [json.dumps({"user": k, "item": k}) for k in range(1500)]
    late = [*lines, json.dumps({"user": 1, "item": 2, "rating": 4})]
    with pytest.raises(
        InputError, match=r"line 1, column 'rating': an empty field is not a finite number \(1,500 such rows\)"
    ):
        log(tmp_path, "\n".join(late), "r.jsonl")
    first = json.dumps({"rating": 3, "user": 9, "item": 9})
    whole = [first, *(json.dumps({"user": k, "rating": k % 5, "item": k}) for k in range(1500))]
    assert log(tmp_path, "\n".join(whole), "r.jsonl").value[:4].tolist() == [3, 0, 1, 2]


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        ("u;0,i0,1\nu;1,i1,2\n", r"semicolon \(2 fields\)", r"comma \(3 fields\)"),
        ("u i,x 5\nv i,y 4\n", r"comma \(2 fields\)", r"whitespace \(3 fields\)"),
        ("a::b,c,5\nd::e,f,4\n", r":: \(2 fields\)", r"comma \(3 fields\)"),
    ],
)
def test_two_separators_that_could_both_be_meant(tmp_path: Path, text: str, first: str, second: str) -> None:
    with pytest.raises(InputError, match=rf"the separator may be {first} or {second}.*say separator=\S+ or separator=\S+"):
        log(tmp_path, text)
    with pytest.raises(InputError, match="the separator may be"):
        read_run(tmp_path / "r.csv")


def test_a_separator_that_is_said_or_plain_is_taken(tmp_path: Path) -> None:
    text = "u;0,i0,1\nu;1,i1,2\n"
    assert rows(log(tmp_path, text, separator="comma")) == [("u;0", "i0", 1.0), ("u;1", "i1", 2.0)]
    assert rows(log(tmp_path, "user,item,rating\n" + text)) == [("u;0", "i0", 1.0), ("u;1", "i1", 2.0)]
    assert rows(log(tmp_path, "a b, x y, 5\nc d, z w, 4\n")) == [("a b", "x y", 5.0), ("c d", "z w", 4.0)]
    assert rows(log(tmp_path, "1, 2, 5\n3, 4, 4\n")) == [(1, 2, 5.0), (3, 4, 4.0)]
    assert rows(log(tmp_path, "u\ti,0\t5\nv\ti,1\t4\n")) == [("u", "i,0", 5.0), ("v", "i,1", 4.0)]
    dated = log(tmp_path, "1\t2\t5\t2004-05-31 12:00:00\n1\t3\t4\t2004-05-31 13:00:00\n")
    assert dated.time is not None and dated.time.tolist() == [1086004800, 1086008400]


@pytest.mark.parametrize(
    ("text", "shifted"),
    [
        ("0,196,242,3,881250949\n1,186,302,3,891717742\n", "user=2, item=3, value=4, time=5"),
        ("1,196,242,3\n2,186,302,3\n3,22,377,1\n", "user=2, item=3, value=4"),
        ("0\tu7\t242\n1\tu9\t302\n2\tu9\t377\n", "user=2, item=3"),
    ],
)
def test_a_first_column_that_counts_the_rows(tmp_path: Path, text: str, shifted: str) -> None:
    with pytest.raises(InputError, match=rf"may be an index, or users of one row each; say {shifted} if it is an index"):
        log(tmp_path, text)
    columns = dict(part.split("=") for part in shifted.split(", "))
    assert log(tmp_path, text, **columns).user_id[0] in (196, "u7")
    assert log(tmp_path, text, user="1", item="2").user_id[0] in (0, 1)


def test_users_of_one_row_each_are_no_index(tmp_path: Path) -> None:
    assert rows(log(tmp_path, "0\t25\t5\t978824351\n1\t133\t3\t978300174\n2\t207\t4\t978298504\n"))[1] == (1, 133, 3.0)
    assert rows(log(tmp_path, "1,10,4.5,100\n2,20,3,200\n3,30,5,300\n"))[0] == (1, 10, 4.5)
    assert rows(log(tmp_path, "1,10,4\n2,20,3\n3,30,5\n"))[0] == (1, 10, 4.0)


def test_the_index_of_a_run(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text("0,196,242,0.9\n1,196,302,0.8\n2,22,377,0.7\n")
    with pytest.raises(InputError, match="say user=2, item=3, score=4 if it is an index"):
        read_run(tmp_path / "r.csv")


@pytest.mark.parametrize("name", ["r.csv", "r.jsonl", "r.parquet", "r.dat", "r.txt", "u.data"])
def test_what_stands_for_a_file_is_not_it(tmp_path: Path, name: str) -> None:
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935\nsize 12345\n"
    with pytest.raises(
        InputError, match="this is a pointer of Git LFS, not the file itself; fetch the file by `git lfs pull`"
    ):
        log(tmp_path, pointer, name)
    with pytest.raises(InputError, match="pointer of Git LFS"):
        read_run(tmp_path / name)
    with pytest.raises(InputError, match="this is a web page"):
        log(tmp_path, "\n<!DOCTYPE html>\n<title>Not, found</title>\n", name)


def test_ragged_lines_of_numbers(tmp_path: Path) -> None:
    text = "196 242 3 881250949\n186 302 3\n22 377\n244 51 2 880606923\n"
    with pytest.raises(InputError, match=r"lines of 2, 3, 4 numbers: these may be baskets, or ratings .*say fimi\("):
        log(tmp_path, text, "r.txt")
    with pytest.raises(InputError, match=r"line 2: too few fields: 3 where the first line has 4"):
        read_log(f'csv("{tmp_path / "r.txt"}")')
    assert len(read_log(f'fimi("{tmp_path / "r.txt"}")')) == 13


@pytest.mark.parametrize("quote", ["", '"'])
def test_a_nul_byte_far_down(tmp_path: Path, quote: str) -> None:
    good = "".join(f"{k},{k},{quote}3{quote}\n" for k in range(100, 3100))
    text = good.encode() + b"4\0,5,3\n1,3,4\n"
    with pytest.raises(InputError, match="line 3001: byte 2 of this line is NUL"):
        log(tmp_path, text)
    left = log(tmp_path, text, on_bad_rows="skip")
    assert len(left) == 3001 and left.user_id.dtype.is_integer()
    assert [(s.reason, s.count) for s in left.skipped] == [("a NUL byte", 1)]


def test_a_control_character_is_no_separator(tmp_path: Path) -> None:
    assert rows(log(tmp_path, "a\x1fb::x::5\nc::y\x1e::4\n", "r.txt")) == [("a\x1fb", "x", 5.0), ("c", "y\x1e", 4.0)]
    found = log(tmp_path, "a\x1fb x\u00a0y 5\nc z 4\n", "r.txt")
    assert rows(found) == [("a\x1fb", "x\u00a0y", 5.0), ("c", "z", 4.0)]


def test_unnamed_times_are_no_ratings(tmp_path: Path) -> None:
    text = "196,242,881250949\n186,302,891717742\n"
    with pytest.raises(InputError, match="may be times, or ratings; say value=none, time=3 if they are times, or value=3"):
        log(tmp_path, text)
    assert log(tmp_path, text, value="3").value[0] == 881250949
    timed = log(tmp_path, text, value=None, time="3")
    assert timed.value.tolist() == [1, 1] and timed.time is not None and timed.time[1] == 891717742
