"""One range of shards judged and measured: a task of its own, for this process or another.

All that a task is told is plain (`RangeTask`), and all that is large goes through files of the scratch folder: rows come
from `partition`, per-user scores leave as a Parquet part for each run, and counts as a small answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, astuple, dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from heldout.data.runs import MatrixRun, RunFrame
from heldout.errors import InputError
from heldout.experiment.evaluate import Evaluation
from heldout.experiment.judging import Judgement, UserScores, background_of, keeps_denominators
from heldout.experiment.run_judging import Qrels, run_protocol
from heldout.experiment.stream.partition import range_rows
from heldout.metrics.beyond.tops import OfItemCounts
from heldout.metrics.list_subsets import of_users
from heldout.metrics.measuring import diagnostics_for
from heldout.metrics.metric import Metric
from heldout.splits.pairs import refuse_overlap
from heldout.storage.codec import from_plain, to_plain
from heldout.storage.files import write_file, write_scratch
from heldout.study.analysis import make_analysis
from heldout.study.applicability import fits
from heldout.tables import Background, Interactions, ProtocolKey, Rankings, Scores, Vocabulary
from heldout.tables.arrays import Int64
from heldout.tables.blocks import hash_order
from heldout.targets.relevance_rule import RelevanceRule
from heldout.targets.tie_rule import TieRule


@dataclass(frozen=True, kw_only=True)
class RangeTask:
    """What every range of an evaluation is measured by: text forms and numbers that hold for all users."""

    scratch: str
    systems: tuple[str, ...]
    metrics: tuple[str, ...]
    aggregate: tuple[str, ...]
    judging: dict[str, tuple[str, ...]]
    """By decision, the options about judging."""
    scores: str
    seed: int
    items: str | None
    """The path of the table of items, where metrics look at one."""
    top_grade: float
    lowest: float
    catalogue_sizes: tuple[int, ...]
    """By system."""
    trained: bool
    """Whether the training set is known."""
    train_users: int


@dataclass(frozen=True, kw_only=True)
class RangeAnswer:
    """What a range tells beside its parts, in plain values that merge."""

    ratings_per_user: dict[str, int] = field(default_factory=dict)
    """How many users have so many test ratings."""
    unused: dict[str, tuple[int, int]] = field(default_factory=dict)
    """By system: users who are not tested, and ranked items of training."""
    ranked: dict[str, int] = field(default_factory=dict)
    """By system: tested users with a list."""
    refused: dict[str, str] = field(default_factory=dict)
    """Why metrics have no value, by what the reason is about."""
    protocols: tuple[ProtocolKey, ...] = ()
    """The choices under which users were judged, in the order of the folders of parts."""
    repeated: tuple[str, str, str] | None = None
    """Of a pair that is there twice: the source, the user, the item; nothing else was measured then."""


@dataclass(frozen=True, eq=False, kw_only=True)
class RangeQrels(Qrels):
    """The test and training set of some users; what is known of all ratings comes from the task."""

    task: RangeTask

    @property
    def top_grade(self) -> float:
        """That of all ratings."""
        return self.task.top_grade

    def catalogue_size(self, run: RunFrame | MatrixRun) -> int:
        """That of the whole run and all ratings."""
        return self.task.catalogue_sizes[self.task.systems.index(run.source)]


class RangeEvaluation(Evaluation):
    """The evaluation of some users; what holds for all comes from the task, and item codes are those of all rows."""

    def __init__(self, task: RangeTask, qrels: Qrels) -> None:
        keys = {"metrics": list(task.metrics), "aggregate": list(task.aggregate), "compare": "none", "seed": task.seed}
        protocol = run_protocol(
            lambda: (np.empty(0), np.empty(0, np.int64)),  # rules were settled before
            seed=task.seed,
            **task.judging,
        )
        analysis = make_analysis(keys, systems=task.systems, targets=protocol.target)
        super().__init__(
            protocol=protocol,
            metrics=analysis.metrics,
            analysis=analysis,
            qrels=qrels,
            items=task.items,
            scores_are=task.scores,
            diagnostics=True,
            pooling=keeps_denominators(analysis),
        )
        self.task = task
        self.system_metrics = [metric for metric in analysis.metrics if isinstance(metric, OfItemCounts)]
        beside = (diagnostic for metric in self.system_metrics for diagnostic in diagnostics_for(metric))
        of_users = (metric for metric in analysis.metrics if metric.per_user)
        self.user_metrics = tuple(dict.fromkeys([*of_users, *beside]))
        """Those of users, also those next to metrics of whole systems; the latter are counted."""
        self.item_counts: dict[tuple[str, str], Int64] = {}
        self.unused: dict[str, tuple[int, int]] = {}
        self.ranked_users: dict[str, int] = {}

    def background(self, rule: RelevanceRule, test: Interactions) -> Background:
        """As for all users, with the counts of all training ratings."""
        own = background_of([], rule, test, self.qrels.train, *self.sides)
        own = replace(own, lowest=self.task.lowest)
        if self.qrels.train is None:
            return own
        counts = read_item_counts(self.task.scratch)
        return replace(
            own,
            positives=counts[str(rule)].to_numpy() if str(rule) in counts.columns else None,
            ratings=(counts["test"] + counts["train"]).to_numpy(),
            train_counts=counts["train"].to_numpy(),
            train_users=self.task.train_users,
        )

    def run_of(self, rows: pl.DataFrame | None, name: str) -> RunFrame:
        """The rows of a run, whose items are codes already."""
        items = self.qrels.test.items
        if rows is None:
            return RunFrame(Vocabulary.numbered(0), np.empty(0, np.int32), items, np.empty(0, np.int32), np.empty(0), name)
        users = Vocabulary.of(rows["user"])
        user, item = users.encode(rows["user"]), rows["item"].to_numpy()
        ranked = "rank" in rows.columns
        order = rows["rank" if ranked else "score"].to_numpy().astype(np.float64)
        return RunFrame(users, user, items, item, -order if ranked else order, name)

    def rankings(self, name: str, run: RunFrame, ties: TieRule) -> Rankings:
        """The lists in order; there may be none of a tested user."""
        try:
            rankings, counts = self.ranked(run, ties)
        except InputError:
            raise _repeated(pl.DataFrame({"user": run.user_id, "item": run.item}), run.items, name) from None
        self.unused[name] = (counts.unknown_users, counts.training)
        self.ranked_users[name] = len(rankings.users)
        return rankings

    def measured(self, judgement: Judgement, metrics: Sequence[Metric] | None = None) -> list[UserScores]:
        """The values of users' own metrics; what whole systems are measured by is counted beside."""
        ((protocol, tested),) = judgement.tested
        judged = judgement.judged if tested.all() else of_users(judgement.judged, tested)
        for metric in self.system_metrics:
            if not fits(metric, judgement.choices):
                continue
            self.item_counts[judgement.system, setting_name(protocol, metric)] = metric.counts(judged)
        return super().measured(judgement, self.user_metrics)


