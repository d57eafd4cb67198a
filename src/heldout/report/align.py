"""Users aligned over systems, and folds averaged per user: what is aggregated and tested."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from heldout.study.outcome import Outcome
from heldout.tables import Protocol, Vocabulary
from heldout.tables.arrays import Float64


@dataclass(frozen=True, eq=False)
class Aligned:
    """All systems under one protocol, users aligned and folds averaged."""

    protocol: Protocol
    metrics: tuple[str, ...]
    values: Float64
    """Systems × users × metrics."""
    length: Float64
    computed: Float64
    lists: Float64
    """Lists of each user, summed over folds."""

    def column(self, metric: str) -> Float64:
        """Systems × users of one metric."""
        return self.values[:, :, self.metrics.index(metric)]


def align(outcome: Outcome, protocol: Protocol, systems: Sequence[str]) -> Aligned:
    """Values of every system under one protocol; a user's values are averaged over the folds that test the user."""
    found = [
        (systems.index(s.system), s, part.users) for part in outcome.parts for s in part.scores if s.protocol == protocol
    ]
    ids = [vocabulary.decode(s.users) for _, s, vocabulary in found]
    users = Vocabulary.of(*ids)
    metrics = found[0][1].metrics
    shape = (len(systems), len(users))
    total, defined = np.zeros((*shape, len(metrics))), np.zeros((*shape, len(metrics)))
    length, computed, times = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    lists = np.zeros(shape)
    for (k, scores, _), column in zip(found, ids, strict=True):
        at = users.encode(column)
        known = ~np.isnan(scores.values)
        total[k, at] += np.where(known, scores.values, 0.0)
        defined[k, at] += known
        length[k, at] += scores.length
        computed[k, at] += scores.computed
        lists[k, at] += scores.lists
        times[k, at] += 1
    values = np.full(total.shape, np.nan)
    np.divide(total, defined, out=values, where=defined > 0)
    times = np.maximum(times, 1)
    return Aligned(protocol, metrics, values, length / times, computed / times, lists.max(axis=0))
