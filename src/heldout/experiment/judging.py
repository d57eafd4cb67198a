"""Ranks × relevance in every way a study judges them, and judged lists → scores: the one way to a metric's value."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Any, Self

import numpy as np

from heldout.data.side import read_side
from heldout.experiment.folds import Fold
from heldout.metrics.judge import judge_ranks
from heldout.metrics.measuring import Measured, denominators, measure
from heldout.metrics.metric import Metric
from heldout.metrics.system import Blocks, own_metrics, with_system_values
from heldout.recommenders.recommender import Recommender
from heldout.study.analysis import Analysis
from heldout.study.applicability import fits, refusal_of
from heldout.study.compatibility import cut_lists
from heldout.study.protocol import JudgingChoices, chain_text
from heldout.study.spec import Study
from heldout.study.systems import System
from heldout.tables import Background, Interactions, Judged, ProtocolKey, Relevance, Scores, Side, item_counts
from heldout.tables.arrays import Bool, Float64, Int32, digest_of, frozen
from heldout.tables.cell_scores import Points
from heldout.tables.mapped import mapped_together
from heldout.tables.scores import DENOMINATOR, WEIGHT
from heldout.targets.ranker import Ranked, split_for
from heldout.targets.relevance_rule import RelevanceRule

Relevances = dict[tuple[str, float], Relevance]
"""By relevance rule and the head that a target leaves out."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Judgement:
    """One system's lists on one fold, judged in one way."""

    system: str
    fold: int
    users: Int32
    """The users of the fold, those of the rows of `judged.relevance`."""
    tested: tuple[tuple[ProtocolKey, Bool], ...]
    """For each chain of user rules, all choices as text forms, and who of `users` is tested."""
    choices: JudgingChoices
    judged: Judged
    """The lists after the rule for unrated items."""
    train: Interactions | None
    development: Bool | None = None
    """Which users of the vocabulary are the development group; None if nobody is."""

    @property
    def nbytes(self) -> int:
        """Bytes of the judged entries and of their relevance; other systems share the training ratings."""
        tables = (_columns(self.judged), _columns(self.judged.relevance))
        return sum(int(column.nbytes) for columns in tables for column in columns.values())

    def on_disk(self) -> Self:
        """The same lists with their columns in a file of the temporary folder."""
        judged, relevance = _columns(self.judged), _columns(self.judged.relevance)
        in_file: dict[str, Any] = mapped_together(
            {**judged, **{f"relevance.{name}": column for name, column in relevance.items()}}
        )
        of_relevance: dict[str, Any] = {name: in_file.pop(f"relevance.{name}") for name in relevance}
        in_file["relevance"] = replace(self.judged.relevance, **of_relevance)
        return replace(self, judged=replace(self.judged, **in_file))


def _columns(table: Judged | Relevance) -> dict[str, Any]:
    """The arrays of a table by field."""
    values = {field.name: getattr(table, field.name) for field in fields(table)}
    return {name: value for name, value in values.items() if isinstance(value, np.ndarray)}


def background_of(
    metrics: Sequence[Metric],
    rule: RelevanceRule,
    test: Interactions,
    train: Interactions | None,
    own: Side | None,
    tables: dict[str, Side],
) -> Background:
    """All that is known under a relevance rule; counts over train and test need both."""
    lowest = min(float(part.value.min(initial=np.inf)) for part in (test, train) if part is not None)
    if train is None:
        return Background(
            items=test.items,
            train=None,
            positives=None,
            ratings=None,
            lowest=lowest,
            side=own,
            tables=tables,
            users=test.users,
        )
    positives = rule.positives(train, test) if any(m.needs_positives for m in metrics) else None
    return Background(
        items=test.items,
        train=train,
        positives=positives,
        ratings=item_counts(train, test),
        lowest=lowest,
        side=own,
        tables=tables,
        users=test.users,
    )


