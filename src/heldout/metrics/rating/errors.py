"""Predicted ratings beside the given ones."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar, Literal

import numpy as np

from heldout.errors import NotApplicableError
from heldout.metrics.diagnostic.predicted import Predicted
from heldout.metrics.metric import Metric
from heldout.tables import Judged, divide
from heldout.tables.arrays import Float64


class RatingError(Metric):
    """A mean over the errors of predicted ratings; test ratings without a prediction are left out."""

    by_relevance = "never"
    needs_ratings = True
    short_lists = "test ratings without a prediction are left out"
    range = (0.0, np.inf)
    direction = "lower"
    undefined = "no test rating of the user was predicted"
    ties = "none"
    claims = ("perfect predictions give 0",)
    tasks = ("predict_ratings",)
    pooling: ClassVar[Literal["", "sum", "square"]] = "sum"

    @abstractmethod
    def loss(self, error: Float64) -> Float64:
        """What is averaged: how much each error counts."""

    def measure(self, judged: Judged) -> Float64:
        error, count = self._errors(judged)
        return divide(judged.sum(self.loss(error)), count)

    def expected(self, judged: Judged) -> Float64:
        """The value itself: it depends on no order."""
        return self.measure(judged)

    def denominator(self, judged: Judged) -> Float64:
        """The number of predictions."""
        return self._errors(judged)[1]

    def beside(self) -> tuple[Metric, ...]:
        """The share of test ratings that was predicted."""
        return (Predicted(),)

    def _errors(self, judged: Judged) -> tuple[Float64, Float64]:
        """For every entry prediction − rating, 0 where there is no prediction; for every list the number of predictions."""
        if not judged.predicts_ratings:
            raise NotApplicableError(
                "the scores are not on the rating scale",
                where=str(self),
                hint="the number would measure the scale of the scores; use a ranking metric, or a system that predicts "
                "ratings",
            )
        if judged.score is None:
            raise NotApplicableError("the scores themselves were not kept", where=str(self))
        scored = ~np.isnan(judged.score)
        return np.where(scored, judged.score - judged.grade, 0.0), judged.sum(scored)
