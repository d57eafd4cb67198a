"""Mean squared error."""

from __future__ import annotations

from heldout.metrics.rating.errors import RatingError
from heldout.tables.arrays import Float64


class MSE(RatingError):
    """Mean squared error: the mean square of how far predicted ratings are from the given ones.

    Assumes: scores are on the rating scale; large errors count most. A test rating without a prediction is left out,
    and the share that was predicted stands beside. Users' values are averaged; aggregate=pooled counts every rating
    alike.

    Example: errors 1 and −2: (1 + 4)/2 = 2.5.
    """

    key = "MSE"
    formula = "MSE = (1/n) Σ (p − r)²"
    references = ("gunawardana2009", "herlocker2004")
    libraries = {"scikit-learn, Surprise": "the same over all ratings: aggregate=pooled"}

    def loss(self, error: Float64) -> Float64:
        return error * error
