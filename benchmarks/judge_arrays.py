"""Six metrics of 6,040 lists of 100 from encoded arrays, as pytrec_eval and ranx work from their own formats.

P@10, Recall@10, nDCG@10, AP@100, RR and bpref, with ratings from 4 on relevant. Every repeat judges afresh: no value of
an earlier one is reused. "Fresh" also makes a new relevance table, so that totals and ideal gains are computed again;
in a study they belong to the test set and are shared by all systems, which "shared" measures.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from benchmarks.harness import Found, Ratio, Work, interleaved
from benchmarks.lists import RELEVANT, Lists, generate
from heldout.catalogue import make
from heldout.metrics.judge import judge_rankings
from heldout.metrics.measuring import Measured, measure
from heldout.tables import Interactions, Vocabulary
from heldout.targets.relevance.threshold import Threshold
from heldout.targets.runs import rank_run

METRICS = ("P@10", "Recall@10", "nDCG@10", "AP@100", "RR", "bpref")
TREC = {"P.10", "recall.10", "ndcg_cut.10", "map_cut.100", "recip_rank", "bpref"}
RANX = [f"{m}-l{RELEVANT}" for m in ("precision@10", "recall@10", "ndcg@10", "map@100", "mrr", "bpref")]


def run() -> Found:
    lists = generate()
    fresh, shared = ours(lists)
    times = interleaved(
        {
            "heldout, fresh relevance": fresh,
            "heldout, shared relevance": shared,
            "pytrec_eval": pytrec(lists),
            "ranx": ranx(lists),
        },
        repeats=15,
        warm=2,
    )
    return Found(
        times,
        [
            Ratio("heldout, fresh relevance", "pytrec_eval", 40),
            Ratio("heldout, fresh relevance", "ranx", 50),
            Ratio("heldout, shared relevance", "pytrec_eval"),
            Ratio("heldout, shared relevance", "ranx"),
        ],
        notes=[
            f"{len(lists.test):,} test ratings; heldout and pytrec_eval use one thread, ranx all cores",
            "pytrec_eval's evaluator and ranx's Qrels and Run are built outside the timing",
        ],
    )


def ours(lists: Lists) -> tuple[Callable[[], Measured], Callable[[], Measured]]:
    """Judging and measuring with a new relevance table each time, and with one for all."""
    users = Vocabulary.of(lists.test["user_id"])
    items = Vocabulary.of(lists.test["item_id"], lists.run["item_id"])
    test = Interactions.build(
        users,
        items,
        users.encode(lists.test["user_id"]),
        items.encode(lists.test["item_id"]),
        lists.test["rating"].to_numpy().astype(np.float64),
    )
    known = Threshold(tau=RELEVANT).judge(test, np.arange(len(users), dtype=np.int32), 5.0)
    rankings, _ = rank_run(
        users.encode(lists.run["user_id"]),
        items.encode(lists.run["item_id"]),
        lists.run["score"].to_numpy(),
        users=users,
        items=items,
        ties=make("ties", "item"),
    )
    targets = np.full(len(users), len(items), np.int32)
    metrics = [make("metric", m) for m in METRICS]

    def judged(relevance: object) -> Measured:
        # the six metrics look at ranks and grades alone, so ties need not be counted
        found = judge_rankings(rankings, relevance, n_items=len(items), targets=targets, scored=False)
        return measure(found, metrics)

    return lambda: judged(replace(known)), lambda: judged(known)


def pytrec(lists: Lists) -> Work:
    import pytrec_eval

    evaluator = pytrec_eval.RelevanceEvaluator(lists.qrels_dict, TREC, relevance_level=RELEVANT)
    run = lists.run_dict
    return lambda: evaluator.evaluate(run)


def ranx(lists: Lists) -> Work:
    import ranx

    qrels, run = ranx.Qrels(lists.qrels_dict), ranx.Run(lists.run_dict)
    return lambda: ranx.evaluate(qrels, run, RANX, return_mean=False, save_results_in_run=False)
