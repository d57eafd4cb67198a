"""The atomic files of RecBole."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from heldout.catalogue import REQUIRED, param
from heldout.data.column_table import BAD_ROWS, BadRows, log_of
from heldout.data.columns import AUTO, missing_column
from heldout.data.delimited import read_table, text_frame
from heldout.data.file_patterns import digest_all, files_of, is_pattern, read_all
from heldout.data.paths import is_folder, located
from heldout.data.reader import Reader
from heldout.data.sources import plain_name
from heldout.tables import Log, Side


class RecBole(Reader):
    """RecBole's atomic files: `.inter` with a header of names and types, such as `user_id:token`, tab-separated.

    Assumes: columns are found by the part of their names before the colon; without a rating every value is 1. `.item` and
    `.user` beside it are the item and user tables.

    Example: under `user_id:token item_id:token rating:float` the line `1 7 4` gives user 1, item 7, value 4.
    """

    key = "recbole"
    aliases = ("inter",)
    references = ("zhao2021",)
    recognised_files = {"*.inter": ""}
    recognised_folders = (("*.inter",),)

    path: str = param(REQUIRED, "the file, plain or compressed, its folder, or a pattern of many")
    user: str = param(AUTO, "the column of users")
    item: str = param(AUTO, "the column of items")
    value: str | None = param(AUTO, "the column of ratings or counts", also=("rating",))
    time: str | None = param(AUTO, "the column of times", also=("timestamp",))
    time_format: str | None = param(None, "how dates are written, such as %d.%m.%Y or %Y%m%d; none: found out")
    on_bad_rows: BadRows = param("error", BAD_ROWS)

    def _pattern(self) -> str:
        folder = located(self.path)
        return str(folder / "*.inter*") if is_folder(folder) else self.path

    def read(self) -> Log:
        return read_all(self._pattern(), self._read)

    def _read(self, file: Path) -> Log:
        wanted = {"user": self.user, "item": self.item, "value": self.value, "time": self.time}
        table = read_table(file, wanted, separator="\t", header=True)
        return log_of(replace(table, time_format=self.time_format), self.on_bad_rows)

    def source_digest(self) -> str:
        return digest_all(self._pattern())

    def item_table(self) -> Side | None:
        """The columns of the `.item` file; sequences of tokens are separated by blanks."""
        return self._side(".item", "item_id")

    def user_table(self) -> Side | None:
        """The columns of the `.user` file."""
        return self._side(".user", "user_id")

    def _side(self, suffix: str, id_name: str) -> Side | None:
        folder = located(self.path)
        if not is_folder(folder):
            folder = files_of(self.path)[0].parent if is_pattern(self.path) else folder.parent
        file = next((p for p in sorted(folder.iterdir()) if plain_name(p).endswith(suffix)), None)
        if file is None:
            return None
        frame = text_frame(file, separator="\t")
        frame = frame.rename({name: name.partition(":")[0] for name in frame.columns})
        if id_name not in frame.columns:
            raise missing_column(id_name, frame.columns, file=file)
        return Side.of(frame, id_name, source=str(file))
