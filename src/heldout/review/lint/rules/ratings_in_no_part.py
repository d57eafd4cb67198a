"""HO505: more than half of the ratings are neither in train nor in test."""

from __future__ import annotations

from heldout.review.lint.rule import Noticed


class RatingsInNoPart(Noticed):
    """More than half of the ratings are neither in train nor in test.

    Assumes: ratings that a split drops are counted with the reason.

    Example: test_users(10, then=temporal(share=0.5)) drops what others rated after the cut.
    """

    key = "HO505"
    severity = "warning"
    stage = "split"
    change = "say how many ratings were used, or choose a split that uses all"
    from_results = "how many ratings are in no part"
