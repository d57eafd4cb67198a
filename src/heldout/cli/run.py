"""`heldout run`: a declared experiment."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from heldout.cli.console import errors, out, progress_bar, tell_seconds
from heldout.cli.options import Address, Block, Engine, Quiet, Threads, Verbose

if TYPE_CHECKING:
    from heldout.api.results import Results

FAILED = 3
"""How the command ends when some system failed and all others are complete."""


def run(
    study: Annotated[Path, typer.Argument(help="A study file (TOML).", show_default=False)],
    folder: Annotated[Path, typer.Option("--out", "-o", help="Folder for results and report.", show_default=False)],
    threads: Threads = None,
    block: Block = 4096,
    engine: Engine = None,
    address: Address = None,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Run a study and write its results and report to a folder.

    A run that was stopped goes on where it stopped when the same command is given again. A system that fails is left out:
    the others are completed, and the command ends with code 3.
    """
    from heldout.api.run import run as run_study

    with progress_bar(quiet=quiet) as progress:
        options: dict[str, Any] = {"engine": engine, "address": address, "progress": progress, "notify": _left_out}
        results = run_study(study, out=folder, threads=threads, block=block, **options)
    for cell, reason in results.failed.items():
        errors.print(f"failed: {cell}: {reason}", style="red", soft_wrap=True)
    if not quiet:
        _show(results, folder, verbose=verbose)
    if results.failed:
        raise typer.Exit(FAILED)


def _left_out(reason: str) -> None:
    errors.print(f"left out: {reason}", style="yellow", markup=False, soft_wrap=True)


def _show(results: Results[Any], folder: Path, *, verbose: bool) -> None:
    if results.manifest.get("reused"):
        errors.print(results.manifest["reused"], soft_wrap=True)
    out.print(results)
    out.print(f"\nReport: {folder / 'report.html'}", soft_wrap=True)
    if verbose:
        tell_seconds(results.manifest.get("seconds", {}))
