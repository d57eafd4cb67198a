"""Divide a data set, look at the parts, audit them, keep them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from heldout.api.tune import USUAL_SPLIT
from heldout.catalogue.notices import title_of
from heldout.experiment.divide import SplitData, divide
from heldout.splits.audit import Audit, audit
from heldout.splits.concerns import concerns
from heldout.splits.store import new_folder, save_split


def split(
    ratings: Any,
    splitter: Any = USUAL_SPLIT,
    *,
    seed: int = 1,
    filters: Sequence[Any] = (),
    validation: Any = None,
    development: float | None = None,
    on_bad_rows: str = "error",
    overlap_allowed: bool = False,
) -> SplitData:
    """Divide ratings into train and test: `split("ratings.csv", "ratio(train=0.8, by=user)", seed=1)`.

    `ratings` is anything that `read` takes, after `filters`; a splitter that reads its own files, such as
    `given("train.csv", "test.csv")`, takes None. The result has `train` and `test`, and where there are several folds it is
    iterated: `for fold in split(ratings, "folds(5)"): fold.train`. `validation` is a split that carves validation ratings
    out of train, `development` a share or number of test users to choose systems on. `overlap_allowed` takes files with
    pairs in both parts, which an audit tells of.
    """
    return divide(
        ratings,
        splitter,
        filters,
        validation=validation,
        development=development,
        seed=seed,
        on_bad_rows=on_bad_rows,
        overlap_allowed=overlap_allowed,
    )


def audits(divided: SplitData) -> list[Audit]:
    """What each fold leaks."""
    return [audit(fold) for fold in divided.splits]


def warnings(divided: SplitData) -> Iterator[str]:
    """Coded concerns about the folds, each code once."""
    messages: dict[str, str] = {}
    for fold in divided.splits:
        for notice in concerns(fold):
            messages.setdefault(notice.code, notice.message)
    return (f"{code} {title_of(code)}: {message}" for code, message in messages.items())


def refuse_folder(folder: str | Path) -> None:
    """WriteError where a split could not be saved into this folder."""
    new_folder(folder)


def save(divided: SplitData, folder: str | Path, *, seed: int, source: str | None) -> None:
    """Keep the folds in a new folder; the split `saved("FOLDER")` reads them back."""
    save_split(folder, divided.splits, made_by=divided.text, seed=seed, data=source or "")


def draw(divided: SplitData, path: str | Path) -> None:
    """Draw the first fold into a file (.pdf, .svg, .png)."""
    from heldout.reports.plots.splits import split_plot
    from heldout.reports.plots.study import save as save_figure

    save_figure(split_plot(divided.splits[0], divided.data, title=divided.text), path)


def to_dicts(divided: SplitData) -> list[dict[str, Any]]:
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
