"""Encode what runs are judged by: ratings and lists from outside become tables with shared vocabularies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from heldout.data.frames import is_frame, log_from_frame, run_from_frame
from heldout.data.nested import refuse_ids_outside, refuse_other_shapes
from heldout.data.read import no_ratings, reader_of
from heldout.data.reader import Reader
from heldout.data.runs import RunFrame, read_run
from heldout.errors import InputError
from heldout.splits.pairs import refuse_overlap
from heldout.tables import Interactions, Vocabulary
from heldout.tables.arrays import Bool, Float64, Int32, Int64
from heldout.tables.interactions import grades_of
from heldout.tables.vocabulary import codes_among, recoded


@dataclass(frozen=True, eq=False)
class Qrels:
    """The test set and, if it is known, the training set. They are encoded once and can judge any number of runs."""

    test: Interactions
    train: Interactions | None = None
    counts: bool = False
    """True if the reader of the test set declares its values as counts."""

    @property
    def parts(self) -> list[Interactions]:
        """The test set and, if it is known, the training set."""
        return [self.test] if self.train is None else [self.test, self.train]

    @cached_property
    def users(self) -> Int32:
        """The users with test ratings."""
        return np.flatnonzero(self.test.user_counts).astype(np.int32)

    @cached_property
    def grades(self) -> tuple[Float64, Int64]:
        """The distinct ratings of all parts, ascending, and how often each occurs."""
        if self.train is None:
            return grades_of(self.test)
        (test, of_test), (train, of_train) = grades_of(self.test), grades_of(self.train)
        grades, place = np.unique(np.concatenate([test, train]), return_inverse=True)
        return grades, np.bincount(place, np.concatenate([of_test, of_train])).astype(np.int64)

    @cached_property
    def top_grade(self) -> float:
        """The highest rating of all parts."""
        return max(float(part.value.max()) for part in self.parts)

    @cached_property
    def equal_ratings(self) -> bool:
        """True if all test ratings are equal."""
        return bool((self.test.value == self.test.value[0]).all())

    @cached_property
    def rated(self) -> Bool:
        """Which items have a rating."""
        return np.asarray(sum(part.item_counts for part in self.parts) > 0)

    def catalogue_size(self, run: RunFrame) -> int:
        """Number of items known to exist: those with a rating and those of the run, whatever other runs hold."""
        exists = self.rated.copy()
        exists[run.item] = True
        return int(exists.sum())


def encode(qrels: Any, runs: Mapping[str, Any], train: Any = None) -> tuple[Qrels, dict[str, RunFrame]]:
    """The ratings and the runs, each a path, a frame, arrays or a dict by user, over shared vocabularies.

    Ratings that are `Interactions` are not encoded again: a loop over runs then encodes only the runs.
    """
    others = {"training set": train, **{f"run {name}": run for name, run in runs.items()}}
    refuse_other_shapes({"test set": qrels, **others})
    qrels = reader_of(qrels) if isinstance(qrels, str | Path) else qrels
    test = _ratings(qrels, "test set")
    refuse_ids_outside(others, test.users, test.items)
    ratings = Qrels(test, counts=isinstance(qrels, Reader) and qrels.counts)
    if train is not None:
        ratings = _with_training(ratings, _ratings(train, "training set"))
    return _over_shared_items(ratings, {name: _run(source, name) for name, source in runs.items()})


def _ratings(source: Any, what: str) -> Interactions:
    if isinstance(source, Interactions):
        if not len(source):
            raise InputError(file=what, found=0, expected="at least one rating")
        return source.compact()
    if isinstance(source, str | Path | Reader):
        log = reader_of(source).read()
    elif is_frame(source):
        log = log_from_frame(source, name=what)
    else:
        raise no_ratings(source).within(f"the {what}")
    try:
        return log.interactions()
    except InputError as error:
        error.hint = "keep one row for each pair"  # there are no filters here that could choose one
        raise


def _with_training(ratings: Qrels, train: Interactions) -> Qrels:
    """The test and training set over vocabularies that hold the ids of both."""
    users = Vocabulary.of(ratings.test.users.series, train.users.series)
    items = Vocabulary.of(ratings.test.items.series, train.items.series)
    test, train = ratings.test.recode(users, items), train.recode(users, items)
    refuse_overlap(train, test, "the training set", "test set")
    return replace(ratings, test=test, train=train)


def _run(source: Any, name: str) -> RunFrame:
    if isinstance(source, RunFrame):
        return source
    if isinstance(source, str | Path):
        return read_run(source)
    if is_frame(source):
        return run_from_frame(source, name=name)
    raise InputError(f"the run '{name}' is of type {type(source).__name__}", hint="give a path, a frame or arrays")


def _over_shared_items(ratings: Qrels, runs: Mapping[str, RunFrame]) -> tuple[Qrels, dict[str, RunFrame]]:
    """Ratings and runs over a vocabulary of the items of all of them."""
    items = ratings.test.items
    codes = {name: codes_among(items, run.items) for name, run in runs.items()}
    if any((of_run < 0).any() for of_run in codes.values()):
        items = Vocabulary.of(items.series, *(run.items.series for run in runs.values()))
        codes = {name: codes_among(items, run.items) for name, run in runs.items()}
        test, *train = (part.recode(part.users, items) for part in ratings.parts)
        ratings = replace(ratings, test=test, train=train[0] if train else None)
    return ratings, {name: replace(run, items=items, item=recoded(run.item, codes[name])) for name, run in runs.items()}
