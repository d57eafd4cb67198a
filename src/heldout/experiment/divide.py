"""One data set profiled, filtered or divided, outside a study."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from opcode import opname
from pathlib import Path
from types import FrameType
from typing import Any, Literal

import polars as pl

from heldout.catalogue import Component, classes, make
from heldout.data.memory import InMemory, Source
from heldout.data.paths import is_there
from heldout.data.profile import MergedPairs, Profile, ProfileRecord, profile_as_read
from heldout.data.read import reader_of
from heldout.data.reader import Reader
from heldout.errors import NotApplicableError, SpecError
from heldout.experiment.clock import Clock
from heldout.experiment.folds import Prepared, RowsRead, filtered
from heldout.splits.carve import with_groups, with_validation
from heldout.storage.codec import from_plain
from heldout.tables import Interactions, Keep, Split
from heldout.tables.display import Displayed, headline
from heldout.text.numbers import counted


@dataclass(frozen=True)
class ProfiledRatings:
    """Ratings after a chain of filters, and what they were as read and after each."""

    data: Interactions | None
    """None if pairs repeat and nothing makes one rating of them."""
    record: ProfileRecord


def look(
    source: Any,
    filters: Sequence[Any],
    *,
    seed: int,
    on_bad_rows: str = "error",
    repeats: Literal["error", "count"] = "error",
) -> ProfiledRatings:
    """A data set, from a file or in memory, as read and after each filter of a chain.

    Repeated pairs are an error unless they are counted. Then the first profile is of all rows, the record has what filters
    would make of the pairs, and filters that need one row per pair get the latest.
    """
    columns = {"on_bad_rows": on_bad_rows} if on_bad_rows != "error" else {}
    in_file = isinstance(source, str | Path | Reader)
    reader: Source = reader_of(source, **columns) if in_file else InMemory(source, columns=columns)
    chain = [make("filter", text) for text in filters]
    rows = RowsRead(reader.read())
    undecided = all(step.merging is None for step in chain)
    repeated = rows.coded().repeats if repeats == "count" else 0
    steps: list[tuple[str, Profile]] = []
    merged: tuple[MergedPairs, ...] = ()
    if repeated:
        steps.append(("as read", profile_as_read(rows.coded())))
        if undecided:
            merged = tuple(_merged(rows, keep) for keep in ("latest", "sum", "max"))
            chain = [make("filter", "duplicates(keep=latest)"), *chain] if chain else []
    prepared = Prepared()
    data = filtered(reader, rows, chain, seed, prepared, Clock()) if chain or not repeated else None
    steps += [(step.label, from_plain(Profile, step.profile)) for of_data in prepared.profiles() for step in of_data.steps]
    record = ProfileRecord(
        source=str(reader),
        steps=tuple(steps),
        skipped=tuple((bad.reason, bad.count) for bad in rows.skipped),
        rows=rows.count,
        columns_read=rows.columns_read,
        repeats=repeated,
        merged=merged,
    )
    return ProfiledRatings(data, record)


def _merged(rows: RowsRead, keep: Keep) -> MergedPairs:
    return MergedPairs.of(f"duplicates(keep={keep})", rows.interactions(keep, None, last=False).value)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class DividedData(Displayed):
    """The folds of one split: iterate over them, or ask for the parts where there is only one."""

    text: str
    """The split, as a text form."""
    summary: str
    """What the split does, in a sentence."""
    splits: tuple[Split, ...]
    data: Interactions | None
    """What was divided; None if files bring their own ratings."""
    seed: int
    """What random draws were keyed by."""
    source: str = ""
    """Where the data came from; empty if they were in memory."""
    skipped: tuple[tuple[str, int], ...] = ()
    """Bad rows that were left out, by reason."""

    def __len__(self) -> int:
        return len(self.splits)

    def __iter__(self) -> Iterator[Split]:
        names = _names_unpacked_to(sys._getframe(1))
        if names not in (None, len(self)):
            raise NotApplicableError(
                f"a split gives its folds one after the other, here {len(self)}, and {names} names stand for them",
                hint="train, test = split.train, split.test" if len(self) == 1 else "for fold in split: … fold.train …",
            )
        return iter(self.splits)

    def __getitem__(self, fold: int) -> Split:
        return self.splits[fold]

    @property
    def train(self) -> Interactions:
        """The training ratings of the only fold; NotApplicableError if there are several."""
        return self._only("train").train

    @property
    def test(self) -> Interactions:
        """The test ratings of the only fold; NotApplicableError if there are several."""
        return self._only("test").test

    @property
    def validation(self) -> Interactions | None:
        """The validation ratings of the only fold, None where none were carved out; NotApplicableError for several."""
        return self._only("validation").validation

    def _only(self, part: str) -> Split:
        if len(self.splits) > 1:
            raise NotApplicableError(
                f"{self.text} made {len(self.splits)} folds, and each has its own {part} ratings",
                where=part,
                hint=f"for fold in split: … fold.{part} …",
            )
        return self.splits[0]

    def _headline(self) -> str:
        """The split in a sentence, and the parts of each fold in counts."""
        lines = [f"{self.text}: {counted(len(self), 'fold')}. {self.summary}"]
        return "\n".join(lines + [headline(fold) for fold in self.splits])

    def _notebook_rows(self) -> pl.DataFrame:
        """A row for each fold: the ratings of its parts, and who is tested."""
        return pl.DataFrame(
            [
                {
                    "fold": fold.fold + 1,
                    "train": len(fold.train),
                    "validation": None if fold.validation is None else len(fold.validation),
                    "test": len(fold.test),
                    "test users": int((fold.test.user_counts > 0).sum()),
                    "dropped": sum(drop.count for drop in fold.dropped),
                }
                for fold in self.splits
            ]
        )


def _names_unpacked_to(frame: FrameType) -> int | None:
    """To how many names a line such as `train, test = split` unpacks; None if it does something else.

    Python would only say that there are too few values, so this is asked before it counts them.
    """
    code, at = frame.f_code.co_code, frame.f_lasti
    return code[at + 1] if opname[code[at]] == "UNPACK_SEQUENCE" else None


def divide(
    source: Any,
    splitter: Any,
    filters: Sequence[Any] = (),
    *,
    validation: Any = None,
    development: float | None = None,
    seed: int = 1,
    on_bad_rows: str = "error",
    overlap_allowed: bool = False,
) -> DividedData:
    """Read, filter and split; `overlap_allowed` takes files with pairs in both parts, which an audit tells of."""
    if isinstance(splitter, str):
        _refuse_swapped(splitter, source)
    by = make("split", splitter)
    if on_bad_rows != "error" and hasattr(by, "on_bad_rows"):
        by = by.replace(on_bad_rows=on_bad_rows)
    if source is None and by.needs_data:
        raise SpecError(f"{by} divides a data set, and none is named", hint=f'such as heldout split "{by}" ratings.csv')
    if source is not None and not by.needs_data:
        named = source if isinstance(source, str | Path) else "the data set"
        raise SpecError(f"{by} brings its own ratings, so {named} plays no part", hint="leave the data out")
    data: Interactions | None = None
    skipped: tuple[tuple[str, int], ...] = ()
    if isinstance(source, Interactions) and not filters:
        data = source
    elif source is not None:
        looked = look(source, filters, seed=seed, on_bad_rows=on_bad_rows)
        data, skipped = looked.data, looked.record.skipped
    folds = by.unchecked(data, seed=seed) if overlap_allowed else by.split(data, seed=seed)
    splits = []
    for split in folds:
        if validation is not None:
            split = with_validation(split, make("split", validation), seed=seed)
        if development is not None:
            split = with_groups(split, development, seed=seed)
        splits.append(split)
    return DividedData(
        text=str(by),
        summary=by.summary(),
        splits=tuple(splits),
        data=data,
        seed=seed,
        source=str(source) if isinstance(source, str | Path | Component) else "",
        skipped=skipped,
    )


def _refuse_swapped(splitter: str, source: Any) -> None:
    """Raise SpecError if the data stand in the place of the split."""
    split_names = {name.casefold() for cls in classes("split") for name in (cls.key, *cls.aliases)}
    in_place = source if isinstance(source, str) else ""
    first, second = (text.partition("(")[0].strip().casefold() for text in (splitter, in_place))
    if first in split_names:
        return
    if second in split_names or (source is None and is_there(splitter)):
        split_text = in_place or "ratio"
        typed = f"heldout split {shlex.quote(split_text)} {shlex.quote(splitter)}"
        raise SpecError(
            f"on the command line the split comes first, then the data; in Python the data come first; found {splitter} "
            "in the place of the split",
            hint=f'such as {typed}, or ho.split("{splitter}", "{split_text}")',
        )
