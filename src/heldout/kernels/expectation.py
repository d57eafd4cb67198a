"""Expected values over all orders of tied items, in closed form: nothing is drawn and nothing enumerated.

Entries of a list with the same number of items above are tied. A group of g tied items, a of them or others above it, holds
m relevant ones; each of the g! orders is equally likely.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from heldout.kernels.jit import kernel


def _steps(*, indptr: Any, tied: Any, n: int, **_: Any) -> int:
    """The places that each entry may have, up to n."""
    return len(indptr) + 2 * len(tied) + int(np.minimum(tied, n).sum(dtype=np.int64))


@kernel
def _group(above: Any, relevant: Any, p: int, high: int) -> Any:
    """Where the tied group that begins at entry p ends, and how many of its entries are relevant."""
    end, good = p, 0
    while end < high and above[end] == above[p]:
        good += relevant[end]
        end += 1
    return end, good


@kernel(steps=_steps)
def expected_reciprocal(indptr: Any, above: Any, tied: Any, relevant: Any, n: int, out: Any) -> None:
    """The mean of one over the rank of the first relevant item, where that is at most n."""
    for k in range(indptr.shape[0] - 1):
        out[k] = 0.0
        p, high = indptr[k], indptr[k + 1]
        while p < high:
            end, m = _group(above, relevant, p, high)
            if m > 0:
                a, g = above[p], tied[p] + 1
                # the chance that the first of m is at place q of g; from one place to the next it falls by a simple ratio
                chance = m / g
                for q in range(1, min(g - m + 1, n - a) + 1):
                    out[k] += chance / (a + q)
                    if q < g:
                        chance *= (g - q - m + 1) / (g - q)
                break
            p = end


@kernel
def expected_hit(indptr: Any, above: Any, tied: Any, relevant: Any, n: int, out: Any) -> None:
    """The chance that some relevant item has a rank of at most n."""
    for k in range(indptr.shape[0] - 1):
        out[k] = 0.0
        p, high = indptr[k], indptr[k + 1]
        while p < high:
            end, m = _group(above, relevant, p, high)
            if m > 0:
                a, g = above[p], tied[p] + 1
                inside = min(max(n - a, 0), g)
                miss = 1.0
                for i in range(m):
                    miss *= max(g - inside - i, 0) / (g - i)
                out[k] = 1.0 - miss
                break
            p = end


@kernel(steps=_steps)
def expected_precisions(indptr: Any, above: Any, tied: Any, relevant: Any, n: int, out: Any) -> None:
    """The mean of the sum of P@k over the ranks k of relevant items, up to n."""
    for k in range(indptr.shape[0] - 1):
        out[k] = 0.0
        met = 0
        p, high = indptr[k], indptr[k + 1]
        while p < high:
            end, m = _group(above, relevant, p, high)
            if m > 0:
                a, g = above[p], tied[p] + 1
                # with a relevant item at place q, each of the other m − 1 is above it with the chance (q − 1)/(g − 1)
                each = (m - 1) / (g - 1) if g > 1 else 0.0
                for q in range(1, min(g, n - a) + 1):
                    out[k] += (m / g) * (met + 1 + (q - 1) * each) / (a + q)
            met += m
            p = end