def side_tables(metrics: Sequence[Metric], source: object) -> tuple[Side | None, dict[str, Side]]:
    """The data set's own table of items, if a metric asks for it and there is one, and the tables that metrics name."""
    paths = {path for m in metrics for path in m.tables}
    own = source.item_table() if None in paths and hasattr(source, "item_table") else None
    return own, {path: read_side(path, of="items") for path in sorted(p for p in paths if p is not None)}


def side_digest(metrics: Sequence[Metric], source: object) -> str:
    """sha256 of the tables that metrics look things up in; empty if they look nothing up."""
    if not any(m.tables for m in metrics):
        return ""
    own, tables = side_tables(metrics, source)
    return digest_of(*(side.digest for side in (own, *tables.values()) if side is not None), *tables)


def relevances_of(study: Study, fold: Fold, metrics: Sequence[Metric]) -> Relevances:
    """The relevance tables of a fold, ready for these metrics (and only for what they need): the same for all systems."""
    side, tables = side_tables(metrics, source_of(study, fold))
    relevances: Relevances = {}
    for choices in study.judgements():
        target, rule = choices.target, choices.relevance
        key = (str(rule), target.form.head)
        if key not in relevances:
            test, train = split_for(fold.split, target).test, fold.split.train
            background = background_of(metrics, rule, test, train, side, tables)
            relevances[key] = rule.judge(test, fold.users, fold.top_grade, train=train, background=background)
    return relevances


def judged_by(choices: JudgingChoices, lists: Judged, *, predicts_ratings: bool, comparable: bool) -> Judged:
    """The lists after the rule for unrated items, with what their scores mean."""
    return replace(choices.unrated.apply(lists), predicts_ratings=predicts_ratings, comparable=comparable)


def judge(
    study: Study, fold: Fold, system: System, ranked: Ranked, choices: JudgingChoices, relevances: Relevances
) -> Judgement:
    """A system's lists on a fold, judged in one way."""
    place = (str(choices.relevance), choices.target.form.head)
    lists = judge_ranks(ranked.of(choices.target, choices.relevance, choices.fallback, choices.ties), relevances[place])
    recommender = system.recommender
    judged = judged_by(
        choices,
        lists,
        predicts_ratings=recommender.predicts_ratings,
        comparable=recommender.comparable_scores or recommender.predicts_ratings,
    )
    return Judgement(
        system=system.name,
        fold=fold.split.fold,
        users=fold.users,
        tested=tuple(
            (
                ProtocolKey(data=fold.data, filter=fold.filter, split=fold.split_text, users=users, **choices.texts()),
                fold.masks[users, *place],
            )
            for users in (chain_text(chain) for chain in study.users)
        ),
        choices=choices,
        judged=judged,
        train=fold.split.train,
        development=fold.split.development,
    )


def judgements_of(
    study: Study, fold: Fold, system: System, ranked: Ranked, metrics: Sequence[Metric]
) -> Iterator[Judgement]:
    """Every way in which the study judges a system on a fold."""
    relevances = relevances_of(study, fold, metrics)
    for choices in study.judgements():
        yield judge(study, fold, system, ranked, choices, relevances)


def source_of(study: Study, fold: Fold) -> object:
    """The data set that a fold is of; None if only a split is given."""
    return next((source for source in study.data if str(source) == fold.data), None)


@dataclass(frozen=True, eq=False)
class UserScores:
    """The scores of one judgement under one rule for users, and the curves of metrics that have one."""

    scores: Scores
    curves: tuple[Points, ...] = ()


@lru_cache(maxsize=64)
def metric_names(metrics: tuple[Metric, ...]) -> tuple[str, ...]:
    """The text forms of metrics; the same metrics are measured of every system, fold and way of judging."""
    return tuple(str(metric) for metric in metrics)


def keeps_denominators(analysis: Analysis) -> bool:
    """True if an aggregation asks for what metrics divide by."""
    return any(aggregation.pools_ratios for aggregation in analysis.all_aggregations)


