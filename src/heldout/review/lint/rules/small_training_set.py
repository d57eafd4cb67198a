"""HO504: less is left to learn from than is tested."""

from __future__ import annotations

from heldout.review.lint.rule import Noticed


class SmallTrainingSet(Noticed):
    """Less is left to learn from than is tested.

    Assumes: also where users have fewer than 2 training ratings on average.

    Example: ratio(train=0.2) trains on a fifth and tests four fifths.
    """

    key = "HO504"
    severity = "warning"
    stage = "split"
    change = "hide less, unless new users are the question"
    from_results = "whether enough is left to learn from"
