"""Users for whom every system has a value: what pairs of systems are compared on."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from heldout.tables.arrays import Bool, Float64, Int64

AT_ONCE = 1 << 24
"""Numbers of one table: temporary arrays of what works on it stay below some hundred megabytes."""


def complete_tables(values: Float64, among: Bool | None = None) -> Iterator[tuple[Int64, Float64]]:
    """Metrics that are complete for the same users, and their values for these: metrics × systems × users.

    `values` are metrics × systems × users, NaN where undefined; `among` marks the users to look at, all without it. Metrics
    that no user is complete for are left out; many metrics come in several tables. Where all users are complete, nothing is
    copied.
    """
    metrics, systems, users = values.shape
    complete = np.array([~np.isnan(table).any(axis=0) for table in values]).reshape(metrics, users)
    if among is not None:
        complete &= among
    members_by_users: dict[bytes, list[int]] = {}
    for metric, row in enumerate(np.packbits(complete, axis=1)):
        members_by_users.setdefault(row.tobytes(), []).append(metric)
    most = max(1, AT_ONCE // max(1, systems * users))
    for members in members_by_users.values():
        together = complete[members[0]]
        if not together.any():
            continue
        for start in range(0, len(members), most):
            part = np.array(members[start : start + most], np.int64)
            table = values[part[0] : part[-1] + 1] if part[-1] - part[0] + 1 == len(part) else values[part]
            yield part, table if together.all() else table[:, :, together]
