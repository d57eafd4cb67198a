"""HO304: a cut-off is deeper than the longest list."""

from __future__ import annotations

from heldout.review.lint.rule import Noticed


class CutOffBeyondCandidates(Noticed):
    """A cut-off is deeper than the longest list.

    Assumes: lists are those that the target allows.

    Example: Recall@50 where users have at most 30 test items to rank under TestRatings.
    """

    key = "HO304"
    severity = "warning"
    stage = "measure"
    change = "choose a smaller cut-off, or a target with more candidates"
    from_results = "whether lists are as long as the cut-offs"
