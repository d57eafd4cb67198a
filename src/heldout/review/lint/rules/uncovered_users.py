"""HO103: a system recommends nothing to some tested users."""

from __future__ import annotations

from heldout.review.lint.rule import Noticed


class UncoveredUsers(Noticed):
    """A system recommends nothing to some tested users.

    Assumes: coverage is counted after fallback.

    Example: a user without training ratings, under a neighbourhood model and fallback = none.
    """

    key = "HO103"
    severity = "advice"
    stage = "fallback"
    references = ("canamares2020",)
    change = 'add fallback = "popularity", or report user coverage beside every value'
    from_results = "whether every system recommends to every tested user"
