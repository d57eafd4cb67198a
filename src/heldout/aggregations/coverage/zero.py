"""All users are averaged, covered or not."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from heldout.aggregations.coverage_rule import LEFT_OUT_WHERE_UNSERVED, CoverageRule, covered
from heldout.tables.arrays import Bool, Float64


class UncoveredAsZero(CoverageRule):
    """All users are averaged; one who was recommended nothing keeps what the metric gives an empty list, mostly 0.

    Assumes: recommending nothing is as bad as recommending nothing relevant. Full average = user coverage × forgiven
    average (the paper prints the identity the wrong way round).

    Example: two covered users at 0.5 and two uncovered ones average to 0.25.
    """

    key = "zero"
    references = ("canamares2020",)
    as_zero = True

    def fate(self, *, higher_is_better: bool) -> str:
        """Where lower values are better, a user without recommendations has no value that could count."""
        return "count as if they were recommended nothing" if higher_is_better else LEFT_OUT_WHERE_UNSERVED

    def included(self, lengths: Sequence[Float64]) -> list[Bool]:
        """Everyone."""
        return [np.ones(len(of_system), dtype=np.bool_) for of_system in covered(lengths)]

    def phrase(self) -> str:
        return "users to whom a system recommended nothing counted as 0"
