"""The findings about metrics from the systems of a study, or from runs: with other seeds, orders of ties, and the truth."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from heldout.catalogue import make
from heldout.data.profile import profile
from heldout.errors import SpecError
from heldout.experiment.evaluate import Evaluation, as_given
from heldout.experiment.folds import Prepared
from heldout.experiment.kept_stages import Stages
from heldout.experiment.ranks import RankStore
from heldout.metric_quality.analysis import metric_findings, steps_of
from heldout.metric_quality.findings import MetaFindings
from heldout.metric_quality.judged_systems import SystemsOnTrial, judged_runs, judged_systems
from heldout.metric_quality.options import MetricOptions
from heldout.metric_quality.stability import SystemMeans, knows_truth, mean_tau, system_means, truth_of
from heldout.metrics.metric import Metric
from heldout.progress import Progress, WorkBar
from heldout.storage.deferred import Deferred
from heldout.study.spec import Study
from heldout.tables import ProtocolKey
from heldout.targets.tie_rule import TieRule

BAR = "metrics on trial"


@dataclass(frozen=True, kw_only=True)
class Repeats:
    """What is drawn again to see whether orders of systems are stable."""

    seeds: tuple[int, ...] = ()
    """Other seeds of the study: other splits, and other fits where these are random."""
    tie_orders: int = 0
    """Random orders of tied items."""

    def __post_init__(self) -> None:
        if self.tie_orders == 1 or self.tie_orders < 0:
            raise SpecError(where="tie_orders", found=self.tie_orders, expected="at least 2 orders of tied items, or 0")


def study_findings(
    study: Study,
    *,
    options: MetricOptions,
    repeats: Repeats,
    store: RankStore | None,
    stages: Stages,
    ranks_kept: bool = False,
    block: int = 4096,
    progress: Progress | None = None,
) -> MetaFindings:
    """Try the metrics of a study by its systems, under each of its protocols.

    `ranks_kept` says that `store` has the ranks of
    a run of the study. Other seeds, other orders of tied items and the complete truth are fitted anew even then: kept ranks
    are those of the test items in one order.
    """
    as_zero, prepared = study.undefined[0].as_zero, Prepared()
    folds = sum(splitter.folds_made for splitter in study.split) * len(study.filters) * max(1, len(study.data))
    orders = tie_orders_of(repeats)
    again_for_ties = bool(orders) and ranks_kept
    rounds = 1 + len(repeats.seeds) + again_for_ties + knows_truth(study)
    ways = sum(1 for _ in study.judgements()) * len(study.users) * len(study.split) * len(study.filters)
    trials = ways * max(1, len(study.data))
    fits = {system.name: rounds * folds for system in study.recommend}
    bar = WorkBar(progress, fits | {stage: trials * count for stage, count in steps_of(options).items()})
    bar.stage(BAR)
    judging: dict[str, Any] = {"store": store, "block": block, "step": bar.finish}
    # One fit serves all orders of tied items, unless the study's own order needs none.
    at_once = study.ties if again_for_ties else tuple(dict.fromkeys((*study.ties, *orders)))
    judged = list(judged_systems(replace(study, ties=at_once), **judging, prepared=prepared))
    in_other_orders = judged_systems(replace(study, ties=orders), **judging) if again_for_ties else judged
    drawn_orders = {str(order) for order in orders}
    reordered = [_draw(again, as_zero) for again in in_other_orders if again.protocol.ties in drawn_orders]
    others = [replace(study, seed=seed) for seed in repeats.seeds]
    reseeded = [_draw(again, as_zero) for other in others for again in judged_systems(other, **judging)]
    truth = truth_of(study, undefined_as_zero=as_zero, block=block, step=bar.finish) if knows_truth(study) else None
    own_orders = {str(order) for order in study.ties}
    qualities = []
    for subject in (each for each in judged if each.protocol.ties in own_orders):
        gaps: list[str] = []
        same = _in_other_orders(subject, reordered)
        taus = {"tie_tau": mean_tau([draw.means for draw in same])} if same else {}
        gaps += _lacking(same, subject, "Stability over orders of ties")
        means = system_means(subject, undefined_as_zero=as_zero)
        again = [draw for draw in reseeded if draw.protocol == subject.protocol]
        if any(draw.fold_digests == subject.fold_digests for draw in again):
            gaps.append("Another seed gives the same split: there is no stability over splits to look at.")
        elif again:
            taus["stability_tau"] = mean_tau([means, *(draw.means for draw in again)])
            gaps += _lacking(again, subject, "Stability over splits")
        if truth is not None and subject.protocol in truth.means:
            taus["validity_tau"] = mean_tau([means, truth.means[subject.protocol]])
            gaps += truth.limits
        elif truth is not None:
            gaps.append("What competes under this target depends on the test set: there is no order by complete relevance.")
        subject = replace(subject, gaps=(*subject.gaps, *gaps))
        qualities.append(
            metric_findings(
                subject, undefined_as_zero=as_zero, options=options, others=_by_metric(taus), stages=stages, step=bar.finish
            )
        )
    bar.end()
    return MetaFindings(trials=tuple(qualities), profiles=Deferred(prepared.distinct_profiles))


def run_findings(
    evaluation: Evaluation,
    *,
    options: MetricOptions,
    stages: Stages,
    at_default_depths: Collection[Metric] = (),
    reordered: Evaluation | None = None,
    progress: Progress | None = None,
) -> MetaFindings:
    """Try metrics by runs that any system produced, under each protocol of an evaluation.

    Metrics `at_default_depths` are tried only as deep as the lists. `reordered` is the same evaluation with several random
    orders of tied items.
    """
    as_zero = evaluation.analysis.undefined[0].as_zero
    trials = sum(1 for _ in evaluation.protocol.judgements())
    bar = WorkBar(progress, {stage: trials * count for stage, count in steps_of(options).items()})
    bar.stage(BAR)
    orders = [_draw(again, as_zero) for again in judged_runs(reordered, at_default_depths)] if reordered is not None else []
    qualities = []
    for subject in judged_runs(evaluation, at_default_depths):
        same = _in_other_orders(subject, orders)
        taus = {"tie_tau": mean_tau([draw.means for draw in same])} if same else {}
        qualities.append(
            metric_findings(
                subject,
                undefined_as_zero=as_zero,
                options=options,
                others=_by_metric(taus),
                stages=stages,
                step=bar.finish,
            )
        )
    bar.end()
    test = evaluation.qrels.test
    return MetaFindings(trials=tuple(qualities), profiles=Deferred(lambda: (as_given(profile(test)),)))


def tie_orders_of(repeats: Repeats) -> tuple[TieRule, ...]:
    """The random orders of tied items that are compared."""
    return tuple(make("ties", f"random(seed={k + 1})") for k in range(repeats.tie_orders))


@dataclass(frozen=True, kw_only=True)
class _Draw:
    """What is left of systems that were judged under another seed or another order of ties."""

    protocol: ProtocolKey
    fold_digests: tuple[str, ...]
    means: list[SystemMeans]
    left_out: tuple[str, ...]


def _draw(judged: SystemsOnTrial, undefined_as_zero: bool) -> _Draw:
    return _Draw(
        protocol=judged.protocol,
        fold_digests=judged.fold_digests,
        means=system_means(judged, undefined_as_zero=undefined_as_zero),
        left_out=judged.left_out,
    )


def _in_other_orders(subject: SystemsOnTrial, reordered: Sequence[_Draw]) -> list[_Draw]:
    """The same protocol under other orders of tied items."""
    return [draw for draw in reordered if replace(draw.protocol, ties=subject.protocol.ties) == subject.protocol]


def _lacking(draws: Sequence[_Draw], subject: SystemsOnTrial, figure: str) -> list[str]:
    """What a figure over draws leaves out, though the trial has it."""
    reasons = dict.fromkeys(reason for draw in draws for reason in draw.left_out if reason not in subject.left_out)
    return [f"{figure} leaves out {reason}." for reason in reasons]


def _by_metric(taus: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
    """The columns of each metric, from the metrics of each column."""
    by_metric: dict[str, dict[str, float]] = {}
    for column, of_metric in taus.items():
        for metric, tau in of_metric.items():
            by_metric.setdefault(metric, {})[column] = tau
    return by_metric
