"""What every form of a reproduction draws alike: numbers in words, verdicts, and the sentence at the top."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from heldout.papers.record import ClaimRow, ExperimentRecord, FigureRow, PaperRecord, ReproductionRecord, Verdict
from heldout.words import ABSENT, counted, exact_p, interval, listed, number, p_number, signed

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
VERDICTS: tuple[Verdict, ...] = ("holds", "does not hold here", "cannot be tested")
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


def reasons(experiment: ExperimentRecord) -> tuple[str, ...]:
    """Why numbers do not agree and claims do not hold, each reason once; rows name them by their place, from 1 on."""
    causes = (*(row.causes for row in experiment.rows), *(claim.causes for claim in experiment.claims))
    return tuple(dict.fromkeys(cause for of_row in causes for cause in of_row))


def reason_words(every: Sequence[str]) -> list[str]:
    """(1) Why, for the list below the tables."""
    return [f"({place}) {cause}" for place, cause in enumerate(every, 1)]


def _places(causes: Sequence[str], every: Sequence[str]) -> str:
    """The places of causes among the reasons of an experiment, behind a blank: (1, 2)."""
    return f" ({', '.join(str(every.index(cause) + 1) for cause in causes)})" if causes else ""


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
        agrees={True: "yes", False: f"no{_places(row.causes, every)}", None: "" if row.splits else UNTESTED}[row.agrees],
        remark=row.remark,
    )


def figure_columns(cells: Sequence[FigureCells]) -> list[int]:
    """Which of `HEADS` have a word in any row."""
    return [k for k in range(len(HEADS)) if any(row.texts[k] for row in cells)]


def _p(value: float) -> str:
    return f"{value:.1e}" if 0 < value < 0.001 else f"{value:.3g}"


def claim_head(claim: ClaimRow, every: Sequence[str] = ()) -> str:
    """✓ holds. Of a claim that does not, the places of its causes among the `reasons` of the experiment."""
    return f"{MARKS[claim.verdict]} {claim.verdict}{_places(claim.causes, every)}"


def experiment_head(experiment: ExperimentRecord) -> str:
    """fig-2: NDCG@10 by split ratio."""
    return f"{experiment.key}: {experiment.title}"


def missing_words(experiment: ExperimentRecord) -> str:
    """Which files are missing and what they hold; empty where there is nothing to say."""
    if not experiment.missing:
        return ""
    return (
        f"Not run: the data folder lacks {listed(list(experiment.missing))}. heldout reproduce lists what lines of it hold."
    )


def sentence(record: ReproductionRecord) -> str:
    """How many numbers agree and how many claims hold; each number once, sizes and extensions apart."""
    parts = [
        *_agreeing([row for row in record.numbers if row.agrees is not None]),
        *(_verdicts(record, extension=extension) for extension in (False, True)),
    ]
    text = "; ".join(part for part in parts if part)
    return f"{text[:1].upper()}{text[1:]}." if text else "Nothing was compared."


def _agreeing(rows: Sequence[FigureRow]) -> list[str]:
    """Of numbers with a verdict: figures of experiments, those of them whose parameters were fitted, and sizes."""
    figures, sizes = ([row for row in rows if (row.standing == "size") == size] for size in (False, True))
    fitted = [row for row in figures if row.standing == "fitted"]
    parts = []
    if figures:
        n = _agree(figures)
        words = f"{n} of {counted(len(figures), 'published number')} {'agrees' if n == 1 else 'agree'} with what is measured"
        parts.append(
            words
            + (f" ({_agree(fitted)} of {len(fitted)} where a parameter was fitted to published ones)" if fitted else "")
        )
    if sizes:
        parts.append(f"so {'does' if _agree(sizes) == 1 else 'do'} {_agree(sizes)} of {counted(len(sizes), 'size')} of data")
    return parts


def _agree(rows: Sequence[FigureRow]) -> int:
    return sum(row.agrees is True for row in rows)


def _verdicts(record: ReproductionRecord, *, extension: bool) -> str:
    counts = {verdict: record.count(verdict, extension=extension) for verdict in VERDICTS}
    if not any(counts.values()):
        return ""
    words = listed([f"{n} {verdict if n == 1 else _PLURALS[verdict]}" for verdict, n in counts.items() if n])
    whose = " on other data or systems than the papers’" if extension else ""
    return f"of {counted(sum(counts.values()), 'claim')}{whose} {words}"


def uncounted(record: ReproductionRecord) -> str:
    """What the sentence does not count; empty where it counts all, or where data are simulated."""
    if record.simulated:
        return ""
    numbers = record.numbers
    p_values = [row for row in numbers if row.kind == "p" and row.splits > 1]
    among = sum(row.low <= row.published <= row.high for row in p_values)
    single = sum(row.agrees is None and row.kind != "p" and row.splits > 0 for row in numbers)
    absent = sum(row.splits == 0 for row in numbers)
    readings = sum(row.standing == "reading" for experiment in record.experiments for row in experiment.rows)
    parts = [
        f"{counted(len(p_values), 'p-value')}, of which {among} {'lies' if among == 1 else 'lie'} among those of the splits"
        if p_values
        else "",
        f"{counted(single, 'number')} of one split, where chance cannot be told" if single else "",
        f"{counted(absent, 'number')} whose data are not here" if absent else "",
        f"{counted(readings, 'row')} of other readings than the papers’ words" if readings else "",
    ]
    text = "; ".join(part for part in parts if part)
    return f"Each published number is counted once. Not counted: {text}." if text else ""


_PLURALS: dict[Verdict, str] = {
    "holds": "hold",
    "does not hold here": "do not hold here",
    "cannot be tested": "cannot be tested",
}


def paper_words(paper: PaperRecord) -> str:
    """Who, and how much of it was run."""
    run = sum(not experiment.missing for experiment in paper.experiments)
    lacking = len(paper.experiments) - run
    return f"{counted(run, 'experiment')} run" + (f", {lacking} without data" if lacking else "")
