"""Where the MovieLens 1M split of Valcarce et al. (2018) is, its protocol, and what the authors measured on it."""

from __future__ import annotations

import csv
import os
from pathlib import Path

DEPTH = 100


def folder() -> Path:
    """Where real data are."""
    named = os.environ.get("HELDOUT_DATA")
    return Path(named) if named else Path(__file__).resolve().parents[2] / "shared" / "data"


def published(data: Path) -> dict[str, float]:
    """nDCG@100 as the authors measured it, by system."""
    with (data.parent / "anchors" / "valcarce-2018" / "systems-ml-1M.csv").open() as file:
        return {row["system"]: float(row[f"ndcg_cut_{DEPTH}"]) for row in csv.DictReader(file)}


def protocol(data: Path) -> dict[str, object]:
    """The authors' split and protocol, without systems."""
    return {
        "data": str(data / "ml-1m" / "ratings.dat"),
        "split": f'given(test="{data.parent / "anchors" / "valcarce-2018" / "qrels-ml-1M.txt.gz"}")',
        "relevance": "threshold(4)",
        "target": "AllItems",
        "metrics": f"nDCG@{DEPTH}",
    }
