"""Every split of the catalogue keeps the contract; and the contract can be broken."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.refusals import failing_check
from tests.splits.test_splits import EVERY

from heldout.catalogue import classes, make
from heldout.errors import InputError
from heldout.splits.splitter import Splitter
from heldout.splits.store import save_split
from heldout.tables import Dropped, Interactions, Split
from heldout.testing import check_split
from heldout.testing.components import some_ratings


def test_the_catalogue_is_tried() -> None:
    known = {cls.key for cls in classes("split") if cls.__module__.startswith("heldout.")}
    assert {make("split", text).key for text in EVERY} | {"given", "saved"} == known


@pytest.mark.parametrize("text", EVERY)
def test_contract(text: str) -> None:
    check_split(make("split", text))


def test_contract_of_splits_that_bring_their_own_ratings(tmp_path: Path) -> None:
    made = list(make("split", "folds(2)").split(some_ratings(), seed=1))
    save_split(tmp_path / "kept", made, made_by="folds(2)", seed=1)
    check_split(make("split", f'saved("{tmp_path}/kept")'))
    made[0].train.to_polars().write_csv(tmp_path / "train.csv")
    made[0].test.to_polars().write_csv(tmp_path / "test.csv")
    check_split(make("split", f'given(train="{tmp_path}/train.csv", test="{tmp_path}/test.csv")'))
    check_split(make("split", f'given(test="{tmp_path}/test.csv")'))


def _broken(way: str, train: Interactions, test: Interactions, data: Interactions) -> Split:
    if way == "overlap":
        return Split(train=data, test=test)
    if way == "lost":
        return Split(train=train.select(np.arange(len(train)) > 0), test=test)
    if way == "empty":
        return Split(train=data, test=test.select(np.zeros(len(test), dtype=np.bool_)))
    if way == "values":
        return Split(train=train, test=replace(test, value=test.value + 1))
    if way == "reason":
        return Split(train=train.select(np.arange(len(train)) > 0), test=test, dropped=(Dropped("", 1),))
    return Split(train=train, test=test, fold=3 if way == "fold" else 0)


def _broken_splitter(way: str) -> Splitter:
    class Broken(Splitter):
        """Half of the ratings, by row."""

        folds_made = 2 if way == "folds" else 1
        follows_time = way == "time"
        one_cut = way == "cut"

        def split(self, data: Interactions | None, *, seed: int) -> Iterator[Split]:
            assert data is not None
            if way == "nothing":
                return
            hidden = np.arange(len(data)) % 2 == 0
            if way == "seed":
                hidden = np.random.default_rng().random(len(data)) < 0.5
            if way == "ids":
                hidden = np.array([len(str(data.users.ids[k])) > 2 or k % 2 == 0 for k in data.user])
            yield _broken(way, data.select(~hidden), data.select(hidden), data)

    return Broken()


def test_each_fault_is_found_by_its_own_check(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heldout.testing.splits.check_text_form", lambda split: None)
    faults = ("overlap", "lost", "empty", "values", "reason", "fold", "folds", "seed", "ids", "time", "cut", "nothing")
    assert len({failing_check(check_split, _broken_splitter(fault)) for fault in faults}) == len(faults)


def test_an_error_of_the_split_itself_is_told_as_what_is_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    class Refusing(Splitter):
        """A split that refuses all ratings."""

        def split(self, data: Interactions | None, *, seed: int) -> Iterator[Split]:
            raise InputError("no ratings are good enough")

    monkeypatch.setattr("heldout.testing.splits.check_text_form", lambda splitter: None)
    for splitter in (Refusing(), make("split", "uniform_test(share=0.9)")):
        with pytest.raises(AssertionError) as failure:
            check_split(splitter)
        assert isinstance(failure.value.__cause__, InputError) and str(splitter) in str(failure.value)
