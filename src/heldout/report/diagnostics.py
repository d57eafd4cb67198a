"""Diagnostics that were asked for: gathered, and shown in the terminal and on the page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict

import numpy as np
from rich.console import RenderableType
from rich.text import Text

from heldout.report.facts import DiagnosticRow, Facts
from heldout.report.markup import Raw, breakable, cell, el, rows, table
from heldout.report.text import count, number
from heldout.study.align import Aligned
from heldout.study.spec import Study


def diagnostic_rows(study: Study, aligned: Sequence[Aligned], systems: Sequence[str]) -> Iterator[DiagnosticRow]:
    """Each diagnostic under each protocol, over the users that have a value in every system.

    Those that ask for the same users at every depth are averaged over the users with a value at each depth asked for.
    """
    asked = [m for m in study.measure if m.direction == "none"]
    choices = [asdict(found.protocol) for found in aligned]
    varying = [key for key in (choices[0] if choices else ()) if len({c[key] for c in choices}) > 1]
    for found, chosen in zip(aligned, choices, strict=True):
        label = " · ".join(chosen[key] if key == "target" else f"{key}={chosen[key]}" for key in varying)
        for metric in asked:
            depths = [m for m in asked if type(m) is type(metric)] if metric.same_users else [metric]
            column = found.of_common(str(metric), [str(m) for m in depths])
            common = ~np.isnan(column).any(axis=0)
            means = tuple(float(row[common].mean()) if common.any() else None for row in column)
            yield DiagnosticRow(label or chosen["target"], str(metric), means, int(common.sum()))


def lines(facts: Facts) -> list[RenderableType]:
    """One line for each diagnostic and protocol."""
    made: list[RenderableType] = []
    for row in facts.diagnostics:
        told = ", ".join(f"{system} {number(value, 4)}" for system, value in zip(facts.systems, row.values, strict=True))
        made.append(Text(f"{row.metric}  {row.label}: {told} ({count(row.users)} users)"))
    return made


def section(facts: Facts) -> Raw:
    """A table of all diagnostics."""
    if not facts.diagnostics:
        return Raw("")
    heads = [cell("Diagnostic"), cell("Protocol"), *(cell(breakable(s), "num") for s in facts.systems), cell("Users", "num")]
    body = [
        [
            cell(row.metric),
            cell(breakable(row.label)),
            *(cell(number(value, 4), "num") for value in row.values),
            cell(count(row.users), "num", "Users with a value in every system"),
        ]
        for row in facts.diagnostics
    ]
    return el("section", el("h2", "Diagnostics"), table(heads, rows(body), caption="Diagnostics"), id="diagnostics")
