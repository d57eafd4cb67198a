"""Splits that were published with the data."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

import numpy as np

from heldout.catalogue import Coerced, param
from heldout.data.column_table import BAD_ROWS, BadRows
from heldout.data.read import read_log, reader_of
from heldout.errors import InputError, SpecError
from heldout.splits.pairs import refuse_overlap, rows_among, without_overlap
from heldout.splits.splitter import Splitter, not_empty
from heldout.tables import Dropped, Interactions, Log, Split, Vocabulary
from heldout.tables.arrays import digest_of
from heldout.tables.time_units import finest
from heldout.text.numbers import counted

_logger = logging.getLogger(__name__)


class Given(Splitter):
    """A predefined split: files of training and test ratings, one of each per fold.

    Assumes: without `train`, the training set is the study's data less the test pairs; a test pair that the data hold
    takes the data's rating, and one that they lack keeps the test file's and is counted in the log. Users and items of
    all folds share one vocabulary, so test users and items that a training set lacks are kept. A pair in both parts is
    an error, unless `overlap` says which one keeps it; the other's is dropped and counted. Bad rows of the files are
    errors too, or skipped and counted among what is dropped.

    Example: `given(train=["u1.base", "u2.base"], test=["u1.test", "u2.test"])` makes two folds.
    """

    key = "given"
    predefined = True

    train: Coerced[str | tuple[str, ...] | None, list[str]] = param(
        None, "training files; none: the data without the test pairs"
    )
    test: Coerced[str | tuple[str, ...] | None, list[str]] = param(None, "test files, one for each fold")
    overlap: Literal["error", "train", "test"] = param("error", "the part that keeps a pair of both: neither, train or test")
    on_bad_rows: BadRows = param("error", BAD_ROWS)

    def check(self) -> None:
        if not self.tests:
            raise SpecError("missing", where="given: 'test'", hint='such as given(train="u1.base", test="u1.test")')
        if self.train is not None and len(self.trains) != len(self.tests):
            raise SpecError(
                where="given: 'train'",
                found=len(self.trains),
                expected=f"{counted(len(self.tests), 'training file')}, one for each test file",
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
        for split in self.parts(data):
            if self.overlap != "error":
                split = without_overlap(split, keep=self.overlap)
            elif self.train is not None:
                refuse_overlap(split.train, split.test, self.trains[split.fold], self.tests[split.fold])
            yield not_empty(split, self)

    def unchecked(self, data: Interactions | None, *, seed: int) -> Iterator[Split]:
        return self.parts(data) if self.overlap == "error" else self.split(data, seed=seed)

    def parts(self, data: Interactions | None) -> Iterator[Split]:
        """The splits as the files have them, also where pairs are in both parts, which an audit tells."""
        if self.train is None and data is None:
            raise InputError("there are no data to divide", hint="set data, or `train`").within(str(self))
        tests, trains = [self._read(path) for path in self.tests], [self._read(path) for path in self.trains]
        whole = data if self.train is None else None
        users = Vocabulary.of(*(log.user_id for log in (*trains, *tests)), *([whole.users.series] if whole else []))
        items = Vocabulary.of(*(log.item_id for log in (*trains, *tests)), *([whole.items.series] if whole else []))
        if whole is not None:
            whole = whole.recode(users, items)
        for fold, log in enumerate(tests):
            test = log.interactions(users=users, items=items)
            skipped = _left_out(log)
            if whole is not None:
                yield replace(self._taken_out(whole, test, fold), dropped=skipped)
            else:
                train = trains[fold].interactions(users=users, items=items)
                split = Split(train=train, test=test, fold=fold, dropped=(*_left_out(trains[fold]), *skipped))
                yield split.in_one_unit()

    def _read(self, path: str) -> Log:
        return read_log(path, **({"on_bad_rows": self.on_bad_rows} if self.on_bad_rows != "error" else {}))

    def _taken_out(self, data: Interactions, test: Interactions, fold: int) -> Split:
        """Train is the data without the test pairs; test has the data's ratings where they hold the pair."""
        unit = finest((data.time_unit, test.time_unit))
        data, test = data.in_unit(unit), test.in_unit(unit)
        row = rows_among(test, data)
        in_data, at = row >= 0, np.maximum(row, 0)
        if not in_data.all():
            _logger.warning(
                "%s: %d of %d test pairs are not in the data and keep the test file's value",
                self.tests[fold],
                int((~in_data).sum()),
                len(test),
            )
        stays = np.ones(len(data), dtype=np.bool_)
        stays[at[in_data]] = False
        value = np.where(in_data, data.value[at], test.value)
        time, utility = None, None
        if data.time is not None and (in_data.all() or test.time is not None):
            time = np.where(in_data, data.time[at], test.time if test.time is not None else 0)
        if data.utility is not None and (in_data.all() or test.utility is not None):
            utility = np.where(in_data, data.utility[at], test.utility if test.utility is not None else 0.0)
        hidden = Interactions.build(
            test.users, test.items, test.user, test.item, value, time=time, utility=utility, time_unit=unit
        )
        return Split(train=data.select(stays), test=hidden, fold=fold)

    def phrase(self) -> str:
        return "a predefined division into training and test files was used"


def _left_out(log: Log) -> tuple[Dropped, ...]:
    """The bad rows of a file that were skipped."""
    return tuple(Dropped(f"bad rows of {log.source}: {skipped.reason}", skipped.count) for skipped in log.skipped)
