"""Papers run again: published numbers next to measured ones, claims with their verdicts, and what could not be run."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from heldout.analysis.choices import ProtocolFacts
from heldout.papers import charts as paper_charts
from heldout.papers.findings import ClaimRow, ExperimentFindings, FigureRow, PaperFindings, ReproductionFindings
from heldout.papers.reviewed_papers import PaperFinding, PaperReview
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
from heldout.reports.columns import Field
from heldout.reports.document import (
    Block,
    Builders,
    Charts,
    Document,
    Section,
    Table,
    Text,
    Verbatim,
    code,
    link,
    paragraphs,
    present,
    section,
)
from heldout.reports.experiments import TITLE
from heldout.text.numbers import count, counted
from heldout.text.phrases import listed

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
    note = Text(_CHOICES, note=True) if published is not None and published.choices else None
    numbers = [reproduction_sentence(findings), uncounted_sentence(findings)]
    numbers += [SIMULATED] if findings.simulated else [_missing(findings)]
    return Document(
        kind="reproduction",
        title=TITLE,
        facts=tuple(f"{paper.name}: {paper_words(paper)}" for paper in findings.papers),
        answer=answer(findings),
        numbers=tuple(Text(sentence) for sentence in numbers if sentence),
        main=overview if several else _first_table(findings),
        sections=present(
            (
                section("experiments", "Experiments", overview if several else None),
                section("reading", "How to read the tables", paragraphs(READING)),
                *(part for paper in findings.papers for part in _paper(paper)),
            )
        ),
        appendix=(
            *protocol.appendix(published, lint=_lint(reviews), meaning=_SOURCE, note=note),
            Section(id="command", title="Command", blocks=(Verbatim(findings.command),), summary="to do the same again"),
        ),
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


def tables(findings: ReproductionFindings) -> Builders:
    """Tables of the experiments by name."""
    builders: dict[str, Callable[[], Table | None]] = {"experiments": partial(experiments_table, findings)}
    for experiment in findings.experiments:
        builders[_name(experiment)] = partial(numbers_table, experiment)
        builders[f"{_name(experiment)}-claims"] = partial(claims_table, experiment)
    return builders


def protocol_tables(published: ProtocolFacts) -> Builders:
    """Tables of what the papers chose, by name."""
    return {**protocol.tables(published), "choices": partial(protocol.choices, published.choices, _SOURCE)}


def charts(findings: ReproductionFindings) -> Charts:
    """Figures of the papers by name, as paper/experiment."""
    return paper_charts.charts(findings)


def _name(experiment: ExperimentFindings) -> str:
    return f"{experiment.paper}-{experiment.key}"


def experiments_table(findings: ReproductionFindings) -> Table | None:
    """One row for each table and figure that was asked for."""
    if not findings.experiments:
        return None
    return Table.of_records(
        [_overview(paper, experiment) for paper in findings.papers for experiment in paper.experiments],
        (
            Field("Experiment", "text", 0),
            Field("Paper", "text", 1),
            Field("Numbers", "count", 2, fold=False),
            Field("Agree", "count", 3, fold=False),
            Field("Claims", "count", 4, fold=False),
            Field("Hold", "count", 5, fold=False),
            Field("Untested claims", "count", 6, head="Untested", fold=False),
            Field("Title", "text", 7, lines=True, fold=False),
        ),
        name="experiments",
        title="Experiments",
        caption="Published numbers and claims that could be tested, how many agree and hold, and claims that could not.",
        subject="experiments",
    )


def _overview(paper: PaperFindings, experiment: ExperimentFindings) -> tuple[object, ...]:
    tested = [row for row in experiment.rows if row.agrees is not None and row.standing != "reading"]
    verdicts = [claim.verdict for claim in experiment.claims]
    agreeing, unknown = sum(row.agrees is True for row in tested), verdicts.count("cannot be tested")
    counts = (len(tested), agreeing, len(verdicts) - unknown, verdicts.count("holds"), unknown)
    return experiment.key, paper.name, *counts, experiment.title


def numbers_table(experiment: ExperimentFindings) -> Table | None:
    """Published numbers next to measured ones, with one decimal more than the paper prints."""
    if not experiment.rows:
        return None
    why = reasons(experiment)
    rows = experiment.rows
    printed = tuple(None if row.kind == "p" and row.published else row.decimals for row in rows)
    finer = tuple(None if row.kind == "p" else row.decimals + (row.standing != "size") for row in rows)
    return Table.of_records(
        rows,
        (
            Field("Number", "text", "row", fold=False),
            Field("Column", "text", lambda row: row.column or None, lines=True),
            Field("published", "value", lambda row: float(row.published), digits=printed),
            Field("measured", "value", lambda row: _present(row.measured), digits=finer),
            Field("difference", "value", lambda row: _present(row.difference), digits=finer, signed=True, fold=True),
            Field("over splits", "interval", _spread, READING[1], head="range over splits", digits=finer, fold=True),
            Field("agrees", "text", lambda row: _agreement(row, why), lines=True, fold=False),
            Field("remark", "text", lambda row: row.remark or None),
        ),
        name=_name(experiment),
        title=f"Published and measured, {_head(experiment)}",
        caption=f"Numbers that the paper prints, and the same measured on {experiment.data}. {' '.join(READING[:3])}",
        subject="numbers",
    )


def _agreement(row: FigureRow, why: Sequence[str]) -> str | None:
    """Whether a published number agrees, with the places of the causes if it does not; of a p-value, its place."""
    untested = None if row.splits else "cannot be tested"
    if row.kind == "p":
        return (untested or row.place) or None
    return {True: "yes", False: f"no{cause_places(row.causes, why)}", None: untested}[row.agrees]


def _spread(row: FigureRow) -> tuple[float, float] | None:
    return None if math.isnan(row.low) or row.splits < 2 else (float(row.low), float(row.high))


def _present(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def claims_table(experiment: ExperimentFindings) -> Table | None:
    """Sentences of the paper, their rules, and whether they hold."""
    if not experiment.claims:
        return None
    why = reasons(experiment)
    return Table.of_records(
        experiment.claims,
        (
            Field("The paper", "text", lambda claim: f"{claim.words} ({claim.section})", lines=True),
            Field("Holds if", "text", "rule", lines=True),
            Field("Here", "text", lambda claim: _verdict(claim, why)),
            Field("Figures", "text", "figures", lines=True),
        ),
        name=f"{_name(experiment)}-claims",
        title=f"Claims, {_head(experiment)}",
        caption=f"Sentences of the paper, each with the rule by which it holds, tested on {experiment.data}.",
        subject="claims",
        folding=False,
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


def _paper(paper: PaperFindings) -> Iterator[Section | None]:
    yield Section(id=paper.key, title=paper.name, blocks=present([paragraphs(paper.notes)]))
    for experiment in paper.experiments:
        title = f"{_head(experiment)} ({experiment.data})"
        yield section(_name(experiment), title, *_experiment(experiment, title), level=2)


def _experiment(experiment: ExperimentFindings, title: str) -> Iterator[Block | None]:
    yield Text(experiment.did, note=True)
    if experiment.missing:
        yield Text(missing_words(experiment))
    if experiment.panels:
        yield replace(paper_charts.chart(experiment), title=title)
    for table, name in ((numbers_table(experiment), "Numbers"), (claims_table(experiment), "Claims")):
        if table is not None:  # the section names the experiment
            yield replace(table, title=name)
    yield paragraphs((*reason_words(reasons(experiment)), *experiment.failures, *experiment.notes))


def _lint(reviews: Sequence[PaperReview]) -> Section | None:
    """What lint finds in the studies of each table and figure."""
    if not reviews:
        return None
    rows = [_finding(review, entry) for review in reviews for entry in review.findings]
    fields = (
        Field("Paper", "text", 0),
        Field("Code", "text", 1, fold=False),
        Field("Severity", "text", 2),
        Field("Finding", "text", 3, lines=True, fold=False),
        Field("What to change", "text", 4, lines=True, fold=False),
        Field("Tables and figures", "text", 5, lines=True, fold=False),
    )
    studies = sum(review.studies for review in reviews)
    found = f"{counted(studies, 'study', 'studies')}, {counted(len(rows), 'finding')}"
    table = Table.of_records(rows, fields, name="lint", title="Findings of lint", subject="findings", most=20)
    blocks = (Text(_LINT, note=True), table) if rows else (Text(f"{found}."),)
    return section("lint", "Lint", *blocks, summary=found)


def _finding(review: PaperReview, entry: PaperFinding) -> tuple[object, ...]:
    finding = entry.finding
    message, change = Text.coded(finding.message), Text.coded(finding.change)
    places = [piece for key in entry.experiments for piece in (", ", link(key, f"#{review.paper.key}-{key}"))]
    return review.paper.name, Text(code(finding.code)), finding.severity, message, change, Text(*places[1:])
