"""`heldout split`: divide a data set, look at the parts, audit them, keep them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from heldout.cli.console import errors, out, progress_bar, write_json
from heldout.cli.data import BadRows, Filters, OnBadRows, Seed, tell_skipped
from heldout.cli.writable import FIGURES, refuse_overwriting, writable

if TYPE_CHECKING:
    from heldout.catalogue.notices import Notice


def split(
    splitter: Annotated[str, typer.Argument(metavar="SPLIT", help='A split, such as "ratio(train=0.8, by=user)".')],
    source: Annotated[
        str | None, typer.Argument(metavar="DATA", help="The data set; a split that is given as files needs none.")
    ] = None,
    filters: Filters = None,
    validation: Annotated[str | None, typer.Option(help="A split that carves validation ratings out of train.")] = None,
    development: Annotated[
        float | None, typer.Option(help="Share or number of test users for development; the others are for evaluation.")
    ] = None,
    audited: Annotated[bool, typer.Option("--audit", help="Say what the split leaks.")] = False,
    save: Annotated[Path | None, typer.Option(help='New folder for the parts; saved("FOLDER") reads them back.')] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the first fold into this file (.pdf, .svg, .png).")] = None,
    users: Annotated[int, typer.Option(help="Users in the timeline; 0: no timeline.")] = 6,
    seed: Seed = 1,
    on_bad_rows: OnBadRows = BadRows.error,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Divide a data set into train and test: sizes, what is dropped and why, a timeline of a few users.

    heldout split "temporal(at=0.8)" ml-1m --audit --save my-split
    """
    from heldout.experiment.divide import divide
    from heldout.reports.terminal.splits import render_audits, render_splits
    from heldout.reports.terminal.timelines import timeline
    from heldout.splits.audit import audit
    from heldout.splits.concerns import concerns
    from heldout.splits.store import new_folder, save_split

    writable(plot, *FIGURES, what="a figure")
    refuse_overwriting(plot, source, splitter)
    if save is not None:
        new_folder(save)
    with progress_bar(quiet=as_json) as progress:
        if progress is not None:
            progress("reading and splitting", 0, 0)
        made = divide(
            splitter,
            source,
            filters or [],
            validation=validation,
            development=development,
            seed=seed,
            on_bad_rows=on_bad_rows.value,
            overlap_allowed=audited and save is None,
        )
    tell_skipped(made.skipped)
    audits = [audit(s) for s in made.splits] if audited or as_json else []
    if save is not None:
        save_split(save, made.splits, made_by=made.text, seed=seed, data=source or "")
    if plot is not None:
        from heldout.reports.plots.splits import split_plot
        from heldout.reports.plots.study import save as save_figure

        save_figure(split_plot(made.splits[0], made.data, title=made.text), plot)
    if as_json:
        write_json({"split": made.text, "folds": [_plain(s, a) for s, a in zip(made.splits, audits, strict=True)]})
        return
    out.print(render_splits(made.splits, made.text, made.summary))
    if users > 0:
        out.print(timeline(made.splits[0], made.data, users=users, room=out.width))
    if audited:
        out.print(render_audits(audits))
    _warn([concern for s in made.splits for concern in concerns(s)])
    if save is not None:
        out.print(f"\nSaved: {save}; a study uses it by split = 'saved(\"{save}\")'", soft_wrap=True)


def _plain(split: Any, found: Any) -> dict[str, Any]:
    return {
        "fold": split.fold + 1,
        "train": len(split.train),
        "test": len(split.test),
        "validation": None if split.validation is None else len(split.validation),
        "dropped": {d.reason: d.count for d in split.dropped},
        "digest": split.digest,
        "audit": found.to_dict(),
    }


def _warn(notices: list[Notice]) -> None:
    """The first notice of each code, in yellow, on stderr."""
    from heldout.catalogue.notices import title_of

    first: dict[str, str] = {}
    for notice in notices:
        first.setdefault(notice.code, notice.message)
    for code, message in first.items():
        errors.print(f"{code} {title_of(code)}: {message}", style="yellow", soft_wrap=True)
