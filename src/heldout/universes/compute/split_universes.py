"""All universes of one split: judged, measured and compared in every way, some ways at a time on all threads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from heldout import threads
from heldout.analysis.alignment import align_scores, users_of_group
from heldout.experiment.folds import Fold
from heldout.experiment.judging import (
    Judgement,
    Relevances,
    applying_metrics,
    judge,
    keeps_denominators,
    metric_names,
    relevances_of,
    score,
)
from heldout.experiment.ranks import Fitted
from heldout.metrics.metric import Metric
from heldout.study.applicability import about_cut_metric
from heldout.study.protocol import JudgingChoices, chain_text
from heldout.study.spec import Study
from heldout.tables import Scores
from heldout.targets.ranker import Ranked, Ranks
from heldout.universes.compute.comparisons import NO_USERS, UniverseComparisons, verdicts
from heldout.universes.compute.parts import Chunk, SplitUniverses
from heldout.universes.grid.grid import Multiverse, UniverseLayout, layout

Fits = list[dict[str, Fitted]]
"""By fold and system, what can be fitted again where a metric needs the scores themselves."""
CutMetrics = dict[Metric, dict[str, None]]
"""Metrics of the whole order → the systems whose lists end too early for them."""
ChoiceVerdicts = tuple[dict[str, str], UniverseLayout, UniverseComparisons]
"""The decisions made before measuring, and the universes under them."""


def universes_of_split(
    multiverse: Multiverse, study: Study, of_split: list[Fold], ranked: list[dict[str, Ranked]], fits: Fits
) -> SplitUniverses:
    """Judge, measure and compare in every way, some ways at a time on all threads."""
    choices = tuple(study.judgements())
    relevances = [relevances_of(study, fold, multiverse.metrics) for fold in of_split]
    if not ranked[0]:
        return SplitUniverses(Chunk.empty(multiverse))

    def work(group: list[JudgingChoices]) -> tuple[list[ChoiceVerdicts], CutMetrics]:
        return _of_choices(multiverse, study, of_split, ranked, fits, relevances, group)

    groups = list(threads.run_all(work, _but_for_fallback(choices)))
    judged = [of_choice for of_group, _ in groups for of_choice in of_group]
    user_sets = (int(user_set) for *_, of_choice in judged for user_set in of_choice.user_set)
    first = next((user_set for user_set in user_sets if user_set != NO_USERS), NO_USERS)
    chunks = [Chunk.of(multiverse, *of_choice, first) for of_choice in judged]
    left_out = []
    for metric in multiverse.metrics:
        cut = {name for _, cut_metrics in groups for name in cut_metrics.get(metric, ())}
        if cut:
            left_out.append(about_cut_metric(metric, [s.name for s in study.recommend if s.name in cut]))
    return SplitUniverses(Chunk.joined(chunks) if chunks else Chunk.empty(multiverse), tuple(left_out))


def _but_for_fallback(choices: Sequence[JudgingChoices]) -> list[list[JudgingChoices]]:
    """Ways of judging that differ in the fallback only, together: to a system that scores every item they are one."""
    groups: dict[tuple[str, ...], list[JudgingChoices]] = {}
    for choice in choices:
        texts = tuple(text for decision, text in choice.texts().items() if decision != "fallback")
        groups.setdefault(texts, []).append(choice)
    return list(groups.values())


def _of_choices(
    multiverse: Multiverse,
    study: Study,
    of_split: list[Fold],
    ranked: list[dict[str, Ranked]],
    fits: Fits,
    relevances: list[Relevances],
    choices: list[JudgingChoices],
) -> tuple[list[ChoiceVerdicts], CutMetrics]:
    """The universes of ways of judging that differ in the fallback only, one entry for each and each chain of user rules."""
    refused, target, rule = refused_places(of_split), choices[0].target, choices[0].relevance
    metrics_of_chain = [
        tuple(
            m
            for m in multiverse.metrics_of(chain, choices[0])
            if not (refused and (str(m), str(target), str(rule)) in refused)
        )
        for chain in study.users
    ]
    metrics = tuple(m for m in multiverse.metrics if any(m in of_chain for of_chain in metrics_of_chain))
    judged: list[ChoiceVerdicts] = []
    cut: CutMetrics = {}
    if not metrics:
        return judged, cut
    scored: dict[tuple[int, str], list[tuple[Ranks, list[Scores]]]] = {}
    for choice in choices:
        target = choice.target
        scores: list[list[dict[str, Scores]]] = [[{} for _ in of_split] for _ in study.users]
        first: Judgement | None = None
        for k, (fold, of_fold, models, tables) in enumerate(zip(of_split, ranked, fits, relevances, strict=True)):
            for system in (s for s in study.recommend if s.name in of_fold):
                ranks = of_fold[system.name].of(target, choice.relevance, choice.fallback, choice.ties)
                earlier = scored.setdefault((k, system.name), [])
                of_users = next((rows for other, rows in earlier if equal_ranks(other, ranks)), None)
                if of_users is None or first is None:
                    judgement = judge(study, fold, system, of_fold[system.name], choice, tables)
                    first = first or judgement
                if of_users is None:
                    own = applying_metrics(metrics, system.recommender, judgement)
                    blocks = partial(models[system.name].target_scores, target)
                    of_users = [chain.scores for chain in score(judgement, own, blocks, pooling=keeps_denominators(study))]
                    earlier.append((ranks, of_users))
                for of_chain, of_system in zip(scores, of_users, strict=True):
                    of_chain[k][system.name] = of_system
        if first is None:
            return judged, cut
        measured = _measured_of_all(metrics, scores[0], cut)
        for chain, own_metrics, of_chain, (protocol, _) in zip(
            study.users, metrics_of_chain, scores, first.tested, strict=True
        ):
            comparable = own_metrics if measured is metrics else tuple(m for m in own_metrics if m in measured)
            scores_of_chain = [replace(system, protocol=protocol) for of_fold in of_chain for system in of_fold.values()]
            table = align_scores(
                scores_of_chain,
                of_split[0].split.train.users,
                [s.name for s in study.recommend if s.name in of_chain[0]],
                metrics=metric_names(measured),
                pooled=study.compare.folds == "pooled",
            )
            compared, no_winner = users_of_group(table, study.compare.group)
            places = layout(multiverse, comparable, measured, target, again=multiverse.again(chain, choice))
            outer = _outer(of_split[0], study, chain_text(chain), choice)
            universes = verdicts(study, compared, target, measured, places, call_winners=not no_winner)
            judged.append((outer, places, universes))
    return judged, cut


def _measured_of_all(
    metrics: tuple[Metric, ...], folds: Sequence[Mapping[str, Scores]], cut: CutMetrics
) -> tuple[Metric, ...]:
    """The metrics that every system has on every fold; those that one has not are noted in `cut` with the system."""
    if all(len(scores.metrics) == len(metrics) for of_fold in folds for scores in of_fold.values()):
        return metrics
    every = []
    for metric in metrics:
        lacking = {name: None for of_fold in folds for name, scores in of_fold.items() if str(metric) not in scores.metrics}
        if lacking:
            cut.setdefault(metric, {}).update(lacking)
        else:
            every.append(metric)
    return tuple(every)


def refused_places(of_split: Sequence[Fold]) -> set[tuple[str, str, str]]:
    """The metrics, targets and relevance rules that the data of some fold leave without a value."""
    return {place for fold in of_split for place in fold.refused}


def equal_ranks(ranks: Ranks, other: Ranks) -> bool:
    """Whether two ways of ranking came to the same, so that every metric does."""
    if ranks.lists is not None or other.lists is not None:
        return False
    names = ("rank", "length", "computed", "targets", "scored", "above", "tied")
    return all(
        getattr(ranks, name) is getattr(other, name) or np.array_equal(getattr(ranks, name), getattr(other, name))
        for name in names
    )


def _outer(fold: Fold, study: Study, users: str, choice: JudgingChoices) -> dict[str, str]:
    return {
        "data": fold.data,
        "filter": fold.filter,
        "split": fold.split_text,
        "seed": str(study.seed),
        "users": users,
        **choice.texts(),
    }
