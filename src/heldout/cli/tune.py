"""`heldout tune`: search for the hyper-parameters of a model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from heldout.cli.console import out, progress_bar, write_json
from heldout.cli.options import Quiet, Threads
from heldout.errors import SpecError


def tune(
    model: Annotated[
        str, typer.Option("--model", help='A recommender; parameters that it names stay: "SLIM(l1=2)".', show_default=False)
    ],
    folder: Annotated[Path, typer.Option("--out", "-o", help="Folder for trials and outcome.", show_default=False)],
    study: Annotated[
        Path | None, typer.Argument(help="A study file: the search keeps to its protocol.", show_default=False)
    ] = None,
    data: Annotated[str | None, typer.Option("--data", help="Ratings, where no study is given.")] = None,
    split: Annotated[str | None, typer.Option(help="The split whose training part is tuned on.")] = None,
    filters: Annotated[list[str] | None, typer.Option("--filter", "-f", help="A filter; several are a chain.")] = None,
    metric: Annotated[
        str | None,
        typer.Option("--metric", "-m", help="What is to be best; else the study's first, or nDCG(gain=binary)@10."),
    ] = None,
    relevance: Annotated[str | None, typer.Option(help="Which ratings are relevant, such as threshold(4).")] = None,
    target: Annotated[str | None, typer.Option(help="Which items compete.")] = None,
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
    threads: Threads = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    quiet: Quiet = False,
) -> None:
    """Search for the parameters of a model on validation ratings carved out of train; test ratings are never looked at.

    A search that was stopped goes on where it stopped when the same command is given again.

    heldout tune --model SLIM --data ratings.csv --metric "nDCG(gain=binary)@10" --trials 30 --out tuned/slim
    """
    from heldout.experiment.tune import tune as search
    from heldout.study.file import read_keys, study_from
    from heldout.study.tuned import Tuned

    if study is None and data is None:
        raise SpecError("name a study file, or ratings by --data", where="tune")
    if study is not None and data is not None:
        raise SpecError(
            f"name a study file or ratings by --data, not both; found {study} and --data {data}",
            where="tune",
            hint="leave --data out, or change `data` in the study file",
        )
    given: dict[str, Any] = {"data": data, "split": split, "relevance": relevance, "target": target, "seed": seed}
    if filters:
        given["filter"] = [list(filters)]
    keys = {**({} if study is None else read_keys(study)), **{k: v for k, v in given.items() if v is not None}}
    keys.setdefault("split", "ratio(train=0.8, by=user)")
    made = study_from({**keys, "recommend": ["Random"], "compare": None}, folder=study.parent if study is not None else None)
    with progress_bar(quiet=quiet or as_json) as progress:
        found: Tuned = search(
            made,
            model,
            metric=metric,
            trials=trials,
            ranges=_ranges(ranges or []),
            validation=validation,
            fold=fold,
            out=folder,
            threads_used=threads,
            progress=progress,
        )
    if as_json:
        write_json(found.summary() | {"model": found.model})
    elif not quiet:
        _show(found, folder)


def _ranges(texts: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise SpecError(f"found '{text}', expected NAME=RANGE", where="--range")
        found[name.strip()] = value
    return found


def _show(found: Any, folder: Path) -> None:
    from heldout.reports.terminal.study import render_card

    order = sorted((t for t in found.trials if t.value is not None), key=lambda t: abs(t.value - found.value))
    best = "\n".join(f"{t.value:.4f}  {', '.join(f'{k}={_short(v)}' for k, v in t.parameters.items())}" for t in order[:5])
    failed = [t for t in found.trials if t.value is None]
    cost = f"{len(found.trials)} trials, {found.cpu_seconds:.1f} CPU seconds"
    sections = [
        ("", f"{found.metric} {found.value:.4f} on validation ratings ({found.protocol['validation']})"),
        ("Looked in", "\n".join(f"{name}: {text}" for name, text in found.ranges.items())),
        ("Best trials", best),
        ("Cost", cost + (f"; {len(failed)} refused (first: {failed[0].reason})" if failed else "")),
        ("Use it", f'recommend = [{{ tuned = "{folder}" }}]\nor --model "{found.model}"'),
    ]
    out.print(render_card(found.model, sections))


def _short(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
