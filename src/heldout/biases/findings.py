"""All that is found about the biases of a study, as plain data: from this the terminal, the page and the files are drawn."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import polars as pl

from heldout.biases.drift import Drift
from heldout.biases.expected_rows import ExpectationRow
from heldout.biases.protocol_effects import ProtocolEffects
from heldout.biases.sweeps import CurvePoint

_PAIRS = ("reversed", "overturned", "lost")


@dataclass(frozen=True, kw_only=True)
class BiasFindings:
    """What popularity and sparsity do to the values of a study's systems."""

    protocol: dict[str, str]
    """The study's own choices: stage word → text form."""
    systems: tuple[str, ...]
    baselines: dict[str, str]
    """"Random" and "Popularity" → what they are called here."""
    metric: str
    precision: str
    users: int
    folds: int
    level: float
    effects: ProtocolEffects
    expectations: tuple[ExpectationRow, ...]
    curves: tuple[CurvePoint, ...]
    drift: Drift
    sentences: tuple[str, ...]
    """The answer, the most important first."""
    limits: tuple[str, ...]
    left_out: tuple[str, ...]

    @property
    def table(self) -> pl.DataFrame:
        """One row per protocol, metric and system."""
        about = {effect.protocol: effect for effect in self.effects.protocols}
        rows = []
        for value in self.effects.values:
            effect = about.get(value.protocol)
            of = {"role": effect.role, "split": effect.split, "target": effect.target} if effect else {}
            rows.append({**asdict(value), "times_random": value.times_random, **of})
        return pl.DataFrame(rows, infer_schema_length=None)

    @property
    def changes(self) -> pl.DataFrame:
        """One row per protocol and metric: τ with the study's order, pairs reversed, overturned, no longer significant."""
        rows = []
        for effect in self.effects.protocols:
            row = asdict(effect)
            row |= {name: [f"{a} > {b}" for a, b in getattr(effect, name)] for name in _PAIRS}
            rows.append(row)
        return pl.DataFrame(rows, infer_schema_length=None, schema_overrides=dict.fromkeys(_PAIRS, pl.List(pl.String)))

    @property
    def pairs(self) -> pl.DataFrame:
        """One row per protocol, metric and pair of systems; differences are from the side of the study's better system."""
        rows = [{**asdict(pair), "reversed": pair.reversed} for pair in self.effects.pairs]
        return pl.DataFrame(rows, infer_schema_length=None)

    @property
    def expected(self) -> pl.DataFrame:
        """One row per protocol and system: precision in closed form, given the split, and measured."""
        return pl.DataFrame([asdict(row) for row in self.expectations], infer_schema_length=None)

    @property
    def sweeps(self) -> pl.DataFrame:
        """One row per sweep, place, protocol and system."""
        schema = {"sweep": pl.String, "x": pl.Float64, "protocol": pl.String, "system": pl.String, "metric": pl.String}
        schema |= dict.fromkeys(("value", "low", "high", "lower", "upper"), pl.Float64)
        return pl.DataFrame([asdict(point) for point in self.curves], schema=schema)
