"""HO506: the validation part or a group of users is small."""

from __future__ import annotations

from heldout.review.lint.rule import Noticed


class SmallValidation(Noticed):
    """The validation part or a group of users is small.

    Assumes: validation below 1,000 ratings and below the test part, or a group below 50 users.

    Example: development = 10 of 500 users.
    """

    key = "HO506"
    severity = "warning"
    stage = "validation"
    references = ("gunawardana2009",)
    change = "carve out more, or choose among fewer variants"
    from_results = "whether what parameters are chosen on is large enough"
