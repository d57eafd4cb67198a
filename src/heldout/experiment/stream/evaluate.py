"""Runs judged in pieces: sources are inspected and partitioned, ranges of shards measured, and their answers merged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from heldout.analysis.choices import protocol_choices
from heldout.data.parquet_files import ParquetFiles
from heldout.engine.engine import Engine, InProcess, Sendable, TaskFailedError
from heldout.errors import HeldoutError, SpecError, UnknownNameError
from heldout.experiment.run_judging import SCORES, run_protocol
from heldout.experiment.stream.merging import merged_outcome, per_user_values, refuse_unstreamable, refuse_without_relevant
from heldout.experiment.stream.partition import ROWS_AT_ONCE, partition, range_rows, ranges_needed
from heldout.experiment.stream.shard_range import RangeAnswer, RangeTask, measure_range
from heldout.experiment.stream.sources import Inspection, Sources, inspect, open_sources
from heldout.experiment.study_scores import StudyScores, write_values
from heldout.progress import Progress, WorkBar
from heldout.storage.codec import from_plain, to_plain
from heldout.storage.files import scratch_folder, write_file
from heldout.study.analysis import Analysis, make_analysis
from heldout.study.compatibility import refuse_unfit
from heldout.study.protocol import JUDGING, Protocol


@dataclass(frozen=True, eq=False, kw_only=True)
class StreamOptions:
    """How an evaluation is streamed."""

    scratch: str | Path | None = None
    """The folder in which rows are sorted by user, and cleared afterwards; the system's temporary folder if not named."""
    storage: Mapping[str, str] | None = None
    """What is to be known of an object store, as polars takes it."""
    per_user: Path | None = None
    """The file, .parquet or .csv, to which the values of users are written where they are too many to keep."""
    rows_at_once: int = ROWS_AT_ONCE
    """Rows that are judged at a time; results do not depend on it."""


MEASURING = "judging"
"""The stage of progress in which ranges are measured."""


def stream_runs(
    qrels: Any,
    runs: Mapping[str, Any],
    metrics: Sequence[Any],
    *,
    options: StreamOptions,
    train: Any = None,
    scores: str = "order",
    items: Any = None,
    engine: Engine | None = None,
    tell: Progress | None = None,
    seed: int = 1,
    **choices: Any,
) -> tuple[Protocol, Analysis, StudyScores]:
    """As `evaluation_of`, with its scores, for Parquet files of any size."""
    if scores not in SCORES:
        raise UnknownNameError("kind of scores", scores, SCORES, where="scores")
    if items is not None and not isinstance(items, str | Path):
        raise SpecError("a streamed evaluation takes the table of items as a file", where="items", hint="write it to a file")
    sources = open_sources(qrels, runs, train, options.storage)
    if tell is not None:
        tell("reading items and ratings", 0, 0)
    seen = inspect(sources.test, sources.train, sources.runs)
    judging = {stage: choices.pop(stage) for stage in JUDGING if stage in choices}
    protocol = run_protocol(lambda: seen.grades, seed=seed, **judging)
    keys = {**choices, "metrics": metrics, "seed": seed}
    analysis = make_analysis(keys, systems=list(runs), targets=protocol.target)
    refuse_unfit(analysis.metrics, protocol)
    refuse_unstreamable(protocol, analysis)
    refuse_without_relevant(protocol, analysis, seen)
    with scratch_folder(options.scratch) as scratch:
        ranges = ranges_needed(sum(seen.rows.values()), options.rows_at_once)
        bar = _bar(tell, sources, seen, ranges)
        task = _partitioned(sources, seen, protocol, analysis, scratch, ranges, scores=scores, items=items, bar=bar)
        answers: list[RangeAnswer] = []
        bar.stage(MEASURING)
        for answer in _measured(task, ranges, engine or InProcess()):
            bar.finish(MEASURING)
            sources.refuse_repeated(answer.repeated)
            answers.append(answer)
        study_scores = merged_outcome(protocol, analysis, sources, seen, task, answers)
        if study_scores.stored:
            bar.stage("comparing")
            study_scores = replace(
                study_scores, analysed=study_scores.findings(analysis, lambda: protocol_choices(protocol))
            )
            if options.per_user is not None:
                bar.stage("writing values per user")
                write_values(options.per_user, per_user_values(study_scores.stored), analysis.metrics)
        bar.end()
        return protocol, analysis, study_scores


