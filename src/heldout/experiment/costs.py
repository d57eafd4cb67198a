"""What fitting and scoring took: kept in the manifest for each cell, told for each system."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from heldout.analysis.details import SystemCost
from heldout.experiment.clock import Clock


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
