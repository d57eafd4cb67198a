"""Lines of matrices and sparse formats."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.data.files import rows, write

from heldout import read, read_log
from heldout.errors import InputError


def test_bad_lines_of_a_matrix_are_skipped_and_others_keep_their_numbers(tmp_path: Path) -> None:
    write(tmp_path / "test.ascii", "1 0 0\n0 2 0\n")
    write(tmp_path / "train.ascii", "0 0\n0 0 4\n5 zero 0\n0 3 nan\n1 0 0\n")
    with pytest.raises(InputError, match=r"train\.ascii, line 1: 2 fields where most lines have 3 \(3 bad lines in all\)"):
        read(tmp_path)
    log = read_log(tmp_path, on_bad_rows="skip")
    assert rows(log) == [(2, 3, 4.0), (5, 1, 1.0)]
    assert [(s.reason, s.count) for s in log.skipped] == [("another number of fields", 1), ("not a finite number", 2)]
    write(tmp_path / "train.ascii", "x y z\n")
    with pytest.raises(InputError, match="all 1 lines are bad"):
        read_log(tmp_path, on_bad_rows="skip")


MANY = "1" * 400


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"user":1,"item":1,"rating":' + MANY + "}", f"'{MANY}' is not a finite number"),
        ('{"user":1,"item":1,"x":' + "[" * 100_000 + "]" * 100_000 + "}", "this line is nested too deeply"),
        ('{"user":"\\ud800","item":1}', "this line is no text: it holds half of a character"),
        ('{"user":1,"item":1,"user":2}', "this line is an object that has a key twice"),
        ('{"user":1,"item":1,"rating":' + "1" * 5000 + "}", "this line is no JSON object"),
    ],
)
def test_strange_json_lines(tmp_path: Path, line: str, message: str) -> None:
    path = write(tmp_path / "r.jsonl", '{"user":1,"item":5,"rating":2.5}\n' + line + "\n")
    with pytest.raises(InputError, match=rf"line 2.*{message}"):
        read_log(path)
    assert len(read_log(path, on_bad_rows="skip")) == 1


def test_large_whole_numbers_among_fractions_are_told_apart_or_refused(tmp_path):
    """JSON numbers of both kinds become fractions, which are exact only below 2**53."""
    path = tmp_path / "a.jsonl"
    rows = '{{"user":1,"item":1,"rating":0.5}}\n{{"user":1,"item":2,"rating":{}}}\n{{"user":1,"item":3,"rating":{}}}\n'
    path.write_text(rows.format(2**53, 2**53 + 1))
    with pytest.raises(InputError, match=f"the values {2**53} and {2**53 + 1} are the same number"):
        read_log(path)
    path.write_text(rows.format(2**53, 2**53 + 2))
    assert read_log(path).value.tolist() == [0.5, 2.0**53, 2.0**53 + 2]
