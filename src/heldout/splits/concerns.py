"""Parts of a split that are suspiciously small or not cleanly cut, by the code of the notice that explains it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from heldout.splits.audit import audit
from heldout.tables import Split

SMALL_TEST = 1000
FEW_USERS = 50


def concerns(split: Split) -> Iterator[tuple[str, str]]:
    """(code, message) of what looks wrong with the parts of a fold."""
    train, test = split.train, split.test
    total = len(train) + len(test) + (len(split.validation) if split.validation is not None else 0)
    everything = total + sum(d.count for d in split.dropped)
    if len(test) < SMALL_TEST:
        yield "HO501", f"the test part holds {len(test):,} rating{'' if len(test) == 1 else 's'}"
    tested = int((test.user_counts > 0).sum())
    if tested < FEW_USERS:
        yield "HO503", f"only {tested:,} {'user has' if tested == 1 else 'users have'} test ratings"
    if len(train) < len(test):
        yield "HO504", f"the training part ({len(train):,} ratings) is smaller than the test part ({len(test):,})"
    elif len(train) < 2 * int((train.user_counts > 0).sum()):
        yield (
            "HO504",
            f"users have {len(train) / max(1, int((train.user_counts > 0).sum())):.1f} training ratings on average",
        )
    gone = everything - total
    if gone * 2 > everything:
        yield "HO505", f"{gone:,} of {everything:,} ratings are in no part"
    if split.validation is not None and len(split.validation) < min(SMALL_TEST, len(test)):
        yield "HO506", f"the validation part holds {len(split.validation):,} ratings"
    yield from _merged_across(split)
    if split.development is not None:
        with_test = test.user_counts > 0
        groups = (
            ("development", int((split.development & with_test).sum())),
            ("evaluation", int((~split.development & with_test).sum())),
        )
        small = [f"{n:,} {'user is' if n == 1 else 'users are'} for {name}" for name, n in groups if n < FEW_USERS]
        if small:
            yield "HO506", "only " + " and ".join(small)


def _merged_across(split: Split) -> Iterator[tuple[str, str]]:
    """HO512 where pairs merged across the cut in time are tested, or train with values that hold later rows."""
    train, test = split.train, split.test
    if train.merged_time is None and test.merged_time is None:
        return
    found = audit(split)
    tested, trained = found.straddling_test or 0, found.straddling_train or 0
    if tested:
        share = f"{tested:,} of {len(test):,} test pairs ({tested / len(test):.1%})"
        yield "HO512", f"{share} are merged from rows before and after the cut: their earlier rows are missing in training"
    if trained and train.value.min() < train.value.max():
        share = f"{trained:,} of {len(train):,} training pairs ({trained / len(train):.1%})"
        yield "HO512", f"{share} are merged from rows before and after the cut: their values hold later rows"


def cold_share(split: Split) -> float:
    """Share of the test ratings whose user or item has no training rating."""
    cold = (split.train.user_counts == 0)[split.test.user] | (split.train.item_counts == 0)[split.test.item]
    return float(np.mean(cold)) if len(cold) else 0.0
