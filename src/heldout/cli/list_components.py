"""`heldout list`: what there is."""

from __future__ import annotations

from typing import Annotated

import typer

from heldout.cli.console import out


def list_components(
    kind: Annotated[str | None, typer.Argument(help="metrics, splits, recommenders, targets, …; all if not given.")] = None,
) -> None:
    """List the components of a kind, or of all kinds, with a sentence each."""
    from heldout.catalogue import KINDS, classes, signature
    from heldout.errors import UnknownNameError
    from heldout.reports.terminal.study import render_list

    by_word = {word: k for k in KINDS.values() for word in (k.plural, k.name)}
    if kind is not None and kind.casefold() not in by_word:
        raise UnknownNameError("kind", kind, [k.plural for k in KINDS.values()])
    wanted = [by_word[kind.casefold()]] if kind is not None else list(KINDS.values())
    for one in wanted:
        rows = [(cls.key, signature(cls), cls.summary()) for cls in classes(one.name)]
        out.print(render_list(rows, one.plural))
