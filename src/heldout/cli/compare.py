"""`heldout compare`: aggregate and compare again what a run left."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from heldout.cli.console import out, progress_bar, tell_notices, write, write_json
from heldout.cli.evaluate import Format
from heldout.cli.writable import FIGURES, refuse_overwriting, writable
from heldout.errors import SpecError
from heldout.writing import write_text


def compare(
    folder: Annotated[Path, typer.Argument(help="A results folder.", show_default=False)],
    metric: Annotated[
        list[str] | None, typer.Option("-m", "--metric", help="Only this metric; several are allowed.")
    ] = None,
    aggregate: Annotated[
        list[str] | None, typer.Option(help="How users become one number, such as mean(weight=test).")
    ] = None,
    undefined: Annotated[list[str] | None, typer.Option(help="What an undefined value counts as: zero or skip.")] = None,
    coverage: Annotated[
        list[str] | None, typer.Option(help="What a user without a list counts as: zero, forgive, intersection.")
    ] = None,
    test: Annotated[
        list[str] | None, typer.Option(help="A significance test, such as friedman; several are allowed; or none.")
    ] = None,
    correction: Annotated[str | None, typer.Option(help="Correction for many comparisons.")] = None,
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
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print no warnings.")] = False,
) -> None:
    """Compare the systems of a results folder: pairs, matrix, groups and critical differences.

    heldout compare RESULTS --test friedman --test t --aggregate mean --aggregate "gmean(0.01)"

    Nothing is fitted or scored anew; what is not named stays as in the run.
    """
    from heldout.api.compare import compare_results
    from heldout.reports.csv_text import csv_text
    from heldout.reports.terminal.comparison import render_comparison

    writable(plot, *FIGURES, what="a figure")
    writable(report)
    if report is not None and report.suffix.lower() not in (".html", ".htm"):  # the folder's report may be made anew
        refuse_overwriting(report, folder)
    with progress_bar(quiet=quiet) as progress:
        if progress is not None:
            progress("comparing", 0, 0)
        results = compare_results(
            folder,
            metrics=metric or None,
            aggregate=aggregate or None,
            undefined=undefined or None,
            coverage=coverage or None,
            tests=test or None,
            correction=correction,
            level=level,
            baseline=baseline,
            folds=folds,
            group=group,
            objectives=objective or None,
            seed=seed,
        )
    facts = results.facts
    known = [s.id for s in facts.settings]
    shown = known if every else setting or [facts.primary]
    strange = next((s for s in shown if s not in known), None)
    if strange is not None:
        named = "; ".join(f"{s.id} {s.label}" for s in facts.settings)
        raise SpecError(f"there is no setting {strange}", where="--setting", hint=f"settings: {named}")
    if plot is not None:
        from heldout.reports.plots.study import save

        save(results.plot("critical_difference", setting=shown[0]), plot)
    if report is not None:
        write_text(report, results.to_html())
    if format is Format.table:
        out.print(render_comparison(facts, shown))
        if len(shown) < len(known):
            out.print(_others(results.facts.settings, shown))
        return
    if not quiet:
        tell_notices(facts.notices)
    if format is Format.json:
        write_json(facts.to_dict())
    elif format is Format.csv:
        write(csv_text(results.comparisons))
    else:
        from heldout.reports.latex.pairs import pairs_to_latex

        write("\n".join(pairs_to_latex(facts, key) for key in shown) + "\n")


def _others(settings: object, shown: list[int]) -> str:
    listed = [f"  {s.id}  {s.label}" for s in settings if s.id not in shown]  # type: ignore[attr-defined]
    more = f"\n  and {len(listed) - 12} more" if len(listed) > 12 else ""
    return "\nOther settings (--setting NUMBER, or --all):\n" + "\n".join(listed[:12]) + more