def setting_name(protocol: ProtocolKey, metric: Metric) -> str:
    """What tells counts of items apart: all choices and the metric."""
    return " · ".join((*astuple(protocol), str(metric)))


class RepeatedPairError(Exception):
    """A pair of user and item stands in two rows of a source."""

    def __init__(self, source: str, user: object, item: object) -> None:
        super().__init__(source, user, item)
        self.pair = (source, str(user), str(item))


def measure_range(task: dict[str, Any], place: int) -> dict[str, Any]:
    """Judge and measure the users of one range: writes a part for each run, and answers with what merges."""
    try:
        answer = _measured(from_plain(RangeTask, task), place)
    except RepeatedPairError as error:
        answer = RangeAnswer(repeated=error.pair)
    plain: dict[str, Any] = to_plain(answer)
    return plain


def _measured(task: RangeTask, place: int) -> RangeAnswer:
    scratch, items = Path(task.scratch), read_items(task.scratch)
    rows = range_rows(scratch / "test", place)
    if rows is None:
        unused = {}
        for number, name in enumerate(task.systems):
            listed = range_rows(scratch / f"run-{number:04}", place)
            unused[name] = (0 if listed is None else int(listed["user"].n_unique()), 0)
        return RangeAnswer(unused=unused)
    train_rows = range_rows(scratch / "train", place) if task.trained else None
    users = Vocabulary.of(*(part["user"] for part in (rows, train_rows) if part is not None))
    test = _ratings(rows, users, items, "test set")
    train = None
    if task.trained:
        train = _ratings(rows.head(0) if train_rows is None else train_rows, users, items, "training set")
        refuse_overlap(train, test, "the training set", "test set")
    evaluation = RangeEvaluation(task, RangeQrels(test=test, train=train, task=task))
    protocols: list[ProtocolKey] = []
    for number, name in enumerate(task.systems):
        part = evaluation.part(name, evaluation.run_of(range_rows(scratch / f"run-{number:04}", place), name))
        protocols = [scores.protocol for scores in part.scores]
        for way, scores in enumerate(part.scores):
            _write(scores, part.users, scores_file(scratch, number, way, place))
    counts = [
        pl.DataFrame({"system": system, "setting": setting, "item": np.flatnonzero(of_item), "count": of_item[of_item > 0]})
        for (system, setting), of_item in evaluation.item_counts.items()
    ]
    if counts:
        write_file(
            scratch / "counts" / f"{place:04}.parquet", lambda temporary: pl.concat(counts).write_parquet(temporary),
            make_folder=True, flush=False,
        )  # fmt: skip
    sizes, frequency = np.unique(test.user_counts[test.user_counts > 0], return_counts=True)
    return RangeAnswer(
        ratings_per_user={str(size): int(n) for size, n in zip(sizes, frequency, strict=True)},
        unused=evaluation.unused,
        ranked=evaluation.ranked_users,
        refused={str(metric): error.problem for metric, error in evaluation.left_out.items()},
        protocols=tuple(protocols),
    )


