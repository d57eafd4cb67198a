"""Systems that failed in a multiverse: on how many splits, and why.

Assumes: a failed cell is written `data | filter | split | seed | system`, one for each split under each seed.

Example: `{"given | none | ratio | seed 1 | EASE": "fit: out of memory"}` gives "EASE failed on given | none | ratio |
seed 1: fit: out of memory".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from heldout.experiment.failed_systems import system_of
from heldout.universes.findings.findings import Findings
from heldout.words import count, counted


@dataclass(frozen=True)
class FailedSystem:
    """One system that failed somewhere."""

    name: str
    places: tuple[str, ...]
    """The splits and seeds on which it did."""
    reasons: tuple[tuple[str, int], ...]
    """Why, with the number of places, the most frequent first."""
    compared: bool
    """Whether some universe still compares it with another system."""

    @property
    def sentence(self) -> str:
        """On how many splits it failed, and why."""
        place = self.places[0] if len(self.places) == 1 else ""
        where = place or f"{counted(len(self.places), 'split')}, each seed counted"
        why = "; ".join(f"{reason} (on {count(n)})" if len(self.reasons) > 1 else reason for reason, n in self.reasons)
        out = "" if self.compared else ", so that no universe compares it"
        return f"{self.name} failed on {where}{out}: {why}"


def failed_systems(findings: Findings, failed: Mapping[str, str]) -> list[FailedSystem]:
    """The systems with a failed cell, in the order of the study; a cell of no known system stands for itself."""
    short = dict(zip(findings.systems, findings.names, strict=True))
    cells: dict[str, list[tuple[str, str]]] = {}
    for cell, reason in failed.items():
        name = system_of(cell, findings.systems)
        cells.setdefault(name, []).append((cell.removesuffix(name).removesuffix(" | "), reason))
    compared = {name for pair in findings.pairs if pair.shares.universes for name in (pair.first, pair.second)}
    order = {name: k for k, name in enumerate(findings.systems)}
    return [
        FailedSystem(
            short.get(name, name),
            tuple(place for place, _ in mine),
            tuple(Counter(reason for _, reason in mine).most_common()),
            short.get(name, name) in compared,
        )
        for name, mine in sorted(cells.items(), key=lambda system: order.get(system[0], len(order)))
    ]


def marked_systems(findings: Findings, failed: Mapping[str, str]) -> list[str]:
    """The systems in full; "failed" behind those that no universe compares because they did."""
    gone = {system.name for system in failed_systems(findings, failed) if not system.compared}
    return [
        f"{full} (failed)" if name in gone else full for full, name in zip(findings.systems, findings.names, strict=True)
    ]
