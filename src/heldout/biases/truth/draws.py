"""One draw: all systems fitted once, measured by every estimator on the observed ratings, and by the truth."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from heldout import rng
from heldout.biases.truth.drawn_data import Chances, pair_table, table_of_propensities
from heldout.biases.truth.estimators import SAMPLING, TABLE, AveragedUsers, TruthEstimator, true_metric
from heldout.biases.truth.truth_table import TruthTable, decisive_ratings
from heldout.catalogue import make
from heldout.experiment.clock import Clock
from heldout.experiment.failure import SystemFailedError
from heldout.experiment.folds import Fold, Prepared, ready
from heldout.experiment.judging import Relevances, judge, relevances_of, score
from heldout.experiment.ranks import Fitted, plan_of
from heldout.metrics.metric import Metric
from heldout.significance.batches import Pairs, compare_batches
from heldout.significance.value_batch import ScaledValues, ValueBatch
from heldout.study.spec import Study
from heldout.tables import Scores, Side
from heldout.tables.arrays import Bool, Float64
from heldout.tables.scores import WEIGHT
from heldout.targets.ranker import rank


@dataclass(frozen=True, kw_only=True)
class DrawnEstimate:
    """What one estimator says of all systems in one draw."""

    name: str
    users: int
    """Users who have both an estimate and a truth: all means are theirs."""
    means: tuple[float, ...]
    p: tuple[float, ...]
    """Of the paired t test of each pair of systems; NaN where there is none."""
    resampled: tuple[tuple[float, ...], ...] = ()
    """Of each sample of users drawn with replacement, the means of all systems."""
    truth: tuple[float, ...] = ()
    """The true means of the same users; none where the estimate is on a scale of its own."""
    truth_resampled: tuple[tuple[float, ...], ...] = ()


@dataclass(frozen=True, kw_only=True)
class DrawnTruth:
    """The true value of a metric for all systems in one draw."""

    metric: str
    split: str
    """Of which split the systems were fitted on, as text; empty for the study's own."""
    means: tuple[float, ...]
    resampled: tuple[tuple[float, ...], ...] = ()


@dataclass(frozen=True, kw_only=True)
class Draw:
    """One draw of a world, or of a split, by every estimator and by the truth."""

    number: int
    estimates: tuple[DrawnEstimate, ...]
    truths: tuple[DrawnTruth, ...]
    train: int
    test: int
    users: int
    """Users with a true value."""
    true_pairs: int
    left_out: str = ""
    """Rows of the truth that could not be used, in words."""
    nested: bool = False
    """Whether the observed ratings are part of the sample that is the truth."""
    overlap: float = 0.0
    """Share of the observed ratings that are in it."""
    failed: dict[str, str] = field(default_factory=dict)
    """System → why it failed."""


@dataclass(frozen=True, eq=False, kw_only=True)
class FoldSubject:
    """A fold with the truth behind it, and the estimators that are measured on it."""

    study: Study
    """Each decision with one option, but targets and rules for unrated items with all that estimators need."""
    fold: Fold
    truth: TruthTable
    chances: Chances | None
    """How likely pairs were to be rated, where that is known."""
    estimators: Sequence[TruthEstimator]
    split: str
    """Text of the split where it is not the study's own."""

    def depends_on(self) -> list[object]:
        """All that its figures depend on beside the study."""
        test = self.fold.split.test
        chances = None if self.chances is None else self.chances.of(test.user, test.item)
        inputs: list[object] = [self.fold.digest, self.truth.ratings.digest, self.truth.rate, chances, self.split]
        inputs += [f"{e.name} {e.target.full_text} {e.measured.full_text}" for e in self.estimators]
        return inputs + [rate for column, rate in self.rates.items() if column != SAMPLING]

    def group_of(self, estimator: TruthEstimator) -> AveragedUsers:
        """The users that an estimator averages, as far as the weights of the truth depend on them."""
        group = estimator.averages(undefined_as_zero=self.study.undefined[0].as_zero)
        return group if self.truth.nested and estimator.same_scale else AveragedUsers(SAMPLING)

    @cached_property
    def rates(self) -> dict[str, Float64]:
        """The chances that weigh a sampled truth, by the column of the table that has them."""
        if self.truth.rate is None:
            return {}
        rates = {SAMPLING: self.truth.rate}
        study, split = self.study, self.fold.split
        rules, relevance = study.users[0], study.relevance[0]
        for group in dict.fromkeys(map(self.group_of, self.estimators)):
            if group.column not in rates:
                counted = partial(group.counted, rules=rules, relevance=relevance)
                rates[group.column] = self.truth.rate_among(split.test, decisive_ratings(split, counted))
        return rates


