"""Relevance models RM1 and RM2: users as queries, neighbours as language models p(i|v) = seen + rest · common."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heldout.kernels.jit import kernel

Float32 = NDArray[np.float32]
Float64 = NDArray[np.float64]
Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]

_CHUNK = 64
_PER_LOG = 16


@kernel(interpreted=False)
def mixtures(
    users: Int64,
    own_ptr: Int64,
    own_idx: Int32,
    near_ptr: Int64,
    near_idx: Int32,
    seen_ptr: Int64,
    seen_idx: Int32,
    seen_val: Float64,
    rest: Float64,
    common: Float64,
) -> Float32:
    """Σ_v w_v p(i|v) with w_v ∝ Π_j p(j|v), summing to 1; NaN where common is 0 or there is no neighbour."""
    n = len(common)
    out = np.full((len(users), n), np.nan, np.float32)
    mine, total = np.zeros(n, np.bool_), np.empty(n)
    for t in range(len(users)):
        u = users[t]
        first, last = near_ptr[u], near_ptr[u + 1]
        if first == last:
            continue
        for p in range(own_ptr[u], own_ptr[u + 1]):
            mine[own_idx[p]] = True
        weight = np.empty(last - first)
        for p in range(first, last):
            v = near_idx[p]
            # Σ_j log p(j|v) less Σ_j log common[j], which all neighbours have.
            likelihood = (own_ptr[u + 1] - own_ptr[u]) * np.log(rest[v])
            for s in range(seen_ptr[v], seen_ptr[v + 1]):
                j = seen_idx[s]
                if mine[j] and common[j] > 0:
                    likelihood += np.log(1 + seen_val[s] / (rest[v] * common[j]))
            weight[p - first] = likelihood
        for p in range(own_ptr[u], own_ptr[u + 1]):
            mine[own_idx[p]] = False
        weight = np.exp(weight - weight.max())
        weight /= weight.sum()
        spread = 0.0
        total[:] = 0
        for p in range(first, last):
            v, w = near_idx[p], weight[p - first]
            spread += w * rest[v]
            for s in range(seen_ptr[v], seen_ptr[v + 1]):
                total[seen_idx[s]] += w * seen_val[s]
        for i in range(n):
            if common[i] > 0:
                out[t, i] = total[i] + spread * common[i]
    return out


@kernel(interpreted=False)
def products(
    users: Int64,
    own_ptr: Int64,
    own_idx: Int32,
    near_ptr: Int64,
    near_idx: Int32,
    seen_ptr: Int64,
    seen_idx: Int32,
    seen_val: Float64,
    rest: Float64,
    common: Float64,
    prior: Float64,
) -> Float32:
    """(1 − |I_u|) log prior(i) + Σ_j log Σ_v p(i|v) p(j|v), less its maximum over the items that u did not rate.

    With q_j = Σ_v p(j|v) the inner sum over q_j common[i] is a mean of p(i|v)/common[i], a number of moderate size, so
    several are multiplied before a logarithm is taken; Σ_j log q_j is the same for all items and left out.
    """
    n = len(common)
    out = np.full((len(users), n), np.nan, np.float32)
    place = np.full(n, -1, np.int32)
    for t in range(len(users)):
        u = users[t]
        first, last = near_ptr[u], near_ptr[u + 1]
        k, m = last - first, own_ptr[u + 1] - own_ptr[u]
        if k == 0:
            continue
        # Columns: the items that some neighbour rated, then one for all items that none of them did.
        items = np.empty(n, np.int32)
        width = 0
        for p in range(first, last):
            for s in range(seen_ptr[near_idx[p]], seen_ptr[near_idx[p] + 1]):
                i = seen_idx[s]
                if place[i] < 0 and common[i] > 0:
                    place[i] = width
                    items[width] = i
                    width += 1
        lift = np.empty((k, width + 1), np.float32)
        for p in range(first, last):
            v, row = near_idx[p], lift[p - first]
            row[:] = rest[v]
            for s in range(seen_ptr[v], seen_ptr[v + 1]):
                if place[seen_idx[s]] >= 0:
                    row[place[seen_idx[s]]] += seen_val[s] / common[seen_idx[s]]
        total, product = np.zeros(width + 1), np.ones(width + 1)
        left, met = np.empty((_CHUNK, k), np.float32), np.empty((_CHUNK, width + 1), np.float32)
        pending = 0
        for start in range(own_ptr[u], own_ptr[u + 1], _CHUNK):
            stop = min(start + _CHUNK, own_ptr[u + 1])
            rows = stop - start
            for p in range(start, stop):
                at = place[own_idx[p]]
                column = at if at >= 0 else width
                share = left[p - start]
                whole = 0.0
                for v in range(k):
                    share[v] = lift[v, column]
                    whole += share[v]
                for v in range(k):
                    share[v] /= whole
            np.dot(left[:rows], lift, met[:rows])
            for r in range(rows):
                row = met[r]
                for c in range(width + 1):
                    product[c] *= row[c]
                pending += 1
                if pending == _PER_LOG:
                    for c in range(width + 1):
                        total[c] += np.log(product[c])
                        product[c] = 1
                    pending = 0
        for c in range(width + 1):
            total[c] += np.log(product[c])
        scores = np.full(n, np.nan)
        for i in range(n):
            if common[i] > 0:
                at = place[i] if place[i] >= 0 else width
                scores[i] = total[at] + m * np.log(common[i]) + (1 - m) * np.log(prior[i])
        for c in range(width):
            place[items[c]] = -1
        _shift(scores, own_idx[own_ptr[u] : own_ptr[u + 1]], out[t])
    return out


@kernel
def _shift(scores: Float64, own: Int32, out: Float32) -> None:
    """Scores less the best among items not in `own`, or among all when there is no other."""
    mine = np.zeros(len(scores), np.bool_)
    for i in own:
        mine[i] = True
    best, best_of_all = -np.inf, -np.inf
    for i in range(len(scores)):
        if not np.isnan(scores[i]):
            best_of_all = max(best_of_all, scores[i])
            if not mine[i]:
                best = max(best, scores[i])
    best = best if best > -np.inf else best_of_all
    for i in range(len(scores)):
        out[i] = scores[i] - best
