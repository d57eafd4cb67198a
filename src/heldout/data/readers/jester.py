"""Jester jokes."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from heldout.catalogue import REQUIRED, param
from heldout.data.dense import dense_matrix, log_of_matrix
from heldout.data.many import digest_all, files_of
from heldout.data.reader import Reader
from heldout.errors import InputError
from heldout.tables import Log, concat_logs

_MISSING = 99.0


class Jester(Reader):
    """Jester: continuous ratings −10 to 10 of 100 jokes; a line a user, 99 where a joke is not rated.

    Assumes: the published tables saved as text with commas: the number of jokes rated, then one field a joke. Users are
    numbered from 1 in the order of lines, through all files of a pattern.

    Example: the line `2,99,-7.82,8.79` gives user 1 the ratings −7.82 of joke 2 and 8.79 of joke 3.
    """

    key = "jester"
    references = ("goldberg2001",)

    path: str = param(REQUIRED, "the file, plain or compressed, or a pattern of many")

    @classmethod
    def recognises(cls, path: Path, lines: list[str]) -> bool:
        return path.is_file() and bool(lines) and all(line.count(",") == 100 for line in lines)

    def read(self) -> Log:
        logs, first = [], 1
        for file in files_of(self.path):
            matrix = dense_matrix(file, ",")
            said, found = matrix[:, 0], (matrix[:, 1:] != _MISSING).sum(axis=1)
            wrong = np.flatnonzero(said != found)
            if len(wrong):
                row = int(wrong[0])
                more = f" ({len(wrong)} such lines)" if len(wrong) > 1 else ""
                raise InputError(
                    f"the first field says {said[row]:g} jokes are rated, but {found[row]} are{more}",
                    file=file,
                    line=row + 1,
                )
            log = log_of_matrix(matrix[:, 1:], _MISSING, str(file))
            logs.append(Log(log.user_id + (first - 1), log.item_id, log.value, source=str(file)))
            first += len(matrix)
        return concat_logs(logs, self.path)

    def source_digest(self) -> str:
        return digest_all(self.path)
