"""Smoothed language models of users, by their definitions."""

from __future__ import annotations

import numpy as np

SMOOTHINGS = [("absolute", 0.3), ("absolute", 2.5), ("jelinek_mercer", 0.4), ("dirichlet", 20.0)]


def smoothed_models(cells, smoothing, amount):
    common, length = cells.sum(0) / cells.sum(), cells.sum(1, keepdims=True)
    if smoothing == "absolute":
        taken = np.minimum(cells, amount).sum(1, keepdims=True)
        return (np.maximum(cells - amount, 0) + taken * common) / length
    if smoothing == "jelinek_mercer":
        return (1 - amount) * cells / length + amount * common
    return (cells + amount * common) / (length + amount)
