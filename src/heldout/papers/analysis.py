"""The papers that can be run again, and their findings: published numbers next to measured ones, claims judged by rules."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from heldout import NotApplicableError, UnknownNameError
from heldout.aggregations.moments import t_quantile
from heldout.papers.bellogin2011.paper import PAPER as BELLOGIN_2011
from heldout.papers.bellogin2017.paper import PAPER as BELLOGIN_2017
from heldout.papers.bench import PaperBench
from heldout.papers.canamares2020.paper import PAPER as CANAMARES_2020
from heldout.papers.findings import ClaimRow, ExperimentFindings, FigureRow, PaperFindings
from heldout.papers.gunawardana2009.paper import PAPER as GUNAWARDANA_2009
from heldout.papers.paper import Claim, ClaimFinding, Expectation, Experiment, MeasuredTables, Paper
from heldout.papers.sentences import place_words
from heldout.papers.valcarce2018.paper import PAPER as VALCARCE_2018
from heldout.progress import Progress, WorkBar
from heldout.text.phrases import listed

PAPERS: tuple[Paper, ...] = (GUNAWARDANA_2009, BELLOGIN_2011, BELLOGIN_2017, VALCARCE_2018, CANAMARES_2020)


def paper_of(key: str) -> Paper:
    """The paper of a key; UnknownNameError where there is none."""
    by_key = {paper.key: paper for paper in PAPERS}
    if key not in by_key:
        raise UnknownNameError("paper", key, by_key)
    return by_key[key]


SPREAD = 0.95
"""The share of further splits that the interval next to a measured number holds."""


def experiments_of(paper: Paper, keys: Sequence[str]) -> tuple[Experiment, ...]:
    """The experiments of these keys, or all; UnknownNameError where the paper has no such table or figure."""
    by_key = {experiment.key: experiment for experiment in paper.experiments}
    for key in keys:
        if key not in by_key:
            raise UnknownNameError("experiment", key, by_key, where=paper.key)
    return tuple(by_key[key] for key in dict.fromkeys(keys)) if keys else paper.experiments


def paper_findings(paper: Paper, keys: Sequence[str], bench: PaperBench) -> PaperFindings:
    """Run the experiments of a paper, one after the other."""
    records = []
    for experiment in experiments_of(paper, keys):
        with bench.experiment(f"{paper.key} {experiment.key}"):
            records.append(_experiment_findings(paper, experiment, bench))
    return PaperFindings(
        key=paper.key, name=paper.name, reference=paper.reference, notes=paper.notes, experiments=tuple(records)
    )


def work_bar(papers: Sequence[Paper], keys: Sequence[str], bench: PaperBench, progress: Progress | None) -> WorkBar:
    """Progress over the experiments that have their data.

    Each weighs the minutes that it is said to take, on simulated data the same; one that shares its work with an earlier
    one takes no more.
    """
    weights: dict[str, float] = {}
    begun: list[tuple[object, object]] = []
    for paper in papers:
        for experiment in experiments_of(paper, keys):
            work = (experiment.work, experiment.data)
            if not bench.missing(experiment.data):
                weight = 1.0 if bench.simulated else experiment.minutes
                weights[f"{paper.key} {experiment.key}"] = 0.0 if work in begun else weight
                begun.append(work)
    return WorkBar(progress, dict.fromkeys(weights, 1), weights=weights)


def _experiment_findings(paper: Paper, experiment: Experiment, bench: PaperBench) -> ExperimentFindings:
    missing = bench.missing(experiment.data)
    measured = None if missing else experiment.work.measure(bench, experiment.data)
    return ExperimentFindings(
        paper=paper.key,
        key=experiment.key,
        title=experiment.title,
        did=experiment.did,
        data=experiment.data.stand_in if bench.simulated else experiment.data.title,
        missing=missing,
        rows=tuple(figure_row(expectation, measured, simulated=bench.simulated) for expectation in experiment.expectations),
        claims=tuple(claim_row(claim, measured, missing, simulated=bench.simulated) for claim in experiment.claims),
        panels=experiment.draw(measured) if measured is not None and experiment.draw is not None else (),
        notes=experiment.notes,
        failures=measured.failures if measured is not None else (),
        extension=experiment.extension,
    )


def figure_row(expectation: Expectation, measured: MeasuredTables | None, *, simulated: bool = False) -> FigureRow:
    """A published number next to what was measured, on one split or several; simulated data cannot agree with it."""
    numbers = [x for x in expectation.pick(measured) if math.isfinite(x)] if measured is not None else []
    low, high = _least_and_most(numbers) if expectation.kind == "p" else _further_split(numbers)
    middle = np.median if expectation.kind == "p" else np.mean
    centre = float(middle(numbers)) if numbers else float("nan")
    agrees = None if simulated else _agrees(expectation, numbers, low, high)
    return FigureRow(
        row=expectation.row,
        column=expectation.column,
        kind=expectation.kind,
        published=expectation.published,
        decimals=expectation.decimals,
        measured=centre,
        difference=float("nan") if expectation.kind == "p" else centre - expectation.published,
        low=low,
        high=high,
        splits=len(numbers),
        agrees=agrees,
        place=place_words(expectation.published, numbers) if expectation.kind == "p" else "",
        remark=expectation.remark,
        standing=expectation.standing,
        same=expectation.same,
        causes=expectation.causes if agrees is False else (),
    )


def _agrees(expectation: Expectation, numbers: Sequence[float], low: float, high: float) -> bool | None:
    """True if the published number, printed with few decimals, may be that of a further split."""
    half = 0.5 * 10.0**-expectation.decimals
    if expectation.kind == "count" and numbers:
        return all(abs(x - expectation.published) <= half for x in numbers)
    if expectation.kind == "p" or math.isnan(low):
        return None
    return low - half <= expectation.published <= high + half


def _further_split(numbers: Sequence[float]) -> tuple[float, float]:
    """Where the number of one more split lies with 95 %, if those of splits are normal: mean ± t s √(1 + 1/n)."""
    if len(numbers) < 2:
        return float("nan"), float("nan")
    n = len(numbers)
    reach = t_quantile((1 + SPREAD) / 2, n - 1) * np.std(numbers, ddof=1) * math.sqrt(1 + 1 / n)
    return float(np.mean(numbers) - reach), float(np.mean(numbers) + reach)


def _least_and_most(numbers: Sequence[float]) -> tuple[float, float]:
    return (min(numbers), max(numbers)) if numbers else (float("nan"), float("nan"))


def _finding(claim: Claim, measured: MeasuredTables) -> ClaimFinding:
    try:
        return claim.check(measured)
    except NotApplicableError as error:
        why = f" ({'; '.join(measured.failures)})" if measured.failures else ""
        return ClaimFinding(None, f"{error}{why}")


def claim_row(claim: Claim, measured: MeasuredTables | None, missing: Sequence[str], *, simulated: bool = False) -> ClaimRow:
    """A claim by its rule; one that needs data that are not there cannot be tested. Causes are of the paper's data."""
    if measured is None:
        verdict, figures = "cannot be tested", f"the data folder lacks {listed(list(missing))}"
    else:
        finding = _finding(claim, measured)
        verdict = {True: "holds", False: "does not hold here", None: "cannot be tested"}[finding.holds]
        figures = finding.figures
    return ClaimRow(
        words=claim.words,
        section=claim.section,
        rule=claim.rule,
        verdict=verdict,  # type: ignore[arg-type]
        figures=figures,
        causes=claim.causes if verdict == "does not hold here" and not simulated else (),
    )
