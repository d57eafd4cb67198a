"""What every form of a reproduction draws alike: numbers in words and verdicts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from heldout.papers.findings import ClaimRow, ExperimentFindings, FigureRow, Verdict
from heldout.papers.sentences import cause_places
from heldout.words import ABSENT, exact_p, interval, number, p_number, signed

TITLE = "Published beside measured"
HEADS = ("", "", "published", "measured", "difference", "over splits", "agrees", "remark")
SIMULATED_NOTE = (
    "Simulated data stand in for those of the papers: this shows that the experiments run, and says nothing of the papers."
)
NOTES = (
    "Measured is the mean over splits, of p-values the median. Over splits: where one further split lies with 95% (mean ±"
    " t·s·√(1 + 1/n)), of p-values the least and the greatest (by chance alone a sixth split lies outside those of five "
    "once in three times); a published number agrees if it lies there. Of five splits that is ± 3 standard deviations: "
    "agreement is weak evidence. Of a published p-value it is said how many of the splits have a lower one: above 2 of 5."
    " Rules of claims were written before their experiment was run unless a note says otherwise, and have no tolerance "
    "but those they name. Numbers in brackets lead to the reasons below: why a number does not agree or a claim does not "
    "hold, or what was ruled out. The figures in reasons are of further runs, which are not part of this command.",
)
UNTESTED: Verdict = "cannot be tested"
MARKS = {"holds": "✓", "does not hold here": "✗", "cannot be tested": "?"}


@dataclass(frozen=True, kw_only=True)
class FigureCells:
    """A published number beside the measured one, in words."""

    row: str
    column: str
    published: str
    measured: str
    difference: str
    spread: str
    agrees: str
    remark: str

    @property
    def texts(self) -> tuple[str, ...]:
        """In the order of `HEADS`."""
        return (self.row, self.column, self.published, self.measured, self.difference, self.spread, self.agrees, self.remark)


def figure_cells(row: FigureRow, every: Sequence[str] = ()) -> FigureCells:
    """The words of a row; one decimal more than the paper prints. `every` are the `reasons` of the experiment."""
    if row.kind == "p":
        measured = exact_p(row.measured) if row.measured < 0.001 else p_number(row.measured)
        spread = f"{_p(row.low)} to {_p(row.high)}" if row.splits > 1 else ""
        published = exact_p(row.published) if 0 < row.published < 0.001 else f"{row.published:g}"
        if row.published == 0:
            published = f"<{10**-row.decimals:g}"  # printed as 0.000
        return FigureCells(
            row=row.row,
            column=row.column,
            published=published,
            measured=measured,
            difference="",
            spread=spread,
            agrees=row.place if row.splits else UNTESTED,
            remark=row.remark,
        )
    digits = row.decimals if row.standing == "size" else row.decimals + 1
    spread = interval(row.low, row.high, digits) if not math.isnan(row.low) else ""
    return FigureCells(
        row=row.row,
        column=row.column,
        published=number(row.published, row.decimals),
        measured=number(row.measured, digits),
        difference=signed(row.difference, digits) if not math.isnan(row.difference) else ABSENT,
        spread=spread,
        agrees={True: "yes", False: f"no{cause_places(row.causes, every)}", None: "" if row.splits else UNTESTED}[
            row.agrees
        ],
        remark=row.remark,
    )


def figure_columns(cells: Sequence[FigureCells]) -> list[int]:
    """Which of `HEADS` have a word in any row."""
    return [k for k in range(len(HEADS)) if any(row.texts[k] for row in cells)]


def _p(value: float) -> str:
    return f"{value:.1e}" if 0 < value < 0.001 else f"{value:.3g}"


def claim_head(claim: ClaimRow, every: Sequence[str] = ()) -> str:
    """✓ holds. Of a claim that does not, the places of its causes among the `reasons` of the experiment."""
    return f"{MARKS[claim.verdict]} {claim.verdict}{cause_places(claim.causes, every)}"


def experiment_head(experiment: ExperimentFindings) -> str:
    """fig-2: NDCG@10 by split ratio."""
    return f"{experiment.key}: {experiment.title}"
