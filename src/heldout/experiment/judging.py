"""Ranks × relevance, in every way a study judges them: what metrics are measured on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from heldout.experiment.folds import Fold
from heldout.experiment.metric_inputs import background_of, side_tables
from heldout.metrics.judge import judge_ranks
from heldout.metrics.metric import Metric
from heldout.metrics.unrated_rule import UnratedRule
from heldout.recommenders.fallback import Fallback
from heldout.study.protocol import System, chain_text
from heldout.study.spec import Study
from heldout.tables import Interactions, Judged, ProtocolKey, Relevance
from heldout.tables.arrays import Bool, Int32
from heldout.targets.ranker import Ranked, split_for
from heldout.targets.relevance_rule import RelevanceRule
from heldout.targets.target import Target
from heldout.targets.tie_rule import TieRule

Relevances = dict[tuple[str, float], Relevance]
"""By relevance rule and the head that a target leaves out."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Judgement:
    """One system's lists on one fold, judged in one way."""

    system: str
    fold: int
    users: Int32
    """The users of the fold, those of the rows of `judged.relevance`."""
    tested: tuple[tuple[ProtocolKey, Bool], ...]
    """For each chain of user rules, all choices as text forms, and who of `users` is tested."""
    target: Target
    relevance_rule: RelevanceRule
    unrated: UnratedRule
    ties: TieRule
    judged: Judged
    """The lists after the rule for unrated items."""
    train: Interactions | None
    development: Bool | None = None
    """Which users of the vocabulary are the development group; None where nobody is."""


Choice = tuple[Target, RelevanceRule, UnratedRule, Fallback, TieRule]
"""One of `Study.judgements()`."""


def relevances_of(study: Study, fold: Fold, metrics: Sequence[Metric]) -> Relevances:
    """The relevance tables of a fold, ready for these metrics (and only for what they need): the same for all systems."""
    side, tables = side_tables(metrics, source_of(study, fold))
    relevances: Relevances = {}
    for target, rule, *_ in study.judgements():
        key = (str(rule), target.form.head)
        if key not in relevances:
            test, train = split_for(fold.split, target).test, fold.split.train
            background = background_of(metrics, rule, test, train, side, tables)
            relevances[key] = rule.judge(test, fold.users, fold.top_grade, train=train, background=background)
    return relevances


def judge(study: Study, fold: Fold, system: System, ranked: Ranked, choice: Choice, relevances: Relevances) -> Judgement:
    """A system's lists on a fold, judged in one way."""
    target, rule, unrated, fallback, ties = choice
    lists = judge_ranks(ranked.of(target, rule, fallback, ties), relevances[str(rule), target.form.head])
    judged = replace(
        unrated.apply(lists),
        predicts_ratings=system.recommender.predicts_ratings,
        comparable=system.recommender.comparable_scores or system.recommender.predicts_ratings,
    )
    return Judgement(
        system=system.name,
        fold=fold.split.fold,
        users=fold.users,
        tested=tuple(
            (
                ProtocolKey(
                    data=fold.data,
                    filter=fold.filter,
                    split=fold.split_text,
                    users=users,
                    fallback=str(fallback),
                    relevance=str(rule),
                    target=str(target),
                    unrated=str(unrated),
                    ties=str(ties),
                ),
                fold.masks[users, str(rule), target.form.head],
            )
            for users in (chain_text(chain) for chain in study.users)
        ),
        target=target,
        relevance_rule=rule,
        unrated=unrated,
        ties=ties,
        judged=judged,
        train=fold.split.train,
        development=fold.split.development,
    )


def judgements_of(
    study: Study, fold: Fold, system: System, ranked: Ranked, metrics: Sequence[Metric]
) -> Iterator[Judgement]:
    """Every way in which the study judges a system on a fold."""
    relevances = relevances_of(study, fold, metrics)
    for choice in study.judgements():
        yield judge(study, fold, system, ranked, choice, relevances)


def source_of(study: Study, fold: Fold) -> object:
    """The data set that a fold is of; None where only a split is given."""
    return next((source for source in study.data if str(source) == fold.data), None)
