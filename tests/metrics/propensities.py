"""Lists whose items have propensities."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl

from heldout.tables import Judged, Side


def with_propensities(judged: Judged, p: list[float]) -> Judged:
    """Propensities of the first items; the others have 1."""
    numbers = np.ones(57)
    numbers[: len(p)] = p
    side = Side(pl.Series(np.arange(57)), pl.DataFrame({"p": numbers}))
    known = replace(judged.relevance.background, side=side)  # type: ignore[type-var]
    return replace(judged, relevance=replace(judged.relevance, background=known))
