"""HO401: with thousands of users tiny differences are significant."""

from __future__ import annotations

from heldout.review.lint.rule import Noticed


class ManyUsers(Noticed):
    """With thousands of users tiny differences are significant.

    Assumes: 2,000 users or more are tested.

    Example: 6,040 users show d = 0.036 four times in five.
    """

    key = "HO401"
    severity = "advice"
    stage = "compare"
    references = ("ihemelandu2023",)
    change = "report the difference, its interval and the effect size beside every p-value"
    from_results = "whether so many users are tested that any difference is significant"
