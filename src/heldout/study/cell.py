"""One system on one fold: fit once, score each user once, judge that pass in every way the study asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from heldout.errors import HeldoutError
from heldout.measure.judge import judge_ranks
from heldout.measure.measuring import Measured, measure, with_diagnostics
from heldout.study.clock import Clock
from heldout.study.folds import Fold
from heldout.study.outcome import Part
from heldout.study.spec import Study, System, chain_text
from heldout.tables import Protocol, Relevance, Scores
from heldout.tables.arrays import Bool, Int32, digest_of, frozen
from heldout.target.ranker import RankPlan, Ranks, rank


def cell_key(study: Study, fold: Fold, system: System) -> str:
    """The digest of all that a cell's scores depend on."""
    asked = [
        f"{stage}={options}"
        for stage, options in study.options()
        if stage in ("users", "fallback", "relevance", "target", "unrated", "ties", "measure")
    ]
    return digest_of(fold.digest, system.name, system.recommender.full_text, study.seed, *asked)


def cell(study: Study, fold: Fold, system: System, *, block: int, clock: Clock, progress: Callable[[int], None]) -> Part:
    """Scores of every user under every protocol."""
    split = fold.split
    fallbacks = {str(f): f.order(split.train, seed=study.seed) for f in study.fallback}
    plan = RankPlan(split, fold.users, study.target, fallbacks, study.ties, study.seed)
    try:
        model = clock.time("fit", lambda: system.recommender.fit(split.train, seed=study.seed))
        ranked = clock.time("rank", lambda: rank(model, plan, block=block, progress=progress))
    except HeldoutError as error:
        raise error.within(system.name) from None
    return clock.time("measure", lambda: Part(tuple(_judged(study, fold, system, ranked)), split.train.users))


def _judged(study: Study, fold: Fold, system: System, ranked: dict[tuple[str, str, str], Ranks]) -> Iterator[Scores]:
    metrics = with_diagnostics(study.measure)
    relevances: dict[str, Relevance] = {}
    for target, rule, unrated, fallback, ties in study.judgements():
        if str(rule) not in relevances:
            relevances[str(rule)] = rule.judge(fold.split.test, fold.users, fold.top_grade)
        judged = unrated.apply(judge_ranks(ranked[str(target), str(fallback), str(ties)], relevances[str(rule)]))
        measured = measure(judged, metrics)
        for chain in study.users:
            users = chain_text(chain)
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
            yield scores_of(
                system.name,
                protocol,
                fold.split.fold,
                fold.users,
                fold.masks[users, str(rule)],
                measured,
                tuple(str(m) for m in metrics),
            )


def scores_of(
    system: str, protocol: Protocol, fold: int, users: Int32, mask: Bool, measured: Measured, metrics: tuple[str, ...]
) -> Scores:
    """The tested users' rows of what was measured; who has no list at all (no relevant item to make one) is not tested."""
    mask = mask & (measured.lists > 0)
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
    )
