"""Fitting and the best 100 items of all users, beside irspack, implicit and cornac, which take turns with ours.

Seconds are CPU seconds of all threads, so that other work on the machine counts little. Peers that are not installed are
left out; to have them all, run with the Python of an environment that holds irspack, implicit and cornac beside what heldout
needs: `PYTHONPATH=src path/to/python -m benchmarks recommender_peers`. On MovieLens 1M where it is found, else simulated.
The cosine of irspack is one only with `normalize=True`; else it is a co-occurrence.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from benchmarks.harness import Found, Ratio
from benchmarks.recommender_worker import SMALL
from benchmarks.recommenders import ratings
from heldout import threads
from heldout.catalogue import make
from heldout.data.read import read
from heldout.experiment.recommend import run_of_model
from heldout.tables import Interactions

DEPTH = 100
REPEATS = 3
PAIRS = {
    "WRMF(factors=50, iterations=20, alpha=0.1, l2=1)": "irspack: iALS by Cholesky, 50 factors, 20 rounds",
    "EASE(l2=500)": "irspack: DenseSLIM",
    "SLIM(l1=5, l2=200)": "irspack: SLIM",
    "ItemKNN(k=100)": "implicit: cosine item kNN",
    "ItemKNN(k=100, similarity=cosine)": "irspack: cosine item kNN",
    "UserKNN(k=100)": "irspack: cosine user kNN",
    "BPRMF(factors=50, epochs=100)": "cornac: BPR, 50 factors, 100 passes",
}


def run() -> Found:
    data, told = ratings()
    small = read(SMALL)
    matrix = data.to_csr().astype(np.float64)
    times: dict[str, list[float]] = {}
    notes, ratios = [told], []
    for text, peer in PAIRS.items():
        try:
            theirs = _peer(peer, matrix)
        except ModuleNotFoundError as missing:
            notes.append(f"{peer} left out: {missing}")
            continue
        ours(text, small)  # compiles what it needs
        for _ in range(REPEATS):
            times.setdefault(text, []).append(_cpu(lambda text=text: ours(text, data)))
            times.setdefault(peer, []).append(_cpu(theirs))
        ratios.append(Ratio(text, peer, 1.0))
    return Found(times, ratios, notes=notes)


def ours(text: str, data: Interactions) -> None:
    """Fit, and list the best items of all users."""
    run_of_model(make("recommender", text).fit(data, seed=1), data, top=DEPTH)


def _peer(name: str, matrix: Any) -> Callable[[], object]:
    """The same work by a peer; ModuleNotFoundError when it is not installed."""
    library, what = name.split(": ")
    return {"irspack": _irspack, "implicit": _implicit, "cornac": _cornac}[library](what, matrix)


def _irspack(what: str, matrix: Any) -> Callable[[], object]:
    import irspack
    from irspack.utils.id_mapping import retrieve_recommend_from_score

    os.environ["TQDM_DISABLE"] = "1"
    n = threads.count()
    binary = matrix.copy()
    binary.data[:] = 1
    made: dict[str, Callable[[], Any]] = {
        "iALS by Cholesky, 50 factors, 20 rounds": lambda: irspack.IALSRecommender(
            matrix, n_components=50, alpha0=0.1, reg=1e-3, train_epochs=20, solver_type="CHOLESKY", n_threads=n
        ),
        "DenseSLIM": lambda: irspack.DenseSLIMRecommender(binary, reg=500.0),
        "SLIM": lambda: irspack.SLIMRecommender(binary, alpha=5 / 6040, l1_ratio=5 / 205, n_threads=n),
        "cosine item kNN": lambda: irspack.CosineKNNRecommender(
            matrix, normalize=True, shrinkage=0.0, top_k=100, n_threads=n
        ),
        "cosine user kNN": lambda: irspack.CosineUserKNNRecommender(
            matrix, normalize=True, shrinkage=0.0, top_k=100, n_threads=n
        ),
    }

    def work() -> None:
        model = made[what]()
        model.learn()
        for start, stop in _blocks(matrix.shape[0]):
            scores = model.get_score_remove_seen(np.arange(start, stop))
            retrieve_recommend_from_score(scores, [], DEPTH, n)

    return work


def _implicit(what: str, matrix: Any) -> Callable[[], object]:
    from implicit.nearest_neighbours import CosineRecommender

    def work() -> None:
        model = CosineRecommender(K=100)
        model.fit(matrix, show_progress=False)
        model.recommend(np.arange(matrix.shape[0]), matrix, N=DEPTH)

    return work


def _cornac(what: str, matrix: Any) -> Callable[[], object]:
    import cornac

    cells = matrix.tocoo()
    triples = list(zip(cells.row.tolist(), cells.col.tolist(), cells.data.tolist(), strict=True))
    data = cornac.data.Dataset.from_uir(triples, seed=1)

    def work() -> None:
        model = cornac.models.BPR(k=50, max_iter=100, learning_rate=0.05, lambda_reg=0.01, num_threads=threads.count())
        model.fit(data)
        for start, stop in _blocks(matrix.shape[0]):
            scores = model.u_factors[start:stop] @ model.i_factors.T + model.i_biases
            scores[matrix[start:stop].nonzero()] = -np.inf
            np.argpartition(-scores, DEPTH, axis=1)

    return work


def _blocks(n: int) -> Iterator[tuple[int, int]]:
    return ((start, min(start + 512, n)) for start in range(0, n, 512))


def _cpu(work: Callable[[], object]) -> float:
    begin = time.process_time()
    work()
    return time.process_time() - begin
