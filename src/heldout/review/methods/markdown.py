"""The experimental section as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator

from heldout.catalogue.references import bibliography, in_order, reference
from heldout.review.methods.parts import CITED, ChecklistRow, Methods, Paragraph


def methods_markdown(methods: Methods) -> str:
    """Sections, checklist, study file and references."""
    lines = ["# Experimental setup", "", f"*{_escaped(methods.title)}*", ""]
    if methods.caution:
        lines += [f"*{methods.caution}*", ""]
    for section in methods.sections:
        lines += [f"## {section.title}", ""]
        for paragraph in section.paragraphs:
            lines += [*_paragraph(paragraph), ""]
    lines += ["## Checklist of decisions", "", "| | decision | chosen | |", "|---|---|---|---|"]
    lines += [_row(row) for row in methods.checklist]
    lines += ["", "## Study file", "", "```toml", methods.study.rstrip(), "```", ""]
    if methods.cited:
        lines += ["## References", "", *(f"- {_escaped(reference(key))}" for key in in_order(methods.cited)), ""]
    return "\n".join(lines).rstrip() + "\n"


def _paragraph(paragraph: Paragraph) -> Iterator[str]:
    if paragraph.text:
        yield _prose(paragraph.text)
    if paragraph.items:
        yield ""
        for item in paragraph.items:
            formula = f" `{item.formula}`" if item.formula else ""
            head = item.head if item.head.startswith("`") else f"**{_prose(item.head)}**"
            yield f"- {head}: {_prose(item.text)}{formula}"


def _row(decision: ChecklistRow) -> str:
    chosen = "<br>".join(f"`{option}`".replace("|", "\\|") for option in decision.chosen)
    return f"| {decision.letter} | {decision.question} | {chosen} | {'default' if decision.default else ''} |"


def _prose(text: str) -> str:
    pieces = re.split(r"(`[^`]*`)", CITED.sub(lambda match: _cited(match[1]), text))
    return "".join(piece if piece.startswith("`") else _escaped(piece) for piece in pieces)


def _escaped(text: str) -> str:
    """Signs that Markdown would read, disarmed."""
    return re.sub(r"([*_<\\\[\]])", r"\\\1", text)


def _cited(keys: str) -> str:
    """(Bellogín et al. 2017; Krichene and Rendle 2020)."""
    return f"({'; '.join(short(key.strip().lstrip('@')) for key in keys.split(';'))})"


def short(key: str) -> str:
    """A reference as a text cites it: Krichene and Rendle 2020."""
    entry = bibliography().get(key)
    if entry is None:
        return key
    names = [author.partition(",")[0] for author in entry["author"].split(" and ")]
    who = names[0] if len(names) == 1 else f"{names[0]} and {names[1]}" if len(names) == 2 else f"{names[0]} et al."
    return f"{who} {entry['year']}"
