"""Whom the universes of a split test: the users rule, the relevance rule and the target choose them.

Lists of one relevant item exist only for users who have such an item, whatever the users rule says.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from heldout.catalogue import make
from heldout.experiment.folds import Fold
from heldout.study.protocol import chain_text
from heldout.study.spec import Study
from heldout.tables.arrays import Bool
from heldout.targets.ranker import split_for
from heldout.targets.relevance_rule import RelevanceRule
from heldout.targets.target import Target
from heldout.universes.findings.stability import OtherUsers
from heldout.universes.universes import Universes

Choice = tuple[str, str, float, str]
"""The texts of users rule and relevance rule, the head, and the candidates if lists have one relevant item."""


def _first_choice(study: Study) -> Choice:
    """The users that the first options choose."""
    target, rule, *_ = next(study.judgements())
    return _choice(chain_text(study.users[0]), str(rule), target)


def _choice(chain: str, rule: str, target: Target) -> Choice:
    return chain, rule, target.form.head, target.form.candidates if target.single else ""


def _with_lists(fold: Fold, target: Target, rule: RelevanceRule) -> Bool:
    """A mask of the tested users who have a list of one relevant item: such an item must be a candidate."""
    test = split_for(fold.split, target).test
    relevant = rule.of_test(test, fold.split.train)
    if target.form.candidates == "training":
        relevant = relevant & (fold.split.train.item_counts > 0)[test.item]
    return (np.bincount(test.user, relevant, test.n_users) > 0)[fold.users]


@dataclass
class UsersByChoice:
    """Users of every fold by choice, and the choices that test other users of some fold than the first options do."""

    sizes: dict[Choice, list[int]] = field(default_factory=dict)
    other: set[Choice] = field(default_factory=set)

    def add(self, study: Study, folds: Iterable[Fold]) -> None:
        """Count the users of a split."""
        ways = {(str(rule), _choice("", "", target)): (target, rule) for target, rule, *_ in study.judgements()}
        for fold in folds:
            masks: dict[Choice, Bool] = {}
            for (text, _), (target, rule) in ways.items():
                served = _with_lists(fold, target, rule) if target.single else True
                for chain in map(chain_text, study.users):
                    masks[_choice(chain, text, target)] = fold.masks[chain, text, target.form.head] & served
            first = masks[_first_choice(study)]
            for choice, mask in masks.items():
                self.sizes.setdefault(choice, []).append(int(mask.sum()))
                self.other |= set() if np.array_equal(mask, first) else {choice}

    def others(self, study: Study, universes: Universes) -> OtherUsers | None:
        """The universes that test other users than the first options of a study do on the same split; None if none do."""
        if not self.other:
            return None
        places = [universes.decision(name) for name in ("users", "relevance", "target")]
        chains, rules, targets = (universes.decisions[place].levels for place in places)
        made = [make("target", text) for text in targets]
        rows = [_choice(chains[u], rules[r], made[t]) in self.other for u, r, t in universes.codes[:, places].tolist()]
        sizes = [size for choice in self.other for size in self.sizes[choice]]
        return OtherUsers(
            rows=np.array(rows, dtype=np.bool_), counts=_span(sizes), first=_span(self.sizes[_first_choice(study)])
        )


def _span(sizes: list[int]) -> str:
    """900, or 900 to 1,477."""
    low, high = min(sizes), max(sizes)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"
