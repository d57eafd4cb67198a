"""Unrated items gain nothing, and everything."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, Self

from heldout.catalogue import param
from heldout.metrics.unrated_rule import UnratedRule
from heldout.tables import Judged


class Interval(UnratedRule):
    """The value with every unrated item at gain 0, and the value with every one at full gain.

    Assumes: the truth lies between the two ends, which are far apart where lists hold few rated items. Only for metrics that
    neither R nor an ideal list enters (P, HitRate, RR, DCG, RBP, ERR): others would compare with an ideal that moves too.
    Places past the end of a list gain nothing at either end. The ends are bounds of the values under `zero` and stand beside
    them; systems are not compared by them.

    Example: a list of a relevant and three unrated items: P@4 lies between 1/4 and 4/4.
    """

    key = "interval"
    references = ("moffat2008", "canamares2020")
    bound = True
    full_gain = True

    end: Literal["both", "low", "high"] = param("both", "both ends, or one of them")

    def ends(self) -> tuple[Self, ...]:
        return (self.replace(end="low"), self.replace(end="high")) if self.end == "both" else (self,)

    def apply(self, judged: Judged) -> Judged:
        return replace(judged, full=True) if self.end == "high" else judged

    def phrase(self) -> str:
        return "values are given as intervals, with every unrated item at no gain and at full gain"
