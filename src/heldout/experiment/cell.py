"""One system on one fold: fit once, score each user once, judge that pass in every way the study asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from heldout import __version__
from heldout.analysis.part import Part, Points
from heldout.errors import NotApplicableError
from heldout.experiment.clock import Clock
from heldout.experiment.folds import Fold
from heldout.experiment.judging import Judgement, judgements_of, source_of
from heldout.experiment.metric_inputs import scores_of_targets, side_digest
from heldout.experiment.ranks import Fitted, plan_of
from heldout.metrics.measuring import Measured, denominators, measure, with_diagnostics
from heldout.metrics.metric import Metric
from heldout.metrics.system import own_metrics, with_system_values
from heldout.study.applicability import CUT, fits, refusal_of
from heldout.study.compatibility import cut_lists
from heldout.study.protocol import System
from heldout.study.spec import Study
from heldout.tables import Interactions, ProtocolKey, Relevance, Scores
from heldout.tables.arrays import Bool, Float64, Int32, digest_of, frozen
from heldout.tables.scores import COUNTS, DENOMINATOR, WEIGHT
from heldout.targets.ranker import Ranked
from heldout.targets.target import Target

if TYPE_CHECKING:
    from heldout.experiment.ledger import Ledger


def cell_key(study: Study, fold: Fold, system: System) -> str:
    """The digest of all that a cell's scores depend on."""
    asked = [
        f"{stage}={options}"
        for stage, options in study.options()
        if stage in ("users", "fallback", "relevance", "target", "unrated", "ties")
    ]
    asked.append(f"measure={tuple(metric.full_text for metric in study.measure)}")
    asked += [*COUNTS, f"pooled={pooling(study)}"]
    asked += [found] if (found := system.recommender.source_digest()) else []
    asked += [found] if (found := side_digest(study.measure, source_of(study, fold))) else []
    return digest_of(__version__, fold.digest, system.name, system.recommender.full_text, study.seed, *asked)


def cell(
    study: Study,
    fold: Fold,
    system: System,
    *,
    block: int,
    clock: Clock,
    progress: Callable[[int], None],
    store: Ledger | None = None,
    fits: list[str] | None = None,
) -> Part:
    """Scores of every user under every protocol; ranks that `store` has are not made again. Fits are noted in `fits`."""
    plan = plan_of(study, fold)
    fitted = Fitted(system, plan, clock, block, progress, [] if fits is None else fits)
    ranked = fitted.ranks(store)
    curves: list[Points] = []

    def blocks(target: Target, tested: Bool) -> Iterator[Float64]:
        return scores_of_targets(fitted.model, plan, target, tested)

    scores = clock.time("measure", lambda: tuple(_measured(study, fold, system, ranked, blocks, curves)))
    if not scores and system.recommender.ends_early:
        raise NotApplicableError(f"nothing is left to measure of {system.name}: {CUT}", where="measure")
    return Part(scores, fold.split.train.users, tuple(curves))


def _measured(
    study: Study,
    fold: Fold,
    system: System,
    ranked: Ranked,
    blocks: Callable[[Target, Bool], Iterator[Float64]],
    curves: list[Points],
) -> Iterator[Scores]:
    """Scores under every protocol; curves are noted in `curves`."""
    for one in judgements_of(study, fold, system, ranked, with_diagnostics(study.measure)):
        judged, target = one.judged, one.target
        applying = applying_metrics(study, fold, system, one)
        if not applying:
            continue
        metrics = with_diagnostics(applying)
        own, names = own_metrics(metrics), tuple(str(m) for m in metrics)
        measured = measure(judged, own, target=target)
        if pooling(study):
            measured = replace(measured, denominators=denominators(judged, applying))
        counts = counts_of(judged.relevance, fold.split.train, fold.split.development)
        for chain in study.users:
            mask, protocol = one.mask(chain), one.protocol(chain)
            if judged.stratum is not None:
                measured = measure(judged, own, target=target, tested=mask)
            complete = with_system_values(measured, judged, metrics, mask, partial(blocks, target))
            curves += points_of(system.name, protocol, fold.split.fold, complete)
            yield scores_of(
                system.name,
                protocol,
                fold.split.fold,
                fold.users,
                mask,
                complete,
                names,
                counts,
                weighed=classes_asked(study),
            )


def applying_metrics(study: Study, fold: Fold, system: System, judgement: Judgement) -> list[Metric]:
    """The metrics that have a value of this system under this way of judging; see `heldout.study.applicability`."""
    target, unrated, ties = judgement.target, judgement.unrated, judgement.ties
    cut = system.recommender.ends_early and bool(cut_lists(judgement.judged, system.name))
    return [
        metric
        for metric in study.measure
        if not refusal_of(metric, system.recommender)
        and not (cut and metric.needs_whole_lists)
        and fits(metric, target, unrated, ties)
        and (str(metric), str(target), str(judgement.relevance_rule)) not in fold.refused
    ]


def points_of(system: str, protocol: ProtocolKey, fold: int, measured: Measured) -> Iterator[Points]:
    """The curves of what was measured."""
    for metric, curve in measured.curves.items():
        x, y = (tuple(float(v) for v in column) for column in (curve.x, curve.y))
        yield Points(system, protocol, fold, metric, curve.x_label, curve.y_label, x, y)


def classes_asked(study: Study) -> bool:
    """Whether some target averages lists within popularity classes, which weigh users."""
    return any(t.form.percentiles > 1 for t in study.target)


def pooling(study: Study) -> bool:
    """Whether ratios of sums are asked for, which need the metrics' denominators."""
    return any(a.pools_ratios for a in study.all_aggregations)


def counts_of(relevance: Relevance, train: Interactions | None, development: Bool | None) -> dict[str, Float64]:
    """What is known of each evaluated user beside the values: what they may be weighed by, and their group."""
    users = relevance.users
    return {
        "test": relevance.rated.astype(np.float64),
        "relevant": relevance.total(None).astype(np.float64),
        "train": np.full(len(users), np.nan) if train is None else train.user_counts[users].astype(np.float64),
        "development": np.zeros(len(users)) if development is None else development[users].astype(np.float64),
    }


def scores_of(
    system: str,
    protocol: ProtocolKey,
    fold: int,
    users: Int32,
    mask: Bool,
    measured: Measured,
    metrics: tuple[str, ...],
    counts: dict[str, Float64],
    *,
    weighed: bool = False,
) -> Scores:
    """The tested users' rows of what was measured; who has no list at all (no relevant item to make one) is not tested."""
    mask = mask & (measured.lists > 0)
    divided = {f"{DENOMINATOR}{metric}": column for metric, column in measured.denominators.items()}
    if weighed:
        divided[WEIGHT] = measured.lists.astype(np.float64) if measured.weights is None else measured.weights
    return Scores(
        system,
        protocol,
        fold,
        frozen(users[mask], np.int32),
        metrics,
        frozen(measured.values[mask], np.float64),
        frozen(measured.length[mask], np.float64),
        frozen(measured.computed[mask], np.float64),
        frozen(measured.lists[mask], np.int32),
        {name: frozen(column[mask], np.float64) for name, column in {**counts, **divided}.items()},
    )
