"""Divide a data set, look at the parts, audit them, keep them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from heldout.api.arguments import several
from heldout.api.tune import USUAL_SPLIT
from heldout.catalogue.notices import title_of
from heldout.experiment.divide import DividedData, divide
from heldout.splits.audit import Audit, audit
from heldout.splits.concerns import concerns
from heldout.splits.sizes import sizes_of
from heldout.splits.store import new_folder, save_split

if TYPE_CHECKING:
    from heldout.api.arguments import BadRows, Spec, Specs
    from heldout.api.figures import Figure


class SplitData(DividedData):
    """The folds of one split: iterate over them, or ask for `train` and `test` where there is only one.

    They can be audited, drawn and kept.
    """

    def audits(self) -> list[Audit]:
        """What each fold leaks."""
        return [audit(fold) for fold in self.splits]

    @property
    def notices(self) -> list[str]:
        """Coded warnings about the folds, each code once."""
        messages: dict[str, str] = {}
        for fold in self.splits:
            for notice in concerns(fold):
                messages.setdefault(notice.code, notice.message)
        return [f"{code} {title_of(code)}: {message}" for code, message in messages.items()]

    def save(self, folder: str | Path) -> None:
        """Keep the folds in a new folder; the split `saved("FOLDER")` reads them back."""
        save_split(folder, self.splits, made_by=self.text, seed=self.seed, data=self.source)

    def plot(self) -> Figure:
        """The first fold over time as a figure: `split.plot().save("split.pdf", width=3.4)`."""
        from heldout.api.figures import Figure
        from heldout.reports.charts.splits import chart

        return Figure("split", lambda: chart(self.splits[0], self.data, title=self.text))

    def save_plot(self, path: str | Path) -> None:
        """Write the figure of `plot` to a file (.pdf, .svg, .png)."""
        self.plot().save(path)

    def to_dicts(self) -> list[dict[str, Any]]:
        """Sizes, drops, digest and audit of each fold, as plain data."""
        return [
            {
                "fold": fold.fold + 1,
                "train": len(fold.train),
                "test": len(fold.test),
                "validation": None if fold.validation is None else len(fold.validation),
                "parts": {
                    part.part: {"users": part.users, "items": part.items, "density": part.density} for part in sizes_of(fold)
                },
                "dropped": {d.reason: d.count for d in fold.dropped},
                "digest": fold.digest,
                "audit": report.to_dict(),
            }
            for fold, report in zip(self.splits, self.audits(), strict=True)
        ]


def split(
    ratings: Any,
    splitter: Spec = USUAL_SPLIT,
    *,
    seed: int = 1,
    filters: Specs = (),
    validation: Spec | None = None,
    development: float | None = None,
    on_bad_rows: BadRows = "error",
    overlap_allowed: bool = False,
    out: str | Path | None = None,
) -> SplitData:
    """Divide ratings into train and test: `split("ratings.csv", "ratio(train=0.8, by=user)", seed=1)`.

    `ratings` is anything that `read` takes, after `filters`; a splitter that reads its own files, such as
    `given("train.csv", "test.csv")`, takes None. The result has `train` and `test`, and where there are several folds it is
    iterated: `for fold in split(ratings, "folds(5)"): fold.train`. `validation` is a split that carves validation ratings
    out of train, `development` a share or number of test users to choose systems on. `overlap_allowed` takes files with
    pairs in both parts, which an audit tells of. With `out`, the folds are kept in that new folder, and the splitter
    `saved("FOLDER")` reads them back.
    """
    if out is not None:
        new_folder(out)
    folds = divide(
        ratings,
        splitter,
        several(filters),
        validation=validation,
        development=development,
        seed=seed,
        on_bad_rows=on_bad_rows,
        overlap_allowed=overlap_allowed,
    )
    divided = SplitData(**vars(folds))
    if out is not None:
        divided.save(out)
    return divided
