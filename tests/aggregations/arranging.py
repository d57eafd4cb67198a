"""Values of several systems, arranged for an aggregation of all of them at once."""

from __future__ import annotations

import numpy as np

from heldout.aggregations.aggregation import Aggregation
from heldout.aggregations.coverage import UncoveredAsZero
from heldout.aggregations.tally import arrange, tally_of
from heldout.aggregations.undefined import UndefinedAsZero
from heldout.aggregations.values import UserValues


def arranged(aggregation: Aggregation, x: np.ndarray, **more: object) -> UserValues:
    rules = {"undefined": UndefinedAsZero(), "coverage": UncoveredAsZero(), "systems": [f"s{k}" for k in range(len(x))]}
    return arrange(x, np.ones(x.shape), aggregation=aggregation, **{**rules, **more})


def values(aggregation: Aggregation, x: np.ndarray, **more: object) -> list[float | None]:
    return [t.value for t in tally_of(arranged(aggregation, x, **more), x, np.ones(x.shape))]
