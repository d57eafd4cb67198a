"""What a study measured: scores per user, and all that is known of how they came about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from heldout.catalogue.notices import Notice
from heldout.data.profile import DataSteps
from heldout.errors import ResultsError
from heldout.experiment.failure import Failure, why_failed
from heldout.metrics.metric import Metric
from heldout.splits.sizes import SplitCounts
from heldout.storage.files import write_file
from heldout.study.spec import OF_RUNS
from heldout.tables import ProtocolKey
from heldout.tables.deferred import Deferred
from heldout.tables.part import MeasuredUsers, Part, measured_users, tested_users
from heldout.targets.relevance.by_scale import ScaleGuess

if TYPE_CHECKING:
    from heldout.analysis.choices import Choice
    from heldout.analysis.findings import Findings
    from heldout.analysis.stored_scores import StoredScores
    from heldout.study.analysis import Analysis


@dataclass(frozen=True, eq=False, kw_only=True)
class Outcome:
    """All scores of a study, and where they come from: what findings are made of."""

    parts: tuple[Part, ...]
    data: Deferred[tuple[DataSteps, ...]] = field(default_factory=lambda: Deferred.known(()))
    """The profile of each data set, before its filters and after each."""
    splits: tuple[SplitCounts, ...] = ()
    notices: tuple[Notice, ...] = ()
    manifest: dict[str, Any] = field(default_factory=dict)
    failures: tuple[Failure, ...] = ()
    """Cells that failed; no score of their systems is among the parts."""
    left_out: tuple[str, ...] = ()
    """Metrics that were not measured of some system or under some protocol because they do not apply, with the reason."""
    guess: ScaleGuess | None = None
    """The relevance rule that was taken from the scale of the ratings, if none was written."""
    stored: tuple[StoredScores, ...] = ()
    """The scores of each protocol if there are too many users for parts; their files are gone when `analysed` is known."""
    analysed: Findings | None = None
    """What was made of stored scores."""

    def measured(self) -> tuple[MeasuredUsers, ...]:
        """The users of every system under every protocol and fold, in numbers."""
        return measured_users(self.parts) + tuple(counts for table in self.stored for counts in table.measured_users())

    def tested_users(self) -> list[int]:
        """How many users every protocol tests in all its folds together."""
        return [*tested_users(self.parts), *(len(table) for table in self.stored)]

    def protocols(self) -> list[ProtocolKey]:
        """The protocols met, in order."""
        return list(dict.fromkeys(s.protocol for p in self.parts for s in p.scores))

    def systems(self) -> list[str]:
        """The systems met, in order."""
        if self.stored:
            return list(self.stored[0].systems)
        return list(dict.fromkeys(s.system for p in self.parts for s in p.scores))

    def per_user(self) -> pl.DataFrame:
        """One row per system, protocol, fold and user, with a column for every metric."""
        if self.stored:
            raise too_many_values()
        frames = [s.to_polars(p.users) for p in self.parts for s in p.scores]
        return pl.concat(_same_ids(frames), how="diagonal")

    def findings(self, analysis: Analysis, choices: Callable[[], Iterable[Choice]]) -> Findings:
        """What an analysis makes of the scores; `choices` gives those of the protocol, under which they were measured."""
        if self.analysed is not None:
            return replace(self.analysed, manifest=dict(self.manifest))
        from heldout.analysis.analyse import analyse, notice_rows  # `measure` loads none of it

        findings = analyse(
            analysis,
            self.parts,
            stored=self.stored,
            choices=choices,
            manifest=self.manifest,
            failed=why_failed(self.manifest),
            not_measured=self.left_out,
        )
        return replace(
            findings,
            splits=self.splits,
            notices=(*notice_rows(self.notices), *findings.notices),
            details=replace(findings.details, data=self.data),
        )


def too_many_values() -> ResultsError:
    """The error for values per user of an evaluation that was too large to keep them."""
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
    columns = values.select("system", *OF_RUNS, "user_id", *names, "length")
    sink = columns.sink_csv if path.suffix.lower() == ".csv" else columns.sink_parquet
    write_file(path, lambda temporary: sink(temporary))
