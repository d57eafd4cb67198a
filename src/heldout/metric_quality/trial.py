"""Metrics on trial: from the judged lists of several systems to everything that is said of the metrics."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import groupby
from typing import Any, get_args

import numpy as np

from heldout.catalogue import make, make_all, parameters
from heldout.engine.engine import Shared
from heldout.errors import NotApplicableError, SpecError, UnknownNameError
from heldout.experiment.kept_stages import NoStages, Row, Stages, StageTask
from heldout.metric_quality.agreement import agreement
from heldout.metric_quality.answer import emptied, identical_systems, limits, sentence
from heldout.metric_quality.discriminative_power import FLIPS, DiscriminativePower, discriminative_power
from heldout.metric_quality.judged_systems import JudgedSystems
from heldout.metric_quality.quality import CRITERIA, DEFAULT_RULE, AgreementMatrix, MetricQuality, metric_rows
from heldout.metric_quality.reliability import reliability
from heldout.metric_quality.robustness import (
    ITEM_SHARES,
    SAMPLES,
    SHARES,
    MissingRatings,
    SweepPoint,
    missing_points,
    robustness_to_popularity,
)
from heldout.metric_quality.samples import Counting, Sampling
from heldout.metric_quality.swap_rate import SwapRate, swap_rates, users_needed
from heldout.metrics.measuring import depth_of
from heldout.metrics.metric import Metric
from heldout.tables.arrays import Float64
from heldout.words import listed

POWER, MISSING, POPULARITY, SWAPS = "power", "missing ratings", "popularity", "swaps"
"""Stages of a trial: each is kept by itself."""
METRICS = ("P", "Recall", "AP", "nDCG", "RR", "bpref", "infAP", "nDCG(gain=binary)", "HitRate")
"""The seven of Valcarce et al. (2018), and what users report besides."""
DEPTHS = (5, *range(10, 101, 10))


@dataclass(frozen=True, kw_only=True)
class TrialOptions:
    """How metrics are tried; the defaults are those of Valcarce et al. (2018) except for `sampling` and `popularity`.

    By default a sample is a share of all test ratings, so that every rating is equally likely to stay. `sampling="user"`
    takes the share of each user's ratings, rounded, as the authors did: users keep their proportions, but at small shares
    those with few ratings lose all of them together. By default popularity is counted over all ratings, which does not
    depend on the split. `popularity="train"` counts training ratings, as the authors did.
    """

    shares: tuple[float, ...] = SHARES
    item_shares: tuple[float, ...] = ITEM_SHARES
    samples: int = SAMPLES
    flips: int = FLIPS
    level: float = 0.05
    rule: tuple[str, ...] = DEFAULT_RULE
    sampling: Sampling = "all"
    popularity: Counting = "all"
    seed: int = 1

    def __post_init__(self) -> None:
        for name in ("shares", "item_shares"):
            shares = getattr(self, name)
            if not shares or not all(0 < share <= 1 for share in shares):
                raise SpecError("a share is above 0 and at most 1", where=name)
        if not 0 < self.level < 1:
            raise SpecError(f"a level is above 0 and below 1, found {self.level}", where="level")
        if self.flips < 1:
            raise SpecError(f"at least 1 sign flip is drawn, found {self.flips}", where="flips")
        if self.samples < 1:
            raise SpecError(f"at least 1 sample is drawn, found {self.samples}", where="samples")
        for name, kind in (("sampling", Sampling), ("popularity", Counting)):
            option = getattr(self, name)
            if option not in get_args(kind):
                raise UnknownNameError("option", str(option), get_args(kind), where=name, listed=True)
        for criterion in self.rule:
            if criterion not in CRITERIA:
                raise UnknownNameError("criterion", criterion, CRITERIA, where="rule")
        if not self.rule:
            raise SpecError("the rule names no criterion", where="rule", hint=f"such as {', '.join(DEFAULT_RULE)}")


def metrics_at(names: str | Sequence[Any] | None = None, depths: Sequence[int] | None = None) -> tuple[Metric, ...]:
    """The metrics of these names at each depth; one that is written with its depth, or has none, stays as it is.

    Example: "P" and "AUC" at 5 and 10 are P@5, P@10 and AUC.
    """
    written = _written(names)
    if not written:
        raise SpecError("no metric is named", where="metrics", hint=f"such as {', '.join(METRICS[:4])}")
    metrics: dict[Metric, None] = {}
    for name in written:
        of_name = make_all("metric", str(name)) if "@" in str(name) or depths == () else _at_depths(str(name), depths)
        metrics |= dict.fromkeys(of_name)
    return tuple(metrics)


def at_default_depths(names: str | Sequence[Any] | None = None) -> tuple[Metric, ...]:
    """The metrics that `metrics_at` tries at depths that nobody named."""
    named = {metric for name in _written(names) if "@" in str(name) for metric in make_all("metric", str(name))}
    return tuple(metric for metric in metrics_at(names) if metric not in named)


def _written(names: str | Sequence[Any] | None) -> Sequence[Any]:
    return METRICS if names is None else [names] if isinstance(names, str) else names


def _at_depths(name: str, depths: Sequence[int] | None) -> list[Metric]:
    """A metric at each depth, or as it is where it has none."""
    try:
        return [make("metric", f"{name}@{n}") for n in (DEPTHS if depths is None else depths)]
    except SpecError as error:
        try:
            whole = list(make_all("metric", name))
        except SpecError:
            raise error from None
        if any(parameter.metadata["cutoff"] for metric in whole for parameter in parameters(type(metric))):
            raise
        return whole


def steps_of(options: TrialOptions) -> dict[str, int]:
    """The stages that `try_metrics` tells of, and how many steps each has."""
    return {POWER: 1, MISSING: len(options.shares), POPULARITY: 1, SWAPS: 1}


def try_metrics(
    judged: JudgedSystems,
    *,
    undefined_as_zero: bool,
    options: TrialOptions | None = None,
    others: Mapping[str, Mapping[str, float]] | None = None,
    stages: Stages | None = None,
    step: Callable[[str], None] | None = None,
) -> MetricQuality:
    """Everything that the judged lists of a study's systems say of its metrics.

    `others` adds columns by metric (stability, validity); `stages` may keep what is computed; `step` is called with the
    stage after each of `steps_of` steps.
    """
    options, stages = options or TrialOptions(), stages or NoStages()
    metrics, systems = judged.metrics, judged.systems
    popularity_counts = judged.trained if options.popularity == "train" else judged.popularity
    if not popularity_counts:
        raise SpecError(
            "popularity cannot be counted over training ratings: no training set is named",
            where="popularity",
            hint="name it (train=…, --train) or count all ratings (all)",
        )
    _refuse_alike(judged.values)
    as_zero = np.array([undefined_as_zero and not metric.skips_undefined for metric in metrics])
    values = np.where(np.isnan(judged.values) & as_zero[:, None, None], 0.0, judged.values)
    texts = [str(metric) for metric in metrics]
    subject: dict[str, Any] = {"metrics": metrics, "systems": systems, "undefined_as_zero": undefined_as_zero}
    depends_on = (judged.digest, undefined_as_zero, options.seed)

    def kept(stage: str, also: Sequence[object], kind: type[Row], compute: Callable[[], list[Row]]) -> list[Row]:
        rows = stages.kept(stage, (*depends_on, *also), kind, compute)
        if step is not None:
            step(stage)
        return rows

    def power_rows() -> list[DiscriminativePower]:
        return discriminative_power(values, texts, seed=options.seed, level=options.level, flips=options.flips)

    power = kept(POWER, (options.level, options.flips), DiscriminativePower, power_rows)
    sweep = MissingRatings(
        folds=judged.folds,
        **subject,
        seed=options.seed,
        shares=options.shares,
        samples=options.samples,
        sampling=options.sampling,
    )
    shared = Shared(sweep)
    sweeps = (
        StageTask(
            name=MISSING,
            depends_on=(*depends_on, share, options.samples, options.sampling),
            kind=SweepPoint,
            compute=partial(sweep.points, number),
            function=missing_points,
            arguments={"sweep": shared, "number": number},
        )
        for number, share in enumerate(options.shares)
    )
    missing: list[SweepPoint] = []
    for points in stages.run(sweeps):
        missing += points
        if step is not None:
            step(MISSING)

    def popularity_points() -> list[SweepPoint]:
        return robustness_to_popularity(
            judged.folds,
            **subject,
            popularity=popularity_counts,
            shares=options.item_shares,
            counting=options.popularity,
        )

    popularity = kept(POPULARITY, (*options.item_shares, options.popularity), SweepPoint, popularity_points)
    blind = [str(metric) for metric in metrics if metric.descriptive]
    missing, popularity = ([point for point in points if point.metric not in blind] for points in (missing, popularity))
    swaps = kept(SWAPS, (), SwapRate, lambda: swap_rates(values, texts, seed=options.seed))
    users = judged.values.shape[2]
    needed = {metric: users_needed(list(rates)) for metric, rates in groupby(swaps, key=lambda row: row.metric)}
    reliable = reliability(values, texts)
    rows = metric_rows(
        [(str(metric), _without_depth(metric), depth_of(metric)) for metric in metrics],
        power=power,
        missing=missing,
        popularity=popularity,
        swaps=swaps,
        needed=needed,
        reliability=reliable,
        rule=options.rule,
        others=others,
    )
    between_metrics, between_depths = _agreements(metrics, values)
    lost = {point.metric for point in missing if point.share == 1 and point.samples == 0}
    folds, pairs = len(judged.folds), len(systems) * (len(systems) - 1) // 2
    return MetricQuality(
        protocol=asdict(judged.protocol),
        fold_digests=judged.fold_digests,
        systems=systems,
        users=users,
        folds=folds,
        pairs=pairs,
        rows=rows,
        rule=options.rule,
        level=options.level,
        flips=options.flips,
        sampling=options.sampling,
        counting=options.popularity,
        between_metrics=between_metrics,
        between_depths=between_depths,
        missing=tuple(missing),
        popularity=tuple(popularity),
        power=tuple(power),
        swaps=tuple(swaps),
        reliability=tuple(reliable),
        sentence=sentence(rows, pairs),
        limits=(
            *limits(len(systems), users, rows, folds),
            *identical_systems(systems, values),
            *emptied(missing, "test ratings"),
            *emptied([point for point in popularity if point.metric not in lost], "items"),
            *_blind_to_ratings(blind),
            *_fixed_candidates(judged),
            *judged.gaps,
        ),
        left_out=judged.left_out,
    )


def _refuse_alike(values: Float64) -> None:
    """Systems that no metric tells apart have no order that a metric could keep."""
    if not len(values):
        raise NotApplicableError("no metric applies to all systems", where="metrics")
    means = np.nanmean(np.nan_to_num(values), axis=2)
    if np.ptp(means, axis=1).max() == 0:
        raise NotApplicableError(
            "the systems have the same value by every metric: there is no order to keep",
            hint="try systems that differ, or deeper cut-offs",
        )


def _blind_to_ratings(blind: Sequence[str]) -> list[str]:
    """Which metrics are not tried without some ratings, since they cannot but keep their order."""
    if not blind:
        return []
    verb = "looks" if len(blind) == 1 else "look"
    return [f"{listed(blind)} never {verb} at test ratings and cannot be tried without some: such a metric is last by τ."]


def _fixed_candidates(judged: JudgedSystems) -> list[str]:
    """What is said of targets under which the test ratings decide what competes."""
    form = judged.folds[0].target.form
    by_ratings = form.candidates == "test" or form.single or form.sample is not None or form.pool == "unrated"
    if form.own or not by_ratings:
        return []
    return ["Which items compete is decided by the whole test set, also where a sample leaves some of its ratings out."]


def _without_depth(metric: Metric) -> str:
    return str(metric).rpartition("@")[0] if depth_of(metric) is not None else str(metric)


def _agreements(
    metrics: Sequence[Metric], values: Float64
) -> tuple[tuple[AgreementMatrix, ...], tuple[AgreementMatrix, ...]]:
    """Between all metrics of one depth, and between all depths of one metric."""
    means = np.nanmean(values, axis=2) * np.array([[-1.0 if m.direction == "lower" else 1.0] for m in metrics])
    depths: dict[int | None, list[int]] = {}
    names: dict[str, list[int]] = {}
    for k, metric in enumerate(metrics):
        depths.setdefault(depth_of(metric), []).append(k)
        names.setdefault(_without_depth(metric), []).append(k)
    between_metrics = tuple(
        agreement("whole lists" if n is None else f"@{n}", [_without_depth(metrics[k]) for k in at], means[at], tree=True)
        for n, at in depths.items()
        if len(at) > 1
    )
    between_depths = tuple(
        agreement(name, [str(depth_of(metrics[k]) or "all") for k in at], means[at], tree=False)
        for name, at in names.items()
        if len(at) > 1
    )
    return between_metrics, between_depths
