"""Inverse propensities: ratings that were unlikely to be seen weigh more, so that an average is that of all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from heldout.catalogue import make
from heldout.errors import SpecError
from heldout.tables import Judged, Relevance, divide
from heldout.tables.arrays import Float64

if TYPE_CHECKING:
    from heldout.metrics.metric import Propensity


def check_estimate(key: str, estimate: str, propensity: Propensity | None) -> None:
    """SpecError where propensities are missing, unused, or only proportional to what they must be."""
    if estimate == "plain" and propensity is not None:
        raise SpecError(f"{key}: propensities are for ips and snips", hint=f"such as {key}(snips)")
    if estimate == "ips" and (propensity is None or not propensity.absolute):
        reason = "none are named" if propensity is None else f"{propensity} is only proportional to them"
        raise SpecError(
            f"{key}(ips) needs absolute propensities, and {reason}",
            hint='a factor would scale the result: name probabilities, propensity=column(p, "items.csv"), or use snips',
        )


def inverse_propensities(relevance: Relevance, propensity: Propensity | None, asker: object) -> Float64:
    """1/p of every row of the test set."""
    model: Propensity = propensity if propensity is not None else make("propensity", "popularity")

    def compute() -> Float64:
        return np.asarray(1 / model.of_rows(relevance, asker))

    return relevance.once(("inverse propensity", model), compute)


def total_weight(judged: Judged, weight: Float64, rel: float | None) -> Float64:
    """Σ_rel 1/p of each list: over all relevant test items of the user."""
    return judged.per_list_total(np.where(judged.relevance.relevant_at(rel), weight, 0.0))


def divide_by_weight(judged: Judged, total: Float64, weight: Float64, rel: float | None) -> Float64:
    """A self-normalised estimate; undefined without a relevant item."""
    return divide(total, total_weight(judged, weight, rel))


def weights_of_lists(judged: Judged, estimate: str, propensity: Propensity | None, asker: object) -> Float64 | None:
    """1/p of each list's one relevant item, for a self-normalised estimate over a user's lists; None for other lists."""
    if judged.only is None or estimate != "snips":
        return None
    return inverse_propensities(judged.relevance, propensity, asker)[judged.only]
