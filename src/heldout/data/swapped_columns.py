"""Two columns swapped: more distinct "ratings" than users, or times where ratings should be."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl

from heldout.errors import InputError
from heldout.tables import Log

_LEVELS = 20
"""Ratings have at most this many distinct values where they are stars or points."""
_HIGHEST = 100
_HEAD = 100_000
_SECONDS = 1e8
"""Whole numbers beyond this are times since 1970, not ratings."""


def refuse_unnamed_times(log: Log) -> None:
    """InputError when the third column of a text without a header holds times, which were taken for ratings."""
    if log.time is None and len(log) and log.value.min() >= _SECONDS and not np.any(log.value != np.floor(log.value)):
        raise InputError(
            "the third column may be times, or ratings",
            file=log.source,
            found=f"{log.value[0]:.0f}",
            hint="pass value=none, time=3 if they are times, or value=3 if they are ratings",
        )


def refuse_swapped(log: Log, labels: Mapping[str, str]) -> None:
    """InputError when what is taken for the rating looks like ids or times, and another column like ratings.

    The signs of a swap with the users (or items): a handful of users, more distinct ratings than users, all of them whole
    numbers, and the same user and item in row after row, since many people give an item the same stars.
    """
    if "value" not in labels or len(log) < _LEVELS:
        return
    value = labels["value"]
    head = log.value[:_HEAD]
    if np.any(head != np.floor(head)):
        return
    for role, ids in (("user", log.user_id), ("item", log.item_id)):
        if ids.head(_HEAD).n_unique() > _LEVELS:
            continue
        few, many = ids.n_unique(), len(np.unique(log.value))
        if few <= _LEVELS and many > few and _stars(ids) and _repeat(log):
            raise InputError(
                f"the columns of {role}s and ratings seem to be swapped: pairs of user and item repeat",
                file=log.source,
                column=labels[role],
                found=many,
                expected=f"no more distinct ratings than {role}s ({few:,})",
                hint=f"pass {role}={value}, value={labels[role]}, or value=none if there are no ratings",
            )
    if log.time is not None and head.min() >= _SECONDS and int(np.abs(log.time).max()) < _LEVELS:
        raise InputError(
            f"the columns of ratings and times seem to be swapped: a time is {log.time[0]}",
            file=log.source,
            column=value,
            found=f"{head[0]:.0f}",
            expected="a rating",
            hint=f"pass value={labels['time']}, time={value}",
        )


def _stars(ids: pl.Series) -> bool:
    """Whether ids could be ratings: small numbers."""
    numbers = ids.unique().cast(pl.Float64, strict=False)
    return numbers.null_count() == 0 and bool((numbers.abs() <= _HIGHEST).all())


def _repeat(log: Log) -> bool:
    """Whether (user, item) pairs repeat among the first rows."""
    head = pl.DataFrame({"user": log.user_id.head(_HEAD), "item": log.item_id.head(_HEAD)})
    return bool(head.n_unique() < head.height)
