"""HO403: a test does not answer for an aggregation of the study."""

from __future__ import annotations

from heldout.review.lint.rule import Noticed


class TestWithoutAnswer(Noticed):
    """A test does not answer for an aggregation of the study.

    Assumes: other tests of the study do.

    Example: t beside a median: the cell stays blank.
    """

    key = "HO403"
    severity = "warning"
    stage = "compare"
    references = ("smucker2007",)
    change = 'name a test for each aggregation: "t" for means, "wilcoxon" or "sign" for a median'
    from_results = "whether every aggregation is tested"
