"""Some of the judged lists."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from heldout.tables import Judged, Rankings
from heldout.tables.arrays import Bool, Int64, frozen, take_rows

_OF_ENTRIES = ("row", "rank", "above", "tied", "score")
_OF_LISTS = ("owner", "length", "computed", "targets", "relevant_targets", "only", "stratum", "pool")


def of_users(judged: Judged, tested: Bool) -> Judged:
    """The lists of these users alone; the relevance table stays whole."""
    return of_lists(judged, np.flatnonzero(tested[judged.owner]))


def of_lists(judged: Judged, kept: Int64) -> Judged:
    """These lists alone; the relevance table stays whole."""
    indptr, entries = take_rows(judged.indptr, kept)
    changes: dict[str, object] = {"indptr": frozen(indptr, np.int64), "everywhere": None}
    for names, rows in ((_OF_ENTRIES, entries), (_OF_LISTS, kept)):
        for name in names:
            column = getattr(judged, name)
            changes[name] = None if column is None else column[rows]
    if judged.lists is not None:
        pointers, places = take_rows(judged.lists.indptr, kept)
        lists = judged.lists
        changes["lists"] = Rankings(lists.users[kept], frozen(pointers, np.int64), lists.item[places], lists.score[places])
    return replace(judged, **changes)  # type: ignore[arg-type]
