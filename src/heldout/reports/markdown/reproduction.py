"""Published beside measured in Markdown: the page of the documentation, with its figures where there are some."""

from __future__ import annotations

from collections.abc import Mapping

from heldout.papers.findings import ExperimentFindings, ReproductionFindings
from heldout.papers.sentences import missing_words, reason_words, reasons, reproduction_sentence, uncounted_sentence
from heldout.reports.markdown.text import plain, table
from heldout.reports.reproduction_views import (
    HEADS,
    NOTES,
    SIMULATED_NOTE,
    TITLE,
    claim_head,
    experiment_head,
    figure_cells,
    figure_columns,
)


def to_markdown(record: ReproductionFindings, images: Mapping[str, str] | None = None) -> str:
    """The whole as Markdown; `images` are the files of figures, by paper and experiment ("canamares-2020/fig-2")."""
    lines = [f"# {TITLE}", "", plain(reproduction_sentence(record)), ""]
    lines += [plain(uncounted_sentence(record)), ""] if uncounted_sentence(record) else []
    lines += [f"**{plain(SIMULATED_NOTE)}**", ""] if record.simulated else []
    lines += ["```text", record.command, "```", ""]
    lines += [line for note in NOTES for line in (plain(note), "")]
    for paper in record.papers:
        lines += [f"## {plain(paper.name)}", "", *(f"- {plain(note)}" for note in paper.notes)]
        lines += [""] if paper.notes else []
        for experiment in paper.experiments:
            lines += _experiment(experiment, (images or {}).get(f"{paper.key}/{experiment.key}"))
    return "\n".join(lines).rstrip() + "\n"


def _two_lines(verdict: str) -> str:
    """✗ does not hold here, with no-break spaces: in a narrow column it breaks before "hold" alone."""
    return verdict.replace(" ", "\N{NO-BREAK SPACE}").replace(
        "\N{NO-BREAK SPACE}hold\N{NO-BREAK SPACE}", " hold\N{NO-BREAK SPACE}"
    )


def _experiment(experiment: ExperimentFindings, image: str | None) -> list[str]:
    head = f"{experiment_head(experiment)} ({experiment.data})"
    lines = [f"### {plain(head)}", "", plain(experiment.did), ""]
    lines += [plain(missing_words(experiment)), ""] if experiment.missing else []
    if image is not None:
        lines += [f"![{plain(experiment.title)}]({image})", ""]
    why = reasons(experiment)
    if experiment.rows:
        cells = [figure_cells(row, why) for row in experiment.rows]
        shown = figure_columns(cells)
        lines += table([HEADS[k] for k in shown], [[row.texts[k] for k in shown] for row in cells])
    if experiment.claims:
        rows = [(f"{c.words} ({c.section})", c.rule, _two_lines(claim_head(c, why)), c.figures) for c in experiment.claims]
        lines += table(("the paper", "holds if", "", "figures"), rows)
    lines += [f"- {plain(note)}" for note in (*reason_words(why), *experiment.failures, *experiment.notes)]
    return [*lines, ""] if lines[-1] else lines
