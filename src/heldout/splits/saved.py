"""A split that was saved."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from heldout.catalogue import REQUIRED, param
from heldout.splits.splitter import Splitter, not_empty
from heldout.splits.store import saved_manifest, saved_splits
from heldout.tables import Interactions, Split
from heldout.tables.arrays import digest_of


class Saved(Splitter):
    """A split that `heldout split --save` wrote, the same to the last bit.

    Assumes: the folder is as it was written: every part's digest is checked. The study's data and seed play no part, and
    validation part and user groups are those that were saved.

    Example: `saved("my-split")` in a study file gives others exactly the folds in that folder.
    """

    key = "saved"
    predefined = True

    path: str = param(REQUIRED, "the folder")

    @property
    def needs_data(self) -> bool:
        return False

    @property
    def folds_made(self) -> int:
        return len(saved_manifest(Path(self.path).expanduser())["folds"])

    def split(self, data: Interactions | None, *, seed: int) -> Iterator[Split]:
        for split in saved_splits(self.path):
            yield not_empty(split, self)

    def source_digest(self) -> str:
        return digest_of(*(entry["digest"] for entry in saved_manifest(Path(self.path).expanduser())["folds"]))

    def phrase(self) -> str:
        return "a division of the ratings that was kept on disk was used"
