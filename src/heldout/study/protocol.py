"""What is measured on: data, split, systems and how their lists are judged (decisions A1 to C1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any, Self

from heldout.data.filter import Filter
from heldout.data.memory import Source
from heldout.metrics.unrated_rule import UnratedRule
from heldout.recommenders.fallback import Fallback
from heldout.recommenders.recommender import Recommender
from heldout.splits.splitter import Splitter
from heldout.study.tuned import Tuned
from heldout.targets.relevance.by_scale import ScaleGuess
from heldout.targets.relevance_rule import RelevanceRule
from heldout.targets.target import Target
from heldout.targets.tie_rule import TieRule
from heldout.targets.user_rule import UserRule


@dataclass(frozen=True)
class System:
    """A recommender and the name it goes by in this study."""

    name: str
    recommender: Recommender
    tuning: Tuned | None = field(default=None, compare=False)
    """How its parameters were chosen, where a search chose them."""
    resources: Mapping[str, float] = field(default_factory=dict, compare=False)
    """What its fit needs of a node of a cluster: `num_cpus`, `num_gpus`, `memory` in bytes."""


@dataclass(frozen=True, kw_only=True)
class Protocol:
    """Decisions A1 to C1. Every decision is a tuple of the options that are tried.

    A decision that was made elsewhere is empty: runs that are only judged have no data set, split or recommender here.
    """

    data: tuple[Source, ...] = ()
    filters: tuple[tuple[Filter, ...], ...] = ()
    split: tuple[Splitter, ...] = ()
    users: tuple[tuple[UserRule, ...], ...] = ()
    recommend: tuple[System, ...] = ()
    fallback: tuple[Fallback, ...]
    relevance: tuple[RelevanceRule, ...]
    target: tuple[Target, ...]
    unrated: tuple[UnratedRule, ...]
    ties: tuple[TieRule, ...]
    validation: Splitter | None = None
    """How validation ratings are carved out of every training part, if they are."""
    development: float | None = None
    """Share or number of the test users on whom systems are chosen; the others are for evaluation."""
    seed: int = 1
    guess: ScaleGuess | None = field(default=None, compare=False)
    """The relevance rule that was taken from the scale of the ratings, where `by_scale` asked for that."""

    def protocol_options(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Every stage with the full text of its options."""
        yield "data", tuple(source.full_text for source in self.data)
        yield "filters", tuple(map(chain_text, self.filters))
        yield "split", tuple(splitter.full_text for splitter in self.split)
        yield "users", tuple(map(chain_text, self.users))
        yield "recommend", tuple(system.name for system in self.recommend)
        for stage in ("fallback", "relevance", "target", "unrated", "ties"):
            yield stage, tuple(option.full_text for option in getattr(self, stage))

    def guessing(self) -> bool:
        """Whether a relevance rule is still to be taken from the scale of the ratings."""
        return any(rule.settled_by_scale for rule in self.relevance)

    def with_guess(self, guess: ScaleGuess | None) -> Self:
        """The same with `by_scale` replaced by the rule that was guessed."""
        if guess is None:
            return self
        settled = dict.fromkeys(guess.rule if rule.settled_by_scale else rule for rule in self.relevance)
        return replace(self, relevance=tuple(settled), guess=guess)

    def relevance_rules(self) -> dict[RelevanceRule, str]:
        """The relevance rules that judge, each with the target that states it; empty text for a rule of the study."""
        shared = any(target.own_relevance is None for target in self.target)
        rules = dict.fromkeys(self.relevance, "") if shared else {}
        for target in self.target:
            if target.own_relevance is not None:
                rules.setdefault(target.own_relevance, str(target))
        return rules

    def judgements(self) -> Iterator[tuple[Target, RelevanceRule, UnratedRule, Fallback, TieRule]]:
        """The distinct ways of judging one system's scores; a target with a relevance rule of its own has only that."""
        for target, unrated, fallback, ties in product(self.target, self.unrated, self.fallback, self.ties):
            own = target.own_relevance
            for relevance, end in product((own,) if own is not None else self.relevance, unrated.ends()):
                yield target, relevance, end, fallback, ties


def chain_text(chain: Sequence[Any]) -> str:
    """A chain of filters or user rules as one text."""
    return " + ".join(str(c) for c in chain) if chain else "none"
