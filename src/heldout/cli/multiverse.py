"""`heldout multiverse`: every combination of choices."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, cast

import typer

from heldout.cli.console import errors, out, progress_bar, tell_seconds
from heldout.cli.options import Address, Block, Engine, Quiet, Threads, Verbose
from heldout.cli.run import FAILED


def multiverse(
    study: Annotated[Path | None, typer.Argument(help="A study file (TOML) whose stages list options.")] = None,
    folder: Annotated[
        Path | None, typer.Option("--out", "-o", help="Folder for universes and report.", show_default=False)
    ] = None,
    data: Annotated[
        str | None,
        typer.Option(help="Ratings, instead of the study's; without a study, over usual choices.", show_default=False),
    ] = None,
    systems: Annotated[
        str | None, typer.Option(help="Recommenders, instead of the study's: such as UserKNN,WRMF.", show_default=False)
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be run, and about how long.")] = False,
    threads: Threads = None,
    block: Block = 4096,
    engine: Engine = None,
    address: Address = None,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Try every combination of the options of a study: does the conclusion survive the other choices?

    Each data set is split once, each system fitted once per split; everything else is arithmetic. A run that was stopped
    goes on where it stopped. A system that fails is left out where it did, and the command ends with code 3.
    """
    from heldout.api.multiverse import multiverse as run
    from heldout.api.multiverse import plan
    from heldout.errors import SpecError

    if dry_run:
        with progress_bar(quiet=quiet) as progress:
            progress("trying systems on a few users", 0, 0)
            planned = plan(study, data=data, systems=systems, out=folder, engine=cast(Any, engine), address=address)
        from heldout.reports.render.terminal_plan import render_plan

        out.print(render_plan(planned))
        return
    if folder is None:
        raise SpecError("no folder is named", where="--out", hint="such as --out universes")
    with progress_bar(quiet=quiet) as progress:
        options: dict[str, Any] = {"engine": engine, "address": address, "progress": progress, "threads": threads}
        results = run(study, data=data, systems=systems, out=folder, block=block, **options)
    for cell, reason in results.failed.items():
        errors.print(f"failed: {cell}: {reason}", style="red", soft_wrap=True)
    if not quiet:
        if results.manifest.get("reused"):
            errors.print(results.manifest["reused"], soft_wrap=True)
        out.print(results)
        out.print(f"\nReport: {folder / 'report.html'}", soft_wrap=True)
        out.print(f"Universes: {folder / 'universes.parquet'}", soft_wrap=True)
    if verbose:
        tell_seconds(results.manifest.get("seconds", {}))
    if results.failed:
        raise typer.Exit(FAILED)
