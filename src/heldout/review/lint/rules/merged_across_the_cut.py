"""HO512: repeated pairs were merged across the cut in time."""

from __future__ import annotations

from heldout.review.lint.rule import Noticed


class MergedAcrossTheCut(Noticed):
    """Repeated pairs were merged before a split by time, and some have rows on both sides of the cut.

    Assumes: the cut is the first test rating of all users, or of each user where the split goes by user. Pairs that stay in
    training are no finding where all training values are equal: nothing of their later rows is left.

    Example: duplicates(keep=latest) before temporal(share=0.2); not duplicates(keep=max, time=first) and binarise(1).
    """

    key = "HO512"
    severity = "warning"
    stage = "filter"
    references = ("ji2023",)
    change = "write duplicates(…, time=first), then binarise(1), so that nothing after the cut is left in training"
    from_results = "how many merged pairs have rows on both sides of the cut in time"