@dataclass(frozen=True, eq=False)
class UserTable:
    """Systems × users of the vocabulary, NaN where a user does not count; and what users count for."""

    values: Float64
    weights: Float64 | None = None

    @property
    def counted(self) -> Bool:
        """Users who have a value."""
        return np.asarray(~np.isnan(self.values).all(axis=0))

    def of_users(self, users: Bool) -> UserTable:
        """The same of some users alone."""
        return UserTable(np.where(users, self.values, np.nan), self.weights)

    def means(self) -> tuple[float, ...]:
        """Of all systems."""
        return tuple(float(mean) for mean in self.batch("").system_values()[0])

    def resampled(self, counts: Float64) -> tuple[tuple[float, ...], ...]:
        """The means of all systems in each sample; `counts` is samples × users."""
        if not len(counts):
            return ()
        weight = self.counted * (1.0 if self.weights is None else self.weights)
        total = counts @ weight
        sums = counts @ (np.nan_to_num(self.values) * weight).T
        means = np.divide(sums, total[:, None], out=np.full(sums.shape, np.nan), where=total[:, None] > 0)
        means[:, np.isnan(self.values).all(axis=1)] = np.nan
        return tuple(tuple(float(value) for value in row) for row in means)

    def batch(self, name: str) -> ValueBatch:
        """As the comparison of systems takes it."""
        return ValueBatch(
            name=name,
            values=ScaledValues(self.values[:, None]),
            included=np.ones(self.values.shape, dtype=np.bool_),
            aggregation=make("aggregation", "mean"),
            weights=None if self.weights is None else np.nan_to_num(self.weights),
        )


def user_samples(seed: int, users: int, samples: int) -> Float64:
    """Samples × users: how often each user is in a sample of as many, drawn with replacement."""
    drawn = rng.stream(seed, "users held against the truth").integers(0, users, (samples, users))
    return (
        np.stack([np.bincount(row, minlength=users) for row in drawn]).astype(np.float64)
        if samples
        else np.empty((0, users))
    )


def measured_draws(
    number: int,
    subjects: Sequence[FoldSubject],
    pairs: Pairs,
    *,
    samples: int,
    sampling_seed: int,
    block: int,
    clock: Clock | None = None,
    step: Callable[[], None] | None = None,
) -> list[Draw]:
    """The rows of one draw: see `measure_draw`. Without clock and step, as another process does it."""
    options: dict[str, Any] = {"samples": samples, "sampling_seed": sampling_seed, "block": block}
    return [measure_draw(number, subjects, pairs, **options, clock=clock or Clock(), step=step or _no_step)]


def _no_step() -> None:
    pass


