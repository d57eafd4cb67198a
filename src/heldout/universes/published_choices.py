"""What papers chose, decision by decision, with the definition of each option: the protocol of a page of papers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from heldout.analysis.choices import (
    Choice,
    Definition,
    ProtocolFacts,
    definition,
    lasting_entries,
    works_cited,
)
from heldout.catalogue.lookup import find
from heldout.catalogue.text import parse
from heldout.data.profile import DataSteps
from heldout.storage.deferred import Deferred
from heldout.study.published import PAPERS, PublishedChoice
from heldout.universes.grid.decisions import KIND_OF, decision


def published_protocol(
    references: Sequence[str], manifest: Mapping[str, Any], profiles: Deferred[tuple[DataSteps, ...]]
) -> ProtocolFacts:
    """The choices of the main experiments of papers, named by their keys in references.bib; each definition stands once."""
    explained: set[type] = set()
    chosen = [
        Choice(
            stage=f"{protocol.name}: {choice.decision}",
            decision=decision(choice.decision, choice.options).letter,
            options=choice.options,
            meaning=choice.source,
            definitions=tuple(_new_definitions(choice, explained)),
        )
        for protocol in PAPERS
        if protocol.key in references
        for choice in protocol.choices
    ]
    cited = works_cited(chosen, (), references)
    return ProtocolFacts(
        choices=tuple(chosen),
        cards=(),
        references=cited,
        manifest=lasting_entries(manifest),
        profiles=profiles,
    )


def _new_definitions(choice: PublishedChoice, explained: set[type]) -> list[Definition]:
    """What the options mean that are not in `explained`, which they are added to; a cut-off needs no definition."""
    kind = KIND_OF[choice.decision]
    classes = dict.fromkeys(find(kind, parse(text).name) for text in choice.options) if kind else {}
    new = [cls for cls in classes if cls not in explained]
    explained.update(new)
    return [definition(cls) for cls in new]
