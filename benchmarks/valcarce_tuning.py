"""The parameters of the systems of Valcarce et al. (2018), chosen on validation ratings carved out of their training set.

`python -m benchmarks.valcarce_tuning [system …]` searches in the ranges that each recommender declares, with a fixed seed;
the test set is not looked at. What is found is kept in `valcarce_tuned.json`, from which `benchmarks.valcarce_systems` takes
the parameters that it measures on test. Trials are kept in `results/tuning`, so that a search that was stopped goes on.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import heldout as ho
from benchmarks.valcarce_data import DEPTH, folder, protocol

SEARCHED = {
    "PureSVD": ("PureSVD", 15),
    "PLSA": ("PLSA", 15),
    "RW": ("RocchioWeights", 15),
    "RSV": ("RSV", 15),
    "CHI2": ("CHI2", 20),
    "KLD": ("KLD", 20),
    "LM-WSR-UB": ("LM-WSR-UB", 25),
    "LM-WSR-IB": ("LM-WSR-IB", 25),
    "LDA": ("LDA", 20),
    "RM2": ("RM2", 15),
    "SLIM": ("SLIM", 15),
    "BPRMF": ("BPRMF", 15),
    "WRMF": ("WRMF", 10),
}
"""What each search starts from (a parameter that is named stays) and how many trials it makes; cheap systems first."""
KEPT = Path(__file__).parent / "valcarce_tuned.json"
JOURNALS = Path(__file__).parent / "results" / "tuning"


def tuned() -> dict[str, dict[str, Any]]:
    """What was found so far, by system."""
    found: dict[str, dict[str, Any]] = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    return found


def search(data: Path, name: str) -> dict[str, Any]:
    """The best parameters of one system on validation, and how they were found."""
    start, trials = SEARCHED[name]
    found = ho.tune(start, protocol(data), metric=f"nDCG@{DEPTH}", trials=trials, out=JOURNALS / name)
    return {
        "model": found.model,
        "validation": round(found.value, 4),
        "trials": len(found.trials),
        "cpu_seconds": round(found.cpu_seconds),
        "ranges": found.ranges,
        "carved": found.protocol["validation"],
    }


def main(asked: list[str]) -> int:
    data = folder()
    if not (data / "ml-1m" / "ratings.dat").exists():
        print(f"no ml-1m in {data}; set HELDOUT_DATA to a folder that has it")
        return 2
    unknown = [name for name in asked if name not in SEARCHED]
    if unknown:
        print(f"no system is named {', '.join(unknown)}; there are {', '.join(SEARCHED)}")
        return 2
    for name in asked or SEARCHED:
        found = search(data, name)
        everything = tuned() | {name: found}
        kept = {system: everything[system] for system in SEARCHED if system in everything}
        KEPT.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        print(f"{name:12}{found['validation']:8.4f} after {found['trials']} trials: {found['model']}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
