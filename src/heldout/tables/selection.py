"""Some rows of a log."""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from heldout.tables.arrays import Bool
from heldout.tables.log import Log


def rows_of(log: Log, rows: Bool) -> Log:
    """These rows of a log."""
    if rows.all():
        return log
    mask = pl.Series(rows)
    return replace(
        log,
        user_id=log.user_id.filter(mask),
        item_id=log.item_id.filter(mask),
        value=log.value[rows],
        time=log.time[rows] if log.time is not None else None,
        utility=log.utility[rows] if log.utility is not None else None,
        merged_time=log.merged_time[rows] if log.merged_time is not None else None,
    )
