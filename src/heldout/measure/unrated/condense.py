"""Unrated items are taken out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from heldout.measure.unrated_rule import UnratedRule
from heldout.tables import Judged
from heldout.tables.arrays import frozen


class Condense(UnratedRule):
    """Unrated items are taken out of the list and the rated ones move up.

    Assumes: unrated items would have been judged as the rated ones are, which overestimates every system. In lists of
    one relevant item that item is left alone.

    Example: a relevant item behind two unrated ones has rank 1.
    """

    key = "condense"
    references = ("canamares2020", "sakai2007")

    def apply(self, judged: Judged) -> Judged:
        rank = np.arange(len(judged.rank)) - judged.indptr[judged.list_of] + 1
        met = np.diff(judged.indptr).astype(np.int32)
        rated = judged.relevance.rated[judged.owner] if judged.only is None else np.ones(len(judged))
        return replace(
            judged,
            rank=frozen(rank, np.int32),
            above=frozen(rank - 1, np.int32),
            tied=frozen(np.zeros(len(rank)), np.int32),
            length=met,
            computed=np.minimum(judged.computed, met),
            targets=frozen(np.minimum(judged.targets, rated), np.int32),
            _memo={},
        )
