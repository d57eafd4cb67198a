"""Data of papers that are not at hand are read from files of the documented names and layout."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from tests.heavy import heavy

from heldout import read
from heldout.papers.analysis import paper_findings, paper_of
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
    TREC,
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
    "trec": {"trec/qrels.txt": "1 0 10 5\n2 0 10 3\n"},
    "netflix": {"netflix/mv_0000010.txt": "10:\n1,5,2005-09-06\n2,3,2005-05-13\n"},
}
"""Two ratings of one item, as each data set writes them."""
READ = [MOVIELENS_1M, NETFLIX, BOOKCROSSING, RETAIL, KOSARAK, TA_FENG, LIBRARYTHING, BEERADVOCATE, TREC]
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
        and sorted(ratings.value) == ([1, 1] if data.reader == "Fimi" else [3, 5])
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


def _pairs(users: int, items: int) -> Iterator[tuple[int, int, int]]:
    """User, item and rating: two of three pairs."""
    return ((u, i, 1 + (u * i + i) % 5) for u in range(1, users + 1) for i in range(1, items + 1) if (u + i) % 3)


def _ratings(folder: str, root: Path, users: int = 20, items: int = 12) -> None:
    rows = "".join(f"{u},{i},{r}\n" for u, i, r in _pairs(users, items))
    (root / folder).mkdir()
    (root / folder / "ratings.csv").write_text(f"user,item,rating\n{rows}")


def _netflix(root: Path, films: int = 12) -> None:
    (root / "netflix").mkdir()
    for film in range(1, films + 1):
        rows = "".join(f"{u},{r},2005-09-06\n" for u, i, r in _pairs(20, films) if i == film)
        (root / "netflix" / f"mv_{film:07}.txt").write_text(f"{film}:\n{rows}")


def _baskets(root: Path) -> None:
    (root / "fimi").mkdir()
    lines = (" ".join(str(1 + (u * 7 + 3 * k) % 40) for k in range(3 + u % 4)) for u in range(2300))
    (root / "fimi" / "kosarak.dat").write_text("\n".join(lines))


def _judgements(root: Path) -> None:
    (root / "trec").mkdir()
    (root / "trec" / "qrels.txt").write_text("".join(f"{u} 0 d{i} {r - 1}\n" for u, i, r in _pairs(20, 12)))


def _plays(root: Path) -> None:
    (root / "lastfm-1k").mkdir()
    lines = (
        f"user_{u}\t2009-{1 + (u + a + k) % 12:02}-{1 + (a * 3 + k) % 28:02}T10:00:00Z\t\tArtist {a}\t\tTrack {k}\n"
        for u in range(60)
        for a in range(130)
        if (u * a + a) % 3 == 0
        for k in range(1 + (u + a) % 5)
    )
    (root / LASTFM_1K.files[0].removesuffix("*")).write_text("".join(lines))


@pytest.mark.parametrize(
    ("paper", "experiment", "write"),
    [
        ("valcarce-2018", "table-2-librarything", partial(_ratings, "librarything")),
        ("valcarce-2018", "table-2-beeradvocate", partial(_ratings, "beeradvocate")),
        ("canamares-2020", "table-1-netflix", _netflix),
        ("canamares-2020", "fig-1-netflix", _netflix),
        ("canamares-2020", "fig-7-netflix", _netflix),
        ("gunawardana-2009", "sizes-netflix", _netflix),
        ("gunawardana-2009", "sizes-netflix-active", partial(_netflix, films=160)),
        ("gunawardana-2009", "fig-2-kosarak", _baskets),
        ("bellogin-2017", "fig-2-lastfm-1k", _plays),
        ("bellogin-2017", "fig-5-netflix", _netflix),
        ("bellogin-2017", "fig-5-trec", _judgements),
    ],
)
def test_an_experiment_runs_for_who_brings_the_files(
    paper: str, experiment: str, write: Callable[[Path], None], tmp_path: Path
) -> None:
    [without] = paper_findings(paper_of(paper), [experiment], PaperBench(data=tmp_path)).experiments
    assert without.missing and {claim.verdict for claim in without.claims} <= {"cannot be tested"}
    write(tmp_path)
    [record] = paper_findings(paper_of(paper), [experiment], PaperBench(data=tmp_path)).experiments
    assert not record.missing and all(math.isfinite(row.measured) for row in record.rows)
    assert {claim.verdict for claim in record.claims} <= {"holds", "does not hold here"}
    assert record.rows or record.claims


@heavy
@pytest.mark.parametrize("data", ["librarything", "beeradvocate"])
def test_all_21_systems_try_the_metrics_for_who_brings_the_ratings(data: str, tmp_path: Path) -> None:
    _ratings(data, tmp_path, 24, 240)  # lists of 100 among 160 items
    keys = [f"{key}-{data}" for key in (*(f"fig-{k}" for k in range(1, 9)), "table-3")]
    records = paper_findings(paper_of("valcarce-2018"), keys, PaperBench(data=tmp_path)).experiments
    for record in records:
        assert not record.missing and not record.failures
        assert {claim.verdict for claim in record.claims} <= {"holds", "does not hold here"}
        assert not any(claim.causes for claim in record.claims)  # those of MovieLens 1M say nothing of other data
        assert len(record.panels) == (0 if record.key.startswith("table") else 1)
    [table] = [record for record in records if record.key.startswith("table-3")]
    assert len(table.rows) == 7 and all(0 < row.measured < 210 for row in table.rows)  # p-values of 210 pairs of systems
