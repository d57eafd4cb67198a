"""Whom the universes of a split test: the users rule, the relevance rule and the head of the target choose them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from heldout.catalogue import make
from heldout.experiment.folds import Fold
from heldout.study.protocol import chain_text
from heldout.study.spec import Study
from heldout.universes.findings.stability import OtherUsers
from heldout.universes.universes import Universes

Choice = tuple[str, str, float]
"""The texts of users rule and relevance rule, and the head."""


def _first_choice(study: Study) -> Choice:
    """The users that the first options choose."""
    target, rule, *_ = next(study.judgements())
    return chain_text(study.users[0]), str(rule), target.form.head


@dataclass
class UsersByChoice:
    """Users of every fold by choice, and the choices that test other users of some fold than the first options do."""

    sizes: dict[Choice, list[int]] = field(default_factory=dict)
    other: set[Choice] = field(default_factory=set)

    def add(self, study: Study, folds: Iterable[Fold]) -> None:
        """Count the users of a split."""
        for fold in folds:
            first = fold.masks[_first_choice(study)]
            for choice, mask in fold.masks.items():
                self.sizes.setdefault(choice, []).append(int(mask.sum()))
                self.other |= set() if np.array_equal(mask, first) else {choice}

    def others(self, study: Study, universes: Universes) -> OtherUsers | None:
        """The universes that test other users than the first options of a study do on the same split; None if none do."""
        if not self.other:
            return None
        places = [universes.decision(name) for name in ("users", "relevance", "target")]
        chains, rules, targets = (universes.decisions[place].levels for place in places)
        heads = [make("target", text).form.head for text in targets]
        rows = [(chains[u], rules[r], heads[t]) in self.other for u, r, t in universes.codes[:, places].tolist()]
        sizes = [size for choice in self.other for size in self.sizes[choice]]
        return OtherUsers(
            rows=np.array(rows, dtype=np.bool_), counts=_span(sizes), first=_span(self.sizes[_first_choice(study)])
        )


def _span(sizes: list[int]) -> str:
    """900, or 900 to 1,477."""
    low, high = min(sizes), max(sizes)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"
