"""`heldout meta`: metrics themselves on trial."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, cast

import typer

from heldout.cli.console import print_findings, progress_bar
from heldout.cli.evaluate import runs_by_name
from heldout.cli.options import Address, Block, Engine, Quiet, Threads, names_of


def meta(
    study: Annotated[
        Path | None, typer.Argument(help="A study file (TOML), or the folder of a run or an evaluation.")
    ] = None,
    folder: Annotated[
        Path | None, typer.Option("--out", "-o", help="Folder for tables and what is done so far.", show_default=False)
    ] = None,
    qrels: Annotated[str | None, typer.Option(help="The test set of runs, instead of a study.", show_default=False)] = None,
    run: Annotated[list[str] | None, typer.Option(help="A run; NAME=PATH names it.", show_default=False)] = None,
    train: Annotated[str | None, typer.Option(help="The training set of the runs.")] = None,
    relevance: Annotated[
        str | None,
        typer.Option(help="Which ratings are relevant to runs, such as threshold(4).", autocompletion=names_of("relevance")),
    ] = None,
    metric: Annotated[
        list[str] | None,
        typer.Option(
            "-m",
            "--metric",
            help="A metric to try, such as P, nDCG(gain=exp2) or ILD@10.",
            autocompletion=names_of("metric"),
        ),
    ] = None,
    depth: Annotated[list[int] | None, typer.Option(help="A depth at which metrics are tried.", min=1)] = None,
    target: Annotated[list[str] | None, typer.Option(help="What competes, instead of the study's.")] = None,
    rule: Annotated[
        list[str] | None, typer.Option(help="A criterion to rank metrics by: mean_p, missing_tau, reliability, …")
    ] = None,
    samples: Annotated[int | None, typer.Option(help="Samples of each share of the test ratings.", min=1)] = None,
    sampling: Annotated[
        str | None, typer.Option(help="What samples are a share of: all test ratings (all), or each user's (user).")
    ] = None,
    popularity: Annotated[
        str | None, typer.Option(help="The ratings popularity is counted over: training and test (all), or train.")
    ] = None,
    seed: Annotated[list[int] | None, typer.Option(help="Another seed of the split, for stability.")] = None,
    tie_orders: Annotated[int, typer.Option(help="Random orders of tied items to compare.", min=0)] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the table of metrics as JSON.")] = False,
    threads: Threads = None,
    block: Block = 4096,
    engine: Engine = None,
    address: Address = None,
    quiet: Quiet = False,
) -> None:
    """Say which metric, at which depth, can be trusted on these data: agreement, robustness, power and reliability.

    heldout meta study.toml --out trial, or heldout meta --qrels test.csv --run A=a.txt --run B=b.txt -m P -m nDCG
    """
    from heldout.api.meta import meta as try_metrics

    table = {"rule": rule, "samples": samples, "sampling": sampling, "popularity": popularity}
    with progress_bar(quiet=quiet) as progress:
        results = try_metrics(
            study,
            cast(Any, table),  # meta checks it
            qrels=qrels,
            runs=runs_by_name(run) if run else None,
            train=train,
            relevance=relevance,
            metrics=metric,
            depths=depth,
            target=target,
            seeds=seed or (),
            tie_orders=tie_orders,
            out=folder,
            threads=threads,
            block=block,
            progress=progress,
            engine=cast(Any, engine),
            address=address,
        )
    print_findings(results, "all-metrics", folder, as_json=as_json, quiet=quiet)
