"""What a manifest says of a run: versions, machine, costs, and what of an earlier run was used again."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from heldout.analysis.details import SystemCost
from heldout.experiment.clock import Clock
from heldout.study.protocol import JUDGING
from heldout.study.spec import KINDS_OF_STAGE

PACKAGES = ("heldout", "numpy", "scipy", "numba", "polars", "narwhals")


def versions() -> dict[str, str]:
    """Versions of Python and of the packages that results depend on."""
    installed = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            installed[package] = version(package)
        except PackageNotFoundError:
            installed[package] = "not installed"
    return installed


def machine() -> dict[str, Any]:
    """What the results were computed on."""
    return {"system": f"{platform.system()} {platform.machine()}", "cores": os.cpu_count(), "byte_order": sys.byteorder}


def cost_record(system: str, model: str, clock: Clock) -> dict[str, Any]:
    """What the manifest keeps of a cell that was fitted, to the microsecond: some fits take less than a millisecond."""
    spent = {stage: round(clock.seconds.get(stage, 0.0), 6) for stage in ("fit", "rank")}
    return {"system": system, "model": model, **spent, "memory": clock.memory}


def cost_before(earlier: Mapping[str, Any] | None, cell: str, model: str) -> dict[str, Any] | None:
    """What an earlier run kept of the same cell and model, which this run may use again; None where there is nothing."""
    record = (earlier or {}).get("costs", {}).get(cell)
    return dict(record) if record is not None and record["model"] == model else None


def system_costs(manifest: Mapping[str, Any]) -> tuple[SystemCost, ...]:
    """The costs of every system of a manifest, its folds added up; systems whose fits nobody measured are left out."""
    by_system: dict[str, list[Mapping[str, Any]]] = {}
    for record in manifest.get("costs", {}).values():
        by_system.setdefault(record["system"], []).append(record)
    return tuple(
        SystemCost(
            system=system,
            fit=sum(record["fit"] for record in records),
            score=sum(record["rank"] for record in records),
            memory=max((record["memory"] for record in records if record["memory"] is not None), default=None),
            folds=len(records),
        )
        for system, records in by_system.items()
    )


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
