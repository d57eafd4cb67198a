"""Results of `profile` and `convert`: a data set in numbers, as read and after each filter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from heldout.api.kinds.kind import Kind, StoredFrame
from heldout.api.results import Results
from heldout.data.profile import DataSteps, ProfileRecord, counts_in_words

if TYPE_CHECKING:
    from heldout.api.tables import Frames
    from heldout.reports.document import Document


class ProfileKind(Kind[ProfileRecord]):
    """A data set; results made here have its ratings too."""

    name = "profile"
    label = "Data profile"
    file = "profile.json"
    findings = ProfileRecord
    main = "all-rows"
    stored = (
        StoredFrame(file="table", name="all-rows", title="One row per step", attribute="table"),
        StoredFrame(
            file="curves",
            name="all-curves",
            title="One row per picture, step and bar or point",
            attribute="curves",
        ),
    )
    unfinished = "the profile was not written whole"
    report = "heldout.reports.profile"

    def data_sets(self, results: Results[ProfileRecord]) -> Sequence[DataSteps]:
        return ()

    def verdict(self, results: Results[ProfileRecord]) -> str:
        return f"{counts_in_words(results.findings.last)}."

    def frames(self, results: Results[ProfileRecord]) -> Frames:
        frames = dict(super().frames(results))
        if results._source is not None:
            frames["ratings"] = ("One row per rating that the filters left", results._source.to_polars)
        return frames

    def document(self, results: Results[ProfileRecord], *, reviewed: bool = True) -> Document:
        from heldout.reports.profile import document

        return document(results.findings)


KIND = ProfileKind()
