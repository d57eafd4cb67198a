"""Published next to measured, as plain frozen records: terminal, page and files are drawn from them."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

import polars as pl

from heldout.data.profile import ProfiledFindings

Verdict = Literal["holds", "does not hold here", "cannot be tested"]
Standing = Literal["own", "fitted", "size", "reading"]
"""How a published number is measured: as the paper says; with a parameter chosen by looking at published numbers; as a size
of the data; or by another reading than the paper's words, which is shown and not counted."""
BARS_WIDE = 0.8
"""How much of the room of a group its bars fill."""


def bar_place(group: int, number: int, bars: int) -> float:
    """Where the middle of a bar is: the `number`th of so many, in the group at x = `group`."""
    return group + BARS_WIDE * ((number + 0.5) / bars - 0.5)


@dataclass(frozen=True, kw_only=True)
class FigureRow:
    """A published number next to the measured one."""

    row: str
    column: str
    kind: str
    """value, p or count."""
    published: float
    decimals: int
    measured: float
    """Mean over splits, of p-values the median; NaN if nothing was measured."""
    difference: float
    """Measured − published; NaN for p-values, which are placed among those of the splits instead."""
    low: float
    """Where a further split lies with 95 %, by Student's t; of p-values the least of the splits. NaN with one split."""
    high: float
    splits: int
    agrees: bool | None
    """True if the published number lies there; None if it cannot be decided."""
    place: str = ""
    """Of a p-value: where the published one lies among those of the splits."""
    remark: str = ""
    """What differs from the paper's own words."""
    standing: Standing = "own"
    same: str = ""
    """A name for a number that is printed more than once."""
    causes: tuple[str, ...] = ()
    """Of a number that does not agree: why, or what was ruled out."""


@dataclass(frozen=True, kw_only=True)
class ClaimRow:
    """A sentence of the paper, its rule, and whether it holds."""

    words: str
    section: str
    rule: str
    verdict: Verdict
    figures: str
    """The figures that decide it, or why it cannot be tested."""
    causes: tuple[str, ...] = ()
    """Of a claim that does not hold: why, or what was ruled out."""


@dataclass(frozen=True, kw_only=True)
class PlotSeries:
    """One line, or the bars of one system."""

    name: str
    x: tuple[float, ...]
    y: tuple[float | None, ...]
    form: Literal["line", "dashes", "bars", "points"] = "line"
    right: bool = False
    """True if it belongs to the axis on the right."""


@dataclass(frozen=True, kw_only=True)
class Panel:
    """One panel of a figure."""

    title: str
    x_label: str
    y_label: str
    series: tuple[PlotSeries, ...]
    right_label: str = ""
    ticks: tuple[str, ...] = ()
    """Words at x = 0, 1, 2, …"""
    log_x: bool = False
    matrix: bool = False
    """True if each series is a row of a matrix whose columns are `ticks`, drawn as shades with the numbers written in."""


@dataclass(frozen=True, kw_only=True)
class ExperimentFindings:
    """One table or figure, run again."""

    paper: str
    key: str
    title: str
    did: str
    data: str
    missing: tuple[str, ...]
    """Files that the data folder lacks; nothing was run then."""
    rows: tuple[FigureRow, ...]
    claims: tuple[ClaimRow, ...]
    panels: tuple[Panel, ...]
    notes: tuple[str, ...]
    failures: tuple[str, ...] = ()
    extension: bool = False
    """True if data or systems are others than the paper's."""


@dataclass(frozen=True, kw_only=True)
class PaperFindings:
    """One paper, run again."""

    key: str
    name: str
    reference: str
    notes: tuple[str, ...]
    experiments: tuple[ExperimentFindings, ...]


@dataclass(frozen=True, kw_only=True)
class ReproductionFindings(ProfiledFindings):
    """All that was run again in one call."""

    papers: tuple[PaperFindings, ...]
    simulated: bool
    """True if simulated data stood in for those of the papers."""
    command: str
    """The command that does the same again."""

    @property
    def experiments(self) -> list[ExperimentFindings]:
        """Those of all papers."""
        return [experiment for paper in self.papers for experiment in paper.experiments]

    @property
    def numbers(self) -> list[FigureRow]:
        """Each published number once: other readings are left out, and what is printed again."""
        rows = [row for experiment in self.experiments for row in experiment.rows if row.standing != "reading"]
        distinct: dict[str | int, FigureRow] = {}
        for place, row in enumerate(rows):
            distinct.setdefault(row.same or place, row)
        return list(distinct.values())

    def count(self, verdict: Verdict, *, extension: bool) -> int:
        """How many claims of the papers, or of extensions, have this verdict."""
        experiments = [experiment for experiment in self.experiments if experiment.extension == extension]
        return sum(claim.verdict == verdict for experiment in experiments for claim in experiment.claims)

    @property
    def table(self) -> pl.DataFrame:
        """One row per published number."""
        rows = [{"paper": e.paper, "experiment": e.key, **asdict(row)} for e in self.experiments for row in e.rows]
        return pl.DataFrame(rows, schema=_columns(FigureRow), infer_schema_length=None)

    @property
    def claim_table(self) -> pl.DataFrame:
        """One row per claim."""
        rows = [{"paper": e.paper, "experiment": e.key, **asdict(claim)} for e in self.experiments for claim in e.claims]
        return pl.DataFrame(rows, schema=_columns(ClaimRow), infer_schema_length=None)


_TYPES: dict[Any, pl.DataType] = {
    "int": pl.Int64(),
    "float": pl.Float64(),
    "bool | None": pl.Boolean(),
    "tuple[str, ...]": pl.List(pl.String),
}


def _columns(row: type[FigureRow | ClaimRow]) -> dict[str, pl.DataType]:
    """The columns of a table of rows, also if there are no rows."""
    return {
        "paper": pl.String(),
        "experiment": pl.String(),
        **{f.name: _TYPES.get(f.type, pl.String()) for f in fields(row)},
    }
