"""The demonstration: a study of simulated ratings, with the truth behind them kept beside its results."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from heldout.api.data import simulate
from heldout.api.run import run
from heldout.experiment.ledger import folder_path

if TYPE_CHECKING:
    from heldout.analysis.findings import Findings
    from heldout.api.results import Results
    from heldout.reports.render.progress import ProgressOption

STUDY: dict[str, Any] = {
    "title": "Six recommenders on simulated ratings",
    "task": "some_good_items",
    "seed": 1,
    "data": "simulate(users=2000, items=1500, ratings=120000)",
    "split": "ratio(train=0.8, by=user)",
    "users": [["with_train", "with_relevant"]],
    "recommend": [
        "Random",
        "Popularity",
        "AverageRating",
        "UserKNN(k=50)",
        "WRMF(factors=20, iterations=10)",
        "EASE(l2=100)",
    ],
    "fallback": "none",
    "relevance": "threshold(4)",
    "target": ["AllItems", "TestItems", "TestRatings", "OnePlusRandom(100)"],
    "metrics": ["nDCG(gain=binary)@10", "P@10"],
    "compare": {"tests": ["permutation", "t"], "correction": "holm"},
}


def demo(out: str | Path = "heldout-demo", *, progress: ProgressOption = None) -> Results[Findings]:
    """Compare six recommenders under a few protocols on simulated ratings; results, report and ratings are kept in `out`.

    The folder `data` inside it has the ratings and, aside, what every user would have said of every item.
    """
    folder = folder_path(out) / "data"
    results = run(STUDY, out=out, progress=progress)
    folder.mkdir(exist_ok=True)
    simulate(STUDY["data"], out=folder / "ratings.parquet", truth=folder / "truth.parquet")
    return results