def measure_draw(
    number: int,
    subjects: Sequence[FoldSubject],
    pairs: Pairs,
    *,
    samples: int,
    sampling_seed: int,
    block: int,
    clock: Clock,
    step: Callable[[], None],
) -> Draw:
    """Fit every system once on each fold, and measure it by all estimators and by the truth.

    `sampling_seed` is the same for all draws: sample b then holds the same users in each, so that what is averaged over
    draws still varies as much as users do.
    """
    estimates: list[DrawnEstimate] = []
    truths: list[DrawnTruth] = []
    failed: dict[str, str] = {}
    for subject in subjects:
        by_estimator, by_truth = _measured(subject, failed, block=block, clock=clock, step=step)
        by_metric = {metric: table for (metric, column), table in by_truth.items() if column == SAMPLING}
        counts = user_samples(sampling_seed, subject.fold.split.train.n_users, samples)
        judged = [estimator for estimator in subject.estimators if estimator.metric in by_metric]
        tables = {e: by_estimator[e.name].of_users(by_metric[e.metric].counted) for e in judged}
        batches = [table.batch(estimator.name) for estimator, table in tables.items()]
        compared = compare_batches(batches, pairs, tests=[make("test", "t")], seed=subject.study.seed)
        for (estimator, table), statistics in zip(tables.items(), compared, strict=True):
            true = None
            if estimator.same_scale:
                true = by_truth[estimator.metric, subject.group_of(estimator).column].of_users(table.counted)
            estimates.append(
                DrawnEstimate(
                    name=estimator.name,
                    users=int(table.counted.sum()),
                    means=table.means(),
                    p=tuple(float(p) for p in statistics.p["t"][0]),
                    resampled=table.resampled(counts),
                    truth=true.means() if true is not None else (),
                    truth_resampled=true.resampled(counts) if true is not None else (),
                )
            )
        for metric, table in by_metric.items():
            resampled = table.resampled(counts) if subject.truth.sampled else ()
            truths.append(DrawnTruth(metric=metric, split=subject.split, means=table.means(), resampled=resampled))
    first = subjects[0]
    return Draw(
        number=number,
        estimates=tuple(estimates),
        truths=tuple(truths),
        train=len(first.fold.split.train),
        test=len(first.fold.split.test),
        users=first.truth.users,
        true_pairs=len(first.truth.ratings),
        left_out=first.truth.left_out,
        nested=first.truth.nested,
        overlap=first.truth.overlap,
        failed=failed,
    )


def _measured(
    subject: FoldSubject, failed: dict[str, str], *, block: int, clock: Clock, step: Callable[[], None]
) -> tuple[dict[str, UserTable], dict[tuple[str, str], UserTable]]:
    """Values of users by estimator, and true ones by metric and column of sampling rates."""
    study, fold = subject.study, subject.fold
    as_zero = study.undefined[0].as_zero
    n_systems, n_users = len(study.recommend), fold.split.train.n_users
    wanted: dict[tuple[str, str], list[TruthEstimator]] = {}
    for estimator in subject.estimators:
        wanted.setdefault((str(estimator.target), str(estimator.unrated)), []).append(estimator)
    plain = [e.measured for e in subject.estimators if not e.propensities]
    uses_known = any(e.propensities == "known" for e in subject.estimators)
    tables = {TABLE: table_of_propensities(fold.split, subject.chances if uses_known else None)}
    relevances = _with_tables(relevances_of(study, fold, plain), tables)
    values = {e.name: np.full((n_systems, n_users), np.nan) for e in subject.estimators}
    weights: dict[str, Float64 | None] = {}
    truth = _TrueValues.of(subject)
    true_values = {key: np.full((n_systems, n_users), np.nan) for key in truth.metrics}
    for s, system in enumerate(study.recommend):
        fitted = Fitted(system=system, plan=plan_of(study, fold), clock=clock, block=block)
        try:
            ranked = fitted.ranks(None)
            for choices in study.judgements():
                estimators = wanted.get((str(choices.target), str(choices.unrated)), [])
                if not estimators:
                    continue
                judgement = judge(study, fold, system, ranked, choices, relevances)
                [scored] = score(judgement, list(dict.fromkeys(e.measured for e in estimators)), None, pooling=False)
                for estimator in estimators:
                    row = values[estimator.name][s]
                    _enter(row, scored.scores, estimator, as_zero=as_zero)
                    weights[estimator.name] = _weights(scored.scores, estimator, n_users)
            for key, scores in truth.scores(fitted, block):
                column = scores.metrics.index(str(truth.metrics[key]))
                true_values[key][s, scores.users] = scores.values[:, column]
        except SystemFailedError as error:
            failed[system.name] = error.reason
            for of_all in (*values.values(), *true_values.values()):
                of_all[s] = np.nan
        step()
    by_estimator = {name: UserTable(of_users, weights.get(name)) for name, of_users in values.items()}
    return by_estimator, {key: UserTable(of_users) for key, of_users in true_values.items()}


