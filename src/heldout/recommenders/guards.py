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
    """NotApplicableError when a rating is below 0; `because` says what needs them not to be."""
    bad = np.flatnonzero(train.value < 0)
    if len(bad):
        user, item = train.users.ids[train.user[bad[0]]], train.items.ids[train.item[bad[0]]]
        raise NotApplicableError(
            f"{len(bad):,} ratings are negative (first: user {user}, item {item}, {train.value[bad[0]]:g}), but {because} "
            "ratings of at least 0",
            where=str(recommender),
            hint="shift or filter the ratings",
        )


def refuse_beyond(largest: float, what: str) -> None:
    """NotApplicableError when numbers of this size, or none at all (NaN), leave what float32 scores can hold."""
    if not largest <= LARGEST:
        raise NotApplicableError(
            f"{what} reach {largest:.3g}, and scores hold at most {LARGEST:g}", hint="give ratings on a smaller scale"
        )


def refuse_huge(needed: int, recommender: Recommender, what: str) -> None:
    """NotApplicableError when `needed` bytes are more than the machine has, before it runs out of them."""
    present = threads.memory()
    if needed > present > 0:
        raise NotApplicableError(
            f"{what} need {needed / 2**30:.0f} GiB of memory, this machine has {present / 2**30:.0f}",
            where=str(recommender),
            hint="keep fewer items with a filter such as core(k)",
        )
