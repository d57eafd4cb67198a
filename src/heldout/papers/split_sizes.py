"""Users, items and densities of the parts of splits: table `sizes`, a row per split, fold and part."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass

import polars as pl

from heldout.data.read import read
from heldout.papers.bench import PaperBench
from heldout.papers.data_sets import NeededData
from heldout.papers.paper import MeasuredTables
from heldout.splits.sizes import PartSizes, sizes_of


@dataclass(frozen=True)
class SplitSizes:
    """Splits a data set and counts; nothing is fitted."""

    splits: tuple[str, ...]
    """Text forms, or names of published splits."""
    seed: int = 1

    def measure(self, bench: PaperBench, data: NeededData) -> MeasuredTables:
        """Count, or take the counts from the folder of the bench."""
        rows = [{"split": split, **asdict(part)} for split in self.splits for part in self._parts(bench, data, split)]
        return MeasuredTables({"sizes": pl.DataFrame(rows)})

    def _parts(self, bench: PaperBench, data: NeededData, split: str) -> Iterator[PartSizes]:
        source, splitter = bench.source(data), bench.split(data, split)

        def compute() -> list[PartSizes]:
            return [part for fold in splitter.split(read(source), seed=self.seed) for part in sizes_of(fold)]

        depends_on = [source.source_digest(), splitter.full_text, splitter.source_digest(), self.seed]
        yield from bench.kept("split sizes", depends_on, PartSizes, compute)
