"""The inverse of a positive definite matrix, in place and in fixed tiles.

LAPACK's own threads would change the order of sums with the number of cores. Here every tile is one product of a fixed
shape on one BLAS thread, and the tiles of a step are shared among threads: the same bytes on any number of them.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from heldout import threads
from heldout.tables.arrays import Float64

TILE = 512


def invert_lower(matrix: Float64) -> bool:
    """Replace the lower half of a symmetric positive definite matrix by that of its inverse; False where it has none.

    The upper half must be 0 outside of the tiles on the diagonal, and is not to be read afterwards.
    """
    tiles = [slice(start, min(start + TILE, len(matrix))) for start in range(0, len(matrix), TILE)]
    with threads.single_blas(), np.errstate(all="ignore"):
        if not _factorise(matrix, tiles):
            return False
        _invert_factor(matrix, tiles)
        _multiply_factor(matrix, tiles)
    return bool(np.isfinite(matrix.sum()))


def _each(work: Callable[[slice], None], tiles: list[slice]) -> None:
    for _ in threads.run_all(work, tiles):
        pass


def _factorise(matrix: Float64, tiles: list[slice]) -> bool:
    """Cholesky, column by column of tiles: L below the diagonal, the inverses of L's tiles on it."""
    from scipy.linalg import lapack

    for k, own in enumerate(tiles):
        left = slice(0, own.start)
        square = matrix[own, own] - matrix[own, left] @ matrix[own, left].T
        factor, failed = lapack.dpotrf(square, lower=1, clean=1)
        if not failed:
            inverse, failed = lapack.dtrtri(factor, lower=1)
        if failed:
            return False
        matrix[own, own] = inverse

        def below(rows: slice, own: slice = own, left: slice = left, inverse: Float64 = inverse) -> None:
            matrix[rows, own] = (matrix[rows, own] - matrix[rows, left] @ matrix[own, left].T) @ inverse.T

        _each(below, tiles[k + 1 :])
    return True


def _invert_factor(matrix: Float64, tiles: list[slice]) -> None:
    """L⁻¹ in the place of L, from the last column of tiles to the first."""
    for k in range(len(tiles) - 2, -1, -1):
        own = tiles[k]
        column, inverse = matrix[own.stop :, own].copy(), matrix[own, own].copy()

        def below(rows: slice, own: slice = own, column: Float64 = column, inverse: Float64 = inverse) -> None:
            done = matrix[rows, own.stop : rows.stop] @ column[: rows.stop - own.stop]
            matrix[rows, own] = -done @ inverse

        _each(below, tiles[k + 1 :])


def _multiply_factor(matrix: Float64, tiles: list[slice]) -> None:
    """L⁻ᵀ L⁻¹ in the place of L⁻¹, from the first row of tiles to the last."""
    for k, own in enumerate(tiles):
        column = np.ascontiguousarray(matrix[own.start :, own].T)

        def left(columns: slice, own: slice = own, column: Float64 = column) -> None:
            matrix[own, columns] = column @ matrix[own.start :, columns]

        _each(left, tiles[: k + 1])
