"""HO402: fewer than 50 users are tested."""

from __future__ import annotations

from heldout.review.lint.rule import Noticed


class FewUsers(Noticed):
    """Fewer than 50 users are tested.

    Assumes: the smallest setting counts.

    Example: 30 users miss most effects below d = 0.53.
    """

    key = "HO402"
    severity = "warning"
    stage = "users"
    references = ("gunawardana2009",)
    change = "test more users, and read the confidence interval instead of the p-value"
    from_results = "whether enough users are tested"
