"""Predictions from the nearest of those who rated an item."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heldout.kernels.jit import kernel

Float32 = NDArray[np.float32]
Float64 = NDArray[np.float64]
Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]


@kernel
def nearest_raters(
    code: Int32, similarity: Float32, ptr: Int64, idx: Int32, val: Float64, k: int, total: Float64, weight: Float64
) -> None:
    """Add sim · value and sim of the first k rows, in the order given, that have each column."""
    n = len(total)
    total[:] = 0
    weight[:] = 0
    met = np.zeros(n, np.int32)
    for p in range(len(code)):
        alike = similarity[p]
        for s in range(ptr[code[p]], ptr[code[p] + 1]):
            i = idx[s]
            if met[i] < k:
                met[i] += 1
                total[i] += alike * val[s]
                weight[i] += alike
