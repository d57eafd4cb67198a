"""What a model cannot be fitted on, refused before it goes wrong."""

from __future__ import annotations

import numpy as np

from heldout import threads
from heldout.errors import NotApplicableError
from heldout.recommenders.recommender import Recommender
from heldout.tables import Interactions

LARGEST = 1e37
"""Scores are float32, whose largest number is 3.4e38; sums and means of a few of them must still fit."""


def refuse_negative(train: Interactions, recommender: Recommender, because: str) -> None:
    """Raise NotApplicableError if a rating is below 0; `because` names what needs others, such as "chances need"."""
    bad = np.flatnonzero(train.value < 0)
    if len(bad):
        user, item = train.users.ids[train.user[bad[0]]], train.items.ids[train.item[bad[0]]]
        raise NotApplicableError(
            f"{len(bad):,} ratings are negative, the first by user {user} of item {item}",
            where=str(recommender),
            found=float(train.value[bad[0]]),
            expected=f"ratings of at least 0, as {because}",
            hint="shift or filter the ratings",
        )


def refuse_beyond(largest: float, what: str) -> None:
    """Raise NotApplicableError if numbers of this size, or none at all (NaN), leave what float32 scores can hold."""
    if not largest <= LARGEST:
        raise NotApplicableError(
            f"{what} are too large",
            found=float(largest),
            expected=f"at most {LARGEST:g}",
            hint="give ratings on a smaller scale",
        )


def refuse_huge(needed: int, recommender: Recommender, what: str) -> None:
    """Raise NotApplicableError if `needed` bytes are more than the machine has, before it runs out of them."""
    present = threads.memory()
    if needed > present > 0:
        raise NotApplicableError(
            f"the memory of this machine is too small for {what}",
            where=str(recommender),
            found=f"{present / 2**30:.0f} GiB",
            expected=f"at least {needed / 2**30:.0f} GiB",
            hint="keep fewer items with a filter such as core(k)",
        )
