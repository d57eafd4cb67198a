"""The findings about metrics, from the judged lists of several systems under one protocol.

Stages that are done are kept, so that an analysis that was stopped goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from itertools import groupby
from typing import Any

import numpy as np

from heldout.analysis.ranking_agreement import rank_biased_overlap, tau_ap, tau_b
from heldout.engine.engine import Shared
from heldout.errors import NotApplicableError, SpecError
from heldout.experiment.kept_stages import Row, Stages, StageTask
from heldout.metric_quality.findings import (
    DEFAULT_RULE,
    KEEPS,
    AgreementMatrix,
    DiscriminativePower,
    MetricFindings,
    MetricRow,
    Reliability,
    SwapRate,
    SweepPoint,
    ranked,
)
from heldout.metric_quality.judged_systems import SystemsOnTrial
from heldout.metric_quality.options import MetricOptions
from heldout.metric_quality.robustness import MissingRatings, missing_points, robustness_to_popularity
from heldout.metric_quality.sentences import (
    blind_to_ratings,
    emptied,
    fixed_candidates,
    identical_systems,
    metric_limits,
    metric_sentence,
)
from heldout.metric_quality.separation import UsersNeeded, discriminative_power, reliability, swap_rates, users_needed
from heldout.metrics.measuring import depth_of
from heldout.metrics.metric import Metric
from heldout.tables.arrays import Float64

POWER, MISSING, POPULARITY, SWAPS = "power", "missing ratings", "popularity", "swaps"
"""Stages of an analysis: each is kept by itself."""


def steps_of(options: MetricOptions) -> dict[str, int]:
    """The stages that `metric_findings` tells of, and how many steps each has."""
    return {POWER: 1, MISSING: len(options.shares), POPULARITY: 1, SWAPS: 1}


def metric_findings(
    judged: SystemsOnTrial,
    *,
    undefined_as_zero: bool,
    options: MetricOptions | None = None,
    others: Mapping[str, Mapping[str, float]] | None = None,
    stages: Stages | None = None,
    step: Callable[[str], None] | None = None,
) -> MetricFindings:
    """Everything that the judged lists of a study's systems say of its metrics.

    `others` adds columns by metric (stability, validity); `stages` may keep what is computed; `step` is called with the
    stage after each of `steps_of` steps.
    """
    options, stages = options or MetricOptions(), stages or Stages()
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
    return MetricFindings(
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
        sentence=metric_sentence(rows, pairs),
        limits=(
            *metric_limits(len(systems), users, rows, folds),
            *identical_systems(systems, values),
            *emptied(missing, "test ratings"),
            *emptied([point for point in popularity if point.metric not in lost], "items"),
            *blind_to_ratings(blind),
            *fixed_candidates(judged.folds[0].target),
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


def metric_rows(
    metrics: Sequence[tuple[str, str, int | None]],
    *,
    power: Sequence[DiscriminativePower],
    missing: Sequence[SweepPoint],
    popularity: Sequence[SweepPoint],
    swaps: Sequence[SwapRate],
    needed: Mapping[str, UsersNeeded],
    reliability: Sequence[Reliability],
    rule: Sequence[str] = DEFAULT_RULE,
    others: Mapping[str, Mapping[str, float]] | None = None,
) -> tuple[MetricRow, ...]:
    """A row for each metric (text form, name, depth), the best by `rule` first; `others` adds columns by metric."""
    powers = {row.metric: row for row in power}
    reliable = {row.metric: row for row in reliability}
    swap = {metric: list(rows)[-1] for metric, rows in groupby(swaps, key=lambda row: row.metric)}
    taus, least = _by_metric(missing), _least_shares(missing)
    popular = _by_metric(popularity)
    rows = []
    for metric, name, depth in metrics:
        p, r = powers[metric], reliable[metric]
        rows.append(
            MetricRow(
                metric=metric,
                name=name,
                depth=depth,
                rank=float("nan"),
                dp=p.total,
                mean_p=p.mean,
                mean_p_error=p.mean_error,
                significant=p.significant,
                median_p=p.median,
                half_mean_p=p.half_mean,
                half_error=p.half_error,
                missing_tau=taus.get(metric, float("nan")),
                missing_low=least.get(metric, float("nan")),
                popularity_tau=popular.get(metric, float("nan")),
                swap_rate=swap[metric].rate if metric in swap else float("nan"),
                swap_users=needed[metric].users if metric in needed else None,
                swap_extrapolated=metric in needed and needed[metric].extrapolated,
                swap_at_most=metric in needed and needed[metric].at_most,
                reliability=r.relative,
                absolute_reliability=r.absolute,
                reliable_users=r.users_needed,
                **(others or {}).get(metric, {}),
            )
        )
    return ranked(rows, rule)


def _by_metric(points: Sequence[SweepPoint]) -> dict[str, float]:
    """The mean τ over all shares but the whole test set, which agrees with itself."""
    taus: dict[str, list[float]] = {}
    for point in points:
        if point.share < 1:
            taus.setdefault(point.metric, []).append(point.tau)
    return {metric: float(np.nanmean(values)) if not np.isnan(values).all() else np.nan for metric, values in taus.items()}


def _least_shares(points: Sequence[SweepPoint]) -> dict[str, float]:
    """By metric, the least share down to which the order of systems is kept at every share on the way."""
    least: dict[str, float] = {}
    lost: set[str] = set()
    for point in sorted(points, key=lambda p: -p.share):
        if not point.tau >= KEEPS:
            lost.add(point.metric)
        elif point.metric not in lost and point.share < 1:
            least[point.metric] = point.share
    return least


def agreement(title: str, labels: Sequence[str], means: Float64, *, tree: bool) -> AgreementMatrix:
    """Agreement between all rows of `means`, each a ranking of the systems, higher being better."""
    tau = tau_b(means, means)
    merges, order = _tree(tau) if tree else ((), tuple(range(len(labels))))
    return AgreementMatrix(
        title=title,
        labels=tuple(labels),
        tau=_rows(tau),
        tau_ap=_rows(tau_ap(means)),
        overlap=_rows(rank_biased_overlap(means)),
        tree=merges,
        order=order,
    )


def _rows(matrix: Float64) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(float(value) for value in row) for row in matrix)


def _tree(tau: Float64) -> tuple[tuple[tuple[float, float, float, float], ...], tuple[int, ...]]:
    """Average linkage on 1 − τ; metrics without a τ are as far as possible from all."""
    from scipy.cluster.hierarchy import leaves_list, linkage
    from scipy.spatial.distance import squareform

    if len(tau) < 2:
        return (), tuple(range(len(tau)))
    distance = np.where(np.isnan(tau), 2.0, 1 - tau)
    np.fill_diagonal(distance, 0.0)
    merges = linkage(squareform((distance + distance.T) / 2, checks=False), "average", optimal_ordering=True)
    tree = tuple((float(a), float(b), float(height), float(size)) for a, b, height, size in merges)
    return tree, tuple(int(leaf) for leaf in leaves_list(merges))
