"""Where experiments are run: the data folder, the folder that keeps fits and figures, and what was asked of the machine."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeVar

import polars as pl

import heldout as ho
from heldout.data.memory import InMemory
from heldout.data.profile import DataSteps
from heldout.experiment.folds import profiled_data
from heldout.experiment.kept_stages import Stages
from heldout.experiment.ledger import Ledger
from heldout.papers.data_sets import SIMULATED, NeededData
from heldout.progress import WorkBar
from heldout.rng import stream
from heldout.study.file import study_from
from heldout.study.record import study_record

FITS = ".fits"
"""The folder below the results that keeps fits and figures of all papers."""
SIMULATED_SPLITS = 2
"""Splits of simulated data, where the experiment asks for more."""
Row = TypeVar("Row")


@dataclass(eq=False, kw_only=True)
class PaperBench:
    """One call of `heldout reproduce`: every paper and experiment of it shares fits and figures."""

    data: str | Path
    """A folder, or "simulated"."""
    out: Path | None = None
    engine: Literal["here", "ray"] | None = None
    address: str | None = None
    block: int = 4096
    bar: WorkBar = field(default_factory=lambda: WorkBar(None, {}))
    """Progress over all experiments of the call."""
    running: str = ""
    """The paper and experiment that is being run."""
    piece: tuple[int, int] = (0, 1)
    """Which of its studies is run, counted from 0, and how many there are."""
    computed: int = 0
    """Stages that were computed, and not taken from the folder or from an earlier experiment."""
    cache: dict[tuple[str, ...], list[Any]] = field(default_factory=dict)
    inputs: dict[str, str] = field(default_factory=dict)
    """By data set that was read, the sha256 of its files."""
    sources: dict[str, Any] = field(default_factory=dict)
    """By data set that was read, its reader."""
    studies: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    """By experiment, its studies as manifests keep them, each once, with the seeds of the splits that it is run on."""
    study_by_data: dict[tuple[str, str, str], ho.Study] = field(default_factory=dict)
    """By data, filters and digest of what is read, the first study of them."""

    @property
    def simulated(self) -> bool:
        """Whether simulated data stand in for those of the papers."""
        return str(self.data) == SIMULATED

    @property
    def fits(self) -> Path | None:
        """The folder that keeps fits; None if nothing is kept."""
        return None if self.out is None else self.out / FITS

    def folder(self, kind: str) -> Path | None:
        """The folder that keeps results of a kind, which the next results of this kind share."""
        return None if self.fits is None else self.fits / kind

    def missing(self, data: NeededData) -> tuple[str, ...]:
        """Files of a data set that the folder lacks."""
        return () if self.simulated else data.missing(Path(self.data))

    def source(self, data: NeededData) -> Any:
        """The reader of a data set, or what stands in for it."""
        if data.key in self.sources:
            return self.sources[data.key]
        if self.simulated:
            reader: Any = ho.make("reader", data.stand_in)
            reader = _with_profits(reader) if data.profits else reader
        else:
            path = str(Path(self.data) / data.path)
            reader = getattr(ho.readers, data.reader)(path=path, **data.options)
        self.inputs[data.key] = reader.source_digest()
        self.sources[data.key] = reader
        return reader

    def study(self, data: NeededData, keys: Mapping[str, Any], **others: Any) -> ho.Study:
        """A study on a data set; `keys` are as study files have them, but for data, `others` stand before them.

        It is noted, with its data, for those who read what was run.
        """
        source = self.source(data)
        table = source.table if isinstance(source, InMemory) else source
        study = study_from({**keys, "data": table, "split": self.split(data, keys["split"]), **others})
        study = replace(study, data=(source,)) if study.data else study  # a table in memory keeps its name
        record, noted = study_record(study), self.studies.setdefault(self.running, [])
        same = [entry for entry in noted if {**record, "seed": entry["study"]["seed"]} == entry["study"]]
        if not same:
            noted.append({"study": record, "seeds": [study.seed]})
        elif study.seed not in same[0]["seeds"]:
            same[0]["seeds"].append(study.seed)
        key = (str(record["data"]), str(record["filters"]), source.source_digest())
        self.study_by_data.setdefault(key, study)
        return study

    def profiles(self) -> tuple[DataSteps, ...]:
        """The data of all studies before and after their filters, each once."""
        steps = [
            facts
            for key, study in self.study_by_data.items()
            for facts in self.kept("data of a study", key, DataSteps, partial(profiled_data, study))
        ]
        return tuple({(facts.name, facts.filter): facts for facts in steps}.values())

    def split(self, data: NeededData, split: str) -> Any:
        """A split by its text form, or by the name of one that was published with the data."""
        folds = data.splits.get(split)
        if folds is None or self.simulated:
            return ho.make("split", split if folds is None else folds.stand_in)
        return ho.splits.Given(test=tuple(str(Path(self.data) / name) for name in folds.tests))

    def splits(self, seeds: Sequence[int]) -> Sequence[int]:
        """The seeds that are run."""
        return seeds[:SIMULATED_SPLITS] if self.simulated else seeds

    def kept(self, stage: str, depends_on: Sequence[object], kind: type[Row], compute: Callable[[], list[Row]]) -> list[Row]:
        """Rows of a stage, computed once: kept in this call, and in the folder where there is one."""
        key = (stage, *map(str, depends_on))
        if key not in self.cache:

            def computed() -> list[Row]:
                self.computed += 1
                return compute()

            if self.fits is None:
                self.cache[key] = computed()
            else:
                ledger = Ledger(self.fits)
                with ledger.writing():
                    self.cache[key] = Stages(ledger).kept(stage, depends_on, kind, computed)
        return self.cache[key]

    @contextmanager
    def experiment(self, name: str) -> Iterator[None]:
        """Run an experiment: progress names it, and what it took says how long the others will take."""
        self.running, self.piece, before = name, (0, 1), self.computed
        self.bar.stage(name)
        yield
        self.bar.finish(name, loaded=self.computed == before)

    def tell(self, stage: str, done: int, total: int) -> None:
        """Tell who watches what is being done of the running experiment, and how much of its current study."""
        words = f"{self.running}: {stage}" if self.running else stage
        if total:
            number, pieces = self.piece
            self.bar.part(self.running, (number + done / total) / pieces, stage=words)
        else:
            self.bar.stage(words)


def identity(study: ho.Study) -> list[object]:
    """What the results of a study depend on."""
    digests = [source.source_digest() for source in study.data] + [split.source_digest() for split in study.split]
    return [json.dumps(study_record(study), sort_keys=True), study.seed, digests]


def _with_profits(source: Any) -> InMemory:
    """Simulated purchases whose items have a profit each, some of them a loss."""
    ratings = source.read().interactions("error")
    profit = stream(1, "profits of simulated items").normal(1.0, 1.0, ratings.n_items)
    frame = pl.DataFrame(
        {
            "user": ratings.user,
            "item": ratings.item,
            "value": ratings.value,
            "utility": ratings.value * profit[ratings.item],
        }
    )
    return InMemory(frame, f"{source} with profits")
