"""What a study found: scores per user, and all that is known of how they came about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from heldout.analysis.merged_settings import MergedScores
from heldout.analysis.notices import users_of_protocols
from heldout.analysis.part import MeasuredUsers, Part, measured_users
from heldout.catalogue.notices import Notice
from heldout.data.profile import Profile
from heldout.errors import ResultsError
from heldout.metrics.metric import Metric
from heldout.tables import ProtocolKey
from heldout.targets.relevance.by_scale import ScaleGuess
from heldout.writing import write_file


@dataclass(frozen=True)
class DataSteps:
    """A data set before its filters and after each: (label, profile)."""

    name: str
    filter: str
    steps: tuple[tuple[str, Profile], ...]


@dataclass(frozen=True, kw_only=True)
class SplitCounts:
    """One fold of one split, in numbers."""

    data: str
    filter: str
    split: str
    fold: int
    train: int
    test: int
    users: int
    dropped: tuple[tuple[str, int], ...] = ()
    validation: int = 0
    development: int = 0
    notices: tuple[Notice, ...] = ()
    """Warnings about the fold, such as parts that are suspiciously small."""
    audit: dict[str, Any] = field(default_factory=dict)
    """What the fold leaks: `heldout.splits.audit.Audit` as plain numbers."""
    chosen: tuple[tuple[str, tuple[tuple[str, int], ...]], ...] = ()
    """For every chain of user rules and relevance rule, how many users each rule leaves."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Failure:
    """A cell that failed: one system on one fold."""

    cell: str
    system: str
    fold: int
    stage: str
    """What it failed in: fit or score."""
    reason: str
    details: str = ""
    """The traceback, where there is one."""
    error: BaseException | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Outcome:
    """All scores of a study."""

    parts: tuple[Part, ...]
    data: tuple[DataSteps, ...] = ()
    splits: tuple[SplitCounts, ...] = ()
    notices: tuple[Notice, ...] = ()
    manifest: dict[str, Any] = field(default_factory=dict)
    skipped: dict[str, tuple[tuple[str, int], ...]] = field(default_factory=dict)
    """Bad rows that the readers skipped, by source and reason."""
    failures: tuple[Failure, ...] = ()
    """Cells that failed; no score of their systems is among the parts."""
    left_out: tuple[str, ...] = ()
    """Metrics that were not measured of some system or under some protocol because they do not apply, with the reason."""
    guess: ScaleGuess | None = None
    """The relevance rule that was taken from the scale of the ratings, where none was written."""

    merged: MergedScores | None = None
    """The sums of scores that were too many to keep; `parts` are empty then."""

    def measured(self) -> tuple[MeasuredUsers, ...]:
        """The users of every system under every protocol and fold, in numbers."""
        if self.merged is not None:
            return self.merged.measured
        return tuple(measured_users(scores) for part in self.parts for scores in part.scores)

    def tested_users(self) -> list[int]:
        """How many users every protocol tests in all its folds together."""
        if self.merged is not None:
            return [counts.users for counts in {counts.protocol: counts for counts in self.merged.measured}.values()]
        return list(users_of_protocols(self.parts))

    def protocols(self) -> list[ProtocolKey]:
        """The protocols met, in order."""
        return list(dict.fromkeys(s.protocol for p in self.parts for s in p.scores))

    def systems(self) -> list[str]:
        """The systems met, in order."""
        if self.merged is not None:
            return list(self.merged.systems)
        return list(dict.fromkeys(s.system for p in self.parts for s in p.scores))

    def per_user(self) -> pl.DataFrame:
        """One row per system, protocol, fold and user, with a column for every metric."""
        if self.merged is not None:
            raise too_many_values()
        frames = [s.to_polars(p.users) for p in self.parts for s in p.scores]
        return pl.concat(_same_ids(frames), how="diagonal")


def too_many_values() -> ResultsError:
    """The error for values per user of an evaluation whose sums alone were kept."""
    return ResultsError(
        "these results hold no values per user: there were too many to keep",
        hint="name a file for them when evaluating: per_user=…, or --per-user",
    )


def _same_ids(frames: Sequence[pl.DataFrame]) -> list[pl.DataFrame]:
    """Frames whose user ids have one type: texts as soon as one has texts."""
    if len({f["user_id"].dtype for f in frames}) > 1:
        return [f.with_columns(pl.col("user_id").cast(pl.String)) for f in frames]
    return list(frames)


def write_values(path: Path, values: pl.LazyFrame, metrics: Sequence[Metric]) -> None:
    """Write values per user to a .parquet or .csv file, block by block: memory need not hold them."""
    names = [name for name in dict.fromkeys(map(str, metrics)) if name in values.collect_schema()]
    chosen = values.select("system", "relevance", "target", "unrated", "ties", "user_id", *names, "length")
    sink = chosen.sink_csv if path.suffix.lower() == ".csv" else chosen.sink_parquet
    write_file(path, lambda temporary: sink(temporary))
