"""How a metric's value is a sum over the relevant items met, divided by what the test set alone decides.

Metrics that say so (`Metric.as_sum`) are averaged over many samples of the test set in one pass over the lists, by the
kernels of `heldout.kernels.sampled_ratings`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from heldout.metrics.metric import Discount, Gain

Term = Literal["P", "RECALL", "AP", "RR", "HIT", "BPREF", "INFERRED"]
"""What is added for a relevant item, as the kernels name it."""


@dataclass(frozen=True, kw_only=True)
class HitSum:
    """Terms of relevant items."""

    term: Term
    rel: float | None
    """From which rating on items are relevant; None for the study's rule."""
    divisor: float = 1.0
    """What the sum is divided by beyond what the term says."""
    needs_relevant: bool = True
    """True if users without a relevant test item have no value."""
    unjudged: bool = False
    """True if items rated below 0 count as not judged."""
    pools_judged: bool = False
    """True if rated items alone count as pooled."""


@dataclass(frozen=True, kw_only=True)
class GainSum:
    """Discounted gains, divided by those of the best possible list."""

    gain: Gain
    discount: Discount
    rel: float | None
