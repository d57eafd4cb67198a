"""RBP, ERR, bpref, infAP and Judged against ir_measures, and RBP against ranx too.

ir_measures leaves RBP to cwl-eval, whose absence skips that comparison.

gdeval, which ir_measures asks for ERR, takes whole numbers as ids, puts equal scores by descending id and fixes the top
grade at 4, so grades are 0 to 4 here and scores differ. ranx takes grades as gains, so that it is given ones.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import numpy as np
import polars as pl
import pytest
from tests.oracles.test_trec_eval import judge

from heldout.catalogue import make
from heldout.metrics.measuring import measure

ir_measures = pytest.importorskip("ir_measures")

USERS = 400


def batch(seed: int) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Judgements of grades 0 to 4 and a run without equal scores; ids are whole numbers as texts."""
    rng = np.random.default_rng(seed)
    qrels, run = [], []
    for u in range(1, USERS + 1):
        judged = rng.choice(40, size=int(rng.integers(2, 20)), replace=False)
        qrels += [(str(u), str(i), int(g)) for i, g in zip(judged, rng.integers(0, 5, len(judged)), strict=True)]
        listed = rng.choice(40, size=int(rng.integers(1, 40)), replace=False)
        scores = rng.permutation(len(listed)) + 1.0
        run += [(str(u), str(i), float(s)) for i, s in zip(listed, scores, strict=True)]
    return (
        pl.DataFrame(qrels, schema=["user", "item", "grade"], orient="row"),
        pl.DataFrame(run, schema=["user", "item", "score"], orient="row"),
    )


def compare(seed: int, ours: dict[str, str], rel: int, *, tolerance: float) -> None:
    qrels, run = batch(seed)
    users, judged = judge(qrels, run, rel)
    values = np.nan_to_num(measure(judged, [make("metric", m) for m in ours]).values)
    theirs = {name: ir_measures.parse_measure(name) for name in ours.values()}
    found = ir_measures.iter_calc(
        list(theirs.values()),
        [ir_measures.Qrel(*row) for row in qrels.iter_rows()],
        [ir_measures.ScoredDoc(*row) for row in run.iter_rows()],
    )
    expected = {(m.query_id, str(m.measure)): m.value for m in found}
    assert len(expected) == USERS * len(ours)
    for k, name in enumerate(ours.values()):
        column = [expected[user, str(theirs[name])] for user in users]
        np.testing.assert_allclose(values[:, k], column, rtol=0, atol=tolerance, err_msg=name)


@pytest.mark.parametrize("seed", range(5))
def test_preferences_and_judged_shares(seed: int) -> None:
    names = {"bpref": "Bpref(rel=2)", "infAP(pool=judged)": "infAP(rel=2)"}
    compare(seed, {**names, **{f"Judged@{n}": f"Judged@{n}" for n in (1, 5, 10)}}, 2, tolerance=1e-9)


@pytest.mark.skipif(shutil.which("perl") is None, reason="gdeval is a Perl script")
@pytest.mark.parametrize("seed", range(3))
def test_expected_reciprocal_rank(seed: int) -> None:
    """gdeval prints five digits and fixes the top grade at 4."""
    compare(seed, {f"ERR(gain=stop(4))@{n}": f"ERR@{n}" for n in (1, 3, 10, 20)}, 1, tolerance=5.1e-6)


@pytest.mark.parametrize("rel", [1, 3])
@pytest.mark.parametrize("phi", [0.5, 0.8, 0.95])
def test_rank_biased_precision(phi: float, rel: int) -> None:
    pytest.importorskip("cwl", reason="ir_measures computes RBP by cwl-eval: install cwl-eval")
    compare(5, {f"RBP({phi})": f"RBP(rel={rel},p={phi})"}, rel, tolerance=1e-9)


RANX = """
import json, sys, warnings
warnings.simplefilter("ignore")
import ranx
judgements, lists, metrics = json.load(sys.stdin)
run = ranx.Run(lists)
ranx.evaluate(ranx.Qrels(judgements), run, metrics, save_results_in_run=True)
json.dump(run.scores, sys.stdout)
"""


def test_rank_biased_precision_of_ranx() -> None:
    """In a process of its own that does not compile: ranx would spend half a minute on it for 400 users."""
    pytest.importorskip("ranx")
    qrels, run = batch(7)
    users, judged = judge(qrels, run, 1)
    lists: dict[str, dict[str, float]] = {}
    for user, item, score in run.iter_rows():
        lists.setdefault(user, {})[item] = score
    judgements: dict[str, dict[str, int]] = {}
    for user, item, _ in qrels.filter(pl.col("grade") >= 1).iter_rows():
        judgements.setdefault(user, {})[item] = 1
    judged_users = [u for u in users if u in judgements]
    metrics = {phi: f"rbp.{round(phi * 100)}" for phi in (0.5, 0.8, 0.95)}
    payload = [judgements, {u: lists[u] for u in judged_users}, list(metrics.values())]
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    answer = subprocess.run(
        [sys.executable, "-c", RANX], input=json.dumps(payload), env=environment, capture_output=True, text=True, check=True
    ).stdout
    for phi, metric in metrics.items():
        ours = measure(judged, [make("metric", f"RBP({phi})")]).values[:, 0]
        theirs = json.loads(answer)[metric]
        np.testing.assert_allclose(
            [ours[users.index(u)] for u in judged_users], [theirs[u] for u in judged_users], rtol=0, atol=1e-9
        )
