"""`heldout split`: divide a data set, look at the parts, audit them, keep them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from heldout.cli.console import out, progress_bar, warn, write_json
from heldout.cli.data import BadRows, Filters, OnBadRows, Seed, tell_skipped
from heldout.cli.options import FIGURES, names_of, writable


def split(
    splitter: Annotated[
        str,
        typer.Argument(
            metavar="SPLIT", help='A split, such as "ratio(train=0.8, by=user)".', autocompletion=names_of("split")
        ),
    ],
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
    from heldout.api.input_files import refuse_overwriting
    from heldout.api.split import split as divide
    from heldout.reports.render.terminal import table
    from heldout.reports.splits import audit_table, dropped, sizes_table, timeline

    writable(plot, *FIGURES, what="a figure")
    refuse_overwriting(plot, source, splitter)
    with progress_bar(quiet=as_json) as progress:
        progress("reading and splitting", 0, 0)
        divided = divide(
            source,
            splitter,
            filters=filters or [],
            validation=validation,
            development=development,
            seed=seed,
            on_bad_rows=on_bad_rows.value,
            overlap_allowed=audited and save is None,
            out=save,
        )
    tell_skipped(divided.skipped)
    if plot is not None:
        divided.save_plot(plot)
    if as_json:
        write_json({"split": divided.text, "folds": divided.to_dicts()})
        return
    out.print(table(sizes_table(divided.splits, divided.text)))
    for line in (divided.summary, *dropped(divided.splits)):
        out.print(line)
    if users > 0:
        out.print()
        out.print(timeline(divided.splits[0], divided.data, users=users, room=out.width))
    if audited:
        out.print()
        out.print(table(audit_table(divided.audits())))
    warn(divided.notices, soft_wrap=True)
    if save is not None:
        out.print(f"\nSaved: {save}; a study uses it by split = 'saved(\"{save}\")'", soft_wrap=True)
