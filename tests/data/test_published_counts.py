"""The counts of every published data set, through the public reader."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.heavy import heavy

from heldout import InputError, make, read, read_log, read_side
from heldout.data.read import reader_of

Find = Callable[[str], Path]


@pytest.mark.parametrize(
    ("name", "key", "rows", "users", "items", "pairs"),
    [
        ("ml-1m", "movielens", 1_000_209, 6040, 3706, 1_000_209),
        ("ml-100k", "movielens", 100_000, 943, 1682, 100_000),
        ("ta-feng", "tafeng", 817_741, 32_266, 23_812, 743_228),
        ("book-crossing", "bookcrossing", 1_149_780, 105_283, 340_556, 1_149_780),
        ("fimi/retail.dat", "fimi", 908_576, 88_162, 16_470, 908_576),
        ("fimi/kosarak-first-36682.dat", "fimi", 294_009, 36_682, 17_034, None),
        ("lastfm-hetrec-2k", "lastfm", 92_834, 1892, 17_632, 92_834),
        ("cm100k", "cm100k", 103_584, 1054, 1084, 103_584),
        ("coat", "coat", 6960, 290, 300, 6960),
        ("gowalla", "recbole", 1_027_370, 29_858, 40_981, 1_027_370),
        ("jester/jester-data-1.csv.xz", "jester", 1_810_455, 24_983, 100, 1_810_455),
        ("complete-journey/transactions.parquet", "parquet", 1_469_307, 2469, 68_509, None),
        ("librarything/test-fold-u1.qrel.gz", "trec_qrels", 147_050, 7279, 31_450, 147_050),
        ("beeradvocate/test-fold-u1.qrel.gz", "trec_qrels", 291_160, 18_913, 22_309, 291_160),
    ],
)
def test_counts(real_data: Find, name: str, key: str, rows: int, users: int, items: int, pairs: int | None) -> None:
    reader = reader_of(real_data(name))
    assert reader.key == key
    log = reader.read()
    data = log.interactions("sum")
    assert (len(log), data.n_users, data.n_items) == (rows, users, items)
    assert pairs is None or len(data) == pairs


def test_movielens_stars_and_tables(real_data: Find) -> None:
    folder = real_data("ml-1m")
    data = read(folder)
    assert np.bincount(data.value.astype(int)).tolist() == [0, 56_174, 107_557, 261_197, 348_971, 226_310]
    items, users = read_side(folder), read_side(folder, of="users")
    assert (len(items), len(users)) == (3883, 6040)
    genres = items.features("genres", data.items)
    assert len(genres.names) == 18 and len(genres.indptr) == data.n_items + 1
    assert genres.names[genres.feature[0]] in ("Animation", "Children's", "Comedy")  # item 1, Toy Story
    small = read_side(real_data("ml-100k"))
    assert len(small) == 1682 and len(read_side(real_data("ml-100k"), of="users")) == 943
    assert small.columns["genres"][0] == "Animation|Children's|Comedy"


@heavy
def test_bookcrossing_explicit_rows_and_tables(real_data: Find) -> None:
    folder = real_data("book-crossing")
    explicit = make("reader", f'bookcrossing("{folder}", rows=explicit)').read().interactions()
    assert (len(explicit), explicit.n_users, explicit.n_items) == (433_671, 77_805, 185_973)
    assert (explicit.value.min(), explicit.value.max()) == (1, 10)
    books, people = read_side(folder), read_side(folder, of="users")
    assert (len(books), len(people)) == (271_379, 278_858)
    unknown = read(folder).items.series.is_in(books.ids.cast(pl.String).to_list())
    assert int((~unknown).sum()) == 70_386


@heavy
def test_tafeng_days_baskets_and_profit(real_data: Find) -> None:
    log = reader_of(real_data("ta-feng")).read()
    assert log.time is not None and log.utility is not None
    baskets = pl.DataFrame({"user": log.user_id, "time": log.time})
    assert (baskets.n_unique(), baskets["time"].n_unique()) == (119_578, 120)
    summed = log.interactions("sum")
    assert summed.utility is not None
    assert summed.utility.sum() == pytest.approx(log.utility.sum())
    assert summed.value.sum() == log.value.sum()
    subclasses = read_side(real_data("ta-feng"))
    assert len(subclasses) == 23_812


def test_lastfm_plays(real_data: Find) -> None:
    assert read(real_data("lastfm-hetrec-2k")).value.sum() == 69_183_975
    assert len(read_side(real_data("lastfm-hetrec-2k"))) == 17_632


def test_cm100k_known_songs(real_data: Find) -> None:
    folder = real_data("cm100k")
    data = read(folder)
    assert np.bincount(data.value.astype(int)).tolist() == [0, 41_115, 32_845, 23_336, 6288]
    known = make("reader", f'cm100k("{folder}", known=yes)').read()
    assert len(known) == 11_594
    assert len(make("reader", f'cm100k("{folder}", known=no)').read()) == 103_584 - 11_594
    assert len(reader_of(folder).listed("users")) == 1054  # type: ignore[attr-defined]


def test_coat_random_test_part_and_propensities(real_data: Find) -> None:
    folder = real_data("coat")
    test = make("reader", f'coat("{folder}", part=test)').read().interactions()
    train = make("reader", f'coat("{folder}")').read().interactions()
    assert len(test) == 4640 and set(test.user_counts.tolist()) == {16} and set(train.user_counts.tolist()) == {24}
    assert set(test.value.tolist()) == {1.0, 2.0, 3.0, 4.0, 5.0}
    parts = f"""train='coat("{folder}")', test='coat("{folder}", part=test)'"""
    with pytest.raises(InputError):
        list(make("split", f"given({parts})").split(None, seed=1))
    (split,) = make("split", f"given({parts}, overlap=train)").split(None, seed=1)
    assert (len(split.train), len(split.test), split.dropped[0].count) == (6960, 4640 - 366, 366)
    propensities = make("reader", f'coat("{folder}")').propensities()
    assert propensities.shape == (290, 300) and 0 < propensities.min() <= propensities.max() < 1
    assert (len(read_side(folder)), len(read_side(folder, of="users"))) == (300, 290)


def test_jester_values(real_data: Find) -> None:
    log = reader_of(real_data("jester/jester-data-1.csv.xz")).read()
    assert (log.value.min(), log.value.max()) == (-9.95, 10.0)


def test_gowalla_parts(real_data: Find) -> None:
    folder = real_data("gowalla")
    assert len(read_log(folder / "gowalla.train.inter.xz")) == 810_128
    assert len(read_log(folder / "gowalla.test.inter.xz")) == 217_242


def test_complete_journey_baskets_and_tables(real_data: Find) -> None:
    folder = real_data("complete-journey")
    log = read_log(folder / "transactions.parquet", item="basket_id")
    assert log.item_id.n_unique() == 155_848
    assert len(read_side(folder / "products.parquet")) == 92_331
    assert len(read_side(folder / "demographics.parquet", of="users")) == 801


@pytest.mark.parametrize(
    ("policy", "campaign", "items", "clicks"),
    [
        ("random", "all", 80, 38),
        ("random", "men", 34, 46),
        ("random", "women", 46, 46),
        ("bts", "all", 80, 42),
        ("bts", "men", 34, 69),
        ("bts", "women", 46, 46),
    ],
)
def test_open_bandit(real_data: Find, policy: str, campaign: str, items: int, clicks: int) -> None:
    log = read_log(
        real_data(f"open-bandit-small/{policy}/{campaign}/{campaign}.csv.xz"),
        user="user_feature_0",
        item="item_id",
        value="click",
        utility="propensity_score",
    )
    assert (len(log), log.value.sum(), int(log.item_id.max()) + 1) == (10_000, clicks, items)  # type: ignore[arg-type]
    assert log.utility is not None
    if policy == "random":
        assert log.utility == pytest.approx(1 / items)
