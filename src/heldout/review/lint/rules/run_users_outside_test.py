"""HO104: a run holds lists of users who have no test rating."""

from __future__ import annotations

from heldout.review.lint.rule import Noticed


class RunUsersOutsideTest(Noticed):
    """A run holds lists of users who have no test rating.

    Assumes: such lists are ignored.

    Example: a run with user u9, of whom the test set knows nothing.
    """

    key = "HO104"
    severity = "warning"
    stage = "recommend"
    change = "check that run and test set are of the same split"
    from_results = "whether runs and test set are of the same users"
