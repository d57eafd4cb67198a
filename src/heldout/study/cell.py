"""One system on one fold: fit once, score each user once, judge that pass in every way the study asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from heldout import __version__
from heldout.errors import HeldoutError
from heldout.measure.judge import judge_ranks
from heldout.measure.measuring import Measured, denominators, list_depth, measure, with_diagnostics
from heldout.measure.system import own_metrics, with_system_values
from heldout.study.clock import Clock
from heldout.study.folds import Fold
from heldout.study.known import background_of, scores_of_targets, side_digest, side_tables
from heldout.study.outcome import Part, Points
from heldout.study.spec import Study, System, chain_text
from heldout.tables import Interactions, Protocol, Relevance, Scores
from heldout.tables.arrays import Bool, Float64, Int32, digest_of, frozen
from heldout.tables.scores import COUNTS, DENOMINATOR, WEIGHT
from heldout.target.ranker import Ranked, RankPlan, rank, split_for
from heldout.target.target import Target


def cell_key(study: Study, fold: Fold, system: System) -> str:
    """The digest of all that a cell's scores depend on."""
    asked = [
        f"{stage}={options}"
        for stage, options in study.options()
        if stage in ("users", "fallback", "relevance", "target", "unrated", "ties", "measure")
    ]
    asked += [*COUNTS, f"pooled={pooling(study)}"]
    asked += [found] if (found := system.recommender.source_digest()) else []
    asked += [found] if (found := side_digest(study.measure, _source(study, fold))) else []
    return digest_of(__version__, fold.digest, system.name, system.recommender.full_text, study.seed, *asked)


def cell(study: Study, fold: Fold, system: System, *, block: int, clock: Clock, progress: Callable[[int], None]) -> Part:
    """Scores of every user under every protocol."""
    split = fold.split
    fallbacks = {str(f): f.order(split.train, seed=study.seed) for f in study.fallback}
    plan = RankPlan(
        split,
        fold.users,
        study.target,
        fallbacks,
        study.ties,
        study.seed,
        relevances=study.relevance,
        depth=list_depth(study.measure, split.train.n_items),
        count_ties=any(m.needs_ties for m in study.measure),
    )
    try:
        model = clock.time("fit", lambda: system.recommender.fit(split.train, seed=study.seed))
        ranked = clock.time("rank", lambda: rank(model, plan, block=block, progress=progress))
    except HeldoutError as error:
        raise error.within(system.name) from None
    blocks = partial(scores_of_targets, model, plan)
    curves: list[Points] = []
    scores = clock.time("measure", lambda: tuple(_judged(study, fold, system, ranked, blocks, curves)))
    return Part(scores, split.train.users, tuple(curves))


def _judged(
    study: Study,
    fold: Fold,
    system: System,
    ranked: Ranked,
    blocks: Callable[[Target, Bool], Iterator[Float64]],
    curves: list[Points],
) -> Iterator[Scores]:
    """Scores under every protocol; curves are noted in `curves`."""
    metrics = with_diagnostics(study.measure)
    own = own_metrics(metrics)
    side, tables = side_tables(metrics, _source(study, fold))
    relevances: dict[tuple[str, float], Relevance] = {}
    for target, rule, unrated, fallback, ties in study.judgements():
        known = (str(rule), target.form.head)
        if known not in relevances:
            test, train = split_for(fold.split, target).test, fold.split.train
            background = background_of(metrics, rule, test, train, side, tables)
            relevances[known] = rule.judge(test, fold.users, fold.top_grade, train=train, background=background)
        made = judge_ranks(ranked.of(target, rule, fallback, ties), relevances[known])
        judged = unrated.apply(made)
        judged = replace(
            judged,
            predicts_ratings=system.recommender.predicts_ratings,
            comparable=system.recommender.comparable_scores or system.recommender.predicts_ratings,
        )
        measured = measure(judged, own, target=target, made=made)
        if pooling(study):
            measured = replace(measured, denominators=denominators(judged, study.measure))
        counts = counts_of(relevances[known], fold.split.train, fold.split.development)
        for chain in study.users:
            users = chain_text(chain)
            mask = fold.masks[users, str(rule), target.form.head]
            if judged.stratum is not None:
                measured = measure(judged, own, target=target, tested=mask)
            complete = with_system_values(measured, judged, metrics, mask, partial(blocks, target))
            protocol = Protocol(
                fold.data,
                fold.filter,
                fold.split_text,
                users,
                str(fallback),
                str(rule),
                str(target),
                str(unrated),
                str(ties),
            )
            curves += points_of(system.name, protocol, fold.split.fold, complete)
            yield scores_of(
                system.name,
                protocol,
                fold.split.fold,
                fold.users,
                mask,
                complete,
                tuple(str(m) for m in metrics),
                counts,
                weighed=classes_asked(study),
            )


def _source(study: Study, fold: Fold) -> object:
    """The data set that a fold is of; None where only a split is given."""
    return next((source for source in study.data if str(source) == fold.data), None)


def points_of(system: str, protocol: Protocol, fold: int, measured: Measured) -> Iterator[Points]:
    """The curves of what was measured."""
    for metric, curve in measured.curves.items():
        x, y = (tuple(float(v) for v in column) for column in (curve.x, curve.y))
        yield Points(system, protocol, fold, metric, curve.x_label, curve.y_label, x, y)


def classes_asked(study: Study) -> bool:
    """Whether some target averages lists within popularity classes, which weigh users."""
    return any(t.form.percentiles > 1 for t in study.target)


def pooling(study: Study) -> bool:
    """Whether ratios of sums are asked for, which need the metrics' denominators."""
    return any(a.key == "pooled" for a in study.aggregate)


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
    protocol: Protocol,
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
