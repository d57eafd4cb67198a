"""HO513: recommenders weigh by counts as if they were ratings."""

from __future__ import annotations

from heldout.review.lint.rule import Noticed


class CountsAsRatings(Noticed):
    """Values are counts, and some systems take them for ratings.

    Assumes: values are counts where the highest of the training values is more than 10 times their median and none is
    below 0, as in by_scale. Models of your own and runs are not looked into.

    Example: ItemKNN on play counts; not after binarise(1), and not EASE, which takes every value as a 1.
    """

    key = "HO513"
    severity = "warning"
    stage = "recommend"
    references = ("hu2008",)
    change = "add binarise(1) or playcounts_to_ratings to the filters, or values=binary to systems that have it"
    from_results = "whether values are counts that systems take for ratings"
