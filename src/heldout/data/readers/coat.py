"""Coat shopping."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import numpy as np
import polars as pl

from heldout.catalogue import REQUIRED, param
from heldout.data.column_table import BAD_ROWS, BadRows
from heldout.data.dialect import WHITESPACE
from heldout.data.lines import dense_matrix
from heldout.data.paths import checked_file, located
from heldout.data.reader import Reader
from heldout.data.sources import file_digest
from heldout.errors import InputError
from heldout.tables import Log, Side, concat_logs
from heldout.tables.arrays import Float64, digest_of


class Coat(Reader):
    """Coat: 290 shoppers' ratings of 24 coats they chose (train) and of 16 drawn at random (test), of 300.

    Assumes: matrices of blanks and numbers, a line a user, a field an item, 0 where there is no rating; users and items are
    numbered from 1. A bad line is a bad row: skipped, it takes all that its user said. `propensities()` are the authors'
    estimates of how likely each coat was to be rated by each user.
    `given(train="coat(…)", test="coat(…, part=test)", overlap=train)` is the published split less the 366 random coats that
    their users had chosen too. `heldout truth` holds what is measured on the chosen coats against the random ones.

    Example: a first line `0 0 4` is a rating of 4 by user 1 of item 3.
    """

    key = "coat"
    title = "Coat"
    references = ("schnabel2016",)
    recognised_folders = (("train.ascii", "test.ascii"),)

    path: str = param(REQUIRED, "the folder")
    part: Literal["train", "test", "both"] = param("train", "the chosen coats, the random ones, or both")
    on_bad_rows: BadRows = param("error", BAD_ROWS)

    def _file(self, name: str) -> Path:
        folder = located(self.path)
        if folder.is_file():
            raise InputError("this is a file", file=folder, expected="the folder of train.ascii and test.ascii")
        return checked_file(folder / name)

    def _files(self) -> list[Path]:
        return [self._file(f"{part}.ascii") for part in (("train", "test") if self.part == "both" else (self.part,))]

    def read(self) -> Log:
        parts = [dense_matrix(f, WHITESPACE, self.on_bad_rows).log(0.0, str(f)) for f in self._files()]
        return concat_logs(parts, self.path)

    def source_digest(self) -> str:
        return digest_of(*(file_digest(file) for file in self._files()))

    def propensities(self) -> Float64:
        """How likely each coat was to be rated by each user: users × items, in the order of ids."""
        return dense_matrix(self._file("propensities.ascii"), WHITESPACE).values

    def random_sample(self) -> Coat | None:
        """The coats drawn at random, where this reads those that shoppers chose."""
        return self.replace(part="test") if self.part == "train" else None

    @property
    def knows_propensities(self) -> bool:
        """The authors' estimates, where their file is there."""
        return (located(self.path) / "propensities.ascii").is_file()

    def propensities_of(self, users: pl.Series, items: pl.Series) -> Float64:
        matrix = self.propensities()
        user, item = np.asarray(users, dtype=np.int64), np.asarray(items, dtype=np.int64)
        if len(user) and (user.max() > matrix.shape[0] or item.max() > matrix.shape[1]):
            raise InputError(
                "some ratings have no propensity",
                file=self._file("propensities.ascii"),
                found=matrix.shape,
                expected=f"at least ({user.max()}, {item.max()}), the highest user and item",
                hint="write a line for every user and a field for every item, as in train.ascii",
            )
        return np.asarray(matrix[user - 1, item - 1])

    def item_table(self) -> Side | None:
        """One column of 0 and 1 for every feature of a coat."""
        return self._features("item")

    def user_table(self) -> Side | None:
        """One column of 0 and 1 for every feature of a shopper."""
        return self._features("user")

    def _features(self, what: str) -> Side | None:
        file = located(self.path) / "user_item_features" / f"{what}_features.ascii"
        if not file.is_file():
            return None
        matrix = dense_matrix(file, WHITESPACE).values
        names = [str(k + 1) for k in range(matrix.shape[1])]
        named = file.with_name(f"{what}_features_map.txt")
        if named.is_file():
            lines = [line.strip() for line in named.read_text(encoding="utf-8").splitlines() if line.strip()]
            names = lines if len(set(lines)) == matrix.shape[1] else names
        frame = pl.DataFrame(matrix.astype(np.int8), schema=names)
        return Side.of(frame.with_columns(pl.int_range(1, len(matrix) + 1).alias("id")), "id", source=str(file))
