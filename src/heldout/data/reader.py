"""What a reader is: something that finds ratings and hands them over as they were written."""

from __future__ import annotations

from abc import abstractmethod

from heldout.catalogue import Component
from heldout.tables import Log


class Reader(Component, kind="reader"):
    """Finds ratings in a file, a folder or a generator."""

    @abstractmethod
    def read(self) -> Log:
        """All rows, pairs possibly repeated; InputError names the file, line and column of the first bad one."""

    @abstractmethod
    def source_digest(self) -> str:
        """sha256 of what would be read (file bytes, or the parameters of a generator), for the manifest."""
