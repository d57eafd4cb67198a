"""The MovieLens data sets as GroupLens publishes them."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from heldout.catalogue import REQUIRED, param
from heldout.data.column_table import BAD_ROWS, BadRows, log_of
from heldout.data.delimited import read_table, text_frame
from heldout.data.file_patterns import beside, file_in
from heldout.data.reader import Reader
from heldout.data.sources import file_digest, plain_name
from heldout.tables import Log, Side

_BY_POSITION = {"user": "1", "item": "2", "value": "3", "time": "4"}
_BY_NAME = {"user": "userId", "item": "movieId", "value": "rating", "time": "timestamp"}
MOVIELENS_FILES = ("u.data", "ratings.dat", "ratings.csv")
GENRES = (
    "unknown",
    "Action",
    "Adventure",
    "Animation",
    "Children's",
    "Comedy",
    "Crime",
    "Documentary",
    "Drama",
    "Fantasy",
    "Film-Noir",
    "Horror",
    "Musical",
    "Mystery",
    "Romance",
    "Sci-Fi",
    "Thriller",
    "War",
    "Western",
)
"""The genres that u.item flags, in its order."""


class MovieLens(Reader):
    """A MovieLens data set: `u.data` (100K), `ratings.dat` (1M, 10M) or `ratings.csv` (20M and later), or their folder.

    Assumes: stars as published (whole in 100K and 1M, halves from 10M on) and times in seconds. Parts of a published
    split (`u1.base`) have the form of `u.data` and are read too. Titles and genres are the item table; ages, genders and
    occupations, in 100K and 1M, the user table.

    Example: the line `1::1193::5::978300760` gives user 1, item 1193, value 5.
    """

    key = "movielens"
    timed = True
    title = "MovieLens"
    references = ("harper2015",)
    recognised_files = {"u.data": "", "ratings.dat": ".*::"}
    recognised_folders = tuple((name,) for name in MOVIELENS_FILES)

    path: str = param(REQUIRED, "the folder or the file of ratings, plain or compressed")
    on_bad_rows: BadRows = param("error", BAD_ROWS)

    def read(self) -> Log:
        file, bad = self.file(), self.on_bad_rows
        name = plain_name(file)
        if name.endswith(".dat"):
            return log_of(read_table(file, _BY_POSITION, separator="::", header=False), bad)
        if name.endswith(".csv"):
            return log_of(read_table(file, _BY_NAME, separator=",", header=True), bad)
        return log_of(read_table(file, _BY_POSITION, separator="\t", header=False), bad)

    def source_digest(self) -> str:
        return file_digest(self.file())

    def file(self) -> Path:
        """The file of ratings itself."""
        return file_in(self.path, MOVIELENS_FILES, "MovieLens ratings")

    def item_table(self) -> Side | None:
        """Titles and genres, the genres of a film joined by |."""
        file = beside(self.file(), ("u.item", "movies.dat", "movies.csv"))
        if file is None:
            return None
        name = plain_name(file)
        if name == "u.item":
            columns = ("item_id", "title", "released", "released_on_video", "url", *GENRES)
            frame = text_frame(file, separator="|", names=columns, quoted=False, encoding="latin-1")
            flags = [pl.when(pl.col(g) == "1").then(pl.lit(g)) for g in GENRES]
            joined = pl.concat_str(flags, separator="|", ignore_nulls=True).alias("genres")
            return Side.of(frame.select("item_id", "title", "released", joined), "item_id", source=str(file))
        if name == "movies.dat":
            frame = text_frame(file, separator="::", names=("item_id", "title", "genres"), encoding="latin-1")
            return Side.of(frame, "item_id", source=str(file))
        frame = text_frame(file, separator=",", quoted=True).rename({"movieId": "item_id"})
        none = pl.col("genres") == "(no genres listed)"
        frame = frame.with_columns(pl.when(none).then(pl.lit("")).otherwise("genres").alias("genres"))
        return Side.of(frame, "item_id", source=str(file))

    def user_table(self) -> Side | None:
        """Age, gender, occupation and zip code, where they were published."""
        file = beside(self.file(), ("u.user", "users.dat"))
        if file is None:
            return None
        if plain_name(file) == "u.user":
            names = ("user_id", "age", "gender", "occupation", "zip_code")
            return Side.of(text_frame(file, separator="|", names=names, quoted=False), "user_id", source=str(file))
        names = ("user_id", "gender", "age", "occupation", "zip_code")
        return Side.of(text_frame(file, separator="::", names=names), "user_id", source=str(file))
