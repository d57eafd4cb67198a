"""Stages of a long computation, kept in its folder: one that was stopped goes on, and ends with the same bytes.

Each stage is one sealed JSON file, named by the digest of all that it depends on.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from heldout import __version__
from heldout.engine.engine import Engine, InProcess, Sendable, TaskFailedError
from heldout.errors import EngineError, ResultsError
from heldout.experiment.ledger import Ledger, other_version, read_sealed, sealed
from heldout.storage.codec import from_plain, to_plain
from heldout.tables.arrays import digest_of
from heldout.targets.ranker import Ranked, RankPlan

FOLDER = "stages"
Row = TypeVar("Row")


@dataclass(frozen=True, kw_only=True)
class StageTask(Generic[Row]):
    """A stage that needs no other, and so can be computed beside others."""

    name: str
    depends_on: Sequence[object]
    kind: type[Row]
    compute: Callable[[], list[Row]]
    """Its rows, in this process."""
    function: Callable[..., list[Row]]
    """Its rows, in another process."""
    arguments: Mapping[str, Any]


class Stages:
    """Stages of one computation: where they are kept, and where those that need no other are computed."""

    def __init__(self, ledger: Ledger | None = None, engine: Engine | None = None) -> None:
        self.ledger, self.engine = ledger, engine or InProcess()

    def kept(self, stage: str, depends_on: Sequence[object], kind: type[Row], compute: Callable[[], list[Row]]) -> list[Row]:
        """The rows of a stage, from its file if there is one; ResultsError where the file was changed."""
        if self.ledger is None:
            return compute()
        path, key = self._file(self.ledger, stage, depends_on)
        if path.exists():
            return _read(path, key, kind)
        rows = compute()
        self.ledger.begin()
        text = json.dumps({"stage": stage, "rows": [to_plain(row) for row in rows]}, ensure_ascii=False)
        self.ledger.save_text(f"{FOLDER}/{path.name}", sealed(text, key))
        return rows

    def holds(self, stage: str, depends_on: Sequence[object]) -> bool:
        """Whether a stage has its file."""
        return self.ledger is not None and self._file(self.ledger, stage, depends_on)[0].exists()

    @staticmethod
    def _file(ledger: Ledger, stage: str, depends_on: Sequence[object]) -> tuple[Path, str]:
        key = digest_of("stage of a trial", __version__, stage, *depends_on)[:32]
        return ledger.folder / FOLDER / f"{stage.replace(' ', '-')}-{key}.json", key

    def run(self, stages: Iterable[StageTask[Row]]) -> Iterator[list[Row]]:
        """The rows of each stage in turn; those that are not kept are computed where the engine puts them."""
        return self.engine.run(self._task(stage) for stage in stages)

    def _task(self, stage: StageTask[Row]) -> Callable[[], list[Row]]:
        def here() -> list[Row]:
            return self.kept(stage.name, stage.depends_on, stage.kind, stage.compute)

        def received(rows: list[Row]) -> list[Row]:
            return self.kept(stage.name, stage.depends_on, stage.kind, lambda: rows)

        def failed(error: TaskFailedError) -> list[Row]:
            if error.unsendable or error.details:
                return here()  # what it raised there it raises here, as it is
            raise EngineError(f"a {stage.name} could not be computed: {error.reason}", where="engine") from error

        if self.holds(stage.name, stage.depends_on):
            return here
        return Sendable(here=here, function=stage.function, arguments=stage.arguments, received=received, failed=failed)


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
