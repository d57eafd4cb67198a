"""Mean absolute error."""

from __future__ import annotations

import numpy as np

from heldout.metrics.diagnostic.predicted import Predicted
from heldout.metrics.metric import Metric
from heldout.metrics.rating.errors import rating_errors
from heldout.tables import Judged, divide
from heldout.tables.arrays import Float64


class MAE(Metric):
    """Mean absolute error: how far predicted ratings are from the given ones, on average.

    Assumes: scores are on the rating scale; all errors count by their size. A test rating without a prediction is left out,
    and the share that was predicted stands beside. Users' values are averaged; aggregate=pooled counts every rating
    alike.

    Example: errors 1 and −2: (1 + 2)/2 = 1.5.
    """

    key = "MAE"
    by_relevance = "never"
    needs_ratings = True
    formula = "MAE = (1/n) Σ |p − r|"
    references = ("gunawardana2009", "herlocker2004")
    short_lists = "test ratings without a prediction are left out"
    range = (0.0, np.inf)
    direction = "lower"
    undefined = "no test rating of the user was predicted"
    ties = "none"
    claims = ("perfect predictions give 0",)
    tasks = ("predict_ratings",)
    libraries = {"scikit-learn, Surprise, LensKit": "the same over all ratings: aggregate=pooled"}
    pooling = "sum"

    def measure(self, judged: Judged) -> Float64:
        error, count = rating_errors(judged, self)
        return divide(judged.sum(np.abs(error)), count)

    def expected(self, judged: Judged) -> Float64:
        """The value itself: it depends on no order."""
        return self.measure(judged)

    def denominator(self, judged: Judged) -> Float64:
        """The number of predictions."""
        return rating_errors(judged, self)[1]

    def beside(self) -> tuple[Metric, ...]:
        """The share of test ratings that was predicted."""
        return (Predicted(),)
