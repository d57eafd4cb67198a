"""The MovieLens data sets as GroupLens publishes them."""

from __future__ import annotations

from pathlib import Path

from heldout.catalogue import REQUIRED, param
from heldout.data.reader import Reader
from heldout.data.sources import COMPRESSIONS, checked_file, file_digest, plain_name
from heldout.data.tabular import read_table
from heldout.data.typed import log_of
from heldout.errors import InputError
from heldout.tables import Log

_BY_POSITION = {"user": "1", "item": "2", "value": "3", "time": "4"}
_BY_NAME = {"user": "userId", "item": "movieId", "value": "rating", "time": "timestamp"}
_FILES = ("u.data", "ratings.dat", "ratings.csv")


class MovieLens(Reader):
    """A MovieLens data set: `u.data` (100K), `ratings.dat` (1M, 10M) or `ratings.csv` (20M and later), or their folder.

    Assumes: stars as published (whole in 100K and 1M, halves from 10M on) and times in seconds. Parts of a published
    split (`u1.base`) have the form of `u.data` and are read too.

    Example: the line `1::1193::5::978300760` gives user 1, item 1193, value 5.
    """

    key = "movielens"
    references = ("harper2015",)

    path: str = param(REQUIRED, "the folder or the file of ratings, plain or compressed")

    def read(self) -> Log:
        found = self.file()
        name = plain_name(found)
        if name.endswith(".dat"):
            return log_of(read_table(found, _BY_POSITION, separator="::", header=False))
        if name.endswith(".csv"):
            return log_of(read_table(found, _BY_NAME, separator=",", header=True))
        return log_of(read_table(found, _BY_POSITION, separator="\t", header=False))

    def source_digest(self) -> str:
        return file_digest(self.file())

    def file(self) -> Path:
        """The file of ratings itself."""
        path = Path(self.path).expanduser()
        if not path.is_dir():
            return checked_file(path)
        for name in _FILES:
            for suffix in ("", *COMPRESSIONS):
                if (path / (name + suffix)).is_file():
                    return path / (name + suffix)
        raise InputError(
            f"no MovieLens ratings in this folder; expected one of {', '.join(_FILES)}",
            file=path,
            hint="name the folder that the archive unpacks to",
        )
