"""Data of papers that are not at hand are read from files of the documented names and layout."""

from __future__ import annotations

from pathlib import Path

import pytest

from heldout.data.read import read
from heldout.papers.bench import PaperBench
from heldout.papers.data_sets import MOVIELENS_1M, NETFLIX, NeededData

FILES = {
    "ml-1m": {"ml-1m/ratings.dat": "1::10::5::978300760\n2::10::3::978300760\n"},
    "netflix": {"netflix/mv_0000010.txt": "10:\n1,5,2005-09-06\n2,3,2005-05-13\n"},
}
"""Two ratings of one item, as each data set writes them."""


@pytest.mark.parametrize("data", [MOVIELENS_1M, NETFLIX], ids=lambda data: data.key)
def test_files_of_the_documented_layout_are_read(data: NeededData, tmp_path: Path) -> None:
    bench = PaperBench(data=tmp_path)
    assert bench.missing(data) == data.files
    for name, text in FILES[data.key].items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert bench.missing(data) == ()
    ratings = read(bench.source(data))
    assert ratings.n_users == 2 and ratings.n_items == 1 and sorted(ratings.value) == [3, 5]
    assert PaperBench(data="simulated").missing(data) == ()
