"""Papers run again: published numbers next to measured ones, claims with their verdicts, and what could not be run."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from heldout.analysis.choices import ProtocolFacts
from heldout.data.profile import DataSteps
from heldout.papers.findings import ClaimRow, ExperimentFindings, FigureRow, PaperFindings, ReproductionFindings
from heldout.papers.sentences import (
    cause_places,
    missing_words,
    paper_words,
    reason_words,
    reasons,
    reproduction_sentence,
    uncounted_sentence,
)
from heldout.reports import protocol
from heldout.reports.charts import data as data_charts
from heldout.reports.charts import reproduction as reproduction_charts
from heldout.reports.columns import Column
from heldout.reports.document import Block, Builders, Chart, Document, Listing, Section, Table, Text, Verbatim, code, link
from heldout.reports.profile import data_section, data_tables
from heldout.review.reviewed_papers import PaperFinding, PaperReview
from heldout.words import count, counted, listed, rough_seconds

TITLE = "Published beside measured"
SIMULATED = "Simulated data replace those of the papers: this shows that the experiments run, and nothing about the papers."
READING = (
    "Measured is the mean over splits, or the median for p-values.",
    "Over splits: the range in which one further split lies with 95% (mean ± t·s·√(1 + 1/n)). For p-values it is the least "
    "and the greatest. By chance alone a sixth split lies outside those of five once in three times.",
    "A published number agrees if it lies in that range. With five splits the range is ± 3 standard deviations: agreement "
    'is weak evidence. For a published p-value, "above 2 of 5" means that two of five splits have a lower one.',
    "Rules of claims were written before their experiment was run unless a note says otherwise. They have no tolerance but "
    "those they name.",
    "Numbers in brackets lead to the reasons below a table: why a number does not agree or a claim does not hold, or what "
    "was ruled out. The figures in reasons come from further runs, which are not part of this command.",
)
"""How to read the tables."""
MARKS = {"holds": "✓", "does not hold here": "✗", "cannot be tested": "?"}
_SOURCE = "Where the paper says so"
_CHOICES = "What each paper chose in its main experiment. What was done for a table or figure is described there."
_LINT = (
    "What a reviewer would ask of the studies that were run for each table and figure, as the paper describes them. It "
    "concerns the protocol only, and some of these choices are what the paper is about."
)


def document(
    findings: ReproductionFindings, published: ProtocolFacts | None = None, reviews: Sequence[PaperReview] = ()
) -> Document:
    """All that a report shows. `published` is what the papers chose; `reviews` are what lint finds in their studies."""
    overview = experiments_table(findings)
    several = len(findings.experiments) > 1
    evidence = [Section(id="experiments", title="Experiments", blocks=(overview,))] if overview and several else []
    for paper in findings.papers:
        evidence += _paper(paper)
    reading = Section(id="reading", title="How to read the tables", blocks=(Listing(tuple(map(Text, READING))),))
    numbers = [reproduction_sentence(findings), uncounted_sentence(findings)]
    numbers += [SIMULATED] if findings.simulated else [_missing(findings)]
    return Document(
        kind="reproduction",
        title=TITLE,
        facts=tuple(f"{paper.name}: {paper_words(paper)}" for paper in findings.papers),
        answer=answer(findings),
        numbers=tuple(Text(sentence) for sentence in numbers if sentence),
        main=overview if several else _first_table(findings),
        sections=(*evidence, reading),
        appendix=(*_appendix(published, reviews), _command(findings)),
        files="All numbers are in reproduction.json, table.parquet and claims.parquet.",
    )


def _missing(findings: ReproductionFindings) -> str:
    """Which experiments were not run, and the files that they need; empty if all were run."""
    lost = [experiment for experiment in findings.experiments if experiment.missing]
    files = list(dict.fromkeys(file for experiment in lost for file in experiment.missing))
    if not lost:
        return ""
    were = "experiment was" if len(lost) == 1 else "experiments were"
    return f"{count(len(lost))} {were} not run: the data folder lacks {listed(files)}."


def answer(findings: ReproductionFindings) -> str:
    """How many published numbers agree and how many claims hold, of those that could be tested."""
    figures = [row for row in findings.numbers if row.agrees is not None and row.standing != "size"]
    parts = []
    if figures:
        agreeing = sum(row.agrees is True for row in figures)
        parts.append(f"{agreeing} of {count(len(figures))} published numbers {'agrees' if agreeing == 1 else 'agree'}")
    held, broken = (
        sum(findings.count(verdict, extension=extension) for extension in (False, True))
        for verdict in ("holds", "does not hold here")
    )
    if held + broken:
        parts.append(f"{held} of {count(held + broken)} claims {'holds' if held == 1 else 'hold'}")
    if not parts:
        return "Nothing could be compared."
    return f"{'On simulated data, ' if findings.simulated else ''}{' and '.join(parts)}."


def tables(findings: ReproductionFindings, published: ProtocolFacts | None = None) -> Builders:
    """Tables by name: those of each experiment, and of the protocols."""
    builders: dict[str, Callable[[], Table | None]] = {"experiments": partial(experiments_table, findings)}
    for experiment in findings.experiments:
        builders[_name(experiment)] = partial(numbers_table, experiment)
        builders[f"{_name(experiment)}-claims"] = partial(claims_table, experiment)
    if published is not None:
        builders |= {**protocol.tables(published), **data_tables(published.data)}
        builders["choices"] = partial(protocol.choices, published.choices, _SOURCE)
    return builders


def charts(findings: ReproductionFindings, data_sets: Sequence[DataSteps] = ()) -> dict[str, Callable[[], Chart | None]]:
    """Figures by name: those of the papers, as paper/experiment, and of the data."""
    return reproduction_charts.charts(findings) | data_charts.charts(data_sets)


def _name(experiment: ExperimentFindings) -> str:
    return f"{experiment.paper}-{experiment.key}"


def experiments_table(findings: ReproductionFindings) -> Table | None:
    """One row for each table and figure that was asked for."""
    if not findings.experiments:
        return None
    columns = (
        Column(name="Experiment", kind="text"),
        Column(name="Paper", kind="text"),
        Column(name="Numbers", kind="count", fold=False),
        Column(name="Agree", kind="count", fold=False),
        Column(name="Claims", kind="count", fold=False),
        Column(name="Hold", kind="count", fold=False),
        Column(name="Untested claims", kind="count", head="Untested", fold=False),
        Column(name="Title", kind="text", lines=True, fold=False),
    )
    rows = []
    for paper in findings.papers:
        for experiment in paper.experiments:
            tested = [row for row in experiment.rows if row.agrees is not None and row.standing != "reading"]
            verdicts = [claim.verdict for claim in experiment.claims]
            agreeing, held = sum(row.agrees is True for row in tested), verdicts.count("holds")
            unknown = verdicts.count("cannot be tested")
            counts = (len(tested), agreeing, len(verdicts) - unknown, held, unknown)
            rows.append((experiment.key, paper.name, *counts, experiment.title))
    return Table(
        name="experiments",
        title="Experiments",
        caption="Published numbers and claims that could be tested, how many agree and hold, and claims that could not.",
        columns=columns,
        rows=rows,
        subject="experiments",
    )


def numbers_table(experiment: ExperimentFindings) -> Table | None:
    """Published numbers next to measured ones, with one decimal more than the paper prints."""
    if not experiment.rows:
        return None
    why = reasons(experiment)
    rows = experiment.rows
    printed = tuple(None if row.kind == "p" and row.published else row.decimals for row in rows)
    finer = tuple(None if row.kind == "p" else row.decimals + (row.standing != "size") for row in rows)
    columns = (
        Column(name="Number", kind="text", fold=False),
        Column(name="Column", kind="text", lines=True),
        Column(name="published", kind="value", digits=printed),
        Column(name="measured", kind="value", digits=finer),
        Column(name="difference", kind="value", digits=finer, signed=True, fold=True),
        Column(name="over splits", kind="interval", head="range over splits", digits=finer, fold=True, means=READING[1]),
        Column(name="agrees", kind="text", lines=True, fold=False),
        Column(name="remark", kind="text"),
    )
    return Table(
        name=_name(experiment),
        title=f"Published and measured, {_head(experiment)}",
        caption=f"Numbers that the paper prints, and the same measured on {experiment.data}. {' '.join(READING[:3])}",
        columns=columns,
        rows=[_number(row, why) for row in rows],
        subject="numbers",
    )


def _number(row: FigureRow, why: Sequence[str]) -> tuple[object, ...]:
    if row.kind == "p":
        agrees = row.place if row.splits else "cannot be tested"
    else:
        untested = "" if row.splits else "cannot be tested"
        agrees = {True: "yes", False: f"no{cause_places(row.causes, why)}", None: untested}[row.agrees]
    spread = None if math.isnan(row.low) or row.splits < 2 else (float(row.low), float(row.high))
    return (
        row.row,
        row.column or None,
        float(row.published),
        _present(row.measured),
        _present(row.difference),
        spread,
        agrees or None,
        row.remark or None,
    )


def _present(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def claims_table(experiment: ExperimentFindings) -> Table | None:
    """Sentences of the paper, their rules, and whether they hold."""
    if not experiment.claims:
        return None
    why = reasons(experiment)
    return Table(
        name=f"{_name(experiment)}-claims",
        title=f"Claims, {_head(experiment)}",
        caption=f"Sentences of the paper, each with the rule by which it holds, tested on {experiment.data}.",
        columns=(
            Column(name="The paper", kind="text", lines=True, fold=False),
            Column(name="Holds if", kind="text", lines=True, fold=False),
            Column(name="Here", kind="text", fold=False),
            Column(name="Figures", kind="text", lines=True, fold=False),
        ),
        rows=[(f"{c.words} ({c.section})", c.rule, _verdict(c, why), c.figures) for c in experiment.claims],
        subject="claims",
    )


def _verdict(claim: ClaimRow, why: Sequence[str]) -> str:
    """✓ holds. A claim that does not hold has the places of its causes among the reasons of the experiment."""
    return f"{MARKS[claim.verdict]} {claim.verdict}{cause_places(claim.causes, why)}"


def _head(experiment: ExperimentFindings) -> str:
    """fig-2: NDCG@10 by split ratio."""
    return f"{experiment.key}: {experiment.title}"


def _first_table(findings: ReproductionFindings) -> Table | None:
    """Of a single experiment: its numbers, or its claims."""
    for experiment in findings.experiments:
        for table in (numbers_table(experiment), claims_table(experiment)):
            if table is not None:
                return replace(table, caption="")
    return None


def _paper(paper: PaperFindings) -> Iterator[Section]:
    notes = (Listing(tuple(map(Text, paper.notes))),) if paper.notes else ()
    yield Section(id=paper.key, title=paper.name, blocks=notes)
    for experiment in paper.experiments:
        title = f"{_head(experiment)} ({experiment.data})"
        yield Section(id=_name(experiment), title=title, blocks=tuple(_experiment(experiment, title)), level=2)


def _experiment(experiment: ExperimentFindings, title: str) -> Iterator[Block]:
    yield Text(experiment.did, note=True)
    if experiment.missing:
        yield Text(missing_words(experiment))
    if experiment.panels:
        yield replace(reproduction_charts.chart(experiment), title=title)
    for table, name in ((numbers_table(experiment), "Numbers"), (claims_table(experiment), "Claims")):
        if table is not None:  # the sections say the rest
            yield replace(table, title=name, caption="")
    notes = (*reason_words(reasons(experiment)), *experiment.failures, *experiment.notes)
    if notes:
        yield Listing(tuple(map(Text, notes)))


def _appendix(published: ProtocolFacts | None, reviews: Sequence[PaperReview]) -> Iterator[Section]:
    if published is not None:
        data = [section] if (section := data_section(published.data)) is not None else []
        note = Text(_CHOICES, note=True) if published.choices else None
        sections = protocol.appendix(published, data=data, meaning=_SOURCE, note=note)
        places = [section.id for section in sections]
        after = next((places.index(key) for key in ("references", "manifest") if key in places), len(places))
        yield from (*sections[:after], *_lint(reviews), *sections[after:])
    else:
        yield from _lint(reviews)


def _lint(reviews: Sequence[PaperReview]) -> Iterator[Section]:
    if not reviews:
        return
    columns = (
        Column(name="Paper", kind="text"),
        Column(name="Code", kind="text", fold=False),
        Column(name="Severity", kind="text"),
        Column(name="Finding", kind="text", lines=True, fold=False),
        Column(name="What to change", kind="text", lines=True, fold=False),
        Column(name="Tables and figures", kind="text", lines=True, fold=False),
    )
    rows = [_finding(review, entry) for review in reviews for entry in review.findings]
    studies = sum(review.studies for review in reviews)
    found = f"{counted(studies, 'study', 'studies')}, {counted(len(rows), 'finding')}"
    table = Table(name="lint", title="Findings of lint", columns=columns, rows=rows, subject="findings", most=20)
    blocks: tuple[Block, ...] = (Text(_LINT, note=True), table) if rows else (Text(f"{found}."),)
    yield Section(id="lint", title="Lint", blocks=blocks, summary=found)


def _finding(review: PaperReview, entry: PaperFinding) -> tuple[object, ...]:
    finding = entry.finding
    message, change = Text.coded(finding.message), Text.coded(finding.change)
    places = [piece for key in entry.experiments for piece in (", ", link(key, f"#{review.paper.key}-{key}"))]
    return review.paper.name, Text(code(finding.code)), finding.severity, message, change, Text(*places[1:])


def _command(findings: ReproductionFindings) -> Section:
    return Section(id="command", title="Command", blocks=(Verbatim(findings.command),), summary="to do the same again")


def listing(rows: Sequence[Mapping[str, Any]]) -> Iterator[Table]:
    """A table of the experiments of each paper, and one of the data that they need, from rows of `list_experiments`."""
    for paper in dict.fromkeys(row["paper"] for row in rows):
        of_paper = [row for row in rows if row["paper"] == paper]
        columns = (
            Column(name="Experiment", kind="text", fold=False),
            Column(name="Data", kind="text", fold=False),
            Column(name="Numbers", kind="count", fold=False),
            Column(name="Claims", kind="count", fold=False),
            Column(name="Takes", kind="text", fold=False),
            Column(name="Here", kind="text"),
            Column(name="Title", kind="text", lines=True, fold=False),
        )
        cells = [_listed(row) for row in of_paper]
        title = f"{paper}: {of_paper[0]['name']}"
        table = Table(name=paper, title=title, columns=columns, rows=cells, subject="experiments")
        yield table if any(table.values("Here")) else table.without("Here")
    of_data = (
        Column(name="Name", kind="text", fold=False),
        Column(name="Data set", kind="text", lines=True, fold=False),
        Column(name="Files below the data folder", kind="text", lines=True, fold=False),
        Column(name="Layout of their lines", kind="text", lines=True, fold=False),
    )
    needed = {row["needs"]: (row["needs"], row["data"], listed(row["files"]), row["layout"]) for row in rows}
    yield Table(name="data", title="Data", columns=of_data, rows=list(needed.values()), subject="data sets")


def _listed(row: Mapping[str, Any]) -> tuple[object, ...]:
    here = None if row["missing"] is None else "no" if row["missing"] else "yes"
    takes = rough_seconds(60 * row["minutes"])
    return row["experiment"], row["needs"], row["numbers"], row["claims"], takes, here, row["title"]
