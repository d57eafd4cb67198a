"""What a reader is: something that finds ratings and hands them over as they were written."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from heldout.catalogue import Component
from heldout.tables import Log, Side

if TYPE_CHECKING:
    import polars as pl

    from heldout.data.columns import Wanted
    from heldout.data.world import World
    from heldout.tables.arrays import Float64


class Reader(Component, kind="reader"):
    """Finds ratings in a file, a folder or a generator."""

    title: ClassVar[str] = ""
    """What the data set is called in prose, for a reader of one data set."""
    counts: ClassVar[bool] = False
    """Whether values are counts of plays or purchases, or all 1, instead of ratings."""
    timed: ClassVar[bool] = False
    """Whether every rating has a time."""
    simulated: ClassVar[bool] = False
    """Whether ratings are drawn from a model instead of being read."""
    recognised_files: ClassVar[Mapping[str, str]] = {}
    """How a file of this format is recognised: by a pattern of its name, which leaves out the suffix of a compression, a
    regular expression that the beginning of its first lines matches. Quotation marks are left out of these lines. An empty
    expression means that the name is enough."""
    recognised_folders: ClassVar[tuple[tuple[str, ...], ...]] = ()
    """How a folder of this format is recognised: patterns of files that it contains, or other such patterns."""

    @abstractmethod
    def read(self) -> Log:
        """All rows, pairs possibly repeated; InputError names the file, line and column of the first bad one."""

    @abstractmethod
    def source_digest(self) -> str:
        """sha256 of what would be read (file bytes, or the parameters of a generator), for the manifest."""

    @property
    def parquet_files(self) -> tuple[str, Wanted] | None:
        """The path or pattern of the Parquet files that it reads, and their columns by role; None where it reads others."""
        return None

    def truth(self) -> World | None:
        """The world that ratings are drawn from, which knows what every user would say of every item."""
        return None

    def redrawn(self, number: int) -> Reader:
        """For simulated data, those of another seed: number 0 is this one."""
        raise NotImplementedError(f"{self.key} is not simulated")

    def random_sample(self) -> Reader | None:
        """A second table of the data set, with ratings of items that were drawn at random: an unbiased truth."""
        return None

    @property
    def knows_propensities(self) -> bool:
        """Whether the data set comes with how likely each user was to rate each item."""
        return False

    def propensities_of(self, users: pl.Series, items: pl.Series) -> Float64:
        """How likely these pairs, by their ids, were to be rated; for readers that know it."""
        raise NotImplementedError(f"{self.key} comes without propensities")

    def item_table(self) -> Side | None:
        """What the data set says of its items, if it does."""
        return None

    def user_table(self) -> Side | None:
        """What the data set says of its users, if it does."""
        return None
