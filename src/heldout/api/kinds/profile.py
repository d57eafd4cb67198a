"""Results of `profile` and `convert`: a data set in numbers, as read and after each filter."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from heldout.api.kinds.kind import Kind, StoredFrame
from heldout.api.results import Results
from heldout.data.profile import ProfileRecord, counts_in_words
from heldout.experiment.ledger import Ledger

if TYPE_CHECKING:
    from rich.console import Group

    from heldout.api.tables import Frames


class ProfileKind(Kind[ProfileRecord]):
    """A data set; results made here have its ratings too."""

    name = "profile"
    file = "profile.json"
    findings = ProfileRecord
    main = "all-rows"
    stored = (
        StoredFrame(file="table", name="all-rows", title="One row per step", of=lambda findings: findings.table),
        StoredFrame(
            file="curves",
            name="all-curves",
            title="One row per picture, step and bar or point",
            of=lambda findings: findings.curves,
        ),
    )
    other = "these are not results of heldout data describe"
    unfinished = "the profile was not written whole"

    def write(self, results: Results[ProfileRecord], folder: str | Path) -> None:
        ledger = Ledger(folder)
        with ledger.writing():
            ledger.write_manifest(results.manifest)
        super().write(results, folder)

    def verdict(self, results: Results[ProfileRecord]) -> str:
        return f"{counts_in_words(results.findings.last)}."

    def frames(self, results: Results[ProfileRecord]) -> Frames:
        frames = dict(super().frames(results))
        if results._source is not None:
            frames["ratings"] = ("One row per rating that the filters left", results._source.to_polars)
        return frames

    def entries(self, results: Results[ProfileRecord]) -> Any:
        from heldout.reports.figures import PROFILE
        from heldout.reports.profile_views import data_facts

        return PROFILE, data_facts(results.findings)

    def html(self, results: Results[ProfileRecord]) -> str:
        from heldout.reports.page.profile import to_html

        return to_html(results.findings)

    def fragment(self, results: Results[ProfileRecord]) -> str:
        from heldout.reports.page.profile import html_fragment

        return str(html_fragment(results.findings))

    def terminal(self, results: Results[ProfileRecord], width: int | None = None, *, full: bool = False) -> Group:
        from rich.console import Group

        from heldout.reports.terminal.profiles import render_profiles

        columns = [f"{results.findings.columns_read}\n"] if results.findings.columns_read else []
        return Group(*columns, render_profiles(results.findings.steps, width=width))


KIND = ProfileKind()
