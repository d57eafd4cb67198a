"""Scores of more users than are held in memory: files in the order of the hash of user ids, read block by block."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heldout.analysis.alignment import AlignedScores, mean_of_means
from heldout.tables import ProtocolKey, Vocabulary
from heldout.tables.arrays import Float64, Int64, digest_of
from heldout.tables.blocks import block_slices
from heldout.tables.cell_scores import MeasuredUsers
from heldout.tables.id_hash import groups_of
from heldout.tables.scores import DENOMINATOR, is_count

OF_USERS = ("user_id", "length", "computed", "lists")
"""Columns of a file that are neither metrics nor counts."""


@dataclass(frozen=True, eq=False, kw_only=True)
class StoredScores:
    """All systems under one protocol, as `AlignedScores` of one fold, in files."""

    protocol: ProtocolKey
    systems: tuple[str, ...]
    files: tuple[tuple[Path, ...], ...]
    """By system, the files of its users; those of all systems have the same users."""
    users: int
    metrics: tuple[str, ...]
    """Those with a value of each user."""
    whole: Mapping[str, tuple[float, ...]]
    """By metric of whole systems, the value of each system."""
    _shares: dict[tuple[str, int], float | None] = field(default_factory=dict, repr=False)
    """By metric and system, the means that were asked for: many settings ask for the same."""

    def __len__(self) -> int:
        return self.users

    def having(self, metric: str) -> Int64:
        """The systems of which a metric was measured."""
        measured = metric in self.metrics or metric in self.whole
        return np.arange(len(self.systems) if measured else 0)

    def of_systems(self, places: Int64) -> StoredScores:
        """Select systems."""
        if len(places) == len(self.systems):
            return self
        chosen = places.tolist()
        return replace(
            self,
            systems=tuple(self.systems[k] for k in chosen),
            files=tuple(self.files[k] for k in chosen),
            _shares={},
            whole={metric: tuple(values[k] for k in chosen) for metric, values in self.whole.items()},
        )

    def blocks(self, metrics: Sequence[str], counts: Sequence[str] = ()) -> Iterator[AlignedScores]:
        """The blocks of users with some of the metrics and of the counts of users."""
        for frames in self._frames(self._columns(metrics, counts)):
            yield self._aligned(frames, metrics)

    def table(self, metrics: Sequence[str], counts: Sequence[str] = ()) -> AlignedScores:
        """All users with some of the metrics and of the counts, in memory."""
        columns = self._columns(metrics, counts)
        return self._aligned([pl.concat([_read(file, columns) for file in files]) for files in self.files], metrics)

    def share(self, metric: str, system: int) -> float | None:
        """The mean of one system's defined values; None where the metric was not measured."""
        if metric not in self.metrics:
            return None
        if (metric, system) not in self._shares:
            one = replace(self, files=self.files[system : system + 1])
            self._shares[metric, system] = mean_of_means([frame[metric].to_numpy() for (frame,) in one._frames([metric])])
        return self._shares[metric, system]

    def covered(self, system: int) -> float:
        """The share of users for whom the system itself scored something."""
        return self._facts.covered[system] / self.users

    def served_users(self) -> int:
        """How many users have a list of every system."""
        return self._facts.served

    def measured_users(self) -> Iterator[MeasuredUsers]:
        """The users of every system, in numbers."""
        facts = self._facts
        for k, system in enumerate(self.systems):
            yield MeasuredUsers(
                system=system,
                protocol=self.protocol,
                fold=0,
                users=self.users,
                empty=facts.empty[k],
                longest=facts.longest[k],
                covered=facts.listed[k].encode(),
                tested=facts.tested,
                without_relevant=facts.without_relevant,
                all_relevant=facts.all_relevant,
            )

    @cached_property
    def user_hashes(self) -> NDArray[np.uint64]:
        """Of rows: the hash of the user's id."""
        return np.concatenate([block.user_hashes for block in self.blocks(())])

    @cached_property
    def user_groups(self) -> Int64:
        """Of rows: the group of the user by the hash of their id."""
        return groups_of(self.user_hashes)

    @cached_property
    def _facts(self) -> _Facts:
        facts = _Facts(len(self.systems))
        for block in self.blocks((), ("test", "relevant")):
            facts.add(block)
        return facts

    def _columns(self, metrics: Sequence[str], counts: Sequence[str]) -> list[str]:
        """The columns of files to read: each costs 8 bytes a user."""
        own = {"user_id", "length", "computed", *metrics, *counts, *(f"{DENOMINATOR}{metric}" for metric in metrics)}
        return [name for name in pl.read_ipc_schema(self.files[0][0]) if name in own]

    def _frames(self, columns: Sequence[str]) -> Iterator[list[pl.DataFrame]]:
        """By system, the users of each block."""
        ends = [rows.stop for rows in block_slices(self.users)]
        waiting = [pl.DataFrame() for _ in self.files]
        start = 0
        for of_range in zip(*self.files, strict=True):
            waiting = [frame.vstack(_read(file, columns)) for frame, file in zip(waiting, of_range, strict=True)]
            while ends and waiting[0].height >= ends[0] - start:
                size, start = ends[0] - start, ends.pop(0)
                yield [frame.head(size).rechunk() for frame in waiting]
                waiting = [frame.slice(size) for frame in waiting]

    def _aligned(self, frames: Sequence[pl.DataFrame], metrics: Sequence[str]) -> AlignedScores:
        """A table of the users of frames, one for each system, which keep their order."""
        first, n = frames[0], frames[0].height
        values = np.empty((len(frames), len(metrics), n))
        for k, frame in enumerate(frames):
            for m, metric in enumerate(metrics):
                values[k, m] = self.whole[metric][k] if metric in self.whole else frame[metric].to_numpy()
        counts = {name: first[name].to_numpy() for name in first.columns if is_count(name)}
        divided = [name for name in counts if name.startswith(DENOMINATOR)]
        return AlignedScores(
            protocol=self.protocol,
            systems=self.systems,
            metrics=tuple(metrics),
            vocabulary=Vocabulary(_ids(first["user_id"])),
            user=np.arange(n, dtype=np.int32),
            row=np.arange(n, dtype=np.int64),
            fold=np.zeros(n, dtype=np.int64),
            values=values,
            length=_stacked(frames, "length"),
            computed=_stacked(frames, "computed"),
            lists=np.ones(n),  # of all items, which a user has one list of
            cell_counts={name: column for name, column in counts.items() if name not in divided},
            denominators={name.removeprefix(DENOMINATOR): _stacked(frames, name) for name in divided},
            measured=np.ones((len(frames), len(metrics)), dtype=np.bool_),
        )


