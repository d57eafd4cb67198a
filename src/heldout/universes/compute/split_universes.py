"""All universes of one split: judged, measured and compared in every way, some ways at a time on all threads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from heldout import threads
from heldout.experiment.cell import pooling
from heldout.experiment.folds import Fold
from heldout.experiment.judging import Choice, Judgement, Relevances, judge, relevances_of
from heldout.experiment.metric_inputs import scores_of_targets
from heldout.experiment.ranks import Fitted, plan_of
from heldout.study.protocol import chain_text
from heldout.study.spec import Study
from heldout.tables.arrays import Bool, Float64
from heldout.targets.ranker import Ranked, Ranks
from heldout.universes.compute.block import Piece, joined, pieces_of
from heldout.universes.compute.parts import Chunk
from heldout.universes.compute.verdicts import verdicts
from heldout.universes.grid.grid import Multiverse
from heldout.universes.grid.layout import layout

Fits = list[dict[str, Fitted]]
"""By fold and system, what can be fitted again where a metric needs the scores themselves."""


def measured(
    multiverse: Multiverse, study: Study, of_split: list[Fold], ranked: list[dict[str, Ranked]], fits: Fits
) -> Chunk:
    """Judge, measure and compare in every way, some ways at a time on all threads."""
    choices = tuple(study.judgements())
    relevances = [relevances_of(study, fold, multiverse.metrics) for fold in of_split]
    if not ranked[0]:
        return Chunk.empty(multiverse)

    def work(group: list[Choice]) -> list[Chunk]:
        return _of_choices(multiverse, study, of_split, ranked, fits, relevances, group)

    chunks = [chunk for made in threads.run_all(work, _but_for_fallback(choices)) for chunk in made]
    return Chunk.joined(chunks) if chunks else Chunk.empty(multiverse)


def _but_for_fallback(choices: Sequence[Choice]) -> list[list[Choice]]:
    """Ways of judging that differ in the fallback only, together: to a system that scores every item they are one."""
    groups: dict[tuple[str, ...], list[Choice]] = {}
    for choice in choices:
        target, rule, unrated, _, ties = choice
        groups.setdefault((str(target), str(rule), str(unrated), str(ties)), []).append(choice)
    return list(groups.values())


def _of_choices(
    multiverse: Multiverse,
    study: Study,
    of_split: list[Fold],
    ranked: list[dict[str, Ranked]],
    fits: Fits,
    relevances: list[Relevances],
    choices: list[Choice],
) -> list[Chunk]:
    """The universes of ways of judging that differ in the fallback only, a chunk for each and each chain of user rules."""
    refused, (target, rule, *_) = refused_places(of_split), choices[0]
    asked = [
        tuple(m for m in multiverse.metrics_of(chain, choices[0]) if (str(m), str(target), str(rule)) not in refused)
        for chain in study.users
    ]
    metrics = tuple(m for m in multiverse.metrics if any(m in of_chain for of_chain in asked))
    if not metrics:
        return []
    everyone = of_split[0].split.train.users
    ids = everyone.decode(np.arange(len(everyone), dtype=np.int32))
    known: dict[tuple[int, str], list[tuple[Ranks, list[Piece]]]] = {}
    made = []
    for choice in choices:
        target, rule, _, fallback, ties = choice
        pieces: list[list[dict[str, Piece]]] = [[{} for _ in of_split] for _ in study.users]
        first: Judgement | None = None
        for k, (fold, of_fold, models, tables) in enumerate(zip(of_split, ranked, fits, relevances, strict=True)):
            for system in (s for s in study.recommend if s.name in of_fold):
                found = of_fold[system.name].of(target, rule, fallback, ties)
                same = next((p for r, p in known.setdefault((k, system.name), []) if equal_ranks(r, found)), None)
                if same is None or first is None:
                    judgement = judge(fold, system, of_fold[system.name], choice, tables)
                    first = first or judgement
                if same is None:
                    blocks = partial(_scores, models[system.name], study, fold, judgement)
                    same = list(pieces_of(study, judgement, metrics, blocks, pooling=pooling(study)))
                    known[k, system.name].append((found, same))
                for of_chain, piece in zip(pieces, same, strict=True):
                    of_chain[k][system.name] = piece
        if first is None:
            return []
        for chain, wanted, of_users in zip(study.users, asked, pieces, strict=True):
            block = joined(study, metrics, of_users, ids)
            places = layout(multiverse, wanted, metrics, target, again=multiverse.again(chain, choice))
            outer = _outer(of_split[0], study, chain_text(chain), choice)
            made.append(Chunk.of(multiverse, outer, places, verdicts(study, block, first, chain, places)))
    return made


def refused_places(of_split: Sequence[Fold]) -> set[tuple[str, str, str]]:
    """The metrics, targets and relevance rules that the data of some fold leave without a value."""
    return {place for fold in of_split for place in fold.refused}


def equal_ranks(one: Ranks, other: Ranks) -> bool:
    """Whether two ways of ranking came to the same, so that every metric does."""
    if one.lists is not None or other.lists is not None:
        return False
    names = ("rank", "length", "computed", "targets", "scored", "above", "tied")
    return all(
        getattr(one, name) is getattr(other, name) or np.array_equal(getattr(one, name), getattr(other, name))
        for name in names
    )


def _scores(fitted: Fitted, study: Study, fold: Fold, judgement: Judgement, tested: Bool) -> Iterator[Float64]:
    return scores_of_targets(fitted.model, plan_of(study, fold), judgement.target, tested)


def _outer(fold: Fold, study: Study, users: str, choice: Choice) -> dict[str, str]:
    target, rule, unrated, fallback, ties = choice
    return {
        "data": fold.data,
        "filter": fold.filter,
        "split": fold.split_text,
        "seed": str(study.seed),
        "users": users,
        "fallback": str(fallback),
        "target": str(target),
        "relevance": str(rule),
        "unrated": str(unrated),
        "ties": str(ties),
    }
