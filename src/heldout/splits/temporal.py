"""The past trains, the future tests."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from math import ceil
from typing import Literal

import numpy as np

from heldout.catalogue import param
from heldout.catalogue.prose import plural, share
from heldout.errors import InputError, SpecError
from heldout.splits.parts import SHORT, Short, draws, place_in_user, rounded, times_of, without_short
from heldout.splits.splitter import Divider, Hidden
from heldout.tables import Interactions
from heldout.tables.time_units import PER_SECOND

_TOO_FINE = re.compile(r"[.,]\d{7}")
"""Fractions of a second that `datetime` would cut off."""


class Temporal(Divider):
    """Trains on older ratings and tests on newer ones: by one cut in time for all, or by each user's own newest.

    For all, Tr = {r : t(r) < t₀} and Te = {r : t(r) ≥ t₀}; t₀ is a time, or that by which a share of the ratings had been
    given. By user, the newest share of each user's ratings, or the newest l, test.

    Assumes: `at` between 0 and 1 is the share of ratings before the cut, otherwise seconds since 1970 or an ISO date.
    Ratings of the very time of the cut are all in test. By user, what one user trains on may be newer than what
    another is tested on: the audit counts it. A user's ratings of the same time are in random order. Users of l
    ratings or fewer are an error unless `short` says otherwise.

    Example: ratings of times 1 to 10 under `temporal(at=0.8)` train up to time 8 and test on 9 and 10.
    """

    key = "temporal"
    formula = "Te = {r : t(r) ≥ t_0}"
    references = ("gunawardana2009", "canamares2020")
    drawn = "temporal(at=0.7)"

    at: float | str | None = param(None, "the cut: a date, seconds since 1970, or the share of ratings before it")
    share: float | None = param(None, "share of all, or of each user's, ratings that tests", above=0, below=1)
    last: int | None = param(None, "newest ratings of each user that test", least=1)
    by: Literal["all", "user"] = param("all", "one cut for all, or each user's newest")
    short: Short = param("error", SHORT)

    follows_time = True

    @property
    def one_cut(self) -> bool:
        return self.by == "all"

    def check(self) -> None:
        named = [name for name in ("at", "share", "last") if getattr(self, name) is not None]
        allowed = ("share", "last") if self.by == "user" else ("at", "share")
        if len(named) != 1 or named[0] not in allowed:
            raise SpecError(
                where=f"temporal(by={self.by})",
                found=named,
                expected=f"either {' or '.join(allowed)}",
                hint="such as temporal(at=0.8), temporal(share=0.2), temporal(by=user, last=1)",
            )
        if isinstance(self.at, str):
            _seconds(self.at)

    def hidden(self, data: Interactions, *, seed: int) -> Iterator[Hidden]:
        time = times_of(data, self)
        if self.by == "all":
            cut = self.cut(data)
            yield Hidden(time >= cut, cut=cut)
            return
        place = place_in_user(data, time, draws(data, seed, "split temporal ties"))
        if self.last is not None:
            test = place >= (data.user_counts - self.last)[data.user]
            yield without_short(data.user_counts, data.user, self.last + 1, self.short, test, self, "user")
        elif self.share is not None:
            yield Hidden(place >= rounded(1 - self.share, data.user_counts)[data.user])

    def cut(self, data: Interactions) -> int:
        """The first time that is hidden, of all users' ratings, in the unit of the data.

        InputError if one side would be empty.
        """
        time, per_second = times_of(data, self), PER_SECOND[data.time_unit]
        if isinstance(self.at, str):
            cut = ceil(_seconds(self.at) * per_second)
        elif self.at is not None and not 0 < self.at < 1:
            cut = ceil(Decimal(str(self.at)) * per_second)
        else:
            share = 1 - self.share if self.share is not None else float(self.at or 0.0)
            place = min(int(rounded(share, np.array([len(data)]))[0]), len(data) - 1)
            cut = int(np.partition(time, place)[place])
        if not time.min() < cut <= time.max():
            at, first, last = (Decimal(int(t)) / per_second for t in (cut, time.min(), time.max()))
            days = [datetime.fromtimestamp(float(t), UTC).isoformat(" ") for t in (first, last)]
            raise InputError(
                "one side of the cut is empty",
                found=str(at),
                expected=f"a time after {days[0]} ({first}), the first rating, and up to {days[1]} ({last}), the last",
                hint="" if time.min() < time.max() else "all ratings have the same time: choose another split",
            ).within(str(self))
        return cut

    def phrase(self) -> str:
        if self.by == "user":
            if self.last is not None:
                newest = f"{plural(self.last, 'most recent rating')} of each user"
            else:
                newest = f"most recent {share(self.share or 0)} of each user's ratings"
            return f"the {newest} formed the test set and the earlier ones the training set"
        if self.share is not None:
            return f"all ratings were divided at one point in time, the most recent {share(self.share)} forming the test set"
        if isinstance(self.at, float) and 0 < self.at < 1:
            return (
                f"ratings were divided at one point in time: the first {share(self.at)} for training, later ones for testing"
            )
        return f"ratings made before {self.at} formed the training set and later ones the test set"


def _seconds(text: str) -> Decimal:
    """Seconds since 1970 of an ISO date, with its fraction; SpecError if the text is not a date."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = None
    if moment is None or _TOO_FINE.search(text):
        raise SpecError(
            where="temporal: 'at'",
            found=text,
            expected="a date such as 2003-01-31 or 2003-01-31T12:00:00.123456, seconds since 1970, or a share",
        )
    since = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - datetime(1970, 1, 1, tzinfo=UTC)
    return Decimal(since.days * 86_400 + since.seconds) + Decimal(since.microseconds) / 1_000_000