def scores_file(scratch: Path, number: int, way: int, place: int) -> Path:
    """The values of one system's users under one protocol: users of a range, in the order of the hash of their ids."""
    return scratch / "scores" / f"{number:04}" / f"{way:04}" / f"{place:04}.arrow"


def _write(scores: Scores, users: Vocabulary, path: Path) -> None:
    frame = scores.to_polars(users).drop("system", "fold", *asdict(scores.protocol))
    path.parent.mkdir(parents=True, exist_ok=True)
    write_scratch(path, frame[hash_order(frame["user_id"])].write_ipc)


def _ratings(rows: pl.DataFrame, users: Vocabulary, items: Vocabulary, what: str) -> Interactions:
    """The ratings of a range; items are codes already."""
    value, utility = (
        rows[name].to_numpy().astype(np.float64) if name in rows.columns else None for name in ("value", "utility")
    )
    value = np.ones(rows.height) if value is None else value
    try:
        return Interactions.build(users, items, users.encode(rows["user"]), rows["item"].to_numpy(), value, utility=utility)
    except InputError:
        raise _repeated(rows, items, what) from None


def _repeated(rows: pl.DataFrame, items: Vocabulary, what: str) -> RepeatedPairError:
    """The error for the first pair, by user and item, that rows hold more than once."""
    pairs = rows.group_by("user", "item").len().filter(pl.col("len") > 1).sort("user", "item")
    return RepeatedPairError(what, pairs["user"][0], items.ids[pairs["item"][0]])


@lru_cache(maxsize=1)
def read_items(scratch: str) -> Vocabulary:
    """The items of all sources."""
    return Vocabulary.of(pl.read_parquet(Path(scratch) / "items.parquet")["item"])


@lru_cache(maxsize=1)
def read_item_counts(scratch: str) -> pl.DataFrame:
    """Of all items: ratings in test and training and, by absolute relevance rule, relevant ones of both together."""
    return pl.read_parquet(Path(scratch) / "item-counts.parquet")
