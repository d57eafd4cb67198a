"""A first column that only counts the rows."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.data.files import log_of, rows

from heldout.data.runs import read_run
from heldout.errors import InputError


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
        log_of(tmp_path, text)
    columns = dict(part.split("=") for part in shifted.split(", "))
    assert log_of(tmp_path, text, **columns).user_id[0] in (196, "u7")
    assert log_of(tmp_path, text, user="1", item="2").user_id[0] in (0, 1)


def test_users_of_one_row_each_are_no_index(tmp_path: Path) -> None:
    assert rows(log_of(tmp_path, "0\t25\t5\t978824351\n1\t133\t3\t978300174\n2\t207\t4\t978298504\n"))[1] == (1, 133, 3.0)
    assert rows(log_of(tmp_path, "1,10,4.5,100\n2,20,3,200\n3,30,5,300\n"))[0] == (1, 10, 4.5)
    assert rows(log_of(tmp_path, "1,10,4\n2,20,3\n3,30,5\n"))[0] == (1, 10, 4.0)


def test_the_index_of_a_run(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text("0,196,242,0.9\n1,196,302,0.8\n2,22,377,0.7\n")
    with pytest.raises(InputError, match="say user=2, item=3, score=4 if it is an index"):
        read_run(tmp_path / "r.csv")
