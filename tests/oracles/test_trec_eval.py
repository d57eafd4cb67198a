"""Every shared metric at every cut-off against trec_eval, on a hundred thousand random cases.

Conditions: ties as trec_eval breaks them, integer grades, undefined counted as 0, users present in the run. Two metrics
have no cut-off in trec_eval: bpref and infAP. Its infAP is `infAP(pool=judged)`. Its recip_rank has no cut-off either.
HELDOUT_ORACLE_CASES sets the number of cases, 100,000 unless said.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from math import ceil
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from heldout.catalogue import make
from heldout.data.read import reader_of
from heldout.metrics.curves.per_user import interpolated
from heldout.metrics.judge import judge_rankings
from heldout.metrics.measuring import measure
from heldout.tables import Interactions, Judged, Relevance, Vocabulary
from heldout.targets.relevance.threshold import Threshold
from heldout.targets.runs import rank_run

pytrec_eval = pytest.importorskip("pytrec_eval")

CUTS = (1, 2, 3, 5, 10, 15, 20, 100)
SHARED = {
    **{f"P@{n}": f"P_{n}" for n in CUTS},
    **{f"Recall@{n}": f"recall_{n}" for n in CUTS},
    **{f"AP@{n}": f"map_cut_{n}" for n in CUTS},
    **{f"nDCG@{n}": f"ndcg_cut_{n}" for n in CUTS},
    **{f"HitRate@{n}": f"success_{n}" for n in CUTS},
    **{f"RecallCapped@{n}": f"relative_P_{n}" for n in CUTS},
    "AP": "map",
    "nDCG": "ndcg",
    "RR": "recip_rank",
    "bpref": "bpref",
    "infAP(pool=judged)": "infAP",
    "RPrecision": "Rprec",
    "PReturned": "set_P",
    "Recall": "set_recall",
    "F": "set_F",
    "UPR": "11pt_avg",
}
LEVELS = [f"iprec_at_recall_{k / 10:.2f}" for k in range(11)]
CASES = int(os.environ.get("HELDOUT_ORACLE_CASES", "100000"))
USERS_PER_BATCH = 2500


def random_batch(seed: int, users: int) -> tuple[pl.DataFrame, pl.DataFrame, int]:
    """Judgements and a run with ties, short lists, missing users and graded ratings."""
    rng = np.random.default_rng(seed)
    n_items = int(rng.integers(5, 60))
    width = int(rng.choice([1, 3]))
    user_id = np.array([f"u{u}" for u in range(users)])
    item_id = np.array([f"i{i:0{width}d}" for i in range(n_items)])

    def drawn(counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """So many different items of each user, in random order."""
        order = rng.random((users, n_items)).argsort(axis=1)
        user, place = np.nonzero(np.arange(n_items) < counts[:, None])
        return user, order[user, place]

    user, item = drawn(rng.integers(1, min(n_items, 25) + 1, users))
    qrels = pl.DataFrame({"user": user_id[user], "item": item_id[item], "grade": rng.integers(0, 6, len(user))})
    user, item = drawn(np.where(rng.random(users) < 0.05, 0, rng.integers(1, n_items + 1, users)))
    tied = (rng.random(users) < 0.6)[user]
    score = np.where(tied, rng.integers(0, 6, len(user)), rng.normal(size=len(user)))
    score = score * rng.choice([1.0, 1e-3, 1e4], users)[user]
    run = pl.DataFrame({"user": user_id[user], "item": item_id[item], "score": score})
    return qrels, run, int(rng.integers(1, 6))


def judge(qrels: pl.DataFrame, run: pl.DataFrame, rel: int) -> tuple[list[str], Judged]:
    users = Vocabulary.of(qrels["user"])
    items = Vocabulary.of(qrels["item"], run["item"])
    test = Interactions.build(
        users, items, users.encode(qrels["user"]), items.encode(qrels["item"]), qrels["grade"].to_numpy().astype(float)
    )
    relevance: Relevance = Threshold(tau=rel).judge(test, np.arange(len(users), dtype=np.int32), float(test.value.max()))
    rankings, _ = rank_run(
        users.encode(run["user"]),
        items.encode(run["item"]),
        run["score"].to_numpy(),
        users=users,
        items=items,
        ties=make("ties", "trec"),
    )
    judged = judge_rankings(rankings, relevance, n_items=len(items), targets=np.full(len(users), len(items), np.int32))
    return users.ids.tolist(), judged


def ours(qrels: pl.DataFrame, run: pl.DataFrame, rel: int, metrics: list[str]) -> tuple[list[str], np.ndarray]:
    users, judged = judge(qrels, run, rel)
    values = measure(judged, [make("metric", m) for m in metrics]).values
    return users, np.nan_to_num(np.hstack([values, interpolated(judged)]))


def theirs(qrels: pl.DataFrame, run: pl.DataFrame, rel: int) -> dict[str, dict[str, float]]:
    judgements: dict[str, dict[str, int]] = {}
    for user, item, grade in qrels.iter_rows():
        judgements.setdefault(user, {})[item] = grade
    lists: dict[str, dict[str, float]] = {}
    for user, item, score in run.iter_rows():
        lists.setdefault(user, {})[item] = score
    cuts = ",".join(map(str, CUTS))
    names = {
        f"P.{cuts}",
        f"recall.{cuts}",
        f"map_cut.{cuts}",
        f"ndcg_cut.{cuts}",
        "map",
        "ndcg",
        "recip_rank",
        "bpref",
        "infAP",
        f"success.{cuts}",
        f"relative_P.{cuts}",
        "Rprec",
        "set_P",
        "set_recall",
        "set_F",
        "11pt_avg",
        "iprec_at_recall",
    }
    return pytrec_eval.RelevanceEvaluator(judgements, names, relevance_level=rel).evaluate(lists)


@pytest.mark.parametrize("seed", range(ceil(CASES / USERS_PER_BATCH)))
def test_every_shared_metric_agrees_with_trec_eval(seed: int) -> None:
    qrels, run, rel = random_batch(seed, USERS_PER_BATCH)
    users, values = ours(qrels, run, rel, list(SHARED))
    reference = theirs(qrels, run, rel)
    assert len(reference) > 0.9 * USERS_PER_BATCH
    at = [u for u, user in enumerate(users) if user in reference]
    expected = [[reference[users[u]][name] for name in [*SHARED.values(), *LEVELS]] for u in at]
    np.testing.assert_allclose(values[at], expected, rtol=0, atol=1e-9, err_msg=f"rel {rel}")


@pytest.mark.parametrize("system", ["Popularity", "ItemKNN(k=50)", "UserKNN(k=50)", "AverageRating", "Random"])
def test_real_runs_agree_with_trec_eval(system: str, real_data: Callable[[str], Path]) -> None:
    """Top-100 lists of MovieLens 100K, with the ties that popularity and averages bring."""
    train, test = (reader_of(real_data(f"ml-100k/u1.{part}")).read() for part in ("base", "test"))
    users, items = Vocabulary.of(train.user_id, test.user_id), Vocabulary.of(train.item_id, test.item_id)
    known = train.interactions(users=users, items=items)
    tested = np.unique(users.encode(test.user_id)).astype(np.int32)
    scores = np.vstack(
        [
            make("recommender", system).fit(known, seed=1).score(np.resize(tested[k : k + 64], 64))
            for k in range(0, len(tested), 64)
        ]
    )[: len(tested)].astype(float)
    scores[np.isnan(scores)] = -np.inf
    for k, user in enumerate(tested):
        scores[k, known.item[known.user_indptr[user] : known.user_indptr[user + 1]]] = -np.inf
    top = np.argsort(-scores, axis=1, kind="stable")[:, :100]
    row, column = np.nonzero(np.take_along_axis(scores, top, axis=1) > -np.inf)
    item = top[row, column]
    ids = (users.decode(tested[row]).cast(pl.String), items.decode(item.astype(np.int32)).cast(pl.String))
    run = pl.DataFrame({"user": ids[0], "item": ids[1], "score": scores[row, item]})
    qrels = pl.DataFrame(
        {"user": test.user_id.cast(pl.String), "item": test.item_id.cast(pl.String), "grade": test.value.astype(int)}
    )
    names, values = ours(qrels, run, 4, list(SHARED))
    reference = theirs(qrels, run, 4)
    assert len(reference) == len(names) > 400
    expected = [[reference[user][name] for name in [*SHARED.values(), *LEVELS]] for user in names]
    np.testing.assert_allclose(values, expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_judgements_below_zero_are_pooled_and_not_judged(seed: int) -> None:
    """Graded gains refuse them unless the gains are written out; trec_eval takes them for 0."""
    qrels, run, rel = random_batch(1000 + seed, 300)
    grade = qrels["grade"].to_numpy()
    lowered = np.random.default_rng(seed).random(len(grade)) < 0.4
    lowered &= (qrels["user"] == qrels["user"].shift(1)).fill_null(False).to_numpy()  # trec_eval fails where all are below 0
    qrels = qrels.with_columns(grade=pl.Series(np.where(lowered, -1 - grade % 3, grade)))
    assert qrels["grade"].min() == -3
    gain = "gain=table([0, 0, 0, 0, 1, 2, 3, 4, 5], first=-3)"
    shared = {(f"nDCG({gain}){name[4:]}" if name.startswith("nDCG") else name): name for name in SHARED}
    users, values = ours(qrels, run, rel, list(shared))
    reference = theirs(qrels, run, rel)
    at = [u for u, user in enumerate(users) if user in reference]
    expected = [[reference[users[u]][SHARED[name]] for name in shared.values()] for u in at]
    np.testing.assert_allclose(values[at, : len(shared)], expected, rtol=0, atol=1e-9, err_msg=f"rel {rel}")
