"""Inverse propensities: ratings that were unlikely to be seen weigh more, so that an average is that of all."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

import numpy as np

from heldout.catalogue import make
from heldout.catalogue.component import type_of
from heldout.errors import SpecError
from heldout.metrics.metric import Metric, Propensity
from heldout.tables import Judged, Relevance, divide
from heldout.tables.arrays import Float64
from heldout.tables.memo import once


class WeighedMetric(Metric):
    """A metric that weighs items by one over their propensity, where its `estimate` is not plain."""

    if TYPE_CHECKING:  # parameters, which each metric describes in its own words
        estimate: str
        propensity: Propensity | None

    def check(self) -> None:
        """Raise SpecError if propensities are missing, unused, or only proportional to what they must be."""
        if self.estimate == "plain" and self.propensity is not None:
            raise SpecError(
                "only ips and snips use propensities",
                where=f"{self.key}: 'propensity'",
                found=str(self.propensity),
                hint=f"such as {self.key}(snips)",
            )
        if self.estimate == "ips" and (self.propensity is None or not self.propensity.absolute):
            raise SpecError(
                "a factor would scale the result",
                where=f"{self.key}(ips): 'propensity'",
                found=None if self.propensity is None else str(self.propensity),
                expected="absolute propensities",
                hint='name a column of probabilities, propensity=column(p, "items.csv")' + self._or_snips,
            )

    @property
    def _or_snips(self) -> str:
        """The way out for metrics whose snips estimate no factor changes."""
        return ", or use snips" if "snips" in get_args(type_of(type(self), "estimate")) else ""

    @property
    def weighs_items(self) -> bool:
        return self.estimate != "plain"

    @property
    def is_weighed_ratio(self) -> bool:
        """True if the sum is divided by the weights of all relevant items."""
        return self.estimate == "snips"

    @property
    def tables(self) -> tuple[str | None, ...]:
        """Those of the propensities."""
        return () if self.propensity is None else self.propensity.tables

    def row_weights(self, judged: Judged) -> Float64:
        """1/p of every row of the test set."""
        return inverse_propensities(judged.relevance, self.propensity, self)

    def list_weights(self, judged: Judged) -> Float64 | None:
        """For ratios of weighed sums, 1/p of each list's one relevant item; None for other lists."""
        if judged.only is None or not self.is_weighed_ratio:
            return None
        return self.row_weights(judged)[judged.only]


def inverse_propensities(relevance: Relevance, propensity: Propensity | None, asker: object) -> Float64:
    """1/p of every row of the test set."""
    model: Propensity = propensity if propensity is not None else make("propensity", "popularity")

    def compute() -> Float64:
        return np.asarray(1 / model.of_rows(relevance, asker))

    return once(relevance, ("inverse propensity", model), compute)


def total_weight(judged: Judged, weight: Float64, rel: float | None) -> Float64:
    """Σ_rel 1/p of each list: over all relevant test items of the user."""
    return judged.per_list_total(np.where(judged.relevance.relevant_at(rel), weight, 0.0))


def divide_by_weight(judged: Judged, total: Float64, weight: Float64, rel: float | None) -> Float64:
    """A self-normalised estimate; undefined without a relevant item."""
    return divide(total, total_weight(judged, weight, rel))
