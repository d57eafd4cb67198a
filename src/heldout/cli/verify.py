"""`heldout verify`: whether a results folder holds what was written there."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from heldout.api.kept_results import over_results
from heldout.cli.console import errors, out, write_json
from heldout.text.numbers import count, counted


@over_results
def verify(
    folder: Annotated[Path, typer.Argument(help="A results folder.", show_default=False)],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Read every file of a results folder and compute its digests again; exit with 1 when one is not what was written.

    heldout verify RESULTS
    """
    from heldout.api.verify import verify as check

    checked = check(folder)
    wrong = checked.filter(checked["problem"] != "")
    if as_json:
        write_json(checked.to_dicts())
    else:
        for file, problem in wrong.iter_rows():
            errors.print(f"{folder / file}: {problem}", style="red", soft_wrap=True)
        files = counted(checked.height, "file")
        wrong_files = f", {count(wrong.height)} wrong" if wrong.height else ": all hold what was written"
        out.print(f"{files} checked{wrong_files}", soft_wrap=True)
    if wrong.height:
        raise typer.Exit(1)
