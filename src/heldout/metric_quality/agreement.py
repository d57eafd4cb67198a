"""Which metrics, and which depths of one metric, say the same of the systems (Valcarce et al. 2018, Figures 1 and 5)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from heldout.metric_quality.quality import AgreementMatrix
from heldout.metric_quality.ranking_agreement import rank_biased_overlap, tau_ap, tau_b
from heldout.tables.arrays import Float64


def agreement(title: str, labels: Sequence[str], means: Float64, *, tree: bool) -> AgreementMatrix:
    """Agreement between all rows of `means`, each a ranking of the systems, higher being better."""
    tau = tau_b(means, means)
    merges, order = _tree(tau) if tree else ((), tuple(range(len(labels))))
    return AgreementMatrix(
        title=title,
        labels=tuple(labels),
        tau=_rows(tau),
        tau_ap=_rows(tau_ap(means)),
        overlap=_rows(rank_biased_overlap(means)),
        tree=merges,
        order=order,
    )


def _rows(matrix: Float64) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(float(value) for value in row) for row in matrix)


def _tree(tau: Float64) -> tuple[tuple[tuple[float, float, float, float], ...], tuple[int, ...]]:
    """Average linkage on 1 − τ; metrics without a τ are as far as possible from all."""
    from scipy.cluster.hierarchy import leaves_list, linkage
    from scipy.spatial.distance import squareform

    if len(tau) < 2:
        return (), tuple(range(len(tau)))
    distance = np.where(np.isnan(tau), 2.0, 1 - tau)
    np.fill_diagonal(distance, 0.0)
    merges = linkage(squareform((distance + distance.T) / 2, checks=False), "average", optimal_ordering=True)
    tree = tuple((float(a), float(b), float(height), float(size)) for a, b, height, size in merges)
    return tree, tuple(int(leaf) for leaf in leaves_list(merges))
