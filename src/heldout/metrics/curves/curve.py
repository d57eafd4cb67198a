"""What a curve is: points to be drawn, and the area below."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np

from heldout.metrics.metric import Metric
from heldout.tables import Judged
from heldout.tables.arrays import Float64

POINTS = 101


@dataclass(frozen=True, eq=False)
class OperatingCurve:
    """Points from the strictest to the most generous, as shares."""

    x_label: str
    y_label: str
    x: Float64
    y: Float64

    def thinned(self, points: int = POINTS) -> OperatingCurve:
        """At most so many points, the first and the last among them, spread evenly along the curve's length."""
        if len(self.x) <= points:
            return self
        along = np.concatenate([[0.0], np.cumsum(np.hypot(np.diff(self.x), np.diff(self.y)))])
        at = np.unique(np.searchsorted(along, np.linspace(0, along[-1], points)))
        return OperatingCurve(self.x_label, self.y_label, self.x[at], self.y[at])


class CurveMetric(Metric):
    """A metric that is the area under a curve, which can be drawn."""

    @abstractmethod
    def curve(self, judged: Judged) -> OperatingCurve:
        """The curve of the system; no points where nothing can be drawn."""


def roc(x: Float64, y: Float64) -> OperatingCurve:
    """True against false positives."""
    return OperatingCurve("false positives", "true positives", x, y)


def precision_recall(recall: Float64, precision: Float64) -> OperatingCurve:
    """Precision against recall."""
    return OperatingCurve("recall", "precision", recall, precision)


def area(curve: OperatingCurve) -> float:
    """By trapezoids; NaN without points."""
    return float(np.trapezoid(curve.y, curve.x)) if len(curve.x) > 1 else float("nan")


def stepped_area(curve: OperatingCurve) -> float:
    """Σ (x_k − x_{k−1}) y_k: straight lines between points would promise precision that no depth reaches."""
    return float(np.diff(curve.x, prepend=0.0) @ curve.y) if len(curve.x) else float("nan")


def best_f(curve: OperatingCurve) -> float:
    """The highest harmonic mean of precision and recall along the curve."""
    if not len(curve.x):
        return float("nan")
    total = curve.x + curve.y
    return float(np.max(np.divide(2 * curve.x * curve.y, total, out=np.zeros(len(total)), where=total > 0)))
