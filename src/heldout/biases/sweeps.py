"""What moves the values of systems: sparser test sets, longer lists, steeper popularity, more classes, no head."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from heldout import rng
from heldout.biases.expectations import one_relevant_bounds
from heldout.biases.findings import CurvePoint
from heldout.biases.measured import Bench, SystemOnFold, SystemValue, systems_on, values_of
from heldout.biases.options import BiasOptions, SweepName
from heldout.catalogue import make
from heldout.data.readers.simulate import Simulate
from heldout.experiment.folds import Fold, Prepared
from heldout.experiment.preflight import checked_folds
from heldout.metrics.metric import Metric
from heldout.progress import Progress
from heldout.study.spec import Study
from heldout.targets.target import Target


@dataclass(frozen=True, kw_only=True)
class SweepTarget:
    """One target of a sweep that needs no other fit."""

    sweep: SweepName
    x: float
    protocol: str
    target: Target
    bounded_by: Target | None = None
    """Lists of all relevant items with the same sampled ones, which bound 1R."""


def one_relevant(sampled: int, *, classes: int = 1, head: float = 0.0) -> Target:
    """1R over the test items, each list counting the same; within popularity classes, or without the head."""
    more = (f", percentiles={classes}" if classes > 1 else "") + (f", head={head:g}" if head else "")
    target: Target = make("target", f"targets(candidates=test, relevant=one, nonrelevant={sampled}{more}, average=rating)")
    return target


def all_relevant(*, sampled: int | None = None, head: float = 0.0) -> Target:
    """AR over the test items, or over a sample of them."""
    choices = [f"nonrelevant={sampled}"] if sampled is not None else []
    choices += [f"head={head:g}"] if head else []
    target: Target = make("target", f"targets(candidates=test, {', '.join(choices)})" if choices else "TestItems")
    return target


def target_sweeps(options: BiasOptions) -> Iterator[SweepTarget]:
    """The sweeps over targets alone: sizes of lists, popularity classes, and heads that are removed."""
    if "lists" in options.sweeps:
        for size in options.lists:
            yield SweepTarget(
                sweep="lists",
                x=size,
                protocol="1R",
                target=one_relevant(size - 1),
                bounded_by=all_relevant(sampled=size - 1),
            )
    if "classes" in options.sweeps:
        for m in options.class_counts:
            yield SweepTarget(sweep="classes", x=m, protocol="P1R", target=one_relevant(options.sampled, classes=m))
    if "head" in options.sweeps:
        for head in options.heads:
            yield SweepTarget(sweep="head", x=head, protocol="1R", target=one_relevant(options.sampled, head=head))
            yield SweepTarget(sweep="head", x=head, protocol="AR", target=all_relevant(head=head))


def sweep_points(system: SystemOnFold, sweeps: Sequence[SweepTarget], precision: Metric, depth: int) -> list[CurvePoint]:
    """A system's precision under the targets of these sweeps, which its study ranks."""
    if not sweeps:
        return []
    part = system.scores(tuple(dict.fromkeys(of.target for of in sweeps)), (precision,))
    study = replace(system.study, metrics=(precision,))
    by_target = {row.target: row for row in values_of(study, [part], [system.name])}
    bounding = tuple(dict.fromkeys(of.bounded_by for of in sweeps if of.bounded_by is not None))
    bounds = {str(j.choices.target): one_relevant_bounds(j, depth) for j in system.judgements(bounding, (precision,))}
    points = []
    for of in sweeps:
        row, bound = by_target.get(str(of.target)), bounds.get(str(of.bounded_by))
        if row is not None:
            points.append(
                CurvePoint(
                    sweep=of.sweep,
                    x=float(of.x),
                    protocol=of.protocol,
                    system=row.system,
                    metric=row.metric,
                    value=row.value,
                    low=row.low,
                    high=row.high,
                    lower=bound.lower if bound is not None else float("nan"),
                    upper=bound.upper if bound is not None else float("nan"),
                )
            )
    return points


def thinned(fold: Fold, removed: float, seed: int) -> Fold:
    """The fold without a random share of its test ratings; users stay, also those who lose all of them.

    Smaller shares are removed within larger ones: the same draw decides for all.
    """
    if removed == 0:
        return fold
    test = fold.split.test
    drawn = rng.stream(seed, "test ratings removed", fold.split.fold).random(len(test))
    keep = np.argsort(np.argsort(drawn)) >= round(removed * len(test))
    return replace(fold, split=replace(fold.split, test=test.select(keep)))


def thinned_values(
    study: Study, removals: Sequence[float], *, block: int = 4096, progress: Progress | None = None
) -> Iterator[tuple[float, SystemValue]]:
    """Values of a study's systems on its first fold by all its metrics when shares of the test ratings are removed."""
    bench = Bench(block=block)
    fold = next(iter(checked_folds(study, Prepared(), bench.clock)))
    folds = [thinned(fold, removed, study.seed) for removed in removals]
    for number, system in enumerate(systems_on(study, fold, bench)):
        if progress is not None:
            progress(system.name, number, len(study.recommend))
        for removed, at in zip(removals, system.on(folds, study), strict=True):
            for value in values_of(study, [at.scores(study.target, study.metrics)], [system.name]):
                yield removed, value


def without_tastes(like: Simulate, alpha: float) -> Simulate:
    """Simulated data of another skew whose ratings are given at random: no user likes one item more than another does."""
    return like.replace(alpha=float(alpha), factors=0, quality=0.0, pull=0.0)


def removal_targets(sampled: int) -> tuple[Target, Target, Target]:
    """AR, 1R, and the lists that bound 1R."""
    return all_relevant(), one_relevant(sampled), all_relevant(sampled=sampled)


def removed_points(
    system: SystemOnFold, removals: Sequence[float], sampled: int, precision: Metric, depth: int
) -> list[CurvePoint]:
    """A system's precision when shares of the test ratings are removed, by AR and 1R (Figures 3 and 4, left)."""
    together, alone, bounds = removal_targets(sampled)
    study = replace(system.study, target=(together, alone, bounds))
    folds = [thinned(system.fold, removed, study.seed) for removed in removals]
    points = []
    for removed, at in zip(removals, system.on(folds, study), strict=True):
        ways = [
            SweepTarget(sweep="removed", x=removed, protocol="AR", target=together),
            SweepTarget(sweep="removed", x=removed, protocol="1R", target=alone, bounded_by=bounds),
        ]
        points += sweep_points(at, ways, precision, depth)
    return points


def targets_of(sweeps: Sequence[SweepTarget]) -> tuple[Target, ...]:
    """All targets that must be ranked for these sweeps."""
    both = [target for of in sweeps for target in (of.target, of.bounded_by) if target is not None]
    return tuple(dict.fromkeys(both))
