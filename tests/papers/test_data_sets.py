"""Data of papers that are not at hand are read from files of the documented names and layout."""

from __future__ import annotations

from pathlib import Path

import pytest

from heldout.data.read import read
from heldout.papers.bench import PaperBench
from heldout.papers.data_sets import (
    BEERADVOCATE,
    BOOKCROSSING,
    KOSARAK,
    LASTFM_1K,
    LIBRARYTHING,
    MOVIELENS_1M,
    NETFLIX,
    RETAIL,
    TA_FENG,
    NeededData,
)

FILES = {
    "ml-1m": {"ml-1m/ratings.dat": "1::10::5::978300760\n2::10::3::978300760\n"},
    "book-crossing": {
        "book-crossing/BX-Book-Ratings.csv": '"User-ID";"ISBN";"Book-Rating"\n"1";"10";"5"\n"2";"10";"3"\n"3";"10";"0"\n'
    },
    "retail": {"fimi/retail.dat": "10\n10\n"},
    "kosarak": {"fimi/kosarak.dat": "10\n10\n"},
    "ta-feng": {
        "ta-feng/ta_feng_all_months_merged.csv": "TRANSACTION_DT,CUSTOMER_ID,AGE_GROUP,PIN_CODE,PRODUCT_SUBCLASS,PRODUCT_ID,"
        "AMOUNT,ASSET,SALES_PRICE\n11/1/2000,1,35-39,115,100,10,5,24,30\n11/2/2000,2,35-39,115,100,10,3,24,30\n"
    },
    "librarything": {"librarything/ratings.csv": "user,item,rating\n1,10,5\n2,10,3\n"},
    "beeradvocate": {"beeradvocate/ratings.csv": "user,item,rating\n1,10,5\n2,10,3\n"},
    "netflix": {"netflix/mv_0000010.txt": "10:\n1,5,2005-09-06\n2,3,2005-05-13\n"},
}
"""Two ratings of one item, as each data set writes them."""
READ = [MOVIELENS_1M, NETFLIX, BOOKCROSSING, RETAIL, KOSARAK, TA_FENG, LIBRARYTHING, BEERADVOCATE]
PLAYS = """user_1\t2009-05-04T23:08:57Z\ta0\tDeep Dish\tt0\tFlashdance
user_1\t2009-05-04T13:54:10Z\t\tDeep Dish\tt1\tOther
user_2\t2006-08-13T14:59:59Z\ta1\tMogwai\t\tSay "Yes
"""


@pytest.mark.parametrize("data", READ, ids=lambda data: data.key)
def test_files_of_the_documented_layout_are_read(data: NeededData, tmp_path: Path) -> None:
    bench = PaperBench(data=tmp_path)
    assert bench.missing(data) == data.files
    for name, text in FILES[data.key].items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert bench.missing(data) == ()
    ratings = read(bench.source(data))
    assert (
        ratings.n_users == 2
        and ratings.n_items == 1
        and sorted(ratings.value) == ([1, 1] if data.reader == "fimi" else [3, 5])
    )
    assert PaperBench(data="simulated").missing(data) == ()


def test_plays_of_last_fm_are_added_up_by_artist(tmp_path: Path) -> None:
    bench = PaperBench(data=tmp_path)
    (path,) = LASTFM_1K.files
    assert bench.missing(LASTFM_1K) == (path,)
    (tmp_path / "lastfm-1k").mkdir()
    (tmp_path / path.removesuffix("*")).write_text(PLAYS)
    assert bench.missing(LASTFM_1K) == ()
    log = bench.source(LASTFM_1K).read()
    assert log.interactions("sum").value.tolist() == [2, 1]
    assert log.interactions("sum").time is not None
