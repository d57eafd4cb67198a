"""The experiments of papers that can be run again, and the data that they need, as tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any

from heldout.reports.columns import Field
from heldout.reports.document import Table
from heldout.text.numbers import rough_seconds
from heldout.text.phrases import listed

TITLE = "Published beside measured"


def listing(rows: Sequence[Mapping[str, Any]]) -> Iterator[Table]:
    """A table of the experiments of each paper, and one of the data that they need, from rows of `list_experiments`."""
    for paper in dict.fromkeys(row["paper"] for row in rows):
        of_paper = [row for row in rows if row["paper"] == paper]
        table = Table.of_records(
            of_paper,
            (
                Field("Experiment", "text", itemgetter("experiment")),
                Field("Data", "text", itemgetter("needs"), fold=False),
                Field("Numbers", "count", itemgetter("numbers"), fold=False),
                Field("Claims", "count", itemgetter("claims"), fold=False),
                Field("Takes", "text", lambda row: rough_seconds(60 * row["minutes"]), fold=False),
                Field("Here", "text", _here),
                Field("Title", "text", itemgetter("title"), lines=True, fold=False),
            ),
            name=paper,
            title=f"{paper}: {of_paper[0]['name']}",
            subject="experiments",
        )
        yield table if any(table.values("Here")) else table.without("Here")
    yield Table.of_records(
        {row["needs"]: row for row in rows}.values(),
        (
            Field("Name", "text", itemgetter("needs")),
            Field("Data set", "text", itemgetter("data"), lines=True),
            Field("Files below the data folder", "text", lambda row: listed(row["files"]), lines=True),
            Field("Layout of their lines", "text", itemgetter("layout"), lines=True),
        ),
        name="data",
        title="Data",
        subject="data sets",
        folding=False,
    )


def _here(row: Mapping[str, Any]) -> str | None:
    """Whether the files that an experiment needs are in the data folder; None if that is not known."""
    return None if row["missing"] is None else "no" if row["missing"] else "yes"
