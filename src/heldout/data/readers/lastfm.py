"""Last.fm of the HetRec 2011 workshop."""

from __future__ import annotations

from pathlib import Path

from heldout.catalogue import REQUIRED, param
from heldout.data.column_table import BAD_ROWS, BadRows, log_of
from heldout.data.delimited import read_table, text_frame
from heldout.data.file_patterns import beside, file_in
from heldout.data.reader import Reader
from heldout.data.sources import file_digest
from heldout.tables import Log, Side

_FILES = ("user_artists.dat",)
_WANTED = {"user": "userID", "item": "artistID", "value": "weight"}


class LastFm(Reader):
    """Last.fm of HetRec 2011: how often 1,892 listeners played their 50 most played artists.

    Assumes: the value is the play count; `playcounts_to_ratings` makes ratings of it. `artists.dat` beside it is the item
    table.

    Example: the line `2 51 13883` says that user 2 played artist 51 13,883 times.
    """

    key = "lastfm"
    counts = True
    title = "Last.fm (HetRec 2011)"
    aliases = ("lastfm_hetrec",)
    references = ("cantador2011",)
    recognised_files = {"*": r"\s*userID\s+artistID\s+weight\s*(\n|$)"}
    recognised_folders = (_FILES,)

    path: str = param(REQUIRED, "the folder or user_artists.dat, plain or compressed")
    on_bad_rows: BadRows = param("error", BAD_ROWS)

    def file(self) -> Path:
        """The file of play counts itself."""
        return file_in(self.path, _FILES, "Last.fm play counts")

    def read(self) -> Log:
        return log_of(read_table(self.file(), _WANTED, separator="\t", header=True), self.on_bad_rows)

    def source_digest(self) -> str:
        return file_digest(self.file())

    def item_table(self) -> Side | None:
        """Names and addresses of artists."""
        file = beside(self.file(), ("artists.dat",))
        return None if file is None else Side.of(text_frame(file, separator="\t", quoted=False), "id", source=str(file))
