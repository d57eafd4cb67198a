"""How many test ratings a system predicts."""

from __future__ import annotations

import numpy as np

from heldout.metrics.metric import Metric
from heldout.tables import Judged, divide
from heldout.tables.arrays import Float64


class Predicted(Metric):
    """Predicted: the share of the user's test ratings that the system itself scored.

    Assumes: scores of a fallback are not the system's own.

    Example: 3 of 4 test ratings have a score: 0.75.
    """

    key = "Predicted"
    formula = "|scored test ratings| / |test ratings|"
    references = ("gunawardana2009",)
    undefined = "the user has no test rating"
    ties = "none"
    claims = ("bounded",)
    direction = "none"

    def measure(self, judged: Judged) -> Float64:
        scored = np.ones(len(judged.rank)) if judged.score is None else ~np.isnan(judged.score)
        rated = judged.relevance.rated[judged.owner] if judged.only is None else np.ones(len(judged))
        return divide(judged.sum(scored), rated.astype(np.float64))
