"""What an earlier run of the same folder left, what of it is used again, and why the rest is not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from heldout.study.protocol import JUDGING
from heldout.study.spec import KINDS_OF_STAGE

JUDGED = tuple(stage for stage in KINDS_OF_STAGE if stage in ("users", *JUDGING, "metrics"))
"""Stages whose options the scores of a cell depend on, besides its ratings and its model."""
VOLATILE = ("seconds", "costs", "cells", "reused", "engine", "threads", "here")
"""What a manifest says of the run and not of the results: two runs that end with the same bytes differ only here."""


def lasting(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """The manifest without what differs between two runs of the same results."""
    return {key: value for key, value in manifest.items() if key not in VOLATILE}


def why_again(earlier: Mapping[str, Any] | None, now: Mapping[str, Any], cell: str, fold: str, system: str) -> str:
    """Why a cell is not taken from an earlier run, whose manifest is given; empty if there was none."""
    if earlier is None:
        return ""
    if cell in earlier.get("failed", {}):
        return "it failed before"
    before, key = earlier.get("parts", {}).get(cell), now["parts"].get(cell)
    if before is None:
        return "it is new"
    if before == key:
        return "its file is gone" if earlier.get("complete") else "it was not done before"
    changed = []
    if earlier.get("versions", {}).get("heldout") != now["versions"]["heldout"]:
        changed.append("Heldout's version")
    if earlier.get("folds", {}).get(fold) != now["folds"][fold]:
        changed.append("its ratings")
    if _model(earlier, system) != _model(now, system):
        changed.append("its parameters")
    if earlier.get("seed") != now["seed"]:
        changed.append("the seed")
    changed += [stage for stage in JUDGED if earlier.get("study", {}).get(stage) != now["study"][stage]]
    if not changed and earlier.get("inputs") != now["inputs"]:
        changed.append("a file that is read")
    return f"{' and '.join(changed) or 'what is kept of each user'} changed"


def _model(manifest: Mapping[str, Any], system: str) -> Any:
    recorded = manifest.get("study", {}).get("recommend", [])
    return next((entry.get("model") for entry in recorded if entry.get("name") == system), None)


def reuse_sentence(cells: Mapping[str, Mapping[str, str]]) -> str:
    """How many cells had their scores and how many only their ranks used again, and why; empty if everything is new."""
    if not any(entry["because"] or entry["done"] == "reused" for entry in cells.values()):
        return ""
    scores, ranks = (sum(entry["done"] == way for entry in cells.values()) for way in ("reused", "measured"))
    counts = f"scores of {scores} of {len(cells)} {'cell' if len(cells) == 1 else 'cells'} reused"
    parts = [f"{counts}, only ranks of {ranks}" if ranks else counts]
    by_way: dict[tuple[str, str], list[str]] = {}
    for cell, entry in cells.items():
        if entry["done"] != "reused":
            by_way.setdefault((entry["done"], entry["because"]), []).append(cell.rpartition(" | ")[2])
    for (done, because), systems in by_way.items():
        named = list(dict.fromkeys(systems))
        who = ", ".join(named[:3]) + (f" and {len(named) - 3} more" if len(named) > 3 else "")
        parts.append(f"{who} {_WORDS[done]}{f': {because}' if because else ''}")
    return "; ".join(parts)


_WORDS = {"measured": "measured again", "fitted": "fitted", "failed": "failed"}