def _enter(row: Float64, scores: Scores, estimator: TruthEstimator, *, as_zero: bool) -> None:
    """One system's values into its row over all users.

    IPS of P and DCG is a sum over test ratings, which is 0 for users without any: it is unbiased only if they count. SNIPS
    and AP(ips) are ratios of two such sums. If both are 0 there is none, whatever the study makes of undefined values.
    """
    column = scores.values[:, scores.metrics.index(str(estimator.measured))]
    if estimator.estimate == "ips" and not estimator.is_ratio:
        row[:] = 0.0
    skips = estimator.is_ratio or estimator.measured.skips_undefined
    row[scores.users] = np.nan_to_num(column) if as_zero and not skips else column


def _weights(scores: Scores, estimator: TruthEstimator, n_users: int) -> Float64 | None:
    """What users count for where lists of one relevant item count alike, or are averaged within popularity classes."""
    if not estimator.target.by_rating:
        return None
    weights = np.zeros(n_users)
    weights[scores.users] = scores.counts.get(WEIGHT, scores.lists.astype(np.float64))
    return weights


def _with_tables(relevances: Relevances, tables: dict[str, Side]) -> Relevances:
    """The same relevance with tables that metrics look propensities up in."""
    with_tables: Relevances = {}
    for key, relevance in relevances.items():
        background = replace(relevance.require_background("propensities"), tables=tables)
        with_tables[key] = replace(relevance, background=background)
    return with_tables


@dataclass(frozen=True, eq=False, kw_only=True)
class _TrueValues:
    """How the truth behind a fold is measured."""

    study: Study
    fold: Fold
    metrics: dict[tuple[str, str], Metric]
    """Metric that estimators are judged by, and column of sampling rates → how its truth is measured."""
    relevances: Relevances

    @classmethod
    def of(cls, subject: FoldSubject) -> _TrueValues:
        keys = dict.fromkeys((estimator.metric, SAMPLING) for estimator in subject.estimators)
        keys |= dict.fromkeys((estimator.metric, subject.group_of(estimator).column) for estimator in subject.estimators)
        metrics = {}
        for name, column in keys:
            way = true_metric(make("metric", name), sampled=subject.truth.sampled, column=column)
            if way is not None:
                metrics[name, column] = way[0]
        study = replace(
            subject.study,
            target=(make("target", "AllItems"),),
            unrated=(make("unrated", "zero"),),
            users=((make("users", "with_test"),),),
            metrics=tuple(dict.fromkeys(metrics.values())),
        )
        fold, truth = subject.fold, subject.truth
        split = replace(fold.split, test=truth.ratings)
        complete = ready(study, fold.data, fold.filter, fold.split_text, split, Prepared())
        plain = [metric for metric in study.metrics if not metric.weighs_items]
        tables = {TABLE: pair_table(truth.ratings, subject.rates)} if truth.sampled else {}
        relevances = _with_tables(relevances_of(study, complete, plain), tables)
        return cls(study=study, fold=complete, metrics=metrics, relevances=relevances)

    def scores(self, fitted: Fitted, block: int) -> list[tuple[tuple[str, str], Scores]]:
        """The true values of one system, by metric and column; its model is not fitted again."""
        plan = plan_of(self.study, self.fold)
        ranked = rank(fitted.model, plan, block=block)
        [choices] = self.study.judgements()
        judgement = judge(self.study, self.fold, fitted.system, ranked, choices, self.relevances)
        [scored] = score(judgement, list(self.study.metrics), None, pooling=False)
        return [(key, scored.scores) for key in self.metrics]