def applying_metrics(
    metrics: Sequence[Metric],
    recommender: Recommender,
    judgement: Judgement,
    refused: Collection[tuple[str, str, str]] = (),
) -> list[Metric]:
    """The metrics that have a value of this system's lists; see `heldout.study.applicability`.

    `refused` holds (metric, target, relevance rule) that the data rule out.
    """
    target, rule = judgement.choices.target, judgement.choices.relevance
    cut = recommender.ends_early and bool(cut_lists(judgement.judged, judgement.system))
    return [
        metric
        for metric in metrics
        if not refusal_of(metric, recommender)
        and not (cut and metric.needs_whole_lists)
        and fits(metric, judgement.choices)
        and not (refused and (str(metric), str(target), str(rule)) in refused)
    ]


def score(judgement: Judgement, metrics: Sequence[Metric], blocks: Blocks | None, *, pooling: bool) -> Iterator[UserScores]:
    """Measure judged lists under every rule for users.

    `blocks` gives the scores of all targets, for metrics that need them; without it, lists are taken to be whole.
    `pooling` keeps what metrics divide by, which ratios of sums need.
    """
    judged, own = judgement.judged, own_metrics(metrics)
    divided = denominators(judged, metrics) if pooling else {}
    counts = counts_of(judgement)
    measured: Measured | None = None
    for protocol, tested in judgement.tested:
        if measured is None or judged.stratum is not None:
            # Only popularity classes make the value of one user depend on who else is tested.
            classes = tested if judged.stratum is not None else None
            measured = measure(judged, own, target=judgement.choices.target, tested=classes)
        complete = replace(with_system_values(measured, judged, metrics, tested, blocks), denominators=divided)
        yield UserScores(
            _scores(judgement, protocol, tested, metrics, complete, counts), tuple(_points(judgement, protocol, complete))
        )


def counts_of(judgement: Judgement) -> dict[str, Float64]:
    """Counts of each evaluated user: what users may be weighed by, and their group."""
    relevance, train, development = judgement.judged.relevance, judgement.train, judgement.development
    users = relevance.users
    return {
        "test": relevance.rated.astype(np.float64),
        "relevant": relevance.total(None).astype(np.float64),
        "train": np.full(len(users), np.nan) if train is None else train.user_counts[users].astype(np.float64),
        "development": np.zeros(len(users)) if development is None else development[users].astype(np.float64),
    }


def _scores(
    judgement: Judgement,
    protocol: ProtocolKey,
    tested: Bool,
    metrics: Sequence[Metric],
    measured: Measured,
    counts: dict[str, Float64],
) -> Scores:
    """The tested users' rows; who has no list at all (no relevant item to make one) is not tested."""
    kept = tested & (measured.lists > 0)
    whole = bool(kept.all())
    columns = counts | {f"{DENOMINATOR}{metric}": column for metric, column in measured.denominators.items()}
    if measured.weights is not None:
        columns[WEIGHT] = measured.weights

    def cut(column: Float64) -> Float64:
        return frozen(column if whole else column[..., kept], np.float64)

    return Scores(
        system=judgement.system,
        protocol=protocol,
        fold=judgement.fold,
        users=frozen(judgement.users[kept], np.int32),
        metrics=metric_names(tuple(metrics)),
        values=cut(measured.values.T).T,  # a metric's values lie side by side, as they are aggregated
        length=cut(measured.length),
        computed=cut(measured.computed),
        lists=frozen(measured.lists[kept], np.int32),
        counts={name: cut(column) for name, column in columns.items()},
    )


def _points(judgement: Judgement, protocol: ProtocolKey, measured: Measured) -> Iterator[Points]:
    for metric, curve in measured.curves.items():
        x, y = (tuple(float(v) for v in column) for column in (curve.x, curve.y))
        yield Points(
            system=judgement.system,
            protocol=protocol,
            fold=judgement.fold,
            metric=metric,
            x_label=curve.x_label,
            y_label=curve.y_label,
            x=x,
            y=y,
        )
