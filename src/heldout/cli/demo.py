"""`heldout demo`: the main job on simulated ratings."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from heldout.cli.console import out, progress_bar
from heldout.cli.options import Quiet


def demo(
    folder: Annotated[Path, typer.Option("--out", "-o", help="Folder for results and report.")] = Path("heldout-demo"),
    quiet: Quiet = False,
) -> None:
    """Compare six recommenders under a few protocols on simulated data, and write the report."""
    from heldout.api.demo import demo as run_demo

    with progress_bar(quiet=quiet) as progress:
        results = run_demo(folder, progress=progress)
    if not quiet:
        out.print(results)
        out.print(f"\nReport: {folder / 'report.html'}", soft_wrap=True)
        out.print(f"Ratings and the complete truth behind them: {folder / 'data'}", soft_wrap=True)