class _Facts:
    """What lists and test ratings of all users add up to."""

    def __init__(self, systems: int) -> None:
        self.covered, self.empty, self.longest = [0] * systems, [0] * systems, [0.0] * systems
        self.listed = [""] * systems
        """By system, a digest of who has a list."""
        self.served = self.tested = self.without_relevant = 0
        self.all_relevant = True

    def add(self, block: AlignedScores) -> None:
        """Count the users of a block."""
        test, relevant = block.counts["test"], block.counts["relevant"]
        self.served += block.served_users()
        self.tested += int((test > 0).sum())
        self.without_relevant += int(((test > 0) & (relevant == 0)).sum())
        self.all_relevant &= bool((test == relevant).all())
        for k, length in enumerate(block.length):
            self.covered[k] += int((block.computed[k] > 0).sum())
            self.empty[k] += int((length == 0).sum())
            self.longest[k] = max(self.longest[k], float(length.max(initial=0)))
            self.listed[k] = digest_of(self.listed[k], np.packbits(length > 0))


def _read(file: Path, columns: Sequence[str]) -> pl.DataFrame:
    return pl.read_ipc(file, columns=list(columns))


def _ids(column: pl.Series) -> NDArray[Any]:
    """Ids in the order of rows; the vocabulary of a block only decodes."""
    return np.array(column.to_list(), dtype=object) if column.dtype == pl.String else column.to_numpy()


def _stacked(frames: Sequence[pl.DataFrame], name: str) -> Float64:
    return np.stack([frame[name].to_numpy() for frame in frames])
