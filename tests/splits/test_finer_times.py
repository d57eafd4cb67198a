"""Times finer than a second order ratings in every split, and survive every way out and back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.data.files import write
from tests.refusals import refused

import heldout as ho
from heldout import audit, read
from heldout.catalogue import make
from heldout.data.write import write_ratings
from heldout.errors import InputError, SpecError
from heldout.splits.store import save_split
from heldout.tables import Interactions
from heldout.testing import check_split

START = 1_465_000_000_000


def bursts(users: int = 60, each: int = 8) -> Interactions:
    """Ratings that a user gives within a second or two, items in random order."""
    draw = np.random.default_rng(11)
    user = np.repeat(np.arange(users), each)
    item = np.concatenate([draw.permutation(30)[:each] for _ in range(users)])
    time = START + user * 1_500 + np.concatenate([draw.permutation(1_400)[:each] for _ in range(users)])
    return read({"user": user, "item": item, "rating": item % 5 + 1.0, "timestamp": time})


def test_the_newest_rating_of_each_user_is_hidden() -> None:
    data = bursts()
    split = next(iter(make("split", "temporal(by=user, last=1)").split(data, seed=1)))
    assert data.time is not None and split.test.time is not None and split.train.time is not None
    newest = np.maximum.reduceat(data.time, data.user_indptr[:-1])
    assert split.test.time.tolist() == newest.tolist()
    assert audit(split).older_than_own == 0
    hidden = data.select(np.isin(np.arange(len(data)), data.user_indptr[:-1]))
    leaking = ho.audit(type(split)(train=data.select(~np.isin(np.arange(len(data)), data.user_indptr[:-1])), test=hidden))
    assert leaking.older_than_own == int((hidden.time != newest).sum()) > 40  # type: ignore[operator]


@pytest.mark.parametrize(
    "text",
    [
        "temporal(share=0.3)",
        "temporal(at=0.7)",
        "temporal(by=user, share=0.3)",
        "temporal(by=user, last=1)",
        "replay(times=4)",
        "random_time",
        "test_users(0.5, then=temporal(share=0.3))",
    ],
)
def test_splits_by_time_order_by_milliseconds(text: str, tmp_path: Path) -> None:
    data, splitter = bursts(), make("split", text)
    splits = list(splitter.split(data, seed=1))
    coarse = [audit(split) for split in splits]
    assert all(found.older_than_own == 0 for found in coarse)
    assert not splitter.one_cut or all(found.older_than_any == 0 for found in coarse)
    check_split(splitter, data)
    save_split(tmp_path / "saved", splits, made_by=text, seed=1)
    again = list(make("split", f'saved("{tmp_path}/saved")').split(None, seed=1))
    assert [split.digest for split in again] == [split.digest for split in splits]
    assert {part.time_unit for split in again for part in (split.train, split.test)} == {"ms"}


@pytest.mark.parametrize(
    ("at", "first"),
    [
        ('"2016-06-04T00:26:40.500"', START + 500),
        ("1465000000.5", START + 500),
        ('"2016-06-04T00:26:41"', START + 1000),
        ("1465000001", START + 1000),
        ("1465000000.1234", START + 124),
    ],
)
def test_a_cut_within_a_second(at: str, first: int) -> None:
    split = next(iter(make("split", f"temporal(at={at})").split(bursts(), seed=1)))
    assert split.train.time is not None and split.test.time is not None
    assert split.train.time.max() < first <= split.test.time.min()


def test_a_cut_within_a_second_of_whole_seconds_hides_what_is_later() -> None:
    data = read({"user": [1, 1, 1], "item": [1, 2, 3], "timestamp": [1_465_000_000, 1_465_000_001, 1_465_000_002]})
    for at in ("1465000000.5", '"2016-06-04T00:26:40.5"'):
        split = next(iter(make("split", f"temporal(at={at})").split(data, seed=1)))
        assert split.train.time is not None and split.train.time.tolist() == [1_465_000_000]
    with refused(InputError, where="temporal(at=5.5)", found="6"):
        next(iter(make("split", "temporal(at=5.5)").split(data, seed=1)))
    with refused(SpecError, where="temporal: 'at'", found="2016-06-04T00:26:40.1234567"):
        make("split", 'temporal(at="2016-06-04T00:26:40.1234567")')


def test_files_of_a_given_split_may_have_different_units(tmp_path: Path) -> None:
    write(tmp_path / "train.csv", "user,item,rating,timestamp\n1,1,4,1465000000\n1,2,4,1465000001\n")
    write(tmp_path / "test.csv", "user,item,rating,timestamp\n1,3,4,1465000000500\n")
    both = f'given(train="{tmp_path}/train.csv", test="{tmp_path}/test.csv")'
    split = next(iter(make("split", both).split(None, seed=1)))
    found = audit(split)
    assert (found.older_than_own, split.train.time_unit, split.test.time_unit) == (1, "ms", "ms")
    whole = read(tmp_path / "train.csv")
    split = next(iter(make("split", f'given(test="{tmp_path}/test.csv")').split(whole, seed=1)))
    assert split.train.time is not None and split.train.time.tolist() == [START, START + 1000]
    assert split.test.time is None or split.test.time.tolist() == [START + 500]


def test_merged_pairs_keep_both_ends(tmp_path: Path) -> None:
    rows = {"user": [1, 1, 1], "item": [1, 1, 2], "timestamp": [START + 1, START + 2, START + 3]}
    data = read(rows, duplicates="latest")
    assert data.time is not None and data.time.tolist() == [START + 2, START + 3]
    assert data.merged_time is not None and data.merged_time.tolist() == [START + 1, START + 3]
    splits = list(make("split", "temporal(at=1465000000.003)").split(data, seed=1))
    save_split(tmp_path / "saved", splits, made_by="temporal", seed=1)
    again = next(iter(make("split", f'saved("{tmp_path}/saved")').split(None, seed=1)))
    assert again.train.merged_time is not None and again.train.merged_time.tolist() == [START + 1]


def test_a_study_tests_the_same_ratings_from_any_source(tmp_path: Path) -> None:
    data = bursts()
    files = [write_ratings(data, tmp_path / f"r{ending}") for ending in (".csv", ".parquet", ".jsonl", ".inter", ".arrow")]
    sources = [data, data.to_polars(), data.to_polars().to_pandas(), *map(str, files)]
    study = {
        "split": "temporal(by=user, last=1)",
        "recommend": ["Popularity", "UserKNN(k=5)"],
        "metrics": ["P@5"],
        "relevance": "threshold(1)",
    }
    results = [ho.run({**study, "data": source}, out=tmp_path / f"out{k}") for k, source in enumerate(sources)]
    values = [result.tables["all-leaderboards"].frame.select("system", "value", "low", "high") for result in results]
    assert all(value.equals(values[0]) for value in values)
    assert {part.digest for source in sources for part in [ho.split(source, study["split"])[0]]} == {
        ho.split(data, study["split"])[0].digest
    }
    assert ho.load(tmp_path / "out3").tables["all-leaderboards"].frame.equals(results[3].tables["all-leaderboards"].frame)
