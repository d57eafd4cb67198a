"""The answers and parts of all ranges put together, and what does not go together refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path

import numpy as np
import polars as pl

from heldout.analysis.stored_scores import OF_USERS, StoredScores
from heldout.catalogue.notices import Notice
from heldout.data.parquet_files import ParquetFiles
from heldout.data.profile import Profile, ProfileTotals, positive_grade, profile_of
from heldout.errors import InputError, NotApplicableError, all_of
from heldout.experiment.evaluate import evaluation_scores
from heldout.experiment.guessed_relevance import MOST, judged_by_relevance
from heldout.experiment.metric_notices import about_gains
from heldout.experiment.notices import about_run
from heldout.experiment.stream.shard_range import RangeAnswer, RangeTask, scores_file, setting_name
from heldout.experiment.stream.sources import MOST_VALUES, Inspection, Sources
from heldout.experiment.study_scores import StudyScores
from heldout.metrics.beyond.tops import OfItemCounts
from heldout.study.analysis import Analysis
from heldout.study.protocol import Protocol
from heldout.tables import ProtocolKey, Scores, Vocabulary, id_column
from heldout.tables.arrays import Float64, Int64, frozen
from heldout.tables.background import needs_all_training
from heldout.tables.blocks import is_large
from heldout.tables.cell_scores import CellScores
from heldout.tables.scores import is_count
from heldout.targets.relevance_rule import nothing_relevant
from heldout.targets.runs import RunCounts, none_tested
from heldout.targets.target import Form


def refuse_unstreamable(protocol: Protocol, analysis: Analysis) -> None:
    """NotApplicableError that names what cannot be worked out for some users at a time."""
    for target in protocol.target:
        if target.form != Form():
            raise NotApplicableError(
                f"{target} draws its candidates from all ratings, and a streamed evaluation sees some users at a time",
                where="target",
                hint="use AllItems, or evaluate without streaming",
            )
    for ties in protocol.ties:
        if ties.from_file or ties.draws(0):
            raise NotApplicableError(
                f"{ties} depends on the order of rows or of all users, which a streamed evaluation does not keep",
                where="ties",
                hint="use item, trec or expected",
            )
    for metric in analysis.metrics:
        if metric.needs_whole_lists or metric.needs_all_scores or not (metric.per_user or isinstance(metric, OfItemCounts)):
            raise NotApplicableError(
                f"{metric} looks at the whole order of all users' candidates, which does not merge",
                where="metrics",
                hint="leave it out, or evaluate without streaming",
            )
        if metric.needs_all_training:
            raise needs_all_training(metric).within("metrics")
        if metric.needs_positives and any(rule.relative for rule in protocol.relevance):
            raise NotApplicableError(
                f"{metric} counts every item's relevant ratings, and under a rule relative to users these do not merge",
                where="metrics",
                hint="use a threshold, or evaluate without streaming",
            )


def refuse_without_relevant(protocol: Protocol, analysis: Analysis, seen: Inspection) -> None:
    """InputError where no test rating at all is relevant under a rule that is the same for all users."""
    grades, _ = seen.test.grades
    for rule, stated_by in protocol.relevance_rules().items():
        asked_for = any(metric.tasks != ("predict_ratings",) for metric in analysis.metrics)
        if asked_for and not rule.relative and not rule.relevant(grades, np.array([0, len(grades)])).any():
            raise nothing_relevant(rule, float(grades[-1]), stated_by=stated_by)


def _refuse_unserved(protocol: Protocol, analysis: Analysis, study_scores: StudyScores) -> None:
    """InputError where a guessed rule leaves most users with test ratings without a relevant one."""
    guess = protocol.guess
    if guess is None or not judged_by_relevance(protocol, analysis.metrics):
        return
    for counts in study_scores.measured():
        if counts.without_relevant > MOST * counts.tested:
            raise InputError(
                f"no rule is written; {guess.rule}, since {guess.because}, leaves {counts.without_relevant:,} of "
                f"{counts.tested:,} users with test ratings without a relevant one, and they would count as 0",
                hint=f'write the rule that is meant, such as relevance = "{guess.rule}" or "user_mean"',
            ).within("relevance")


def merged_outcome(
    protocol: Protocol,
    analysis: Analysis,
    sources: Sources,
    seen: Inspection,
    task: RangeTask,
    answers: Sequence[RangeAnswer],
) -> StudyScores:
    """What the ranges found, together."""
    noticed: list[Notice] = []
    for name in task.systems:
        unused = np.sum([answer.unused[name] for answer in answers if name in answer.unused], axis=0)
        counts = RunCounts(int(unused[0]), int(unused[1]))
        if not sum(answer.ranked.get(name, 0) for answer in answers) and not counts.training:
            raise none_tested(counts.unknown_users, _first_user(sources.runs[name]), sources.runs[name].path).within(name)
        noticed += about_run(name, counts)
    refused = dict.fromkeys(why for answer in answers for why in answer.refused.values())
    if not any(answer.protocols for answer in answers):
        raise all_of([NotApplicableError(why) for why in refused])
    item_counts = _item_counts(task.scratch, len(seen.items))
    protocols = next(answer.protocols for answer in answers if answer.protocols)
    users = sum(n for answer in answers for n in answer.ratings_per_user.values())
    parts: tuple[CellScores, ...] = ()
    stored: tuple[StoredScores, ...] = ()
    if is_large(users) and all(metric.direction != "none" for metric in analysis.metrics):
        stored = tuple(_stored_scores(task, way, key, analysis, item_counts, users) for way, key in enumerate(protocols))
    else:
        parts = tuple(_read_part(task, number, protocols, analysis, item_counts) for number in range(len(task.systems)))
    profile = _profile(seen, answers)
    study_scores = evaluation_scores(
        protocol,
        analysis,
        parts,
        profile=lambda: profile,
        train=seen.rows.get("training set", 0),
        test=profile.ratings,
        users=users,
        left_out=tuple(refused),
        noticed=[*about_gains(analysis.metrics, lambda: seen.grades), *noticed],
        equal_ratings=len(seen.test.grades[0]) == 1,
        stored=stored,
    )
    _refuse_unserved(protocol, analysis, study_scores)
    streamed = {"files": sum(len(files.files) for files in sources.all), "rows": sum(seen.rows.values())}
    manifest = {**study_scores.manifest, "streamed": {**streamed, "ranges": len(answers)}}
    return replace(study_scores, manifest=manifest)


def per_user_values(tables: Sequence[StoredScores]) -> pl.LazyFrame:
    """One row per system, protocol and user, as `StudyScores.per_user` has them, in the order of the hash of ids."""
    frames = []
    for table in tables:
        for k, (system, files) in enumerate(zip(table.systems, table.files, strict=True)):
            whole = {metric: values[k] for metric, values in table.whole.items()}
            fixed = {"system": system, **asdict(table.protocol), **whole}
            columns = [pl.lit(value).alias(name) for name, value in fixed.items()]
            scanned = [pl.scan_ipc(file).select("user_id", *table.metrics, "length", *columns) for file in files]
            frames += scanned
    return pl.concat(frames, how="diagonal")


def _first_user(files: ParquetFiles) -> object:
    return next(iter(files.blocks("user")))[1]["user"][0]


def _profile(seen: Inspection, answers: Sequence[RangeAnswer]) -> Profile:
    """The profile of the test set, without times."""
    frequency: dict[int, int] = {}
    for answer in answers:
        for size, users in answer.ratings_per_user.items():
            frequency[int(size)] = frequency.get(int(size), 0) + users
    sizes = sorted(frequency)
    grades, counts = seen.test.grades
    positive, n_items = positive_grade(grades), len(seen.items)
    liked = None if positive is None else seen.test.of_items(n_items, (seen.test.value >= positive).astype(np.float64))
    totals = ProfileTotals(
        user_sizes=np.array(sizes, dtype=np.int64),
        user_frequency=np.array([frequency[size] for size in sizes], dtype=np.int64),
        item_counts=seen.test.of_items(n_items).astype(np.int64),
        item_positive=None if liked is None else liked.astype(np.int64),
        item_sums=seen.test.of_items(n_items, seen.test.value) if len(grades) <= MOST_VALUES else None,
        grades=grades,
        grade_counts=counts,
    )
    return profile_of(totals, positive)


def _read_part(
    task: RangeTask,
    number: int,
    protocols: Sequence[ProtocolKey],
    analysis: Analysis,
    item_counts: Mapping[tuple[str, str], Int64],
) -> CellScores:
    """The scores of a run over all users, by id; metrics that some range has no value of are left out."""
    whole_systems = [metric for metric in analysis.metrics if isinstance(metric, OfItemCounts)]
    scores, users = [], Vocabulary.numbered(0)
    for way, protocol in enumerate(protocols):
        files = _score_files(task, number, way)
        if not files:
            continue
        ids = id_column(_whole_column(files, "user_id"))
        order = ids.arg_sort().to_numpy()
        users = Vocabulary.of(ids) if not len(users) else users
        columns = _common_columns(files)
        counts = [name for name in columns if is_count(name)]
        metrics = tuple(name for name in columns if name not in counts and name not in OF_USERS)
        read = partial(_column, files, order)
        values = np.empty((len(metrics), len(order)))
        for row, name in zip(values, metrics, strict=True):
            row[:] = read(name)
        of_users = Scores(
            system=task.systems[number],
            protocol=protocol,
            fold=0,
            users=frozen(users.encode(ids.gather(order)), np.int32),
            metrics=metrics,
            values=frozen(values, np.float64).T,
            length=frozen(read("length"), np.float64),
            computed=frozen(read("computed"), np.float64),
            lists=frozen(read("lists"), np.int32),
            counts={name: frozen(read(name), np.float64) for name in counts},
        )
        scores.append(_with_values(of_users, whole_systems, item_counts))
    return CellScores(tuple(scores), users)


def _stored_scores(
    task: RangeTask,
    way: int,
    protocol: ProtocolKey,
    analysis: Analysis,
    item_counts: Mapping[tuple[str, str], Int64],
    users: int,
) -> StoredScores:
    """The scores of all runs under one protocol, which stay in the files of ranges."""
    whole_systems = [metric for metric in analysis.metrics if isinstance(metric, OfItemCounts)]
    files = tuple(_score_files(task, number, way) for number in range(len(task.systems)))
    columns = [name for name in _common_columns(files[0]) if name not in OF_USERS and not is_count(name)]
    whole = {}
    for metric in whole_systems:
        counts = [item_counts.get((system, setting_name(protocol, metric))) for system in task.systems]
        if all(of_system is not None for of_system in counts):
            whole[str(metric)] = tuple(metric.of_counts(of_system) for of_system in counts if of_system is not None)
    return StoredScores(
        protocol=protocol, systems=task.systems, files=files, users=users, metrics=tuple(columns), whole=whole
    )


def _score_files(task: RangeTask, number: int, way: int) -> tuple[Path, ...]:
    """The files of a run under a protocol, in the order of ranges."""
    return tuple(sorted(scores_file(Path(task.scratch), number, way, 0).parent.glob("*.arrow")))


def _common_columns(files: Sequence[Path]) -> list[str]:
    """The columns that all parts have."""
    first, *others = (pl.read_ipc_schema(file) for file in files)
    return [name for name in first if all(name in schema for schema in others)]


def _column(files: Sequence[Path], order: Int64, name: str) -> Float64:
    """A column of all users, by id; one column at a time keeps memory low."""
    column: Float64 = _whole_column(files, name).to_numpy()[order]
    return column


def _whole_column(files: Sequence[Path], name: str) -> pl.Series:
    return pl.concat([pl.read_ipc(file, columns=[name])[name] for file in files])


def _with_values(scores: Scores, metrics: Sequence[OfItemCounts], item_counts: Mapping[tuple[str, str], Int64]) -> Scores:
    """The scores with columns of what whole systems are measured by, the same for every user."""
    counted = {str(m): item_counts.get((scores.system, setting_name(scores.protocol, m))) for m in metrics}
    values = [m.of_counts(counts) for m in metrics if (counts := counted[str(m)]) is not None]
    if not values:
        return scores
    names = (*scores.metrics, *(name for name, counts in counted.items() if counts is not None))
    return replace(
        scores, metrics=names, values=np.concatenate([scores.values, np.tile(values, (len(scores.users), 1))], axis=1)
    )


def _item_counts(scratch: str, n_items: int) -> dict[tuple[str, str], Int64]:
    """By system and setting, how often each item is recommended to all users."""
    files = sorted((Path(scratch) / "counts").glob("*.parquet"))
    counts: dict[tuple[str, str], Int64] = {}
    for file in files:
        for (system, setting), rows in pl.read_parquet(file).group_by("system", "setting"):
            of_item = counts.setdefault((str(system), str(setting)), np.zeros(n_items, np.int64))
            of_item[rows["item"].to_numpy()] += rows["count"].to_numpy()
    return counts
