"""Mean absolute error."""

from __future__ import annotations

import numpy as np

from heldout.metrics.rating.errors import RatingError
from heldout.tables.arrays import Float64


class MAE(RatingError):
    """Mean absolute error: how far predicted ratings are from the given ones, on average.

    Assumes: scores are on the rating scale; all errors count by their size. A test rating without a prediction is left out,
    and the share that was predicted stands beside. Users' values are averaged; aggregate=pooled counts every rating
    alike.

    Example: errors 1 and −2: (1 + 2)/2 = 1.5.
    """

    key = "MAE"
    formula = "MAE = (1/n) Σ |p − r|"
    references = ("gunawardana2009", "herlocker2004")
    libraries = {"scikit-learn, Surprise, LensKit": "the same over all ratings: aggregate=pooled"}

    def loss(self, error: Float64) -> Float64:
        return np.abs(error)
