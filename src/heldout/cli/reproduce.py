"""`heldout reproduce`: papers run again, published beside measured."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, cast

import typer

from heldout.cli.console import errors, out, progress_bar, write_json
from heldout.cli.options import Address, Block, Engine, Quiet, Threads


def reproduce(
    paper: Annotated[
        str | None, typer.Argument(help="A paper, such as canamares-2020; without one, all are listed.", show_default=False)
    ] = None,
    experiments: Annotated[
        list[str] | None, typer.Argument(help="Tables and figures of it; all unless named.", show_default=False)
    ] = None,
    data: Annotated[str | None, typer.Option(help="The folder of the data sets, or simulated.", show_default=False)] = None,
    folder: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Folder for results and what is done so far.", show_default=False),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="All papers.")] = False,
    page: Annotated[
        Path | None,
        typer.Option(help="Write the page (Markdown) here, its figures into a folder beside it.", show_default=False),
    ] = None,
    full: Annotated[bool, typer.Option("--full", help="Print the tables and claims of every experiment.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print numbers and claims as JSON.")] = False,
    threads: Threads = None,
    block: Block = 4096,
    engine: Engine = None,
    address: Address = None,
    quiet: Quiet = False,
) -> None:
    """Run a paper's own experiments again: published beside measured, and whether each claim holds.

    heldout reproduce lists papers; heldout reproduce canamares-2020 table-2 fig-4 --data FOLDER --out DIR runs two.
    """
    import heldout as ho
    from heldout.reports.experiments import TITLE, listing
    from heldout.reports.render.terminal import table

    if paper is None and not every:
        rows = ho.list_experiments(data).to_dicts()
        if as_json:
            write_json(rows)
        else:
            out.print(f"{TITLE}: heldout reproduce PAPER [EXPERIMENT …] --data FOLDER", markup=False)
            for listed in listing(rows):
                out.print()
                out.print(table(listed))
        return
    if paper is not None and every:
        raise typer.BadParameter("name a paper, or --all")
    if data is None:
        raise typer.BadParameter("name the folder of the data sets, or simulated", param_hint="--data")
    with progress_bar(quiet=quiet) as progress:
        results = ho.reproduce(
            paper,
            experiments or (),
            data=data,
            out=folder,
            page=page,
            threads=threads,
            block=block,
            engine=cast(Any, engine),
            address=address,
            progress=progress,
        )
    if as_json:
        numbers, claims = (results.tables[name].frame.to_dicts() for name in ("all-figures", "all-claims"))
        write_json({"numbers": numbers, "claims": claims})
    elif not quiet:
        out.print(results._kind.terminal(results, full=True) if full else results)
    if folder is not None and not quiet:
        errors.print(f"Report: {folder / 'report.html'}", soft_wrap=True)
