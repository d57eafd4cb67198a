"""Root mean squared error."""

from __future__ import annotations

import numpy as np

from heldout.metrics.diagnostic.predicted import Predicted
from heldout.metrics.metric import Metric
from heldout.metrics.rating.errors import rating_errors
from heldout.tables import Judged, divide
from heldout.tables.arrays import Float64


class RMSE(Metric):
    """Root mean squared error: how far predicted ratings are from the given ones, large errors counting most.

    Assumes: scores are on the rating scale; it is never below MAE. A test rating without a prediction is left out, and the
    share that was predicted stands beside. Users' values are averaged; aggregate=pooled counts every rating alike.

    Example: errors 1 and −2: √((1 + 4)/2) = 1.5811.
    """

    key = "RMSE"
    by_relevance = "never"
    needs_ratings = True
    formula = "RMSE = √((1/n) Σ (p − r)²)"
    references = ("gunawardana2009", "herlocker2004")
    short_lists = "test ratings without a prediction are left out"
    range = (0.0, np.inf)
    direction = "lower"
    undefined = "no test rating of the user was predicted"
    ties = "none"
    claims = ("perfect predictions give 0",)
    tasks = ("predict_ratings",)
    libraries = {"scikit-learn, Surprise, LensKit": "the same over all ratings: aggregate=pooled"}
    pooling = "square"

    def measure(self, judged: Judged) -> Float64:
        error, count = rating_errors(judged, self)
        return np.sqrt(divide(judged.sum(error * error), count))

    def expected(self, judged: Judged) -> Float64:
        """The value itself: it depends on no order."""
        return self.measure(judged)

    def denominator(self, judged: Judged) -> Float64:
        """The number of predictions."""
        return rating_errors(judged, self)[1]

    def beside(self) -> tuple[Metric, ...]:
        """The share of test ratings that was predicted."""
        return (Predicted(),)