def _folders(sources: Sources) -> dict[str, ParquetFiles]:
    """By folder of the scratch folder, the files whose rows it gets."""
    rated = {"test": sources.test} | ({"train": sources.train} if sources.train is not None else {})
    return rated | {f"run-{k:04}": files for k, files in enumerate(sources.runs.values())}


def _bar(tell: Progress | None, sources: Sources, seen: Inspection, ranges: int) -> WorkBar:
    """Progress over the rows that are sorted and, again, judged."""
    rows = dict(zip(_folders(sources), seen.rows.values(), strict=False))
    weights = {**rows, MEASURING: sum(rows.values()) / ranges}
    return WorkBar(tell, {**dict.fromkeys(rows, 1), MEASURING: ranges}, weights=weights)


def _partitioned(
    sources: Sources,
    seen: Inspection,
    protocol: Protocol,
    analysis: Analysis,
    scratch: Path,
    ranges: int,
    *,
    scores: str,
    items: Any,
    bar: WorkBar,
) -> RangeTask:
    """Write all rows by range of shards into the scratch folder; what ranges are told."""
    steps = [
        (folder, files, ("value", "utility") if folder in ("test", "train") else _order_of(files))
        for folder, files in _folders(sources).items()
    ]
    bar.stage("sorting rows by user")
    for folder, files, roles in steps:
        partition(files, ("user", "item", *(r for r in roles if r in files.labels)), seen.items, ranges, scratch / folder)
        bar.finish(folder)
    _write_items(seen, protocol, scratch)
    grades, _ = seen.grades
    train_users = 0
    for place in range(ranges) if sources.train is not None else ():
        rows = range_rows(scratch / "train", place)
        train_users += 0 if rows is None else int(rows["user"].n_unique())
    return RangeTask(
        scratch=str(scratch),
        systems=tuple(sources.runs),
        metrics=tuple(metric.full_text for metric in analysis.metrics),
        aggregate=tuple(dict.fromkeys(a.full_text for a in analysis.all_aggregations)),
        judging={stage: tuple(option.full_text for option in getattr(protocol, stage)) for stage in JUDGING},
        scores=scores,
        seed=analysis.seed,
        items=None if items is None else str(items),
        top_grade=float(grades[-1]),
        lowest=float(grades[0]),
        catalogue_sizes=tuple(seen.catalogue_size(name) for name in sources.runs),
        trained=sources.train is not None,
        train_users=train_users,
    )


def _order_of(files: ParquetFiles) -> tuple[str]:
    """The column that orders a run: its score or, without one, its rank."""
    return ("score",) if "score" in files.labels else ("rank",)


def _write_items(seen: Inspection, protocol: Protocol, scratch: Path) -> None:
    """What ranges must know of all items."""
    n_items = len(seen.items)
    columns = {"test": seen.test.of_items(n_items)}
    if seen.train is not None:
        columns["train"] = seen.train.of_items(n_items)
        for rule in protocol.relevance:
            if not rule.relative:
                relevant = [rule.relevant(part.value, np.array([0, len(part.value)])) for part in seen.parts]
                good = [p.of_items(n_items, r.astype(np.float64)) for p, r in zip(seen.parts, relevant, strict=True)]
                columns[str(rule)] = sum(good[1:], good[0])
    counts = pl.DataFrame({name: column.astype(np.int64) for name, column in columns.items()})
    ids = pl.DataFrame({"item": seen.items.series})
    for name, frame in (("items.parquet", ids), ("item-counts.parquet", counts)):
        write_file(scratch / name, partial(_fill, frame), flush=False)


def _fill(frame: pl.DataFrame, temporary: Path) -> None:
    frame.write_parquet(temporary)


def _measured(task: RangeTask, ranges: int, engine: Engine) -> Iterator[RangeAnswer]:
    """The answers of all ranges, in order."""
    plain = to_plain(task)

    def failed(error: TaskFailedError) -> dict[str, Any]:
        raise HeldoutError(f"a range of users could not be measured: {error.reason}")

    tasks = [
        Sendable(
            here=partial(measure_range, plain, place),
            function=measure_range,
            arguments={"task": plain, "place": place},
            received=lambda answer: answer,
            failed=failed,
        )
        for place in range(ranges)
    ]
    for answer in engine.run(tasks):
        yield from_plain(RangeAnswer, answer)
