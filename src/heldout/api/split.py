"""Divide a data set, look at the parts, audit them, keep them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from heldout.catalogue.notices import title_of
from heldout.experiment.divide import Divided, divide
from heldout.splits.audit import Audit, audit
from heldout.splits.concerns import concerns
from heldout.splits.store import new_folder, save_split


def split(splitter: str, source: str | None = None, filters: Sequence[str] = (), **options: Any) -> Divided:
    """Read, filter and split a data set; a splitter that is given as files needs none.

    Options: validation, development, seed, on_bad_rows, overlap_allowed; see `heldout.experiment.divide.divide`.
    """
    return divide(splitter, source, filters, **options)


def audits(divided: Divided) -> list[Audit]:
    """What each fold leaks."""
    return [audit(fold) for fold in divided.splits]


def warnings(divided: Divided) -> Iterator[str]:
    """Coded concerns about the folds, each code once."""
    messages: dict[str, str] = {}
    for fold in divided.splits:
        for notice in concerns(fold):
            messages.setdefault(notice.code, notice.message)
    return (f"{code} {title_of(code)}: {message}" for code, message in messages.items())


def refuse_folder(folder: str | Path) -> None:
    """WriteError where a split could not be saved into this folder."""
    new_folder(folder)


def save(divided: Divided, folder: str | Path, *, seed: int, source: str | None) -> None:
    """Keep the folds in a new folder; the split `saved("FOLDER")` reads them back."""
    save_split(folder, divided.splits, made_by=divided.text, seed=seed, data=source or "")


def draw(divided: Divided, path: str | Path) -> None:
    """Draw the first fold into a file (.pdf, .svg, .png)."""
    from heldout.reports.plots.splits import split_plot
    from heldout.reports.plots.study import save as save_figure

    save_figure(split_plot(divided.splits[0], divided.data, title=divided.text), path)


def to_dicts(divided: Divided) -> list[dict[str, Any]]:
    """Sizes, drops, digest and audit of each fold, as plain data."""
    return [
        {
            "fold": fold.fold + 1,
            "train": len(fold.train),
            "test": len(fold.test),
            "validation": None if fold.validation is None else len(fold.validation),
            "dropped": {d.reason: d.count for d in fold.dropped},
            "digest": fold.digest,
            "audit": report.to_dict(),
        }
        for fold, report in zip(divided.splits, audits(divided), strict=True)
    ]
