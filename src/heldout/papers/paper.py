"""What a paper did, printed and claimed: declarations, written before anything is measured."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import polars as pl

from heldout.papers.bench import PaperBench
from heldout.papers.data_sets import NeededData
from heldout.papers.findings import Panel, Standing


@dataclass(frozen=True)
class MeasuredTables:
    """What was measured for an experiment: tables by name, and what could not be measured."""

    tables: Mapping[str, pl.DataFrame]
    failures: tuple[str, ...] = ()

    def rows(self, table: str, **where: object) -> pl.DataFrame:
        """The rows of a table whose columns have these values, by study and split."""
        frame = self.tables[table]
        kept = frame.filter(*(pl.col(name) == value for name, value in where.items()))
        return kept.sort("seed", maintain_order=True) if "seed" in kept.columns else kept

    def numbers(self, table: str, column: str, **where: object) -> list[float]:
        """A column of these rows: one number for each split."""
        return self.rows(table, **where)[column].drop_nulls().to_list()

    def of(self, work: str) -> MeasuredTables:
        """The tables of one of several works, by their own names."""
        prefix = f"{work} "
        own = {name.removeprefix(prefix): frame for name, frame in self.tables.items() if name.startswith(prefix)}
        return MeasuredTables(own, self.failures)


Pick = Callable[[MeasuredTables], Sequence[float]]
"""Takes a number for each split from what was measured."""


class Work(Protocol):
    """What is run for an experiment."""

    def measure(self, bench: PaperBench, data: NeededData) -> MeasuredTables:
        """Run it, or take it from the folder of the bench."""


@dataclass(frozen=True)
class NamedWorks:
    """Several works on the same data: the tables of each have its name before their own."""

    works: Mapping[str, Work]
    """By name; the tables of one without a name keep theirs."""

    def measure(self, bench: PaperBench, data: NeededData) -> MeasuredTables:
        """All of them, one after the other."""
        tables: dict[str, pl.DataFrame] = {}
        failures: dict[str, None] = {}
        for name, work in self.works.items():
            measured = work.measure(bench, data)
            tables |= {f"{name} {table}".lstrip(): frame for table, frame in measured.tables.items()}
            failures |= dict.fromkeys(measured.failures)
        return MeasuredTables(tables, tuple(failures))


@dataclass(frozen=True, kw_only=True)
class Expectation:
    """A number that the paper prints."""

    row: str
    column: str
    published: float
    pick: Pick
    kind: Literal["value", "p", "count"] = "value"
    """A p-value is placed among those of the splits; a count must be met exactly, to the decimals that are printed."""
    decimals: int = 3
    """That the paper prints."""
    remark: str = ""
    """What differs from the paper's own words; it stands in the row."""
    standing: Standing = "own"
    same: str = ""
    """A name for a number that is printed more than once: it is counted once."""
    causes: tuple[str, ...] = ()
    """Why it does not agree on the paper's data: as of a claim."""


@dataclass(frozen=True)
class ClaimFinding:
    """What figures say of a claim: whether it holds, None if they cannot tell, and the figures in words."""

    holds: bool | None
    figures: str


Rule = Callable[[MeasuredTables], ClaimFinding]
"""Tests a claim by what was measured."""


@dataclass(frozen=True, kw_only=True)
class Claim:
    """A sentence of the paper and the rule that says when it holds."""

    key: str = ""
    """Its name in `paper.toml`."""
    words: str
    section: str
    rule: str
    check: Rule
    causes: tuple[str, ...] = ()
    """Why it does not hold on the paper's data: the cause, or those that were ruled out, with the figures that did so."""


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """A table or figure of a paper."""

    key: str
    """As in "table-2" or "fig-4"; of further data with its name behind it, "table-2-netflix"."""
    title: str
    did: str
    """What the paper did, in a sentence."""
    data: NeededData
    minutes: float
    """About how long it takes from nothing, on two cores."""
    work: Work
    expectations: tuple[Expectation, ...] = ()
    claims: tuple[Claim, ...] = ()
    draw: Callable[[MeasuredTables], tuple[Panel, ...]] | None = None
    notes: tuple[str, ...] = ()
    """What we read into the paper where it leaves something open, and what is not the paper's own."""
    extension: bool = False
    """Whether data or systems are others than the paper's: its claims are counted apart."""


@dataclass(frozen=True, kw_only=True)
class Paper:
    """A paper and what of it can be run."""

    key: str
    """As users type it: canamares-2020."""
    reference: str
    """Its key in references.bib."""
    name: str
    experiments: tuple[Experiment, ...]
    notes: tuple[str, ...] = ()
