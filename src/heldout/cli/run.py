"""`heldout run`: a declared experiment."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from heldout.cli.console import errors, out, progress_bar


def run(
    study: Annotated[Path, typer.Argument(help="A study file (TOML).", show_default=False)],
    folder: Annotated[Path, typer.Option("--out", "-o", help="Folder for results and report.", show_default=False)],
    threads: Annotated[int | None, typer.Option(help="Threads to use; all cores if not given.", min=1)] = None,
    block: Annotated[int, typer.Option(help="Users whose scores are in memory at once.", min=1)] = 4096,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print only errors.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Say how long each stage took.")] = False,
) -> None:
    """Run a study and write its results and report to a folder.

    A run that was stopped goes on where it stopped when the same command is given again.
    """
    from heldout.api import run as run_study
    from heldout.report.terminal import render

    with progress_bar(quiet=quiet) as progress:
        results = run_study(study, out=folder, threads=threads, block=block, progress=progress)
    if quiet:
        return
    out.print(render(results.facts))
    out.print(f"\nReport: {folder / 'report.html'}", markup=False, soft_wrap=True)
    if verbose:
        for stage, seconds in results.facts.manifest.get("seconds", {}).items():
            errors.print(f"{stage:>10} {seconds:8.2f} s", markup=False)
