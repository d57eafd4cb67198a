"""All accuracy metrics × 11 cut-offs × 3 gain maps for 6,040 users at full depth, once judged.

About 33 rated items a user rank among 3,706; every repeat starts from lists of which nothing is known yet, so that totals
and ideal gains are worked out again.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from benchmarks.harness import Found, Limit, interleaved
from benchmarks.lists import generate
from heldout.catalogue import make_all
from heldout.metrics.metric import Metric
from heldout.tables import Background, Interactions, Judged, Relevance, Vocabulary
from heldout.tables.arrays import Int64, frozen
from heldout.targets.relevance.threshold import Threshold

CUTS = [1, 2, 3, 5, 10, 15, 20, 30, 50, 75, 100]
GAINS = ("linear", "exp2", "chapelle")
GRADED = ("nDCG", "DCG", "Q")
BOUNDED = ("RBP", "ERR")
AT_CUTS = ("P", "Recall", "F", "HitRate", "AP", "RR", "bpref", "infAP", "RecallCapped", "APCapped", "PReturned", "nDCGFixed")
WHOLE = ("AUC", "RPrecision")


def metrics() -> list[Metric]:
    """Every accuracy metric at every cut-off, the graded ones with three gains each."""
    texts = [f"{key}@{CUTS}" for key in (*AT_CUTS, "StratifiedRecall")] + [*WHOLE]
    texts += [f"{key}(gain={gain})@{CUTS}" for key in GRADED for gain in GAINS]
    texts += [f"{key}(gain={gain})@{CUTS}" for key in BOUNDED for gain in ("binary", "exp2", "chapelle")]
    return [metric for text in texts for metric in make_all("metric", text)]


def judged() -> Judged:
    """Full-depth ranks of about 33 rated items a user among 3,706, the good ones somewhat higher."""
    lists = generate()
    users, items = Vocabulary.numbered(lists.n_users), Vocabulary.numbered(lists.n_items)
    test = lists.test
    value = test["rating"].to_numpy().astype(np.float64)
    data = Interactions.build(users, items, test["user_id"].to_numpy() - 1, test["item_id"].to_numpy() - 1, value)
    counts = frozen(data.item_counts + 1, np.int64)
    background = Background(items=items, train=data, positives=counts, ratings=counts, lowest=1.0)
    relevance = Threshold(tau=4).judge(data, np.arange(len(users), dtype=np.int32), 5.0, background=background)
    draw = np.random.default_rng(1)
    keys = draw.random(len(relevance.item)) ** (1 + 2 * relevance.relevant)
    order = np.lexsort((keys, relevance.owner))
    rank = _distinct(np.ceil(keys[order] * 0.9 * lists.n_items).astype(np.int64), relevance)
    same = np.full(len(users), lists.n_items, np.int32)
    return Judged(
        relevance=relevance,
        owner=np.arange(len(users), dtype=np.int32),
        indptr=relevance.indptr,
        row=frozen(order, np.int64),
        rank=frozen(rank, np.int32),
        above=frozen(rank - 1, np.int32),
        tied=frozen(np.zeros(len(rank)), np.int32),
        length=same,
        computed=same,
        targets=same,
        relevant_targets=frozen(relevance.total(None), np.int32),
    )


def _distinct(rank: Int64, relevance: Relevance) -> Int64:
    """Ranks that ascend within each user, pushed down where two would be equal."""
    place = np.arange(len(rank)) - relevance.indptr[relevance.owner]
    low = np.maximum.accumulate(rank - place + relevance.owner * 10**6) - relevance.owner * 10**6
    return np.maximum(low + place, 1)


def run() -> Found:
    asked, lists = metrics(), judged()

    def fresh() -> list[object]:
        relevance = replace(lists.relevance)
        again = replace(lists, relevance=relevance)
        return [metric.measure(again) for metric in asked]

    def known() -> list[object]:
        again = replace(lists)
        return [metric.measure(again) for metric in asked]

    times = interleaved({"heldout, first system": fresh, "heldout, next systems": known}, repeats=9, warm=2)
    keys = {metric.key for metric in asked}
    return Found(
        times,
        limits=[
            Limit(
                f"{len(asked)} columns of {len(keys)} metrics",
                float(np.median(times["heldout, first system"])) * 1e3,
                50.0,
                "ms",
            )
        ],
        notes=[f"{len(lists.rank):,} rated items of {len(lists):,} users, ranks up to {lists.deepest:,}"],
    )
