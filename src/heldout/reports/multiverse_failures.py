"""Where a multiverse has no value: systems that failed, on how many splits and why, and options that made no universe.

Assumes: a failed cell is written `data | filter | split | seed | system`, one for each split under each seed.

Example: `{"given | none | ratio | seed 1 | EASE": "fit: out of memory"}` gives "EASE failed on given | none | ratio |
seed 1: fit: out of memory".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from heldout.experiment.failed_systems import system_of
from heldout.reports.page.markup import el
from heldout.universes.findings.findings import Findings
from heldout.words import count, counted

NO_UNIVERSE = "Options that do not apply somewhere, and what is the same universe again."


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
        one = self.places[0] if len(self.places) == 1 else ""
        where = one or f"{counted(len(self.places), 'split')}, each seed counted"
        several = len(self.reasons) > 1
        why = "; ".join(f"{reason} (on {count(n)})" if several else reason for reason, n in self.reasons)
        out = "" if self.compared else ", so that no universe compares it"
        return f"{self.name} failed on {where}{out}: {why}"


def failed_systems(found: Findings, failed: Mapping[str, str] | None) -> list[FailedSystem]:
    """The systems with a failed cell, in the order of the study; a cell of no known system stands for itself."""
    short = dict(zip(found.systems, found.names, strict=True))
    cells: dict[str, list[tuple[str, str]]] = {}
    for cell, reason in (failed or {}).items():
        name = system_of(cell, found.systems)
        cells.setdefault(name, []).append((cell.removesuffix(name).removesuffix(" | "), reason))
    compared = {name for pair in found.pairs if pair.shares.universes for name in (pair.first, pair.second)}
    order = {name: k for k, name in enumerate(found.systems)}
    return [
        FailedSystem(
            short.get(name, name),
            tuple(place for place, _ in mine),
            tuple(Counter(reason for _, reason in mine).most_common()),
            short.get(name, name) in compared,
        )
        for name, mine in sorted(cells.items(), key=lambda one: order.get(one[0], len(order)))
    ]


def marked_systems(found: Findings, failed: Mapping[str, str] | None) -> list[str]:
    """The systems in full; "failed" behind those that no universe compares because they did."""
    gone = {one.name for one in failed_systems(found, failed) if not one.compared}
    return [f"{full} (failed)" if name in gone else full for full, name in zip(found.systems, found.names, strict=True)]


def failed_sections(
    found: Findings, failed: Mapping[str, str] | None, left_out: Sequence[str], notices: Sequence[str]
) -> list[Markup]:
    """The page's parts; none where nothing failed, was left out or noticed."""
    told = [one.sentence for one in failed_systems(found, failed)]
    parts = []
    if told:
        items = el("ul", *(el("li", text) for text in told), cls="minimal")
        parts.append(el("section", el("h2", "Failed"), items, id="failed"))
    if left_out:
        items = el("ul", *(el("li", text) for text in left_out), cls="minimal")
        parts.append(el("section", el("h2", "No universe"), el("p", NO_UNIVERSE, cls="note"), items, id="none"))
    if notices:
        items = el("ul", *(el("li", text) for text in notices), cls="minimal")
        parts.append(el("section", el("h2", "Notices"), items, id="notices"))
    return parts
