"""HO407: few users hold most of the weight of a weighted average."""

from __future__ import annotations

from heldout.review.lint.rule import Noticed


class FewUsersHoldTheWeight(Noticed):
    """Few users hold most of the weight of a weighted average.

    Assumes: (Σw)² / Σw² is under half of the users.

    Example: one user with 97 test ratings and three with 1 weigh like 1.1 equal users.
    """

    key = "HO407"
    severity = "warning"
    stage = "aggregate"
    references = ("kish1965",)
    change = 'add "mean" beside the weighted mean'
    from_results = "how unequally users weigh"
