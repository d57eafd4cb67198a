"""What was run again, in words: how many numbers agree and claims hold, what is not counted, and reasons."""

from __future__ import annotations

from collections.abc import Sequence

from heldout.papers.findings import ExperimentFindings, FigureRow, PaperFindings, ReproductionFindings, Verdict
from heldout.text.numbers import counted
from heldout.text.phrases import listed

VERDICTS: tuple[Verdict, ...] = ("holds", "does not hold here", "cannot be tested")
_PLURALS: dict[Verdict, str] = {
    "holds": "hold",
    "does not hold here": "do not hold here",
    "cannot be tested": "cannot be tested",
}


def reproduction_sentence(record: ReproductionFindings) -> str:
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
        n = _agree(sizes)
        words = f"{n} of {counted(len(sizes), 'size')} of data"
        verb = ("do", "does") if figures else ("agree", "agrees")
        parts.append(f"so {verb[n == 1]} {words}" if figures else f"{words} {verb[n == 1]}")
    return parts


def _agree(rows: Sequence[FigureRow]) -> int:
    return sum(row.agrees is True for row in rows)


def _verdicts(record: ReproductionFindings, *, extension: bool) -> str:
    counts = {verdict: record.count(verdict, extension=extension) for verdict in VERDICTS}
    if not any(counts.values()):
        return ""
    words = listed([f"{n} {verdict if n == 1 else _PLURALS[verdict]}" for verdict, n in counts.items() if n])
    whose = " on other data or systems than the papers’" if extension else ""
    return f"of {counted(sum(counts.values()), 'claim')}{whose} {words}"


def uncounted_sentence(record: ReproductionFindings) -> str:
    """What the sentence does not count; empty if it counts all, or where data are simulated."""
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


def reasons(experiment: ExperimentFindings) -> tuple[str, ...]:
    """Why numbers do not agree and claims do not hold, each reason once; rows name them by their place, from 1 on."""
    causes = (*(row.causes for row in experiment.rows), *(claim.causes for claim in experiment.claims))
    return tuple(dict.fromkeys(cause for of_row in causes for cause in of_row))


def reason_words(every: Sequence[str]) -> list[str]:
    """(1) Why, for the list below the tables."""
    return [f"({place}) {cause}" for place, cause in enumerate(every, 1)]


def cause_places(causes: Sequence[str], every: Sequence[str]) -> str:
    """The places of causes among the reasons of an experiment, behind a blank: (1, 2)."""
    return f" ({', '.join(str(every.index(cause) + 1) for cause in causes)})" if causes else ""


def missing_words(experiment: ExperimentFindings) -> str:
    """Which files are missing and what they hold; empty if there is nothing to say."""
    if not experiment.missing:
        return ""
    return (
        f"Not run: the data folder lacks {listed(list(experiment.missing))}. heldout reproduce lists what lines of it hold."
    )


def paper_words(paper: PaperFindings) -> str:
    """Who, and how much of it was run."""
    run = sum(not experiment.missing for experiment in paper.experiments)
    lacking = len(paper.experiments) - run
    return f"{counted(run, 'experiment')} run" + (f", {lacking} without data" if lacking else "")


def place_words(published: float, numbers: Sequence[float]) -> str:
    """Where a published p-value lies among those of the splits."""
    if not numbers:
        return ""
    below = sum(p < published for p in numbers)
    return f"above {below} of {len(numbers)}"
