"""Biases in Markdown: the sentences, protocols, expectations, and what is not known."""

from __future__ import annotations

from heldout.biases.findings import BiasFindings
from heldout.reports.bias_views import (
    expectation_cells,
    expectation_lines,
    pairs_text,
    protocol_lines,
    sizes_words,
    times_text,
    value_text,
)
from heldout.reports.markdown.text import plain, table
from heldout.words import number


def to_markdown(findings: BiasFindings, title: str) -> str:
    """The whole as Markdown; the same findings give the same text."""
    lines = [f"# {plain(title)}", "", f"{sizes_words(findings)}.", "", f"**{plain(' '.join(findings.sentences[:2]))}**", ""]
    lines += [*(f"- {plain(sentence)}" for sentence in findings.sentences[2:]), ""]
    protocols = protocol_lines(findings)
    heads = ("Protocol", *findings.systems, "Popularity ÷ random", "τ", "Turned", "Lost")
    lines += table(
        heads,
        [
            (
                line.effect.protocol,
                *(value_text(line, system) for system in findings.systems),
                times_text(line.popularity),
                number(line.effect.tau, 2),
                pairs_text(line.effect.reversed, line.effect.overturned),
                pairs_text(line.effect.lost),
            )
            for line in protocols
        ],
    )
    note = f"{findings.metric}, or the metric that a protocol is named by; τ, turned and lost pairs against "
    lines += [plain(f"{note}{findings.effects.reference}; * turned significantly."), ""]
    rows = [(row.protocol, row.system, *expectation_cells(row)) for row in expectation_lines(findings)]
    if rows:
        lines += [f"### What was to be expected ({findings.precision})", ""]
        lines += table(("Protocol", "System", "Closed form", "Bounds", "Given the split", "Measured", "Interval"), rows)
    for head, sentences in (("What is not known", findings.limits), ("What was left out", findings.left_out)):
        lines += [f"### {head}", "", *(f"- {plain(text)}" for text in sentences), ""] if sentences else []
    return "\n".join(lines).rstrip() + "\n"
