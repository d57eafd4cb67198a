"""Does a metric order the systems alike under other seeds, other orders of tied items, and by the complete truth?

Only simulated data know the truth: what each tested user would say of every item that is not in training. The same lists are
measured by the same metric against all of it; τ-b compares that order of the systems with the order on the observed test
ratings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from heldout.analysis.ranking_agreement import tau_b
from heldout.data.reader import Reader
from heldout.data.world import World, complete_ratings
from heldout.experiment.clock import Clock
from heldout.experiment.failure import SystemFailedError
from heldout.experiment.folds import Fold, Prepared, ready, split_folds
from heldout.experiment.guessed_relevance import settle_by_split
from heldout.experiment.judging import relevances_of, source_of
from heldout.experiment.ranks import Fitted, plan_of
from heldout.metric_quality.judged_systems import SystemsOnTrial, judged_in_all_ways
from heldout.study.spec import Study
from heldout.tables import ProtocolKey
from heldout.tables.arrays import Float64
from heldout.targets.target import Target


@dataclass(frozen=True, kw_only=True)
class SystemMeans:
    """The mean of one metric for each system, in one of several draws."""

    metric: str
    systems: tuple[str, ...]
    means: tuple[float, ...]


def system_means(judged: SystemsOnTrial, *, undefined_as_zero: bool) -> list[SystemMeans]:
    """The means of all metrics over the tested users."""
    as_zero = [undefined_as_zero and not metric.skips_undefined for metric in judged.metrics]
    return [
        SystemMeans(
            metric=str(metric),
            systems=judged.systems,
            means=tuple(mean_value(values, undefined_as_zero=zero) for values in rows),
        )
        for metric, rows, zero in zip(judged.metrics, judged.values, as_zero, strict=True)
    ]


def mean_value(values: Float64, *, undefined_as_zero: bool) -> float:
    """The mean over users; NaN if no user has a value."""
    if undefined_as_zero:
        return float(np.where(np.isnan(values), 0.0, values).mean())
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if len(defined) else float("nan")


def mean_tau(draws: Iterable[Sequence[SystemMeans]]) -> dict[str, float]:
    """By metric, the mean τ-b between the orders of the systems of any two draws; metrics and systems of all draws alone.

    Example: three draws of which the first two agree and the third is the reverse: (1 − 1 − 1) ÷ 3 = −1/3.
    """
    by_metric: dict[str, list[SystemMeans]] = {}
    count = 0
    for draw in draws:
        count += 1
        for means in draw:
            by_metric.setdefault(means.metric, []).append(means)
    taus = {}
    for metric, several in by_metric.items():
        if len(several) < count or count < 2:
            continue
        shared = [name for name in several[0].systems if all(name in other.systems for other in several)]
        orders = np.array(
            [[dict(zip(m.systems, m.means, strict=True))[name] for name in shared] for m in several], dtype=np.float64
        )
        pairs = tau_b(orders, orders)[np.triu_indices(count, 1)]
        taus[metric] = float(np.nanmean(pairs)) if not np.isnan(pairs).all() else float("nan")
    return taus


def knows_truth(study: Study) -> bool:
    """True if some of a study's data are simulated."""
    return any(isinstance(source, Reader) and source.simulated for source in study.data)


@dataclass(frozen=True, eq=False, kw_only=True)
class Truth:
    """What the complete truth says of the systems."""

    means: dict[ProtocolKey, list[SystemMeans]]
    """By protocol, the means of all metrics over users."""
    limits: tuple[str, ...] = ()
    """Which systems and users are not in the means."""


def truth_of(
    study: Study, *, undefined_as_zero: bool, block: int = 4096, step: Callable[[str], None] | None = None
) -> Truth:
    """The means of all metrics when the complete truth is the test set; only where the data are simulated.

    Systems are fitted anew: kept ranks are those of test items, and here all items are. What they give is not kept. Targets
    whose candidates depend on the test set, or are sampled, have no such means.
    """
    targets = tuple(target for target in study.target if _free_of_test(target))
    if not targets:
        return Truth(means={})
    study = replace(study, target=targets)
    sums: dict[ProtocolKey, dict[str, dict[str, list[Float64]]]] = {}
    limits: dict[str, None] = {}
    failed: dict[str, str] = {}
    clock = Clock()
    for _, folds in split_folds(study, Prepared(), clock):
        for fold in folds:
            source = source_of(study, fold)
            world = source.truth() if isinstance(source, Reader) else None
            if world is None:
                continue
            settled = settle_by_split(study, fold.split)
            complete = _complete(settled, fold, world)
            if len(complete.users) < len(fold.users):
                limits[
                    f"The order by complete relevance is that of {len(complete.users):,} users, drawn from the "
                    f"{len(fold.users):,} that are tested: the truth of all would be too large."
                ] = None
            for protocol, system, metric, values in _values(settled, complete, clock, block, step, failed):
                sums.setdefault(protocol, {}).setdefault(metric, {}).setdefault(system, []).append(values)
    skipping = {str(metric) for metric in study.metrics if metric.skips_undefined}
    mean = {
        metric: partial(mean_value, undefined_as_zero=undefined_as_zero and metric not in skipping)
        for by_metric in sums.values()
        for metric in by_metric
    }
    means = {
        protocol: [
            SystemMeans(
                metric=metric,
                systems=tuple(name for name in by_system if name not in failed),
                means=tuple(mean[metric](np.concatenate(parts)) for name, parts in by_system.items() if name not in failed),
            )
            for metric, by_system in by_metric.items()
        ]
        for protocol, by_metric in sums.items()
    }
    unordered = [f"The order by complete relevance lacks {name}: {reason}." for name, reason in failed.items()]
    return Truth(means=means, limits=(*limits, *unordered))


def _free_of_test(target: Target) -> bool:
    """True if the same items compete whatever is in the test set."""
    form = target.form
    whole = form.sample is None and form.percentiles == 1 and not (form.head or form.own or form.single)
    return whole and form.candidates != "test"


def _complete(study: Study, fold: Fold, world: World) -> Fold:
    """The fold with the truth of its tested users as the test set."""
    _, test = complete_ratings(world, fold.split.train, fold.users, seed=study.seed)
    split = replace(fold.split, test=test)
    return ready(study, fold.data, fold.filter, fold.split_text, split, Prepared())


def _values(
    study: Study, fold: Fold, clock: Clock, block: int, step: Callable[[str], None] | None, failed: dict[str, str]
) -> Iterator[tuple[ProtocolKey, str, str, Float64]]:
    """Protocol, system, metric and the values of the tested users; systems that fail are added to `failed`."""
    relevances = relevances_of(study, fold, study.metrics)
    for system in study.recommend:
        fitted = Fitted(system=system, plan=plan_of(study, fold), clock=clock, block=block)
        try:
            for _, scores in judged_in_all_ways(study, fold, fitted, fitted.ranks(None), relevances):
                for metric, values in zip(scores.metrics, scores.values.T, strict=True):
                    yield scores.protocol, system.name, metric, values
        except SystemFailedError as error:
            failed[system.name] = error.reason
        if step is not None:
            step(system.name)
