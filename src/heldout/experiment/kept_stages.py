"""Stages of a long computation, kept in its folder: one that was stopped goes on, and ends with the same bytes.

Each stage is one sealed JSON file, named by the digest of all that it depends on.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

from heldout import __version__
from heldout.errors import ResultsError
from heldout.experiment.ledger import Ledger, other_version, read_sealed, sealed
from heldout.json_codec import from_plain, to_plain
from heldout.tables.arrays import digest_of
from heldout.targets.ranker import Ranked, RankPlan

FOLDER = "stages"
Row = TypeVar("Row")


class Stages(Protocol):
    """Where stages are kept."""

    def kept(self, stage: str, depends_on: Sequence[object], kind: type[Row], compute: Callable[[], list[Row]]) -> list[Row]:
        """The rows of a stage, computed unless they are kept."""


class NoStages:
    """Keeps nothing: every stage is computed."""

    def kept(self, stage: str, depends_on: Sequence[object], kind: type[Row], compute: Callable[[], list[Row]]) -> list[Row]:
        """The rows of a stage, computed."""
        return compute()


class FolderStages:
    """Keeps stages in a results folder."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger

    def kept(self, stage: str, depends_on: Sequence[object], kind: type[Row], compute: Callable[[], list[Row]]) -> list[Row]:
        """The rows of a stage, from its file if there is one; ResultsError where the file was changed."""
        key = digest_of("stage of a trial", __version__, stage, *depends_on)[:32]
        path = self.ledger.folder / FOLDER / f"{stage.replace(' ', '-')}-{key}.json"
        if path.exists():
            return _read(path, key, kind)
        rows = compute()
        self.ledger.begin()
        text = json.dumps({"stage": stage, "rows": [to_plain(row) for row in rows]}, ensure_ascii=False)
        self.ledger.save_text(f"{FOLDER}/{path.name}", sealed(text, key))
        return rows


def _read(path: Path, key: str, kind: type[Row]) -> list[Row]:
    content, kept_key = read_sealed(path, hint="delete this file, and run the same command again")
    if kept_key != key:
        raise ResultsError("holds another stage than its name says", where=str(path), hint="delete this file")
    try:
        return [from_plain(kind, row) for row in content["rows"]]
    except (KeyError, TypeError, ValueError) as error:
        raise other_version(path, error) from None


class KeptRanks:
    """Ranks from a results folder, where it has them, and else from and to a folder of its own."""

    def __init__(self, own: Ledger | None, lender: Ledger | None) -> None:
        self.own, self.lender = own, lender

    def load_ranks(self, key: str, plan: RankPlan) -> Ranked | None:
        """The ranks of a fit from either folder; None where neither has them all."""
        for ledger in (self.lender, self.own):
            if ledger is not None and (ranks := ledger.load_ranks(key, plan)) is not None:
                return ranks
        return None

    def save_ranks(self, key: str, plan: RankPlan, ranked: Ranked, about: dict[str, Any] | None = None) -> None:
        """Keep ranks in the own folder, if there is one."""
        if self.own is not None:
            self.own.save_ranks(key, plan, ranked, about)
