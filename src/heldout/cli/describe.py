"""`heldout describe`: one component in full, or the page of a warning's code."""

from __future__ import annotations

import re
from typing import Annotated

import typer

from heldout.cli.console import out


def describe(
    name: Annotated[str, typer.Argument(help="A component, such as nDCG, or a code, such as HO201.", show_default=False)],
) -> None:
    """Say what a component does: parameters, formula, what it assumes, an example, references."""
    from heldout.catalogue import find_any
    from heldout.catalogue.describe import describe as card
    from heldout.catalogue.notices import concern
    from heldout.catalogue.references import reference
    from heldout.catalogue.text import parse
    from heldout.reports.terminal.study import render_card

    if re.fullmatch(r"HO\d+", name.upper()):
        code = concern(name)
        rule = card(code)
        about: list[tuple[str, str | list[tuple[str, str, str, str]]]] = [("", " ".join(code.explanation.split()))]
        about += [("Found where", rule.summary), ("Assumes", rule.assumes), *rule.facts, ("Example", rule.example)]
        if rule.references:
            about += [("References", "\n".join(reference(key) for key in rule.references))]
        out.print(render_card(f"{code.key} {code.title}", about))
        return
    for cls in find_any(parse(name).name):
        found = card(cls)
        sections: list[tuple[str, str | list[tuple[str, str, str, str]]]] = [("", found.summary)]
        sections += [("Written", found.signature)]
        if found.aliases:
            sections += [("Also called", ", ".join(found.aliases))]
        if found.formula:
            sections += [("Formula", found.formula)]
        if found.parameters:
            sections += [("Parameters", [(p.name, p.type, p.default, p.doc) for p in found.parameters])]
        if found.assumes:
            sections += [("Assumes", found.assumes)]
        sections += list(found.facts)
        if found.example:
            sections += [("Example", found.example)]
        drawn = getattr(cls, "drawn", "")
        if drawn:
            from heldout.reports.terminal.timelines import example_timeline

            sections += [(f"Drawn: {drawn}", example_timeline(drawn, out.width - 2).plain)]
        if found.references:
            sections += [("References", "\n".join(reference(key) for key in found.references))]
        kind = found.kind if not found.decision else f"{found.kind}, decision {found.decision}"
        out.print(render_card(f"{found.key} ({kind})", sections))
