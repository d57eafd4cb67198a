"""Systems that failed, as a manifest tells of them: everywhere, or on some splits of a multiverse."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True)
class LeftOut:
    """A system that failed, the reason, and the cells that it has no results in."""

    system: str
    reason: str
    """The stage and what was raised, of the first failure: `fit: ZeroDivisionError: division by zero`."""
    failed: int
    """Folds of a run, or splits of a multiverse, on which it failed."""
    of: int
    """How many splits a multiverse has; 0 in a run."""
    unit: str
    """What is counted: folds, splits, or splits under a seed each."""
    everywhere: bool
    """Whether no result holds it: a run leaves a system out that fails on any fold, a multiverse only where it failed."""

    def sentence(self) -> str:
        """Who failed where and why, as part of a sentence: `A failed on 2 of 6 splits and is left out there (fit: …)`."""
        where = f" on {self.failed} {self.unit}" if self.failed > 1 else ""
        if self.of:
            where = " on every split" if self.everywhere else f" on {self.failed} of {self.of} {self.unit}"
        return f"{self.system} failed{where} and is left out{'' if self.everywhere else ' there'} ({self.reason})"


def system_of(cell: str, systems: Sequence[str]) -> str:
    """The system of a failed cell (`data | filter | split | … | system`): the longest name that the cell ends with.

    A name may hold the sign between the parts of a cell. Where no name is known, the last part is taken.
    """
    return max((s for s in systems if cell == s or cell.endswith(f" | {s}")), key=len, default=cell.rpartition(" | ")[2])


def left_out(manifest: Mapping[str, Any], systems: Sequence[str]) -> tuple[LeftOut, ...]:
    """The systems of a manifest that failed, in the order of `systems`, which are all systems of the study."""
    cells: dict[str, list[str]] = {}
    for cell, reason in dict(manifest.get("failed") or {}).items():
        cells.setdefault(system_of(cell, systems), []).append(str(reason))
    grid = manifest.get("kind") == "multiverse"
    splits = len(manifest.get("parts") or {}) if grid else 0
    unit = "folds" if not grid else "splits under a seed" if len(manifest.get("seeds") or ()) > 1 else "splits"
    failed = [
        LeftOut(
            system=system,
            reason=reasons[0],
            failed=len(reasons),
            of=splits,
            unit=unit,
            everywhere=not grid or len(reasons) >= splits,
        )
        for system, reasons in cells.items()
    ]
    order = {name: place for place, name in enumerate(systems)}
    return tuple(sorted(failed, key=lambda system: order.get(system.system, len(order))))


def everywhere(failed: Sequence[LeftOut] | None) -> list[str]:
    """The systems of which there is no result at all."""
    return [system.system for system in failed or () if system.everywhere]


def why_failed(manifest: Mapping[str, Any]) -> dict[str, str]:
    """System → why it failed, on the first fold that it failed on."""
    systems = [str(system.get("name")) for system in manifest.get("study", {}).get("recommend", [])]
    reasons: dict[str, str] = {}
    for cell, reason in manifest.get("failed", {}).items():
        reasons.setdefault(system_of(cell, systems), reason)
    return reasons
