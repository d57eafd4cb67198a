"""HO303: all ratings are equal, so a graded gain grades nothing."""

from __future__ import annotations

from heldout.review.lint.rule import Noticed


class EqualRatings(Noticed):
    """All ratings are equal, so a graded gain grades nothing.

    Assumes: a metric with a gain other than binary is measured.

    Example: clicks, all of value 1, and nDCG(gain=linear)@10.
    """

    key = "HO303"
    severity = "advice"
    stage = "measure"
    references = ("jarvelin2002",)
    change = "replace gain=linear or exp2 by gain=binary"
    from_results = "whether ratings differ at all"
