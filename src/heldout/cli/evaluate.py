"""`heldout evaluate`: judge runs that any system produced."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from heldout.cli.console import errors, out, progress_bar, warn, write, write_json
from heldout.cli.options import Address, Quiet, names_of, writable
from heldout.errors import SpecError
from heldout.storage.files import write_text
from heldout.text.numbers import counted


class Format(StrEnum):
    """How results are printed."""

    table = "table"
    json = "json"
    csv = "csv"
    latex = "latex"


def evaluate(
    qrels: Annotated[
        str,
        typer.Option(
            help='The test set: TREC qrels, CSV, TSV or Parquet, a text form: csv("test.csv", user=uid), or a pattern of '
            "Parquet files: 'test/*.parquet'.",
            show_default=False,
        ),
    ],
    run: Annotated[
        list[str],
        typer.Option(
            help="A run: TREC, CSV, TSV or Parquet, or a pattern of Parquet files; NAME=PATH names it.", show_default=False
        ),
    ],
    description: Annotated[
        list[str] | None,
        typer.Option(help="What made a run, for methods and the report: NAME=TEXT.", show_default=False),
    ] = None,
    metric: Annotated[
        list[str] | None,
        typer.Option(
            "-m",
            "--metric",
            help='A metric, such as "nDCG(gain=exp2)@[5,10]" or "HLU aggregate=pooled".',
            autocompletion=names_of("metric"),
        ),
    ] = None,
    train: Annotated[str | None, typer.Option(help="The training set: its items are no targets.")] = None,
    relevance: Annotated[
        str | None,
        typer.Option(help="Which ratings are relevant, such as threshold(4).", autocompletion=names_of("relevance")),
    ] = None,
    target: Annotated[
        list[str] | None,
        typer.Option(
            help="What competes, such as AllItems or TestRatings; several are allowed.", autocompletion=names_of("target")
        ),
    ] = None,
    ties: Annotated[str, typer.Option(help="Order of equal scores: item, trec, file, random(seed) or expected.")] = "item",
    unrated: Annotated[str, typer.Option(help="What an unrated item counts as: zero, condense or interval.")] = "zero",
    scores: Annotated[
        str, typer.Option(help="What scores are: order, comparable (across users) or ratings (predicted).")
    ] = "order",
    items: Annotated[str | None, typer.Option(help="A table of items, for metrics that look at their features.")] = None,
    aggregate: Annotated[
        list[str] | None,
        typer.Option(help="How users become one number; several are allowed.", autocompletion=names_of("aggregation")),
    ] = None,
    undefined: Annotated[list[str] | None, typer.Option(help="What an undefined value counts as: zero or skip.")] = None,
    coverage: Annotated[
        list[str] | None, typer.Option(help="What a user without a list counts as: zero, forgive, intersection.")
    ] = None,
    test: Annotated[
        list[str] | None,
        typer.Option(help="A significance test (default t and permutation), or none.", autocompletion=names_of("test")),
    ] = None,
    correction: Annotated[
        str, typer.Option(help="Correction for many comparisons.", autocompletion=names_of("correction"))
    ] = "holm",
    level: Annotated[float, typer.Option(help="The level of significance.")] = 0.05,
    baseline: Annotated[str | None, typer.Option(help="Compare only with this run.")] = None,
    per_user: Annotated[Path | None, typer.Option(help="Write values per user to this file (.parquet, .csv).")] = None,
    report: Annotated[Path | None, typer.Option(help="Write the report to this HTML file.")] = None,
    folder: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            help="A new folder that keeps the results, for report, compare, power, methods and meta.",
            show_default=False,
        ),
    ] = None,
    format: Annotated[Format, typer.Option(help="How results are printed.")] = Format.table,
    objective: Annotated[
        list[str] | None, typer.Option(help="A descriptive metric, such as ILD@10, to compare by all the same.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Fixes everything random.")] = 1,
    stream: Annotated[
        bool | None,
        typer.Option(
            help="Judge users in pieces, for Parquet files larger than memory. If not said: where all files are Parquet and "
            "some are a pattern, in an object store, or large.",
            show_default=False,
        ),
    ] = None,
    scratch: Annotated[
        Path | None, typer.Option(help="Where a streamed evaluation sorts rows; the temporary folder if not named.")
    ] = None,
    storage: Annotated[
        list[str] | None, typer.Option(help="What polars is to know of an object store: aws_region=eu-west-1.")
    ] = None,
    engine: Annotated[
        str | None,
        typer.Option(help="Where a streamed evaluation judges its pieces: here, or ray (side by side).", show_default=False),
    ] = None,
    address: Address = None,
    quiet: Quiet = False,
) -> None:
    """Judge runs that any system produced, and compare them when there are two or more.

    heldout evaluate --qrels test.txt --run A.txt --run B.parquet -m "nDCG(gain=binary)@10" -m "P(rel=4)@[5,10]"

    heldout evaluate --qrels 'test/*.parquet' --run 'A=runs/a/*.parquet' -m nDCG@10 --scratch /large/disk
    """
    from heldout.api.evaluate import evaluate as judge
    from heldout.api.input_files import refuse_overwriting

    writable(per_user, ".parquet", ".csv", what="values per user")
    writable(report)
    runs = runs_by_name(run)
    store = pairs_of(storage or [], "--storage", "aws_region=eu-west-1")
    if stream is False and (scratch is not None or store):
        raise SpecError("--scratch and --storage are of streamed evaluations", where="--no-stream", hint="leave one out")
    for written in (per_user, report):
        refuse_overwriting(written, qrels, *runs.values(), train, items)
    with progress_bar(quiet=quiet) as progress:
        results = judge(
            qrels,
            runs,
            *([metric] if metric else []),
            train=train,
            relevance=relevance,
            target=target or "AllItems",
            ties=ties,
            unrated=unrated,
            scores=cast(Any, scores),  # evaluate says what it may be
            items=items,
            aggregate=aggregate or "mean",
            undefined=undefined or "zero",
            coverage=coverage or "zero",
            compare={**({"tests": test} if test else {}), "correction": correction, "level": level, "baseline": baseline},
            objectives=objective or (),
            seed=seed,
            per_user=per_user,
            stream={"scratch": scratch, "storage": store} if scratch is not None or store else stream,
            out=folder,
            descriptions=pairs_of(description or [], "--description", "A=BPR-MF of LensKit, 64 factors", "TEXT"),
            engine=cast(Any, engine),
            address=address,
            progress=progress,
        )
    if report is not None:
        write_text(report, results.to_html())
    if not quiet:
        # On stderr, so that JSON, CSV and LaTeX on stdout stay what they are.
        for path in (p for p in (per_user, report, folder) if p is not None):
            errors.print(f"written: {path}", soft_wrap=True)
        if streamed := results.manifest.get("streamed"):
            rows, files = counted(streamed["rows"], "row"), counted(streamed["files"], "file")
            errors.print(f"streamed: {rows} of {files}, users in {counted(streamed['ranges'], 'piece')}", soft_wrap=True)
    if format is Format.table:
        if not quiet:
            out.print(results)
        return
    if not quiet:
        warn(results.notices)
    if format is Format.json:
        write_json(results.findings.to_dict())
    elif format is Format.csv:
        write(results.tables["all-leaderboards"].to_csv())
    else:
        write(results.tables["leaderboard"].to_latex())


def pairs_of(options: list[str], where: str, example: str, value: str = "VALUE") -> dict[str, str]:
    """Name → value of an option that is written NAME=VALUE."""
    for text in options:
        if not text.partition("=")[2]:
            raise SpecError(f"found '{text}', expected NAME={value}", where=where, hint=f"such as {example}")
    return {name: value for name, _, value in (text.partition("=") for text in options)}


def runs_by_name(runs: list[str]) -> dict[str, str]:
    """Name → path: `NAME=PATH`, or the file's name without its endings."""
    paths: dict[str, str] = {}
    for text in runs:
        name, equals, path = text.partition("=")
        if not equals or Path(text).exists():
            name, path = Path(text).name.split(".")[0] or text, text
        if not name.strip() or not path:
            raise SpecError(f"found '{text}', expected PATH or NAME=PATH", where="--run")
        if name in paths:
            raise SpecError(f"two runs are called '{name}'", where="--run", hint="name them: --run NAME=PATH")
        paths[name] = path
    return paths
