"""`heldout bias`: how much of a study is popularity."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from heldout.cli.console import print_findings, progress_bar
from heldout.cli.options import Block, Quiet, Threads, names_of


def bias(
    study: Annotated[Path, typer.Argument(help="A study file (TOML), or the folder of a run.", show_default=False)],
    folder: Annotated[
        Path | None, typer.Option("--out", "-o", help="Folder for tables and what is done so far.", show_default=False)
    ] = None,
    metric: Annotated[
        str | None,
        typer.Option("-m", "--metric", help="By which systems are ranked.", autocompletion=names_of("metric")),
    ] = None,
    sampled: Annotated[int, typer.Option(help="Items that compete with one relevant item.", min=1)] = 99,
    classes: Annotated[int, typer.Option(help="Popularity classes of P1R.", min=2)] = 10,
    head: Annotated[float, typer.Option(help="Share of the most popular items to remove.")] = 0.1,
    share: Annotated[
        float | None, typer.Option(help="Share of the ratings in a uniform test set, if not the study's.")
    ] = None,
    keep: Annotated[float, typer.Option(help="Share of an item's ratings that trains there.")] = 0.2,
    sweep: Annotated[
        list[str] | None,
        typer.Option(help="A sweep: removed, lists, classes, head, uniform, skew; all unless named."),
    ] = None,
    no_sweeps: Annotated[bool, typer.Option("--no-sweeps", help="Protocols and expectations alone.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the table of protocols as JSON.")] = False,
    threads: Threads = None,
    block: Block = 4096,
    quiet: Quiet = False,
) -> None:
    """Say how much of a ranking of systems is popularity: plain and neutral protocols, expectations and sweeps.

    heldout bias study.toml --out bias
    """
    from heldout.api.bias import bias as measure_bias

    chosen = {"sweeps": () if no_sweeps else sweep} if no_sweeps or sweep else {}
    with progress_bar(quiet=quiet) as progress:
        results = measure_bias(
            study,
            metric=metric,
            sampled=sampled,
            classes=classes,
            head=head,
            share=share,
            keep=keep,
            **chosen,  # type: ignore[arg-type]
            out=folder,
            threads=threads,
            block=block,
            progress=progress,
        )
    print_findings(results, "all-rows", folder, as_json=as_json, quiet=quiet)
