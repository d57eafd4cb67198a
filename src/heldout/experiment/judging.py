"""Ranks × relevance, in every way a study judges them: what metrics are measured on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from heldout.data.side import read_side
from heldout.experiment.folds import Fold
from heldout.metrics.judge import judge_ranks
from heldout.metrics.metric import Metric
from heldout.study.protocol import JudgingChoices, chain_text
from heldout.study.spec import Study
from heldout.study.systems import System
from heldout.tables import Background, Interactions, Judged, ProtocolKey, Relevance, Side, item_counts
from heldout.tables.arrays import Bool, Int32, digest_of
from heldout.targets.ranker import Ranked, split_for
from heldout.targets.relevance_rule import RelevanceRule

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
    choices: JudgingChoices
    judged: Judged
    """The lists after the rule for unrated items."""
    train: Interactions | None
    development: Bool | None = None
    """Which users of the vocabulary are the development group; None if nobody is."""

    @property
    def nbytes(self) -> int:
        """Bytes of the judged entries, of their relevance and of the training ratings."""
        arrays = (value for record in (self.judged, self.judged.relevance) for value in vars(record).values())
        judged = sum(int(array.nbytes) for array in arrays if isinstance(array, np.ndarray))
        return judged + (self.train.nbytes if self.train is not None else 0)


def background_of(
    metrics: Sequence[Metric],
    rule: RelevanceRule,
    test: Interactions,
    train: Interactions | None,
    own: Side | None,
    tables: dict[str, Side],
) -> Background:
    """All that is known under a relevance rule; counts over train and test need both."""
    lowest = min(float(part.value.min(initial=np.inf)) for part in (test, train) if part is not None)
    if train is None:
        return Background(
            items=test.items,
            train=None,
            positives=None,
            ratings=None,
            lowest=lowest,
            side=own,
            tables=tables,
            users=test.users,
        )
    positives = rule.positives(train, test) if any(m.needs_positives for m in metrics) else None
    return Background(
        items=test.items,
        train=train,
        positives=positives,
        ratings=item_counts(train, test),
        lowest=lowest,
        side=own,
        tables=tables,
        users=test.users,
    )


def side_tables(metrics: Sequence[Metric], source: object) -> tuple[Side | None, dict[str, Side]]:
    """The data set's own table of items, if a metric asks for it and there is one, and the tables that metrics name."""
    paths = {path for m in metrics for path in m.tables}
    own = source.item_table() if None in paths and hasattr(source, "item_table") else None
    return own, {path: read_side(path, of="items") for path in sorted(p for p in paths if p is not None)}


def side_digest(metrics: Sequence[Metric], source: object) -> str:
    """sha256 of the tables that metrics look things up in; empty if they look nothing up."""
    if not any(m.tables for m in metrics):
        return ""
    own, tables = side_tables(metrics, source)
    return digest_of(*(side.digest for side in (own, *tables.values()) if side is not None), *tables)


def relevances_of(study: Study, fold: Fold, metrics: Sequence[Metric]) -> Relevances:
    """The relevance tables of a fold, ready for these metrics (and only for what they need): the same for all systems."""
    side, tables = side_tables(metrics, source_of(study, fold))
    relevances: Relevances = {}
    for choices in study.judgements():
        target, rule = choices.target, choices.relevance
        key = (str(rule), target.form.head)
        if key not in relevances:
            test, train = split_for(fold.split, target).test, fold.split.train
            background = background_of(metrics, rule, test, train, side, tables)
            relevances[key] = rule.judge(test, fold.users, fold.top_grade, train=train, background=background)
    return relevances


def judge(
    study: Study, fold: Fold, system: System, ranked: Ranked, choices: JudgingChoices, relevances: Relevances
) -> Judgement:
    """A system's lists on a fold, judged in one way."""
    place = (str(choices.relevance), choices.target.form.head)
    lists = judge_ranks(ranked.of(choices.target, choices.relevance, choices.fallback, choices.ties), relevances[place])
    judged = replace(
        choices.unrated.apply(lists),
        predicts_ratings=system.recommender.predicts_ratings,
        comparable=system.recommender.comparable_scores or system.recommender.predicts_ratings,
    )
    return Judgement(
        system=system.name,
        fold=fold.split.fold,
        users=fold.users,
        tested=tuple(
            (
                ProtocolKey(data=fold.data, filter=fold.filter, split=fold.split_text, users=users, **choices.texts()),
                fold.masks[users, *place],
            )
            for users in (chain_text(chain) for chain in study.users)
        ),
        choices=choices,
        judged=judged,
        train=fold.split.train,
        development=fold.split.development,
    )


def judgements_of(
    study: Study, fold: Fold, system: System, ranked: Ranked, metrics: Sequence[Metric]
) -> Iterator[Judgement]:
    """Every way in which the study judges a system on a fold."""
    relevances = relevances_of(study, fold, metrics)
    for choices in study.judgements():
        yield judge(study, fold, system, ranked, choices, relevances)


def source_of(study: Study, fold: Fold) -> object:
    """The data set that a fold is of; None if only a split is given."""
    return next((source for source in study.data if str(source) == fold.data), None)
