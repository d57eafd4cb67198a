"""Full-depth ranks of 33 test items by counting, one thread, beside sorting, partitioning and torch's topk.

A tile of 64 users, as a study ranks them just after scoring them, training items left out. numpy's partition and torch's
topk find the top 100 only, argsort and counting find all ranks. Five protocols (AllItems, TestItems, TrainingItems,
TestRatings, OnePlusRandom) come from one block of a split in which others rate too, popular items more often, so that most
items have test and training ratings, as in MovieLens 1M (there five took 1.7 times one). The top 100 as lists are compared
on already masked scores, also where scores are much tied; implicit scores by itself, and is compared with a product and our
lists. Scores of float64 (a model of one's own may give them, and float32 would tie some) are counted at their own width.
torch is no dependency: it is measured where it can be imported, and its absence is told. In a trial elsewhere its
topk took 34 µs a user at 3,706 items and 71 at 26,744.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from benchmarks.harness import Found, Ratio, interleaved

N_USERS, RATED, TRAIN, TOP = 64, 33, 132, 100
OTHERS = 3000
"""Users of the split who are not ranked here: they make up what is in test and in train."""
SMALL, LARGE = 3706, 26744
FIVE = ("AllItems", "TestItems", "TrainingItems", "TestRatings", "OnePlusRandom(100)")


def run() -> Found:
    small, large = _block(SMALL), _block(LARGE)
    scores, rated, train = (part[N_USERS:] for part in small)
    masked = _masked(scores, train)
    wide, tied = (
        _masked(large[0][N_USERS:], large[2][N_USERS:]),
        _masked(np.rint(4 * large[0][N_USERS:]), large[2][N_USERS:]),
    )
    peers, notes = _torch({"": masked, ", 26,744 items": wide, ", 26,744 items, much tied": tied})
    times = interleaved(
        {
            "counting, AllItems": ranking(*small, targets=FIVE[:1]),
            "counting, AllItems, ties counted": ranking(*small, targets=FIVE[:1], count_ties=True),
            "counting, five protocols": ranking(*small, targets=FIVE),
            "counting, AllItems, 26,744 items": ranking(*large, targets=FIVE[:1]),
            "counting, AllItems, float64": ranking(*wider(small), targets=FIVE[:1]),
            "counting, AllItems, 26,744 items, float64": ranking(*wider(large), targets=FIVE[:1]),
            "top 100 lists": listing(masked),
            "top 100 lists, 26,744 items": listing(wide),
            "top 100 lists, 26,744 items, much tied": listing(tied),
            "top 100 lists, 26,744 items, float64": listing(wide.astype(np.float64)),
            "numpy argsort, all ranks": lambda: _argsort(scores, rated, train),
            "numpy argpartition, top 100": lambda: np.argpartition(masked, TOP, axis=1)[:, :TOP],
            **_products(train),
            **peers,
        },
        repeats=31,
    )
    return Found(
        times,
        [
            Ratio("counting, AllItems", "numpy argsort, all ranks"),
            Ratio("counting, five protocols", "counting, AllItems", 0.5),
            Ratio("counting, AllItems, float64", "counting, AllItems", 0.4),
            Ratio("counting, AllItems, float64", "numpy argsort, all ranks"),
            Ratio("top 100 lists", "numpy argpartition, top 100"),
            Ratio("product and top 100 lists", "implicit topk"),
            *(Ratio(peer.replace("torch topk", "top 100 lists"), peer, 1.0) for peer in peers),
        ],
        notes=[
            *notes,
            f"{RATED} test items of {N_USERS} users, {SMALL:,} items; {TRAIN} training items of each are no targets",
            "at most 6 µs a user are wanted at 3,706 items, 45 at 26,744",
        ],
        per=N_USERS,
        of="user",
    )


def wider(block: tuple[Any, Any, Any]) -> tuple[Any, Any, Any]:
    """The block with scores of float64 that would tie as float32: seconds of a day, as a model of recency gives them."""
    scores, rated, train = block
    return 1.7e9 + np.argsort(np.argsort(scores, axis=1), axis=1).astype(np.float64), rated, train


def _block(n_items: int) -> tuple[Any, Any, Any]:
    draw = np.random.default_rng(3)
    scores = draw.standard_normal((2 * N_USERS, n_items)).astype(np.float32)
    picked = np.argsort(draw.random((2 * N_USERS, n_items)), axis=1)[:, : RATED + TRAIN].astype(np.int32)
    return scores, np.sort(picked[:, :RATED], axis=1), np.sort(picked[:, RATED:], axis=1)


@cache
def _others(n_items: int) -> Any:
    """Users × items rated, the k-th item with a chance of about 1/k, without replacement (the Gumbel trick)."""
    draw = np.random.default_rng(5)
    weight = np.log(1 / (1 + draw.permutation(n_items))).astype(np.float32)
    made = [
        np.argpartition(weight + draw.gumbel(size=(500, n_items)).astype(np.float32), -RATED - TRAIN, axis=1)
        for _ in range(OTHERS // 500)
    ]
    return draw.permuted(np.concatenate(made)[:, -RATED - TRAIN :], axis=1).astype(np.int32)


def ranking(scores: Any, rated: Any, train: Any, *, targets: tuple[str, ...], count_ties: bool = False) -> Callable[[], Any]:
    from heldout.catalogue import make
    from heldout.tables import Interactions, Split, Vocabulary
    from heldout.targets.passes import Pass
    from heldout.targets.ranker import TILE, RankPlan

    others = _others(scores.shape[1])
    rated, train = np.concatenate([rated, others[:, :RATED]]), np.concatenate([train, others[:, RATED:]])
    users, items = Vocabulary.numbered(len(rated)), Vocabulary.numbered(scores.shape[1])

    def part(rows: Any) -> Any:
        user = np.repeat(np.arange(len(rows)), rows.shape[1])
        return Interactions.build(users, items, user, rows.ravel(), np.full(rows.size, 5.0))

    plan = RankPlan(
        split=Split(train=part(train), test=part(rated)),
        users=np.arange(len(scores), dtype=np.int32),
        targets=tuple(make("target", t) for t in targets),
        fallbacks={"none": None},
        ties=(make("ties", "item"),),
        seed=1,
        count_ties=count_ties,
    )
    work = Pass(plan, plan.ties[0])

    block = np.ascontiguousarray(scores[TILE:])

    def tile() -> Any:
        work.count(block, TILE, 2 * TILE)  # not the first, whose ties are counted to be told of
        return work.by_set

    return tile


def listing(masked: Any) -> Callable[[], Any]:
    from heldout.kernels.topn import best_items

    users, none, scores = np.arange(len(masked), dtype=np.int32), np.zeros(len(masked) + 1, np.int64), -masked

    def work() -> Any:
        return best_items(scores, users, none, np.empty(0, np.int32), TOP)[0]

    return work


def _torch(inputs: dict[str, Any]) -> tuple[dict[str, Callable[[], Any]], list[str]]:
    """torch.topk of already masked scores on one thread, where torch can be imported; else why not."""
    try:
        import torch
    except ImportError as error:
        return {}, [f"torch is not measured: {error}"]
    torch.set_num_threads(1)

    def topk(masked: Any) -> Callable[[], Any]:
        kept = torch.from_numpy(-masked)
        return lambda: torch.topk(kept, TOP, dim=1)

    return {f"torch topk{name}": topk(masked) for name, masked in inputs.items()}, [f"torch {torch.__version__}"]


def _products(train: Any) -> dict[str, Callable[[], Any]]:
    """Scores as products of 32 factors, and the top 100 of them without training items."""
    from implicit.cpu.topk import topk
    from scipy.sparse import csr_matrix
    from threadpoolctl import threadpool_limits

    from heldout.kernels.topn import best_items

    draw = np.random.default_rng(5)
    users, items = (draw.standard_normal((n, 32)).astype(np.float32) for n in (N_USERS, SMALL))
    rows, indptr = np.arange(N_USERS, dtype=np.int32), np.arange(0, train.size + 1, TRAIN)
    seen = csr_matrix((np.ones(train.size, np.float32), train.ravel(), indptr), shape=(N_USERS, SMALL))

    def ours() -> Any:
        with threadpool_limits(1):
            return best_items(users @ items.T, rows, indptr.astype(np.int64), train.ravel(), TOP)

    return {
        "product and top 100 lists": ours,
        "implicit topk": lambda: topk(items, users, TOP, filter_query_items=seen, num_threads=1),
    }


def _masked(scores: Any, train: Any) -> Any:
    masked = -scores
    np.put_along_axis(masked, train, np.inf, axis=1)
    return masked


def _argsort(scores: Any, rated: Any, train: Any) -> Any:
    order = np.argsort(_masked(scores, train), axis=1)
    place = np.empty_like(order)
    np.put_along_axis(place, order, np.arange(1, scores.shape[1] + 1)[None, :], axis=1)
    return np.take_along_axis(place, rated, axis=1)
