"""`heldout check`: may this model replace the one in production?"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from heldout.api.kept_results import over_results
from heldout.cli.console import out, progress_bar, write, write_json
from heldout.cli.options import Quiet, names_of, writable
from heldout.storage.files import write_text


class CheckFormat(StrEnum):
    """How the check is printed."""

    table = "table"
    json = "json"
    markdown = "markdown"
    junit = "junit"


@over_results
def check(
    results: Annotated[
        Path | None, typer.Argument(help="A results folder; without it, name --qrels and two runs.", show_default=False)
    ] = None,
    baseline: Annotated[
        str, typer.Option(help="The run in production, or its system in the results.", show_default=False)
    ] = ...,  # type: ignore[assignment]
    candidate: Annotated[
        str, typer.Option(help="The run that may replace it, or its system in the results.", show_default=False)
    ] = ...,  # type: ignore[assignment]
    qrels: Annotated[str | None, typer.Option(help="The test set of the runs.", show_default=False)] = None,
    metric: Annotated[
        list[str] | None,
        typer.Option("-m", "--metric", help="A metric; all must pass.", autocompletion=names_of("metric")),
    ] = None,
    margin: Annotated[str, typer.Option(help="The largest acceptable loss: 2% of the baseline, or an amount: 0.02.")] = "2%",
    guard: Annotated[
        list[str] | None,
        typer.Option(help='A limit on a metric of whole systems, such as "ItemCoverage@10 >= -5%".', show_default=False),
    ] = None,
    suspicious: Annotated[
        str | None, typer.Option(help="A gain that suggests leakage, such as 50%.", show_default=False)
    ] = None,
    inconclusive: Annotated[str, typer.Option(help="What an inconclusive check counts as: fail or pass.")] = "fail",
    setting: Annotated[
        list[int] | None, typer.Option(help="Number of a setting of the results; the primary one if not given.")
    ] = None,
    train: Annotated[str | None, typer.Option(help="The training set: its items are not ranked.")] = None,
    items: Annotated[str | None, typer.Option(help="A table of items, for metrics that look at their features.")] = None,
    scores: Annotated[
        str, typer.Option(help="What scores are: order, comparable (across users) or ratings (predicted).")
    ] = "order",
    relevance: Annotated[
        str | None,
        typer.Option(help="Which ratings are relevant, such as threshold(4).", autocompletion=names_of("relevance")),
    ] = None,
    target: Annotated[str, typer.Option(help="Which items compete.", autocompletion=names_of("target"))] = "AllItems",
    format: Annotated[CheckFormat, typer.Option(help="How the check is printed.")] = CheckFormat.table,
    junit: Annotated[Path | None, typer.Option(help="Write JUnit XML to this file, too.", show_default=False)] = None,
    quiet: Quiet = False,
) -> None:
    """Check whether a candidate may replace the system in production.

    heldout check --qrels test.parquet --baseline prod.parquet --candidate new.parquet -m nDCG@10 --margin 2%

    heldout check RESULTS --baseline A --candidate B

    Exit codes: 0 passed, 1 worse than the margin allows, 2 wrong input, 4 inconclusive, 5 suspiciously good.
    """
    from heldout.api.check import check as check_candidate
    from heldout.reports.render import terminal

    writable(junit, ".xml", what="JUnit XML")
    with progress_bar(quiet=quiet) as progress:
        progress("reading and judging", 0, 0)
        checked = check_candidate(
            results,
            baseline=baseline,
            candidate=candidate,
            qrels=qrels,
            metrics=metric or None,
            margin=margin,
            guards=guard or (),
            suspicious=suspicious,
            inconclusive=cast(Any, inconclusive),  # check says what it may be
            settings=setting or None,
            train=train,
            items=items,
            scores=cast(Any, scores),  # evaluate says what it may be
            relevance=relevance,
            target=target,
        )
    if junit is not None:
        write_text(junit, checked.to_junit())
    if format is CheckFormat.json:
        write_json(checked.to_dict())
    elif format is CheckFormat.markdown:
        write(checked.to_markdown())
    elif format is CheckFormat.junit:
        write(checked.to_junit())
    elif not quiet:
        out.print(terminal.document(checked.document, full=True))
    raise typer.Exit(checked.exit_code)
