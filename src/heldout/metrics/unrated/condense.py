"""Unrated items are taken out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from heldout.metrics.unrated_rule import UnratedRule
from heldout.tables import Judged
from heldout.tables.arrays import frozen


class Condense(UnratedRule):
    """Unrated items are taken out of the list and the rated ones move up.

    Assumes: unrated items would have been judged as the rated ones are, which overestimates every system. In lists of
    one relevant item that item is left alone. Rated items that were tied stay tied. Coverage is that of the condensed
    list: a system covers the users for whom it ranks a rated item, as under TestRatings, where values are the same as
    under AllItems with this rule.

    Example: a relevant item behind two unrated ones has rank 1.
    """

    key = "condense"
    references = ("canamares2020", "sakai2007")
    keeps_lists = False

    def apply(self, judged: Judged) -> Judged:
        first = judged.indptr[judged.list_of]
        rank = np.arange(len(judged.rank)) - first + 1
        # entries of a list with the same number of targets above are tied, and stand together
        new = np.ones(len(rank), bool)
        new[1:] = (judged.list_of[1:] != judged.list_of[:-1]) | (judged.above[1:] != judged.above[:-1])
        group = np.cumsum(new) - 1
        above = np.flatnonzero(new)[group] - first
        tied = np.where(judged.tied < 0, -1, np.bincount(group, minlength=1)[group] - 1)
        # fallback items follow those that the system scored, so that ranks tell whose an entry is
        own = judged.sum(judged.rank <= judged.computed[judged.list_of])
        return replace(
            judged,
            rank=frozen(rank, np.int32),
            above=frozen(above, np.int32),
            tied=frozen(tied, np.int32),
            length=frozen(np.diff(judged.indptr), np.int32),
            computed=frozen(own, np.int32),
            targets=frozen(judged.total_targets(np.ones(len(judged.relevance.item))), np.int32),
            lists=None,
            condensed=True,
        )

    def phrase(self) -> str:
        return "unrated items were taken out of the lists before measuring"
