"""What was run: looks at biases, and studies by further metrics, thresholds, skews and readings of kNN."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from heldout.papers.bias_runs import BiasRun, SkewedRun, ThinnedRun
from heldout.papers.paper import NamedWorks
from heldout.papers.rating_counts import RatingCounts
from heldout.papers.study_runs import RepeatedStudy, StudyRuns

SYSTEMS = ("pLSA", "Popularity", "MF", "kNN", "Random")
"""The systems of the paper, as it orders them in Figure 2 for MovieLens."""
GRADED = "nDCG(gain=binary)@10"
"""nDCG of Figure 8; above the threshold of 5 there is one grade alone."""
PLAIN = ("AI-AR", "AR", "AR-NN", "1R", "1R-head", "P1R", "U1R", "UAR", "AI-UAR")
"""All configurations of Figures 2 and 8."""
WHOLE_NDCG = "nDCG(gain=binary)"
WHOLE = {WHOLE_NDCG: "nDCG", "AP": "MAP"}
"""Metrics without a cut-off."""
NAMES = {"P@10": "P@10", GRADED: "nDCG@10", "Recall@10": "Recall@10", **WHOLE, "RR": "MRR"}
INCOMPLETE = {
    "bpref": "bpref(count=all)",
    "infAP": "infAP(pool_depth=100)",
    "stratified recall": "StratifiedRecall@10",
}
"""The metrics of Figure 9."""
SKEWED_METRICS = {
    "Recall@10": "Recall@10",
    GRADED: "nDCG@10",
    WHOLE_NDCG: "nDCG",
    "AP@10": "MAP@10",
    "AP": "MAP",
    "RR@10": "MRR@10",
    "RR": "MRR",
}
"""With and without a cut-off; without one recall is 1 for all."""
OTHER_METRICS = {"Recall@10": "recall", "AP": "MAP", "RR": "MRR"}
OWN_THRESHOLD, LOWER_THRESHOLD = "threshold(tau=5)", "threshold(tau=4)"
REMOVED = (0.0, 0.2, 0.4, 0.6, 0.8)
"""Shares of the test ratings; the last is where the rules of Figure 4 look."""
ALPHAS = (0.0, 0.5, 1.0, 1.5, 2.0)
UNIFORM = "uniform_test(share=0.2, keep=0.2)"
SINGLE = "targets(candidates=test, relevant=one, nonrelevant={}, average=rating)"
"""1R, as `heldout bias` has it."""
MODELS = {"pLSA": "PLSA(topics=50)", "MF": "SVD", "kNN": "UserKNN"}
"""Popularity and Random are added by the look at biases."""
FEWER_TOPICS = {"pLSA": "PLSA(topics=3)"}
"""On simulated data, which are small."""
READINGS = {
    "sum of cosines": "UserKNN",
    "mean by Pearson": "UserKNN(similarity=pearson, normalise=true)",
    "NNCosNgbr-UB": "NNCosNgbr-UB",
}
"""The first is the kNN of all other experiments."""


def _systems(**others: str) -> list[dict[str, str]]:
    """The models, some of them others."""
    return [{"name": name, "model": model} for name, model in (MODELS | others).items()]


RUN = BiasRun(
    keys={
        "split": "folds(5)",
        "relevance": "threshold(5)",
        "target": "TestItems",
        "metrics": [GRADED],
        "recommend": _systems(),
        "compare": "t",
    },
    options={"sweeps": ["removed", "lists", "skew"]},
    liked=5,
    uniform=UNIFORM,
    simulated={"split": "folds(2)", "recommend": _systems(**FEWER_TOPICS)},
    simulated_options={
        "sampled": 20,
        "classes": 2,
        "sweeps": {"removed": [0.0, 0.4, 0.8], "lists": [20, 30, 40], "skew": [0.0, 2.0]},
    },
)
LASTFM_RUN = BiasRun(
    keys={**RUN.keys, "filters": ["duplicates(keep=sum)"], "split": "temporal(share=0.2)", "relevance": "threshold(3)"},
    options={"sweeps": ["removed"]},
    liked=3,
    duplicates="sum",
    uniform=UNIFORM,
    simulated={"recommend": RUN.simulated["recommend"]},
    simulated_options={"sampled": 20, "classes": 2, "sweeps": {"removed": [0.0, 0.4, 0.8]}},
)
KNN_RUNS = NamedWorks(
    {
        reading: replace(
            RUN,
            keys={**RUN.keys, "recommend": _systems(kNN=model)},
            simulated={**RUN.simulated, "recommend": _systems(**FEWER_TOPICS, kNN=model)},
        )
        for reading, model in READINGS.items()
    }
)


def _with_baselines(keys: Mapping[str, Any]) -> dict[str, Any]:
    """Keys of a look at biases for a study of its own, to which popularity and random are added; nothing is compared."""
    return {**keys, "compare": "none", "recommend": [*keys["recommend"], "Popularity", "Random"]}


PLAIN_KEYS = _with_baselines({key: RUN.keys[key] for key in ("split", "relevance", "target", "recommend")})
FEW_KEYS = _with_baselines(RUN.simulated)
SPARSE = NamedWorks({"sparse": ThinnedRun(keys=PLAIN_KEYS | {"metrics": list(NAMES)}, removed=REMOVED, simulated=FEW_KEYS)})
"""The systems under AR by several metrics when test ratings are removed."""
LISTS = StudyRuns(
    {
        "lists": RepeatedStudy(
            PLAIN_KEYS | {"metrics": list(INCOMPLETE.values()), "target": ["AllItems", SINGLE.format(99)]},
            simulated=FEW_KEYS | {"target": ["AllItems", SINGLE.format(20)]},
        )
    }
)
"""The systems by the metrics of Figure 9, all items competing; and bpref in 1R."""
FIGURE_9 = NamedWorks({"": RUN, "lists": LISTS})


def _targets(sampled: int, classes: int, level: int) -> dict[str, dict[str, str]]:
    """The nine configurations of Figures 2 and 8, by split: those of the folds and those of a uniform test set."""
    own = {
        "AI-AR": "AllItems",
        "AR": "TestItems",
        "AR-NN": f"targets(candidates=test, nonrelevant={level})",
        "1R": SINGLE.format(sampled),
        "1R-head": SINGLE.format(f"{sampled}, head=0.1"),
        "P1R": f"P1R(nonrelevant={sampled}, percentiles={classes})",
    }
    return {"folds": own, "uniform": {"U1R": f"U1R(nonrelevant={sampled})", "UAR": "UAR", "AI-UAR": "AllItems"}}


PAPERS_TARGETS = _targets(99, 10, 1700)
"""|N_u| = 1,700 of AR is the paper’s, §6.3."""
SIMULATED_TARGETS = _targets(20, 2, 40)


def _under_protocols(part: str, **split: str) -> RepeatedStudy:
    targets, of_simulated = (list(each[part].values()) for each in (PAPERS_TARGETS, SIMULATED_TARGETS))
    others = {"relevance": ["threshold(5)", "threshold(4)"], "metrics": ["P@10", *OTHER_METRICS], "target": targets}
    return RepeatedStudy(PLAIN_KEYS | others | split, simulated=FEW_KEYS | {"target": of_simulated} | split)


PROTOCOLS = StudyRuns({"folds": _under_protocols("folds"), "uniform": _under_protocols("uniform", split=UNIFORM)})
"""The five systems under the nine configurations by further metrics, with ratings of 5, and of 4 and 5, relevant."""
SKEWED = SkewedRun(
    keys={
        "relevance": PLAIN_KEYS["relevance"],
        "target": PLAIN_KEYS["target"],
        "split": "ratio(train=0.8)",
        "recommend": ["Popularity", "Random"],
        "metrics": list(SKEWED_METRICS),
        "compare": "none",
    },
    alphas=ALPHAS,
)
"""Popularity and random under AR by further metrics, on simulated ratings of more and more skew."""
LIKED = RatingCounts(positive=5)
JUDGEMENTS = RatingCounts(positive=1, duplicates="max")
