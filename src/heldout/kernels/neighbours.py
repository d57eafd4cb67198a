"""Exact nearest neighbours among the rows of a sparse matrix, and weighted sums over neighbours."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.kernels.jit import NEVER_INTERPRETED, kernel, work_of_rows

Bool = NDArray[np.bool_]
Float32 = NDArray[np.float32]
Float64 = NDArray[np.float64]
Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]


@kernel
def _sift_down(similarity: Float32, code: Int32, at: int, size: int) -> None:
    """Restore a heap whose root is the worst kept: the lowest similarity, among equals the highest code."""
    while True:
        child = 2 * at + 1
        if child >= size:
            return
        other = child + 1
        if other < size and (
            similarity[other] < similarity[child] or (similarity[other] == similarity[child] and code[other] > code[child])
        ):
            child = other
        if similarity[at] < similarity[child] or (similarity[at] == similarity[child] and code[at] > code[child]):
            return
        similarity[at], similarity[child] = similarity[child], similarity[at]
        code[at], code[child] = code[child], code[at]
        at = child


@kernel
def _offer(similarity: Float32, code: Int32, size: int, offered: float, row: Any) -> int:
    """Keep a candidate if it is among the best so far; the number kept."""
    if size < len(similarity):
        at = size
        similarity[at], code[at] = offered, row
        while at > 0:
            parent = (at - 1) // 2
            if similarity[parent] < similarity[at] or (similarity[parent] == similarity[at] and code[parent] > code[at]):
                break
            similarity[at], similarity[parent] = similarity[parent], similarity[at]
            code[at], code[parent] = code[parent], code[at]
            at = parent
        return size + 1
    if offered > similarity[0] or (offered == similarity[0] and row < code[0]):
        similarity[0], code[0] = offered, row
        _sift_down(similarity, code, 0, size)
    return size


@kernel
def _best_first(similarity: Float32, code: Int32, size: int) -> None:
    """Order what was kept: highest similarity first, lower code first among equals."""
    for end in range(size - 1, 0, -1):
        similarity[0], similarity[end] = similarity[end], similarity[0]
        code[0], code[end] = code[end], code[0]
        _sift_down(similarity, code, 0, end)


@kernel
def _candidates(
    u: int, row_ptr: Int64, row_idx: Int32, col_ptr: Int64, col_idx: Int32, seen: Bool, candidates: Int32
) -> int:
    """The rows that share a column with row u, in no order, when they are few; −1 when all rows had better be read."""
    work = 0
    for p in range(row_ptr[u], row_ptr[u + 1]):
        work += col_ptr[row_idx[p] + 1] - col_ptr[row_idx[p]]
    if work >= len(seen):
        return -1
    n = 0
    for p in range(row_ptr[u], row_ptr[u + 1]):
        for s in range(col_ptr[row_idx[p]], col_ptr[row_idx[p] + 1]):
            v = col_idx[s]
            if not seen[v]:
                seen[v] = True
                candidates[n] = v
                n += 1
    for t in range(n):
        seen[candidates[t]] = False
    return n


@kernel
def _select(u: int, values: Float32, few: int, candidates: Int32, similarity: Float32, code: Int32) -> int:
    """The best rows by positive value, without u itself; their number."""
    size: Any = np.int64(0)
    k = len(similarity)
    values[u] = 0
    if few < 0:
        for v in range(len(values)):
            if values[v] > 0 and (size < k or values[v] > similarity[0]):
                size = _offer(similarity, code, size, values[v], v)
    else:
        for t in range(few):
            v = candidates[t]
            if values[v] > 0:
                size = _offer(similarity, code, size, values[v], np.int64(v))
    _best_first(similarity, code, size)
    return int(size)


@kernel
def _add(product: Float64, own: float, places: Int32, values: Float64) -> None:
    """Add own × values at their places, of which no two are the same: so four can be read before the first is written."""
    fours = len(places) // 4 * 4
    for s in range(0, fours, 4):
        # Indices without a sign are not looked at for whether they count from the end.
        a, b, c, d = np.uint32(places[s]), np.uint32(places[s + 1]), np.uint32(places[s + 2]), np.uint32(places[s + 3])
        at_a, at_b = product[a] + own * values[s], product[b] + own * values[s + 1]
        at_c, at_d = product[c] + own * values[s + 2], product[d] + own * values[s + 3]
        product[a], product[b], product[c], product[d] = at_a, at_b, at_c, at_d
    for s in range(fours, len(places)):
        product[places[s]] += own * values[s]


@kernel
def _select_alike(u: int, product: Float64, scale: Float64, jaccard: bool, similarity: Float32, code: Int32) -> int:
    """The best rows by the cosine, or Jaccard similarity, that products and scales make; their number.

    Divided are only products that may be enough: most are not, which a multiplication tells.
    """
    size: Any = np.int64(0)
    k, own = len(similarity), scale[u]
    product[u] = 0
    enough, shift = 0.0, 0.0
    for v in range(len(product)):
        if product[v] > enough * scale[v] + shift:
            both = np.float64(product[v])
            below = own + scale[v] - both if jaccard else own * scale[v]
            alike: Any = np.float32(both / below) if below > 0 else np.float32(0)
            if alike > 0 and (size < k or alike > similarity[0]):
                size = _offer(similarity, code, size, alike, np.int64(v))
                if size == k:
                    # x/(s t) > a is x > a s t, and x/(s + t − x) > a is x > a (s + t)/(1 + a); a little less for rounding.
                    least = similarity[0] * (1 - 1e-5)
                    enough = least / (1 + least) if jaccard else least * own
                    shift = enough * own if jaccard else 0.0
    _best_first(similarity, code, size)
    return int(size)


@kernel
def _shrunk(value: float, shared: int, min_overlap: int, shrinkage: float) -> float:
    """A similarity pulled towards 0 when few columns are shared; 0 below the minimum."""
    return value * shared / (shared + shrinkage) if shared >= min_overlap and shared > 0 else 0.0


def _products(*, start: int, stop: int, row_ptr: Int64, row_idx: Int32, col_ptr: Int64, form: int, **_: Any) -> int:
    """Of the likelihood more than any limit: exponentials of numpy are not those of numba."""
    if form == 2:
        return NEVER_INTERPRETED
    return (stop - start) * len(row_ptr) + work_of_rows(start, stop, row_ptr, row_idx, col_ptr)


@kernel(steps=_products)
def nearest_by_products(
    start: int,
    stop: int,
    row_ptr: Int64,
    row_idx: Int32,
    row_val: Float64,
    col_ptr: Int64,
    col_idx: Int32,
    col_val: Float64,
    scale: Float64,
    offset: Float64,
    form: int,
    products: Float64,
    dense: Bool,
    k: int,
    min_overlap: int,
    shrinkage: float,
) -> tuple[Int32, Float32, Int64]:
    """The k most similar rows of rows start…stop−1: (code, similarity, how many), best first.

    With x·y the product of row x with column values of y: form 0, cosine, x·y/(scale scale); form 1, Jaccard,
    x·y/(scale + scale − x·y); form 2, likelihood, exp(x·y/scale_x + offset_y); form 3, correlation over all m columns,
    (m x·y − offset offset)/(scale scale). Similarities are rounded to float32 before
    they are compared, so that equals up to rounding tie.

    `products` is room for the products of a row with all rows. Where it has a row for each of start…stop−1, these are begun:
    they hold what the `dense` columns add, which are then passed over, but in rows whose other rows are few.
    """
    n, columns = len(row_ptr) - 1, len(col_ptr) - 1
    begun = len(products) == stop - start
    shared = np.zeros(n, np.int32)
    values = np.zeros(n, np.float32)
    seen, candidates = np.zeros(n, np.bool_), np.empty(n, np.int32)
    code, similarity = np.zeros((stop - start, k), np.int32), np.zeros((stop - start, k), np.float32)
    kept = np.zeros(stop - start, np.int64)
    counting = min_overlap > 1 or shrinkage > 0
    for u in range(start, stop):
        few = _candidates(u, row_ptr, row_idx, col_ptr, col_idx, seen, candidates)
        product = products[u - start if begun else 0]
        if few < 0:
            if not begun:
                product[:] = 0
            if counting:
                shared[:] = 0
        else:
            for t in range(few):
                product[candidates[t]] = 0
                shared[candidates[t]] = 0
        for p in range(row_ptr[u], row_ptr[u + 1]):
            own, column = row_val[p], row_idx[p]
            if begun and few < 0 and dense[column]:
                continue
            here = slice(col_ptr[column], col_ptr[column + 1])
            _add(product, own, col_idx[here], col_val[here])
            if counting:
                for s in range(col_ptr[column], col_ptr[column + 1]):
                    shared[col_idx[s]] += 1
        if few < 0 and form < 2 and not counting:
            kept[u - start] = _select_alike(u, product, scale, form == 1, similarity[u - start], code[u - start])
            continue
        for t in range(n if few < 0 else few):
            v = t if few < 0 else candidates[t]
            both = np.float64(product[v])
            if form == 2:
                alike = np.exp(both / scale[u] + offset[v]) if both > 0 else 0.0
            else:
                below = scale[u] + scale[v] - both if form == 1 else scale[u] * scale[v]
                over = columns * both - offset[u] * offset[v] if form == 3 else both
                alike = over / below if below > 0 else 0.0
            values[v] = _shrunk(alike, shared[v], min_overlap, shrinkage) if counting else alike
        kept[u - start] = _select(u, values, few, candidates, similarity[u - start], code[u - start])
    return code, similarity, kept


@kernel(steps=lambda **named: 6 * _products(**named, form=0))
def nearest_by_overlap(
    start: int,
    stop: int,
    row_ptr: Int64,
    row_idx: Int32,
    row_val: Float64,
    col_ptr: Int64,
    col_idx: Int32,
    col_val: Float64,
    centred: bool,
    k: int,
    min_overlap: int,
    shrinkage: float,
) -> tuple[Int32, Float32, Int64]:
    """The same with similarities over shared columns alone: Pearson correlation when `centred`, else cosine."""
    n = len(row_ptr) - 1
    sums = np.zeros((n, 6))
    values = np.zeros(n, np.float32)
    seen, candidates = np.zeros(n, np.bool_), np.empty(n, np.int32)
    code, similarity = np.zeros((stop - start, k), np.int32), np.zeros((stop - start, k), np.float32)
    kept = np.zeros(stop - start, np.int64)
    for u in range(start, stop):
        few = _candidates(u, row_ptr, row_idx, col_ptr, col_idx, seen, candidates)
        if few < 0:
            sums[:] = 0
        else:
            for t in range(few):
                sums[candidates[t]] = 0
        for p in range(row_ptr[u], row_ptr[u + 1]):
            x, column = row_val[p], row_idx[p]
            for s in range(col_ptr[column], col_ptr[column + 1]):
                v, y = col_idx[s], col_val[s]
                sums[v, 0] += 1
                sums[v, 1] += x
                sums[v, 2] += y
                sums[v, 3] += x * x
                sums[v, 4] += y * y
                sums[v, 5] += x * y
        for t in range(n if few < 0 else few):
            v = t if few < 0 else candidates[t]
            shared, xx, yy, xy = sums[v, 0], sums[v, 3], sums[v, 4], sums[v, 5]
            if centred:
                # n times the centred sums: exact for whole numbers, so that no spread is 0 and not almost 0.
                xx = shared * xx - sums[v, 1] * sums[v, 1]
                yy = shared * yy - sums[v, 2] * sums[v, 2]
                xy = shared * xy - sums[v, 1] * sums[v, 2]
            # For other numbers, what is within rounding of 0 counts as 0.
            least = 1e-12 * (shared if centred else 1.0)
            defined = xx > least * sums[v, 3] and yy > least * sums[v, 4] and xy > least * np.sqrt(sums[v, 3] * sums[v, 4])
            alike = xy / (np.sqrt(xx) * np.sqrt(yy)) if defined else 0.0
            values[v] = _shrunk(alike, shared, min_overlap, shrinkage)
        kept[u - start] = _select(u, values, few, candidates, similarity[u - start], code[u - start])
    return code, similarity, kept


def _sums(*, rows: Int64, left_ptr: Int64, left_idx: Int32, right_ptr: Int64, n: int, **_: Any) -> int:
    return len(rows) * n + sum(work_of_rows(row, row + 1, left_ptr, left_idx, right_ptr) for row in rows)


@kernel(steps=_sums)
def weighted_rows(
    rows: Int64,
    left_ptr: Int64,
    left_idx: Int32,
    left_val: Float64,
    right_ptr: Int64,
    right_idx: Int32,
    right_val: Float64,
    n: int,
    divide: int,
    least: int,
) -> Float32:
    """Rows of left · right as float32, NaN where fewer than `least` products were added.

    `divide` 1 divides by the sum of the left factors' absolute values, 2 by that of the right ones, 0 by nothing.
    """
    out = np.full((len(rows), n), np.nan, np.float32)
    total, weight, met = np.empty(n), np.empty(n), np.empty(n, np.int32)
    for t in range(len(rows)):
        total[:] = 0
        weight[:] = 0
        met[:] = 0
        for p in range(left_ptr[rows[t]], left_ptr[rows[t] + 1]):
            own, middle = left_val[p], left_idx[p]
            for s in range(right_ptr[middle], right_ptr[middle + 1]):
                total[right_idx[s]] += own * right_val[s]
                met[right_idx[s]] += 1
            if divide != 0:
                for s in range(right_ptr[middle], right_ptr[middle + 1]):
                    weight[right_idx[s]] += abs(own) if divide == 1 else abs(right_val[s])
        for i in range(n):
            if met[i] >= least and (divide == 0 or weight[i] > 0):
                out[t, i] = total[i] / weight[i] if divide != 0 else total[i]
    return out
