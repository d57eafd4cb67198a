"""`heldout data`: data sets by themselves."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from heldout.cli.console import out, progress_bar

app = typer.Typer(help="Look at data sets.", no_args_is_help=True, rich_markup_mode=None, pretty_exceptions_enable=False)


@app.callback()
def about() -> None:
    """Look at data sets."""


@app.command("describe")
def describe(
    source: Annotated[str, typer.Argument(help='A file, a folder, or a text form such as movielens("ml-1m").')],
    filters: Annotated[list[str] | None, typer.Option("--filter", "-f", help="A filter; several are a chain.")] = None,
    seed: Annotated[int, typer.Option(help="Fixes everything random.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Print the profile of a data set, before and after each filter."""
    from heldout.report.profiles import render_profiles
    from heldout.study.folds import profile_steps

    with progress_bar(quiet=as_json) as progress:
        if progress is not None:
            progress("reading", 0, 0)
        steps = profile_steps(source, filters or [], seed=seed)
    if as_json:
        print(json.dumps([{"label": label, **found.to_dict()} for label, found in steps], ensure_ascii=False))
    else:
        out.print(render_profiles(steps))
