"""HO302: all test ratings are relevant, so metrics of judged non-relevant items say nothing."""

from __future__ import annotations

from heldout.review.lint.rule import Noticed


class NoNonrelevantItems(Noticed):
    """All test ratings are relevant, so metrics of judged non-relevant items say nothing.

    Assumes: bpref or infAP is measured.

    Example: ratings of 4 and 5 only, threshold(4) and bpref.
    """

    key = "HO302"
    severity = "warning"
    stage = "relevance"
    references = ("buckley2004", "yilmaz2006")
    change = "replace bpref and infAP by nDCG and P, or keep low ratings in the test"
    from_results = "whether any test rating is not relevant"
