"""Jester jokes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from heldout.catalogue import REQUIRED, param
from heldout.data.column_table import BAD_ROWS, BadRows, correct_all
from heldout.data.file_patterns import digest_all, files_of
from heldout.data.lines import Dense, dense_matrix
from heldout.data.reader import Reader
from heldout.errors import InputError
from heldout.tables import Log, concat_logs

_MISSING = 99.0


class Jester(Reader):
    """Jester: continuous ratings −10 to 10 of 100 jokes; a line a user, 99 where a joke is not rated.

    Assumes: the published tables saved as text with commas: the number of jokes rated, then one field a joke. Users are
    numbered from 1 in the order of lines, through all files of a pattern. A bad line is a bad row: skipped, it takes all
    that its user rated.

    Example: the line `2,99,-7.82,8.79` gives user 1 the ratings −7.82 of joke 2 and 8.79 of joke 3.
    """

    key = "jester"
    title = "Jester"
    references = ("goldberg2001",)
    recognised_files = {"*": r"([^,\n]*(,[^,\n]*){100}(\n|$))+\Z"}

    path: str = param(REQUIRED, "the file, plain or compressed, or a pattern of many")
    on_bad_rows: BadRows = param("error", BAD_ROWS)

    def read(self) -> Log:
        logs, before = [], 0
        for file in files_of(self.path):
            dense = self._counted(dense_matrix(file, ",", self.on_bad_rows), file)
            logs.append(replace(dense, values=dense.values[:, 1:]).log(_MISSING, str(file), before=before))
            before += dense.height
        return concat_logs(logs, self.path)

    def _counted(self, dense: Dense, file: Path) -> Dense:
        """The matrix once its first field was held against the others."""
        said, rated = dense.values[:, 0], (dense.values[:, 1:] != _MISSING).sum(axis=1)
        wrong = said != rated
        if not wrong.any():
            return dense
        if self.on_bad_rows == "skip":
            return dense.without(wrong, "another number of jokes than the first field says")
        row, n = int(wrong.argmax()), int(wrong.sum())
        raise InputError(
            "the first field is not the number of rated jokes",
            file=file,
            line=int(dense.lines[row]),
            column="1",
            found=float(said[row]),
            expected=f"{rated[row]}",
            hint=correct_all(n, "lines"),
        )

    def source_digest(self) -> str:
        return digest_all(self.path)
