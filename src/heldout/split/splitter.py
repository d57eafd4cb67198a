"""What a split is: a way to hide part of the ratings."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator

from heldout.catalogue import Component
from heldout.tables import Interactions, Split


class Splitter(Component, kind="split"):
    """Divides ratings into train and test, once or in several folds."""

    @property
    def needs_data(self) -> bool:
        """Whether it divides the study's data; a predefined split may bring its own."""
        return True

    @property
    def folds_made(self) -> int:
        """How many splits `split` gives."""
        return 1

    @abstractmethod
    def split(self, data: Interactions | None, *, seed: int) -> Iterator[Split]:
        """The splits, fold by fold; every rating is in train, in test, or counted as dropped with its reason."""

    def source_digest(self) -> str:
        """sha256 of files the split itself reads; empty when it reads none."""
        return ""
