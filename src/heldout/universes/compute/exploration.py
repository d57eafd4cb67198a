"""The state of a run of a multiverse, which users its universes test, and what it reused of an earlier one.

The users rule, the relevance rule and the target choose the tested users. Lists of one relevant item exist only for users
who have such an item, whatever the users rule says.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from heldout.catalogue import make
from heldout.engine.engine import Engine
from heldout.experiment.clock import Clock
from heldout.experiment.fitting import RanksAhead
from heldout.experiment.folds import Fold
from heldout.experiment.ledger import Ledger
from heldout.experiment.outcome import Failure
from heldout.experiment.work_share import Progress, WorkBar
from heldout.study.protocol import chain_text
from heldout.study.spec import Study
from heldout.tables.arrays import Bool
from heldout.targets.ranker import split_for
from heldout.targets.relevance_rule import RelevanceRule
from heldout.targets.target import Target
from heldout.universes.grid.grid import Multiverse
from heldout.universes.universes import OtherUsers, Universes

Choice = tuple[str, str, float, str]
"""The texts of users rule and relevance rule, the head, and the candidates if lists have one relevant item."""


T = TypeVar("T")
READING, MEASURING, FINDINGS = "reading and splitting", "measuring", "what moves the outcome"
"""Work that is no fit, as progress names it."""
DONE = ("fits made", "fits kept", "splits measured", "splits kept")
"""What a run counts."""


def _first_choice(study: Study) -> Choice:
    """The users that the first options choose."""
    target, rule, *_ = next(study.judgements())
    return _choice(chain_text(study.users[0]), str(rule), target)


def _choice(chain: str, rule: str, target: Target) -> Choice:
    return chain, rule, target.form.head, target.form.candidates if target.single else ""


def _with_lists(fold: Fold, target: Target, rule: RelevanceRule) -> Bool:
    """A mask of the tested users who have a list of one relevant item: such an item must be a candidate."""
    test = split_for(fold.split, target).test
    relevant = rule.of_test(test, fold.split.train)
    if target.form.candidates == "training":
        relevant = relevant & (fold.split.train.item_counts > 0)[test.item]
    return (np.bincount(test.user, relevant, test.n_users) > 0)[fold.users]


@dataclass
class UsersByChoice:
    """Users of every fold by choice, and the choices that test other users of some fold than the first options do."""

    sizes: dict[Choice, list[int]] = field(default_factory=dict)
    other: set[Choice] = field(default_factory=set)

    def add(self, study: Study, folds: Iterable[Fold]) -> None:
        """Count the users of a split."""
        ways = {(str(rule), _choice("", "", target)): (target, rule) for target, rule, *_ in study.judgements()}
        for fold in folds:
            masks: dict[Choice, Bool] = {}
            for (text, _), (target, rule) in ways.items():
                served = _with_lists(fold, target, rule) if target.single else True
                for chain in map(chain_text, study.users):
                    masks[_choice(chain, text, target)] = fold.masks[chain, text, target.form.head] & served
            first = masks[_first_choice(study)]
            for choice, mask in masks.items():
                self.sizes.setdefault(choice, []).append(int(mask.sum()))
                self.other |= set() if np.array_equal(mask, first) else {choice}

    def others(self, study: Study, universes: Universes) -> OtherUsers | None:
        """The universes that test other users than the first options of a study do on the same split; None if none do."""
        if not self.other:
            return None
        places = [universes.decision(name) for name in ("users", "relevance", "target")]
        chains, rules, targets = (universes.decisions[place].levels for place in places)
        made = [make("target", text) for text in targets]
        rows = [_choice(chains[u], rules[r], made[t]) in self.other for u, r, t in universes.codes[:, places].tolist()]
        sizes = [size for choice in self.other for size in self.sizes[choice]]
        return OtherUsers(
            rows=np.array(rows, dtype=np.bool_), counts=_span(sizes), first=_span(self.sizes[_first_choice(study)])
        )


def _span(sizes: list[int]) -> str:
    """900, or 900 to 1,477."""
    low, high = min(sizes), max(sizes)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


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
    tested: UsersByChoice = field(default_factory=UsersByChoice)

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
