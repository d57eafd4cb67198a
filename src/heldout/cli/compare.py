"""`heldout compare`: aggregate and compare again what a run left."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from heldout.api.kept_results import over_results
from heldout.cli.console import out, progress_bar, warn, write, write_json
from heldout.cli.evaluate import Format
from heldout.cli.options import FIGURES, Quiet, names_of, writable
from heldout.errors import SpecError
from heldout.storage.files import write_text
from heldout.text.numbers import count


@over_results
def compare(
    folder: Annotated[Path, typer.Argument(help="A results folder.", show_default=False)],
    metric: Annotated[
        list[str] | None,
        typer.Option("-m", "--metric", help="Only this metric; several are allowed.", autocompletion=names_of("metric")),
    ] = None,
    aggregate: Annotated[
        list[str] | None,
        typer.Option(help="How users become one number, such as mean(weight=test).", autocompletion=names_of("aggregation")),
    ] = None,
    undefined: Annotated[list[str] | None, typer.Option(help="What an undefined value counts as: zero or skip.")] = None,
    coverage: Annotated[
        list[str] | None, typer.Option(help="What a user without a list counts as: zero, forgive, intersection.")
    ] = None,
    test: Annotated[
        list[str] | None,
        typer.Option(
            help="A significance test, such as friedman; several are allowed; or none.", autocompletion=names_of("test")
        ),
    ] = None,
    correction: Annotated[
        str | None, typer.Option(help="Correction for many comparisons.", autocompletion=names_of("correction"))
    ] = None,
    level: Annotated[float | None, typer.Option(help="The level of significance.")] = None,
    baseline: Annotated[str | None, typer.Option(help="Compare only with this system, instead of all pairs.")] = None,
    folds: Annotated[
        str | None, typer.Option(help="average: a user's folds are averaged first; pooled: they are not.")
    ] = None,
    group: Annotated[
        str | None, typer.Option(help="Of a split with two groups of users: evaluation, development or all.")
    ] = None,
    setting: Annotated[list[int] | None, typer.Option(help="Number of a setting to show; several are allowed.")] = None,
    every: Annotated[bool, typer.Option("--all", help="Show every setting.")] = False,
    plot: Annotated[Path | None, typer.Option(help="Draw the critical-difference diagram (.pdf, .svg, .png).")] = None,
    report: Annotated[Path | None, typer.Option(help="Write the report to this HTML file.")] = None,
    format: Annotated[Format, typer.Option(help="How results are printed.")] = Format.table,
    objective: Annotated[
        list[str] | None, typer.Option(help="A descriptive metric, such as ILD@10, to compare by all the same.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Fixes everything random; the run's own if not given.")] = None,
    quiet: Quiet = False,
) -> None:
    """Compare the systems of a results folder: pairs, matrix, groups and critical differences.

    heldout compare RESULTS --test friedman --test t --aggregate mean --aggregate "gmean(0.01)"

    Nothing is fitted or scored anew; what is not named stays as in the run.
    """
    from heldout.api.compare import compare as compare_systems
    from heldout.api.input_files import refuse_overwriting
    from heldout.reports import comparison
    from heldout.reports.render import terminal

    writable(plot, *FIGURES, what="a figure")
    writable(report)
    if report is not None and report.suffix.lower() not in (".html", ".htm"):  # the folder's report may be made anew
        refuse_overwriting(report, folder)
    with progress_bar(quiet=quiet) as progress:
        progress("comparing", 0, 0)
        table = {"tests": test or None, "correction": correction, "level": level, "baseline": baseline}
        results = compare_systems(
            folder,
            cast(Any, {**table, "folds": folds, "group": group}),  # compare checks them
            metrics=metric or None,
            objectives=objective or None,
            aggregate=aggregate or None,
            undefined=undefined or None,
            coverage=coverage or None,
            seed=seed,
        )
    findings = results.findings
    labels = {s.id: s.words for s in findings.settings}
    shown = list(labels) if every else setting or [findings.primary]
    missing = next((s for s in shown if s not in labels), None)
    if missing is not None:
        listed = "; ".join(f"{number} {label}" for number, label in labels.items())
        raise SpecError(f"there is no setting {missing}", where="--setting", hint=f"settings: {listed}")
    if plot is not None:
        results.figure("critical-difference", setting=shown[0]).save(plot)
    if report is not None:
        write_text(report, results.to_html())
    if format is Format.table and quiet:
        return
    if format is Format.table:
        out.print(terminal.document(comparison.document(findings, shown), full=True))
        if len(shown) < len(labels):
            out.print(_others(labels, shown))
        return
    if not quiet:
        warn(results.notices)
    if format is Format.json:
        write_json(findings.to_dict())
    elif format is Format.csv:
        write(results.tables["all-comparisons"].to_csv())
    else:
        tables = {number: results.at(number).tables["pairs"] for number in shown}
        write("\n".join(table.to_latex(label=f"tab:pairs-{number}") for number, table in tables.items()))


def _others(labels: Mapping[int, str], shown: list[int]) -> str:
    """The settings that are not shown, as far as they fit."""
    listed = [f"  {number}  {label}" for number, label in labels.items() if number not in shown]
    more = f"\n  and {count(len(listed) - 12)} more" if len(listed) > 12 else ""
    return "\nOther settings (--setting NUMBER, or --all):\n" + "\n".join(listed[:12]) + more
