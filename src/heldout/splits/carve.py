"""Further parts of any split: validation ratings out of train, and users for development and for evaluation."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from heldout import rng
from heldout.data.random_choice import lowest, wanted
from heldout.errors import InputError, SpecError
from heldout.splits.splitter import Splitter
from heldout.tables import Dropped, Split


def with_validation(split: Split, by: Splitter, *, seed: int) -> Split:
    """The split with a validation part that another split carves out of its training part.

    The draws are others than those of the split itself: else what it left in train would never be drawn again.
    """
    refuse_repeated(by)
    try:
        carved = next(iter(by.split(split.train, seed=rng.key(seed, "validation") >> 1)))
    except InputError as error:
        raise error.within("validation") from None
    dropped = tuple(Dropped(f"validation: {d.reason}", d.count) for d in carved.dropped)
    return replace(split, train=carved.train, validation=carved.test, dropped=split.dropped + dropped)


def refuse_repeated(by: Splitter) -> None:
    """Raise SpecError if a split cannot carve out validation ratings, because it does not divide them once."""
    if by.folds_made != 1 or not by.needs_data:
        raise SpecError(
            where="validation",
            found=str(by),
            expected="a split that divides the training ratings once",
            hint="such as ratio(train=0.9, by=user) or leave_out(1)",
        )


def with_groups(split: Split, development: float, *, seed: int) -> Split:
    """The split with a share (below 1) or number of its test users for development; the others are for evaluation.

    What is chosen by looking at results (parameters, systems) is chosen on the first group and reported on the second.
    """
    met = np.flatnonzero(split.test.user_counts > 0)
    n = wanted(development, len(met), "test users")
    if n == len(met):
        raise InputError(
            "no test users would be left for evaluation", found=n, expected=f"fewer than {len(met):,} test users"
        ).within("development")
    chosen = np.zeros(split.test.n_users, dtype=np.bool_)
    chosen[met[lowest(rng.uniform(rng.key(seed, "split development"), met), n)]] = True
    chosen.flags.writeable = False
    return replace(split, development=chosen)
