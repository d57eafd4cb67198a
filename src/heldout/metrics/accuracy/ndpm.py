"""Normalised distance-based performance measure."""

from __future__ import annotations

from heldout.metrics.correlation.pairs import pair_counts
from heldout.metrics.metric import Metric
from heldout.tables import Judged, divide
from heldout.tables.arrays import Float64


class NDPM(Metric):
    """NDPM: the share of the user's preferences between two rated items that the ranking contradicts; ties count half.

    Assumes: only ranked items with a test rating take part, and only pairs rated differently.

    Example: ratings 5, 3, 4 in the order of the list: of the pairs (5,3), (5,4) and (3,4) the last is contradicted: 1/3.
    """

    key = "NDPM"
    needs_whole_lists = True
    by_relevance = "never"
    formula = "NDPM = (2 C⁻ + C⁰) / (2 C), C pairs rated differently, C⁻ contradicted and C⁰ tied ones of these"
    references = ("yao1995", "herlocker2004")
    divides = "twice the pairs rated differently"
    short_lists = "only ranked test items take part"
    needs_ties = True
    undefined = "no two ranked items of the user have different ratings"
    ties = "equal"
    direction = "lower"
    claims = ("bounded", "ideal is 0")
    tasks = ("all_good_items",)

    def measure(self, judged: Judged) -> Float64:
        pairs = pair_counts(judged)
        preferred = pairs.agreeing + pairs.contrary + pairs.tied_scores
        return divide(2 * pairs.contrary + pairs.tied_scores, 2 * preferred)

    def expected(self, judged: Judged) -> Float64:
        """The value itself: ties are ties here."""
        return self.measure(judged)
