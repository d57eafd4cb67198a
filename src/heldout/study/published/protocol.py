"""What a paper chose, decision by decision, and where it says so."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PublishedChoice:
    """The options of one decision that a paper's main experiment takes."""

    decision: str
    """As in `heldout.universes.grid.decisions`: split, target, metric, cutoff, …"""
    options: tuple[str, ...]
    """Text forms, as studies write them; a metric's without gain and cut-off."""
    source: str
    """Where the paper says so."""


@dataclass(frozen=True)
class PublishedProtocol:
    """The choices of one paper; a decision that it does not speak of is not here, and any option will do."""

    key: str
    """As in references.bib."""
    name: str
    choices: tuple[PublishedChoice, ...]
