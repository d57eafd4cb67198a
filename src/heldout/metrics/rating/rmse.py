"""Root mean squared error."""

from __future__ import annotations

import numpy as np

from heldout.metrics.rating.errors import RatingError
from heldout.tables import Judged
from heldout.tables.arrays import Float64


class RMSE(RatingError):
    """Root mean squared error: how far predicted ratings are from the given ones, large errors counting most.

    Assumes: scores are on the rating scale; it is never below MAE. A test rating without a prediction is left out, and the
    share that was predicted stands beside. Users' values are averaged; aggregate=pooled counts every rating alike.

    Example: errors 1 and −2: √((1 + 4)/2) = 1.5811.
    """

    key = "RMSE"
    formula = "RMSE = √((1/n) Σ (p − r)²)"
    references = ("gunawardana2009", "herlocker2004")
    libraries = {"scikit-learn, Surprise, LensKit": "the same over all ratings: aggregate=pooled"}
    pooling = "square"

    def loss(self, error: Float64) -> Float64:
        return error * error

    def measure(self, judged: Judged) -> Float64:
        return np.sqrt(super().measure(judged))
