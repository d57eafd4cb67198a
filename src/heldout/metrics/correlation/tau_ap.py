"""τ_AP."""

from __future__ import annotations

import numpy as np

from heldout.metrics.metric import Metric, check_ties_known
from heldout.tables import Judged
from heldout.tables.arrays import Float64


class TauAP(Metric):
    """τ_AP: a rank correlation with the ratings that counts mistakes at the top of the list more.

    Assumes: only ranked items with a test rating take part; the ratings are the reference, and pairs that are tied in
    score or rating are left out. It is the mean over items with some comparable item above.

    Example: ratings 5, 3, 4 in the order of the list: above the 3 stands a 5 (1 of 1 right), above the 4 stand a 5 and
    a 3 (1 of 2): 2 · (1 + 0.5)/2 − 1 = 0.5.
    """

    key = "TauAP"
    needs_whole_lists = True
    by_relevance = "never"
    formula = (
        "τ_AP = (2/m) Σ_i C(i)/n(i) − 1, over the m items with n(i) > 0 comparable ones above, C(i) of them rated higher"
    )
    references = ("yilmaz2008", "canamares2020")
    short_lists = "only ranked test items take part"
    needs_ties = True
    range = (-1.0, 1.0)
    undefined = "no two ranked test items differ in both score and rating"
    ties = "equal"
    claims = ("bounded", "ideal is 1")
    tasks = ("all_good_items",)

    def measure(self, judged: Judged) -> Float64:
        from heldout.kernels.agreement import tau_ap_lists

        check_ties_known(judged, self)
        out = np.empty(len(judged))
        tau_ap_lists(judged.indptr, judged.above, judged.grade, out)
        return out

    def expected(self, judged: Judged) -> Float64:
        """The value itself: ties are ties here."""
        return self.measure(judged)
