"""HO501: the test part holds fewer than 1,000 ratings."""

from __future__ import annotations

from heldout.review.lint.rule import Noticed


class SmallTestSet(Noticed):
    """The test part holds fewer than 1,000 ratings.

    Assumes: each fold counts for itself.

    Example: leave_out(1) of 300 users tests 300 ratings.
    """

    key = "HO501"
    severity = "warning"
    stage = "split"
    change = "hide more ratings, or use folds, so that every rating is tested once"
    from_results = "whether the test part is large enough"
