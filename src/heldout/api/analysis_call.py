"""One call of a verb that analyses a study: its folder, its progress, its engine, and how its results are kept."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from heldout import threads as thread_count
from heldout.api.kinds.kind import Kind
from heldout.api.results import Results
from heldout.api.study_or_results import folder_for
from heldout.experiment.kept_stages import Stages
from heldout.experiment.ledger import Ledger
from heldout.experiment.provenance import machine, versions
from heldout.experiment.run import opened
from heldout.progress import Progress
from heldout.reports.render.progress import ProgressOption, shown
from heldout.storage.codec import to_plain
from heldout.tables.arrays import digest_of

F = TypeVar("F")


@dataclass(eq=False, kw_only=True)
class AnalysisCall(Generic[F]):
    """A call whose folder is open, from its announcement to its results."""

    kind: Kind[F]
    ledger: Ledger | None
    stages: Stages
    progress: Progress | None
    manifest: dict[str, Any] = field(default_factory=dict)

    def announce(self, **asked: Any) -> None:
        """Note what is asked, so that the folder of a call that is stopped says what it holds."""
        self.manifest = announced(self.kind, **asked)
        if self.ledger is not None:
            self.ledger.announce(self.manifest)

    def results(self, findings: F, **known: Any) -> Results[F]:
        """Results of these findings, with what is `known` only now in their manifest; saved if the call has a folder."""
        manifest = finished(self.manifest | known, findings)
        if self.ledger is None:
            return Results(findings=findings, manifest=manifest)
        results = Results(findings=findings, manifest=manifest, folder=self.ledger.folder)
        self.ledger.write_manifest(manifest)
        results.save(self.ledger.folder)
        return results


@contextmanager
def analysing(
    kind: Kind[F],
    *,
    out: str | Path | None,
    threads: int | None,
    progress: ProgressOption,
    engine: str = "here",
    address: str | None = None,
) -> Iterator[AnalysisCall[F]]:
    """Open what a call needs: threads, the folder, the bar and the engine; ResultsError if the folder holds another kind."""
    with ExitStack() as open_things:
        open_things.enter_context(thread_count.using(threads))
        ledger = folder_for(out, kind.name)
        if ledger is not None:
            open_things.enter_context(ledger.writing())
        tell = open_things.enter_context(shown(progress, ledger))
        where = open_things.enter_context(opened(engine, address))
        yield AnalysisCall(kind=kind, ledger=ledger, stages=Stages(ledger, where), progress=tell)


def announced(kind: Kind[Any], **asked: Any) -> dict[str, Any]:
    """The manifest of an analysis that has begun."""
    return {
        "complete": False,
        "kind": kind.name,
        **asked,
        "versions": versions(),
        "machine": machine(),
        "parts": {},
    }


def finished(manifest: dict[str, Any], findings: Any) -> dict[str, Any]:
    """The manifest of an analysis with these findings; costly parts are not computed for their digest."""
    parts = {"findings": digest_of(json.dumps(to_plain(findings, costly=False)))[:32]}
    return manifest | {"complete": True, "parts": parts}
