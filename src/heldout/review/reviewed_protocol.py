"""The protocol that a manifest keeps, explained and reviewed: what a page shows of it beside any findings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from heldout.analysis.choices import ProtocolFacts, protocol_facts
from heldout.review.lint.finding import Review
from heldout.review.lint.review import lint_study
from heldout.review.study_under_review import recorded_multiverse
from heldout.study.record import recorded_study
from heldout.universes.grid.file import TABLE


@dataclass(frozen=True, kw_only=True)
class ReviewedProtocol:
    """What was asked, what it means, and what lint finds in it."""

    facts: ProtocolFacts
    review: Review


def reviewed_protocol(manifest: Mapping[str, Any], name: str, systems: Sequence[str] = ()) -> ReviewedProtocol | None:
    """The protocol of results that are no single run; None where the manifest keeps no study.

    `systems` are those of the results, where runs from elsewhere were judged.
    """
    if "study" not in manifest:
        return None
    study = recorded_study(manifest, systems)
    failed = recorded_multiverse(manifest, name).left_out if manifest.get("kind") == TABLE else None
    review = lint_study(study, None, name, tuple(manifest.get("seeds", ())), failed)
    return ReviewedProtocol(facts=protocol_facts(study, manifest), review=review)
