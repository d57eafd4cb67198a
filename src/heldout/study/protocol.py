"""What is measured on: data, split, systems and how their lists are judged (decisions A1 to C1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import product
from typing import Any, ClassVar, Self

from heldout.catalogue import make
from heldout.data.filter import Filter
from heldout.data.memory import Source
from heldout.errors import SpecError
from heldout.metrics.unrated_rule import UnratedRule
from heldout.recommenders.fallback import Fallback
from heldout.rng import refuse_seed
from heldout.splits.carve import refuse_repeated
from heldout.splits.splitter import Splitter
from heldout.study.keys import Chains, Table, decision, declared_keys, setting
from heldout.study.systems import NamedSystem, System
from heldout.targets.relevance.by_scale import ScaleGuess
from heldout.targets.relevance_rule import RelevanceRule
from heldout.targets.target import Target
from heldout.targets.tie_rule import TieRule
from heldout.targets.user_rule import UserRule


@dataclass(frozen=True)
class DataTable(Table):
    """Data with named columns."""

    takes_others: ClassVar[bool] = True

    path: str = field(metadata=setting("file or folder, relative to the study file"))


def read_validation(value: Any) -> Splitter | None:
    """A split that divides the training ratings once."""
    if value is None:
        return None
    splitter: Splitter = make("split", value)
    refuse_repeated(splitter)
    return splitter


def read_development(value: Any) -> float | None:
    """A share or a number of users."""
    if value is None:
        return None
    number = isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 2**31
    if not number or (value > 1 and value != int(value)):
        raise SpecError(found=value, expected="a share below 1 or a whole number of users")
    return float(value)


def read_seed(value: Any) -> int:
    """A seed that streams of random numbers take."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise SpecError(found=value, expected="a whole number")
    refuse_seed(value)
    return value


SEED = setting("fixes everything random", read=read_seed)


@dataclass(frozen=True, kw_only=True)
class JudgingChoices:
    """One way of judging a system's scores: one option of each decision."""

    fallback: Fallback
    target: Target
    relevance: RelevanceRule
    unrated: UnratedRule
    ties: TieRule

    def texts(self) -> dict[str, str]:
        """The text form of each option, by decision."""
        return {decision: str(getattr(self, decision)) for decision in JUDGING}


JUDGING = tuple(field.name for field in fields(JudgingChoices))
"""The decisions about how scores are judged."""


@dataclass(frozen=True, kw_only=True)
class Protocol:
    """Decisions A1 to C1. Every decision is a tuple of the options that are tried.

    A decision that was made elsewhere is empty: runs that are only judged have no data set, split or recommender here.
    """

    data: tuple[Source, ...] = field(
        default=(),
        metadata=setting("path, text form or table", str | DataTable | list[str | DataTable], question="Data set"),
    )
    filters: tuple[tuple[Filter, ...], ...] = field(
        default=(),
        metadata=decision(
            "selection of data; an inner list is one chain",
            written=Chains,
            default=[[]],
            question="Selection of ratings, users and items",
        ),
    )
    split: tuple[Splitter, ...] = field(
        default=(),
        metadata=decision("how ratings are divided into train and test", question="Division into training and test"),
    )
    users: tuple[tuple[UserRule, ...], ...] = field(
        default=(),
        metadata=decision(
            "which users are tested; an inner list is one chain",
            written=Chains,
            default=["with_test"],
            words="users tested",
            question="Users who are tested",
        ),
    )
    recommend: tuple[System, ...] = field(
        default=(), metadata=setting("the systems that are compared", str | list[str | NamedSystem], question="Systems")
    )
    fallback: tuple[Fallback, ...] = field(
        metadata=decision(
            "what follows when a system cannot score an item", default="none", question="Items that a system cannot score"
        )
    )
    relevance: tuple[RelevanceRule, ...] = field(
        metadata=decision("which test ratings are relevant", default="by_scale", question="What is relevant")
    )
    target: tuple[Target, ...] = field(
        metadata=decision("which items compete", default="AllItems", question="Candidate items")
    )
    unrated: tuple[UnratedRule, ...] = field(
        metadata=decision("what an unrated item counts as", default="zero", words="unrated items", question="Unrated items")
    )
    ties: tuple[TieRule, ...] = field(
        metadata=decision("the order of equal scores", default="item", words="tie rule", question="Items of equal score")
    )
    validation: Splitter | None = field(
        default=None, metadata=setting("a split that carves validation ratings out of train", str, read=read_validation)
    )
    """How validation ratings are carved out of every training part, if they are."""
    development: float | None = field(
        default=None,
        metadata=setting(
            "share or number of test users for development; the others are for evaluation", above=0, read=read_development
        ),
    )
    """Share or number of the test users on whom systems are chosen; the others are for evaluation."""
    seed: int = field(default=1, metadata=SEED)
    guess: ScaleGuess | None = field(default=None, compare=False)
    """The relevance rule that was taken from the scale of the ratings, where `by_scale` asked for that."""

    def protocol_options(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Every stage with the full text of its options."""
        for stage, declared in declared_keys(Protocol).items():
            if declared.kind:
                yield stage, tuple(map(option_text, getattr(self, stage)))

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

    def judgements(self) -> Iterator[JudgingChoices]:
        """The distinct ways of judging one system's scores; a target with a relevance rule of its own has only that."""
        others = [decision for decision in JUDGING if decision not in ("target", "relevance", "unrated")]
        for target, unrated, *options in product(self.target, self.unrated, *(getattr(self, name) for name in others)):
            own, chosen = target.own_relevance, dict(zip(others, options, strict=True))
            for relevance, end in product((own,) if own is not None else self.relevance, unrated.ends()):
                yield JudgingChoices(target=target, relevance=relevance, unrated=end, **chosen)


def option_text(option: Any) -> str:
    """The full text of an option, of a chain its text."""
    return chain_text(option) if isinstance(option, tuple) else option.full_text


def chain_text(chain: Sequence[Any]) -> str:
    """A chain of filters or user rules as one text."""
    return " + ".join(str(c) for c in chain) if chain else "none"
