"""HO503: fewer than 50 users have test ratings."""

from __future__ import annotations

from heldout.review.lint.rule import Noticed


class FewUsersWithTestRatings(Noticed):
    """Fewer than 50 users have test ratings.

    Assumes: counted before the rules under users.

    Example: test_users(20) tests 20 users.
    """

    key = "HO503"
    severity = "warning"
    stage = "split"
    change = "test more users"
    from_results = "how many users have test ratings"
