"""HO105: a target takes its candidates from runs that end too early."""

from __future__ import annotations

from heldout.review.lint.rule import Noticed


class ListsCutShort(Noticed):
    """A target takes its candidates from runs that end too early.

    Assumes: more candidates exist than the run holds.

    Example: a run of 10 items, of which 3 are test items, under TestItems and P@10.
    """

    key = "HO105"
    severity = "warning"
    stage = "target"
    change = "write longer runs, or lower the cut-off"
    from_results = "whether runs are long enough for the targets"
