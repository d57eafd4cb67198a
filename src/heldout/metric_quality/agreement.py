"""Which metrics, and which depths of one metric, say the same of the systems (Valcarce et al. 2018, Figures 1 and 5)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from heldout.analysis.ranking_agreement import rank_biased_overlap, tau_ap, tau_b
from heldout.metric_quality.quality import KEEPS, AgreementMatrix
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


def alike(matrix: AgreementMatrix, tau: float = KEEPS) -> list[tuple[str, ...]]:
    """Groups of two or more labels whose branches of the tree meet at a mean τ of at least this, as its leaves stand."""
    members: dict[int, tuple[int, ...]] = {k: (k,) for k in range(len(matrix.labels))}
    for step, (first, second, height, _) in enumerate(matrix.tree):
        if height <= 1 - tau + 1e-12:
            members[len(matrix.labels) + step] = members.pop(int(first)) + members.pop(int(second))
    place = {leaf: at for at, leaf in enumerate(matrix.order)}
    groups = sorted(sorted(place[leaf] for leaf in group) for group in members.values() if len(group) > 1)
    return [tuple(matrix.labels[matrix.order[at]] for at in group) for group in groups]


def least_alike(matrix: AgreementMatrix) -> tuple[str, str, float] | None:
    """The two labels with the lowest τ, and their τ; None where no two have one."""
    pairs = [
        (matrix.tau[a][b], matrix.labels[a], matrix.labels[b])
        for a in range(len(matrix.labels))
        for b in range(a + 1, len(matrix.labels))
        if not np.isnan(matrix.tau[a][b])
    ]
    if not pairs:
        return None
    tau, first, second = min(pairs, key=lambda pair: pair[0])
    return first, second, tau
