"""Which rows of differences pairs connect."""

from __future__ import annotations

import numpy as np

from heldout.significance import permutation


def test_rows_that_pairs_connect_are_those_that_scipy_finds() -> None:
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    draw = np.random.default_rng(1)
    for n, links in ((1, 0), (2, 1), (7, 3), (40, 25), (200, 150), (200, 900)):
        pairs = draw.integers(0, n, size=(links, 2)).astype(np.int64)
        graph = coo_array((np.ones(links), (pairs[:, 0], pairs[:, 1])), shape=(n, n))
        _, labels = connected_components(graph, directed=False)
        first = permutation._connected(n, pairs)
        assert len(np.unique(first)) == len(np.unique(labels))
        assert len({*zip(first.tolist(), labels.tolist(), strict=True)}) == len(np.unique(labels))
    chain = np.array([(k, k + 1) for k in range(98, -1, -1)], dtype=np.int64)
    assert (permutation._connected(100, chain) == 0).all()
