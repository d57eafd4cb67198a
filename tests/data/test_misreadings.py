"""Texts that could be read in two ways: one of them is never taken in silence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.data.files import log_of

from heldout import read_log
from heldout.data.runs import read_run
from heldout.errors import InputError


def test_a_key_of_json_lines_that_comes_late_is_seen(tmp_path: Path) -> None:
    lines = [json.dumps({"user": k, "item": k}) for k in range(1500)]
    late = [*lines, json.dumps({"user": 1, "item": 2, "rating": 4})]
    with pytest.raises(
        InputError, match=r"line 1, column 'rating': an empty field is not a finite number \(1,500 such rows\)"
    ):
        log_of(tmp_path, "\n".join(late), "r.jsonl")
    first = json.dumps({"rating": 3, "user": 9, "item": 9})
    whole = [first, *(json.dumps({"user": k, "rating": k % 5, "item": k}) for k in range(1500))]
    assert log_of(tmp_path, "\n".join(whole), "r.jsonl").value[:4].tolist() == [3, 0, 1, 2]


@pytest.mark.parametrize("name", ["r.csv", "r.jsonl", "r.parquet", "r.dat", "r.txt", "u.data"])
def test_what_stands_for_a_file_is_not_it(tmp_path: Path, name: str) -> None:
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935\nsize 12345\n"
    with pytest.raises(
        InputError, match="this is a pointer of Git LFS, not the file itself; fetch the file by `git lfs pull`"
    ):
        log_of(tmp_path, pointer, name)
    with pytest.raises(InputError, match="pointer of Git LFS"):
        read_run(tmp_path / name)
    with pytest.raises(InputError, match="this is a web page"):
        log_of(tmp_path, "\n<!DOCTYPE html>\n<title>Not, found</title>\n", name)


def test_ragged_lines_of_numbers(tmp_path: Path) -> None:
    text = "196 242 3 881250949\n186 302 3\n22 377\n244 51 2 880606923\n"
    with pytest.raises(InputError, match=r"lines of 2, 3, 4 numbers: these may be baskets, or ratings .*say fimi\("):
        log_of(tmp_path, text, "r.txt")
    with pytest.raises(InputError, match=r"line 2: too few fields: 3 where the first line has 4"):
        read_log(f'csv("{tmp_path / "r.txt"}")')
    assert len(read_log(f'fimi("{tmp_path / "r.txt"}")')) == 13


@pytest.mark.parametrize("quote", ["", '"'])
def test_a_nul_byte_far_down(tmp_path: Path, quote: str) -> None:
    good = "".join(f"{k},{k},{quote}3{quote}\n" for k in range(100, 3100))
    text = good.encode() + b"4\0,5,3\n1,3,4\n"
    with pytest.raises(InputError, match="line 3001: byte 2 of this line is NUL"):
        log_of(tmp_path, text)
    left = log_of(tmp_path, text, on_bad_rows="skip")
    assert len(left) == 3001 and left.user_id.dtype.is_integer()
    assert [(s.reason, s.count) for s in left.skipped] == [("a NUL byte", 1)]


def test_unnamed_times_are_no_ratings(tmp_path: Path) -> None:
    text = "196,242,881250949\n186,302,891717742\n"
    with pytest.raises(InputError, match="may be times, or ratings; say value=none, time=3 if they are times, or value=3"):
        log_of(tmp_path, text)
    assert log_of(tmp_path, text, value="3").value[0] == 881250949
    timed = log_of(tmp_path, text, value=None, time="3")
    assert timed.value.tolist() == [1, 1] and timed.time is not None and timed.time[1] == 891717742
