"""The best items of each row of scores, without what was rated in training."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heldout.kernels.jit import kernel
from heldout.kernels.neighbours import _best_first, _offer

Float32 = NDArray[np.float32]
Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]


@kernel
def best_items(scores: Float32, users: Int32, indptr: Int64, rated: Int32, n: int) -> tuple[Int32, Float32, Int32]:
    """The at most n best items of each row, best first, lower code first among equals: (items, scores, how many).

    NaN is no score; the training items `rated[indptr[u]:indptr[u + 1]]` are left out (their scores are overwritten).
    """
    item, score = np.zeros((len(users), n), np.int32), np.zeros((len(users), n), np.float32)
    kept = np.zeros(len(users), np.int32)
    for k in range(len(users)):
        row, u = scores[k], users[k]
        for p in range(indptr[u], indptr[u + 1]):
            row[rated[p]] = np.nan
        size = 0
        for i in range(len(row)):
            if row[i] == row[i] and (size < n or row[i] > score[k, 0]):
                size = _offer(score[k], item[k], size, row[i], i)
        _best_first(score[k], item[k], size)
        kept[k] = size
    return item, score, kept
