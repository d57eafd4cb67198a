"""The state of a run of a multiverse, and what it reused of an earlier one."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

from heldout.engine.engine import Engine
from heldout.experiment.clock import Clock
from heldout.experiment.failure import Failure
from heldout.experiment.fitting import RanksAhead
from heldout.experiment.folds import Fold
from heldout.experiment.ledger import Ledger
from heldout.progress import Progress, WorkBar
from heldout.study.spec import Study
from heldout.universes.grid.grid import Multiverse

T = TypeVar("T")
READING, MEASURING, FINDINGS = "reading and splitting", "measuring", "what moves the outcome"
"""Work that is no fit, as progress names it."""
DONE = ("fits made", "fits kept", "splits measured", "splits kept")
"""What a run counts."""


@dataclass(kw_only=True)
class Exploration:
    """A run of a multiverse: where it works, what it has done so far, and what waits on the background thread."""

    multiverse: Multiverse
    ledger: Ledger | None
    engine: Engine
    clock: Clock
    block: int
    progress: Progress | None
    background: ThreadPoolExecutor
    """One thread, which measures and writes while the next systems are fitted."""
    failures: list[Failure] = field(default_factory=list)
    left_out: dict[str, None] = field(default_factory=dict)
    done: dict[str, int] = field(default_factory=lambda: dict.fromkeys(DONE, 0))
    here: dict[str, str] = field(default_factory=dict)
    """System → why it was fitted in this process although others were not."""
    waiting: deque[Future[Any]] = field(default_factory=deque)

    @cached_property
    def bar(self) -> WorkBar:
        """Progress over every fit, the measuring of every split, and what is made of all universes at the end."""
        multiverse, study = self.multiverse, self.multiverse.study
        folds = sum(max(splitter.folds_made, 1) for splitter in study.split) * multiverse.splits() // len(study.split)
        ahead = {system.name: folds for system in study.recommend}
        return WorkBar(self.progress, {**ahead, MEASURING: multiverse.splits(), FINDINGS: 1})

    def name_stage(self, stage: str) -> None:
        """Say what is being done before the work begins of which the bar knows how much there is."""
        if self.progress is not None:
            self.progress(stage, 0, 0)

    def skip(self, fits: Sequence[str]) -> None:
        """Leave the fits of a split whose universes are kept, and its measuring, out of the progress that is ahead."""
        for kind in (*fits, MEASURING):
            self.bar.finish(kind, loaded=True)

    def later(self, work: Callable[[], T]) -> Future[T]:
        """Queue work for the background thread; it runs in submission order while later systems are fitted."""
        future = self.background.submit(copy_context().run, work)
        self.waiting.append(future)
        return future

    def settle(self, first: int | None = None) -> None:
        """Wait for the queued work, or for the first so many pieces of it; its errors are raised here."""
        for _ in range(len(self.waiting) if first is None else first):
            self.waiting.popleft().result()


@dataclass(frozen=True, kw_only=True)
class SplitWork:
    """A split that has universes, and what becomes of it."""

    number: int
    study: Study
    of_split: list[Fold]
    key: str
    """The digest of all that its universes depend on."""
    kept: bool
    """Whether the folder has its universes."""
    ahead: RanksAhead

    @property
    def name(self) -> str:
        """Data, filter and split."""
        fold = self.of_split[0]
        return f"{fold.data} | {fold.filter} | {fold.split_text}"

    @property
    def place(self) -> str:
        """Split and seed, as progress names them."""
        return f"{self.of_split[0].split_text}, seed {self.study.seed}"

    @property
    def table(self) -> str:
        """The file of its universes."""
        return f"universes/{self.key[:32]}.parquet"

    @property
    def reusable(self) -> bool:
        """Whether its universes can be kept: the same systems give the same ranks again."""
        return all(system.recommender.reusable for system in self.study.recommend)


def reused(done: Mapping[str, int], earlier: Mapping[str, Any] | None, now: Mapping[str, Any]) -> str:
    """How much was reused from an earlier run, and what changed since; empty if the folder was new."""
    if earlier is None:
        return ""
    splits = done["splits kept"] + done["splits measured"]
    summary = f"universes of {done['splits kept']} of {splits} splits reused"
    if not done["splits measured"]:
        return summary
    words = ("heldout", "study", "seeds", "inputs", "versions")
    changed = [w for w in words if earlier.get(w) != now.get(w) and w in now]
    if "study" in changed:
        before = earlier.get("study", {})
        changed = [stage for stage, options in now["study"].items() if before.get(stage) != options]
    why = f" ({', '.join(changed)} changed)" if changed else ""
    fits = done["fits kept"] + done["fits made"]
    return f"{summary}; the others computed{why} from {done['fits kept']} kept fits and {fits - done['fits kept']} new ones"
