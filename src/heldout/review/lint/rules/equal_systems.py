"""HO405: two systems have the same value for every user."""

from __future__ import annotations

from heldout.review.lint.rule import Noticed


class EqualSystems(Noticed):
    """Two systems have the same value for every user.

    Assumes: values are compared exactly.

    Example: Popularity under two names.
    """

    key = "HO405"
    severity = "warning"
    stage = "recommend"
    change = "drop one of the two, or choose a metric or cut-off that tells them apart"
    from_results = "whether any two systems give the same values"
