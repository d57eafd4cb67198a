"""`heldout tune`: search for the hyper-parameters of a model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, cast

import typer

from heldout.cli.console import out, progress_bar, write_json
from heldout.cli.options import Address, Engine, Quiet, Threads, names_of
from heldout.errors import SpecError


def tune(
    model: Annotated[
        str,
        typer.Option(
            "--model",
            help='A recommender; parameters that it names stay: "SLIM(l1=2)".',
            autocompletion=names_of("recommender"),
            show_default=False,
        ),
    ],
    folder: Annotated[Path, typer.Option("--out", "-o", help="Folder for trials and outcome.", show_default=False)],
    study: Annotated[
        Path | None, typer.Argument(help="A study file: the search keeps to its protocol.", show_default=False)
    ] = None,
    data: Annotated[str | None, typer.Option("--data", help="Ratings, where no study is given.")] = None,
    split: Annotated[
        str | None, typer.Option(help="The split whose training part is tuned on.", autocompletion=names_of("split"))
    ] = None,
    filters: Annotated[
        list[str] | None,
        typer.Option("--filter", "-f", help="A filter; several are a chain.", autocompletion=names_of("filter")),
    ] = None,
    metric: Annotated[
        str | None,
        typer.Option(
            "--metric",
            "-m",
            help="What is to be best; else the study's first, or nDCG(gain=binary)@10.",
            autocompletion=names_of("metric"),
        ),
    ] = None,
    relevance: Annotated[
        str | None,
        typer.Option(help="Which ratings are relevant, such as threshold(4).", autocompletion=names_of("relevance")),
    ] = None,
    target: Annotated[str | None, typer.Option(help="Which items compete.", autocompletion=names_of("target"))] = None,
    validation: Annotated[
        str | None, typer.Option(help="How validation ratings are carved out of train; else a fifth of each user's.")
    ] = None,
    fold: Annotated[int | None, typer.Option(help="Which fold, where the split makes several.", min=1)] = None,
    ranges: Annotated[
        list[str] | None,
        typer.Option("--range", "-r", help="NAME=LOW..HIGH, NAME=LOW..HIGH:log or NAME=A,B,C; else as declared."),
    ] = None,
    trials: Annotated[int, typer.Option(help="Choices of parameters to try.", min=1)] = 30,
    seed: Annotated[int | None, typer.Option(help="Fixes everything random; the study's if not given.")] = None,
    batch: Annotated[
        int, typer.Option(help="Trials drawn at once, before any of them is measured, for Ray to make side by side.", min=1)
    ] = 1,
    engine: Engine = None,
    address: Address = None,
    threads: Threads = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    quiet: Quiet = False,
) -> None:
    """Search for the parameters of a model on validation ratings carved out of train; test ratings are never looked at.

    A search that was stopped goes on where it stopped when the same command is given again.

    heldout tune --model SLIM --data ratings.csv --metric "nDCG(gain=binary)@10" --trials 30 --out tuned/slim
    """
    from heldout.api.tune import tune as search

    if study is None and data is None:
        raise SpecError("name a study file, or ratings by --data", where="tune")
    if study is not None and data is not None:
        raise SpecError(
            f"name a study file or ratings by --data, not both; found {study} and --data {data}",
            where="tune",
            hint="leave --data out, or change `data` in the study file",
        )
    options: dict[str, Any] = {"data": data, "split": split, "relevance": relevance, "target": target, "seed": seed}
    if filters:
        options["filters"] = [list(filters)]
    with progress_bar(quiet=quiet or as_json) as progress:
        tuned = search(
            model,
            {} if study is None else study,
            instead={key: value for key, value in options.items() if value is not None},
            metric=metric,
            trials=trials,
            ranges=_ranges(ranges or []),
            validation=validation,
            fold=fold,
            out=folder,
            threads=threads,
            progress=progress,
            batch=batch,
            engine=cast(Any, engine),
            address=address,
        )
    if as_json:
        write_json(tuned.summary() | {"model": tuned.model})
    elif not quiet:
        from heldout.reports.render.terminal_tuned import render_tuned

        out.print(render_tuned(tuned, folder))


def _ranges(texts: list[str]) -> dict[str, str]:
    ranges: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise SpecError(f"found '{text}', expected NAME=RANGE", where="--range")
        ranges[name.strip()] = value
    return ranges
