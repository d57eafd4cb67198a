"""Lists judged again as if some test ratings had never been made: these become unrated, and nothing is ranked anew.

That holds where candidates do not depend on a user's test ratings. In lists of test ratings alone, those that are left keep
their order and move up.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from heldout.metrics.unrated.condense import Condense
from heldout.tables import Judged, Relevance
from heldout.tables.arrays import Bool, Int64, frozen


def keep_ratings(relevance: Relevance, kept: Bool) -> Relevance:
    """The same users with the test ratings that `kept` marks."""
    counts = np.bincount(relevance.owner[kept], minlength=len(relevance))
    return replace(
        relevance,
        indptr=frozen(np.concatenate([[0], np.cumsum(counts)]), np.int64),
        item=frozen(relevance.item[kept], np.int32),
        grade=frozen(relevance.grade[kept], np.float64),
        relevant=frozen(relevance.relevant[kept], np.bool_),
        utility=None if relevance.utility is None else frozen(relevance.utility[kept], np.float64),
    )


def judge_kept(judged: Judged, kept: Bool, relevance: Relevance, *, rated_alone: bool = False) -> Judged:
    """Lists with the ratings of `kept` alone, which make up `relevance`; `rated_alone` says that nothing else is in them.

    Example: relevant items at ranks 1 and 3, the first of which is left out: one relevant item, at rank 3.
    """
    new_row = np.cumsum(kept) - 1
    lists = np.ones(len(judged), np.bool_) if judged.only is None else kept[judged.only]
    entries = kept[judged.row] & lists[judged.list_of]
    indptr = _indptr_of(judged.list_of[entries], lists)
    targets = kept if judged.target_rows is None else kept & judged.target_rows
    relevant = np.bincount(judged.relevance.owner, judged.relevance.relevant & targets, len(judged.relevance))
    fewer = replace(
        judged,
        relevance=relevance,
        owner=judged.owner[lists],
        indptr=indptr,
        row=frozen(new_row[judged.row[entries]], np.int64),
        rank=judged.rank[entries],
        above=judged.above[entries],
        tied=judged.tied[entries],
        length=judged.length[lists],
        computed=judged.computed[lists],
        targets=judged.targets[lists],
        relevant_targets=judged.relevant_targets[lists] if judged.only is not None else frozen(relevant, np.int32),
        only=None if judged.only is None else frozen(new_row[judged.only[lists]], np.int64),
        score=None if judged.score is None else judged.score[entries],
        target_rows=None if judged.target_rows is None else judged.target_rows[kept],
        stratum=None if judged.stratum is None else judged.stratum[lists],
        pool=None if judged.pool is None else judged.pool[lists],
    )
    return Condense().apply(fewer) if rated_alone or judged.condensed else fewer


def _indptr_of(list_of: Int64, lists: Bool) -> Int64:
    """Where the entries of each list that is left begin."""
    counts = np.bincount(list_of, minlength=len(lists))[lists]
    return frozen(np.concatenate([[0], np.cumsum(counts)]), np.int64)
