"""The line that a bad row stands in."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from tests.data.files import csv_log

from heldout import read_log
from heldout.errors import InputError


def test_a_line_number_after_a_quoted_line_break(tmp_path: Path) -> None:
    # The first record takes lines 2 and 3, so the bad one is on line 4.
    with pytest.raises(InputError, match="line 4, column 'rating': 'bad'"):
        csv_log(tmp_path, 'user,item,rating,review\na,x,5,"so\nso"\nc,y,bad,no\n')


def test_the_place_of_a_bad_row_far_down(tmp_path: Path) -> None:
    text = "1::2::3::4\n" * 30_000 + "1::2::?::4\n" + "1::2::3::4\n" * 5
    with pytest.raises(InputError, match="line 30001, column 'value'"):
        csv_log(tmp_path, text)


@pytest.mark.parametrize("end", ["7,8", "7,8,x"])
@pytest.mark.parametrize("quoted", [False, True])
def test_one_bad_line_costs_no_more_than_three_good_readings(tmp_path: Path, end: str, quoted: bool) -> None:
    mark = '"' if quoted else ""
    path, seconds = tmp_path / "r.csv", []
    text = "user,item,rating\n" + "".join(f"{mark}a{k}{mark},{k % 999},{k % 5}\n" for k in range(150_000))
    for last in ("", "", f"{end}\n"):  # the first one compiles
        path.write_text(text + last)
        begin = time.process_time()
        if last:
            with pytest.raises(InputError, match="line 150002"):
                read_log(path)
        else:
            read_log(path)
        seconds.append(time.process_time() - begin)
    assert seconds[2] <= 3 * seconds[1] + 0.3, seconds
