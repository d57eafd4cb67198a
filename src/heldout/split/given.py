"""Splits that were published with the data."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import numpy as np

from heldout.catalogue import param
from heldout.data.read import reader_of
from heldout.errors import InputError, SpecError
from heldout.split.parts import needed, not_empty
from heldout.split.splitter import Splitter
from heldout.tables import Interactions, Log, Split, Vocabulary
from heldout.tables.arrays import Int64, digest_of

_logger = logging.getLogger(__name__)


class Given(Splitter):
    """A predefined split: files of training and test ratings, one of each per fold.

    Assumes: without `train`, the training set is the study's data less the test pairs; a test pair that the data hold
    takes the data's rating, and one that they lack keeps the test file's and is counted in the log. Users and items of all
    folds share one vocabulary, so test users and items that a training set lacks are kept. A pair in both parts is an
    error.

    Example: `given(train=["u1.base", "u2.base"], test=["u1.test", "u2.test"])` makes two folds.
    """

    key = "given"

    train: str | tuple[str, ...] | None = param(None, "training files; none: the data without the test pairs")
    test: str | tuple[str, ...] | None = param(None, "test files, one for each fold")

    def check(self) -> None:
        if not self.tests:
            raise SpecError("given needs 'test'", hint='such as given(train="u1.base", test="u1.test")')
        if self.train is not None and len(self.trains) != len(self.tests):
            raise SpecError(
                f"given: {len(self.trains)} training and {len(self.tests)} test files",
                hint="give one of each for every fold",
            )

    @property
    def trains(self) -> tuple[str, ...]:
        """The training files."""
        return (self.train,) if isinstance(self.train, str) else self.train or ()

    @property
    def tests(self) -> tuple[str, ...]:
        """The test files."""
        return (self.test,) if isinstance(self.test, str) else self.test or ()

    @property
    def needs_data(self) -> bool:
        return self.train is None

    @property
    def folds_made(self) -> int:
        return len(self.tests)

    def source_digest(self) -> str:
        return digest_of(*(reader_of(path).source_digest() for path in (*self.trains, *self.tests)))

    def split(self, data: Interactions | None, *, seed: int) -> Iterator[Split]:
        tests = [reader_of(path).read() for path in self.tests]
        trains = [reader_of(path).read() for path in self.trains]
        whole = needed(data, self) if self.needs_data else None
        users = Vocabulary.of(*(log.user_id for log in (*trains, *tests)), *([whole.users.series] if whole else []))
        items = Vocabulary.of(*(log.item_id for log in (*trains, *tests)), *([whole.items.series] if whole else []))
        if whole is not None:
            whole = whole.recode(users, items)
        for fold, log in enumerate(tests):
            test = log.interactions(users=users, items=items)
            if whole is not None:
                yield not_empty(self._taken_out(whole, test, fold), self)
            else:
                train = trains[fold].interactions(users=users, items=items)
                _refuse_overlap(train, test, trains[fold], log)
                yield not_empty(Split(train, test, fold=fold), self)

    def _taken_out(self, data: Interactions, test: Interactions, fold: int) -> Split:
        """Train is the data without the test pairs; test has the data's ratings where they hold the pair."""
        at, known = _found(_pairs(test), _pairs(data))
        if not known.all():
            _logger.warning(
                "%s: %d of %d test pairs are not in the data and keep the test file's value",
                self.tests[fold],
                int((~known).sum()),
                len(test),
            )
        stays = np.ones(len(data), dtype=np.bool_)
        stays[at[known]] = False
        value = np.where(known, data.value[at], test.value)
        time, utility = None, None
        if data.time is not None and (known.all() or test.time is not None):
            time = np.where(known, data.time[at], test.time if test.time is not None else 0)
        if data.utility is not None and (known.all() or test.utility is not None):
            utility = np.where(known, data.utility[at], test.utility if test.utility is not None else 0.0)
        made = Interactions.build(test.users, test.items, test.user, test.item, value, time=time, utility=utility)
        return Split(data.select(stays), made, fold=fold)


def _pairs(data: Interactions) -> Int64:
    """A number for every (user, item) pair; ascending, since rows are sorted by user and item."""
    return data.user.astype(np.int64) * data.n_items + data.item


def _found(pairs: Int64, among: Int64) -> tuple[Int64, np.ndarray[tuple[int], np.dtype[np.bool_]]]:
    """Where each pair is among others (0 where it is not), and whether it is."""
    at = np.searchsorted(among, pairs)
    at[at == len(among)] = 0
    return at, among[at] == pairs


def _refuse_overlap(train: Interactions, test: Interactions, train_log: Log, test_log: Log) -> None:
    _, both = _found(_pairs(test), _pairs(train))
    if both.any():
        first = int(both.argmax())
        raise InputError(
            f"{int(both.sum()):,} (user, item) pairs are also in {train_log.source} (first: user "
            f"{test.users.ids[test.user[first]]}, item {test.items.ids[test.item[first]]})",
            file=test_log.source,
            hint="training and test ratings must be disjoint",
        )
