"""What a study measured, or an earlier run kept: scores per user, and all that is known of how they came about."""

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
from heldout.storage.deferred import Deferred
from heldout.storage.files import write_file
from heldout.study.spec import OF_RUNS
from heldout.tables import ProtocolKey
from heldout.tables.cell_scores import CellScores, MeasuredUsers, measured_users, tested_users
from heldout.targets.relevance.by_scale import ScaleGuess

if TYPE_CHECKING:
    from heldout.analysis.choices import Choice
    from heldout.analysis.findings import Findings
    from heldout.analysis.stored_scores import StoredScores
    from heldout.study.analysis import Analysis
from collections.abc import Mapping

from heldout.catalogue import make
from heldout.errors import SpecError
from heldout.experiment.guessed_relevance import about_guess
from heldout.experiment.ledger import Ledger, read_manifest
from heldout.experiment.notices import about_scores
from heldout.study.analysis import DEFAULT_TITLE, Analysis, entry_of, make_analysis
from heldout.study.comparison import COMPARE_KEYS
from heldout.study.record import recorded_study
from heldout.targets.target import Target


@dataclass(frozen=True, eq=False, kw_only=True)
class StudyScores:
    """All scores of a study, and where they come from: what findings are made of."""

    parts: tuple[CellScores, ...]
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
        from heldout.analysis.analyse import analyse  # `measure` loads none of it

        return analyse(
            analysis,
            self.parts,
            stored=self.stored,
            choices=choices,
            manifest=self.manifest,
            failed=why_failed(self.manifest),
            not_measured=self.left_out,
            noticed=self.notices,
            splits=self.splits,
            data=self.data,
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


CHOICES = (*("metrics", "objectives", "aggregate", "undefined", "coverage"), *COMPARE_KEYS, "seed")
"""What may be chosen anew for scores that exist already."""


def finished_manifest(folder: str | Path) -> dict[str, Any]:
    """The manifest of a folder; ResultsError if the work on it did not finish."""
    manifest = read_manifest(folder)
    if not manifest.get("complete", True):
        raise ResultsError(
            "the run did not finish", where=str(folder), hint="run the same command again: it goes on where it stopped"
        )
    return manifest


def kept_scores(folder: str | Path) -> StudyScores:
    """All scores of a finished run."""
    manifest = finished_manifest(folder)
    parts = manifest.get("parts")
    if not parts and "streamed" in manifest:
        raise too_many_values().within(str(folder))
    if not isinstance(parts, Mapping) or not parts:
        raise ResultsError("no scores were kept there", where=str(folder), hint="name the folder of a run")
    ledger = Ledger(folder)
    return StudyScores(parts=tuple(ledger.load(str(key)) for key in parts.values()), manifest=manifest)


def kept_analysis(study_scores: StudyScores, choices: Mapping[str, Any]) -> Analysis:
    """The analysis of the run, with `choices` (see `CHOICES`) in the place of those that the run made."""
    record, systems = study_scores.manifest.get("study", {}), study_scores.systems()
    chosen = {key: value for key, value in choices.items() if value is not None}
    compare = {key: value for key, value in record.get("compare", {}).items() if key in COMPARE_KEYS}
    if compare.get("baseline") not in systems:
        compare["baseline"] = None  # it failed, and has no scores
    keys = {key: record[key] for key in ("aggregate", "undefined", "coverage", "task") if key in record}
    keys |= {"title": study_scores.manifest.get("title", DEFAULT_TITLE), "seed": int(study_scores.manifest.get("seed", 1))}
    keys |= {key: value for key, value in chosen.items() if key not in COMPARE_KEYS}
    keys |= {"compare": {**compare, **{key: chosen[key] for key in COMPARE_KEYS if key in chosen}}}
    measured = list(dict.fromkeys(m for part in study_scores.parts for scores in part.scores for m in scores.metrics))
    if "metrics" not in chosen:
        entries = [text for text in record.get("metrics", []) if str(make("metric", entry_of(text)[0])) in measured]
        # An aggregation that is chosen now holds for all metrics.
        keys["metrics"] = [entry_of(text)[0] for text in entries] if "aggregate" in chosen else entries
    analysis = make_analysis(keys, systems=systems, targets=_targets(study_scores))
    for metric in analysis.metrics:
        if str(metric) not in measured:
            ranking = [text for text in measured if make("metric", text).direction != "none"]
            raise SpecError(
                "this metric was not measured in this run",
                where="metrics",
                found=str(metric),
                hint=f"measured: {', '.join(ranking)}",
            )
    if "objectives" not in chosen:
        texts = record.get("objectives", ())
        return replace(analysis, objectives=tuple(metric for metric in analysis.metrics if metric.full_text in texts))
    return analysis


def _targets(study_scores: StudyScores) -> list[Target]:
    return [make("target", text) for text in dict.fromkeys(protocol.target for protocol in study_scores.protocols())]


def advise_again(analysis: Analysis, study_scores: StudyScores) -> StudyScores:
    """The scores with the notices that its scores call for under this analysis."""
    notices = list(about_scores(analysis, study_scores.measured(), study_scores.tested_users()))
    if "guessed" in study_scores.manifest:
        protocol = recorded_study(study_scores.manifest, study_scores.systems())
        notices = [*about_guess(protocol, analysis.metrics, study_scores.measured()), *notices]
    # Tables that weigh users are read again: the manifest says which, as they are now.
    digests = {a.full_text: digest for a in analysis.all_aggregations if (digest := a.source_digest())}
    inputs = {"inputs": {**study_scores.manifest.get("inputs", {}), **digests}} if digests else {}
    manifest = {key: value for key, value in study_scores.manifest.items() if key != "costs"} | inputs  # told by themselves
    reasons = study_scores.manifest.get("left_out", ())
    left_out = tuple(reason for reason in reasons if any(_is_about(reason, str(m)) for m in analysis.metrics))
    return replace(study_scores, notices=tuple(notices), manifest=manifest, left_out=left_out)


def _is_about(reason: str, metric: str) -> bool:
    return reason.startswith((f"{metric} ", f"{metric}:"))
