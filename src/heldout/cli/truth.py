"""`heldout truth`: protocols held against what users would truly say."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, cast

import typer

from heldout.cli.console import print_findings, progress_bar
from heldout.cli.options import Address, Block, Engine, Quiet, Threads, names_of


def truth(
    study: Annotated[Path, typer.Argument(help="A study file (TOML).", show_default=False)],
    folder: Annotated[
        Path | None, typer.Option("--out", "-o", help="Folder for tables and what is done so far.", show_default=False)
    ] = None,
    truth: Annotated[
        str | None,
        typer.Option(help="Ratings of items drawn at random, by the same users.", show_default=False),
    ] = None,
    design: Annotated[
        str | None,
        typer.Option(
            help="If the ratings are part of the random sample: halves (one half for train and test, the other for the "
            "truth) or whole (all of it for both, with weights). Default: halves.",
            show_default=False,
        ),
    ] = None,
    metric: Annotated[
        list[str] | None,
        typer.Option("-m", "--metric", help="A metric to hold against the truth.", autocompletion=names_of("metric")),
    ] = None,
    protocol: Annotated[
        list[str] | None, typer.Option(help="A protocol to try, such as AI-AR or IPS (known); else all.", show_default=False)
    ] = None,
    draws: Annotated[int, typer.Option(help="Redrawn worlds, or splits.", min=1)] = 20,
    sampled: Annotated[int | None, typer.Option(help="Items that compete with one relevant item.", min=1)] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the table of estimators as JSON.")] = False,
    threads: Threads = None,
    block: Block = 4096,
    engine: Engine = None,
    address: Address = None,
    quiet: Quiet = False,
) -> None:
    """Say which protocol would have chosen the truly better system, on simulated data or with a random sample as the truth.

    heldout truth study.toml --out truth, or heldout truth study.toml --truth random.csv
    """
    from heldout.api.truth import truth as hold_against_truth

    with progress_bar(quiet=quiet) as progress:
        results = hold_against_truth(
            study,
            truth=truth,
            design=cast(Any, design),
            metrics=metric,
            protocols=protocol,
            draws=draws,
            sampled=sampled,
            out=folder,
            threads=threads,
            block=block,
            progress=progress,
            engine=cast(Any, engine),
            address=address,
        )
    print_findings(results, "all-rows", folder, as_json=as_json, quiet=quiet)
