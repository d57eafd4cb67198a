"""What is found when estimates are held against the truth, as plain frozen records that everything is drawn from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import polars as pl

from heldout.data.profile import ProfiledFindings


@dataclass(frozen=True, kw_only=True)
class EstimatorRow:
    """One estimator with all its figures; figures that do not apply are NaN."""

    name: str
    protocol: str
    metric: str
    """The metric whose truth decides."""
    measured: str
    """The metric as it was measured."""
    estimand: str
    same_scale: bool
    """True if estimand and scale are the truth's."""
    users: int
    """Users who have both an estimate and a truth, in the mean over draws; the estimate is their mean."""
    significant: int
    """Significant differences of judged pairs, over all draws."""
    right: float
    """Share of the judged pairs that it ordered as the truth does, ties counting half; mean over draws."""
    right_low: float
    right_high: float
    tau: float
    """Mean τ-b with the order of systems by the truth."""
    decided: float
    """Share of the judged pairs whose difference was significant."""
    type_s: float
    """Among significant differences of judged pairs, the share with the wrong sign."""
    bias: float = float("nan")
    """Mean over systems and draws of estimate − truth, both of the same users."""
    bias_low: float = float("nan")
    bias_high: float = float("nan")
    error: float = float("nan")
    """Standard deviation of estimate − truth over draws, as a root mean square over systems."""
    rmse: float = float("nan")
    """√ of the mean of (estimate − truth)²."""
    truth: float = float("nan")
    """Mean of the true values, which biases are to be compared with."""
    type_m: float = float("nan")
    """Among significant differences of judged pairs, the mean of |estimated| ÷ |true difference|."""


@dataclass(frozen=True, kw_only=True)
class TruthPair:
    """Two systems by the truth of one metric, and how often protocols saw the difference."""

    metric: str
    better: str
    worse: str
    difference: float
    """Mean over draws of the true difference."""
    error: float
    """Standard error of that mean: over worlds, or over users where the truth is a sample."""
    judged: bool
    """True if the truth separates them, so that estimators are judged by them."""
    plain: float
    """Share of draws in which the plain full ranking was right; NaN without it."""
    best: str
    """The estimator that was right most often."""
    best_right: float


@dataclass(frozen=True, kw_only=True)
class EstimatedSystem:
    """One system by one estimator: the mean estimate over draws next to the mean truth of the metric."""

    name: str
    system: str
    estimate: float
    truth: float


@dataclass(frozen=True, kw_only=True)
class TruthFindings(ProfiledFindings):
    """Estimators held against the truth on one data set."""

    data: str
    simulated: bool
    systems: tuple[str, ...]
    draws: int
    train: int
    test: int
    users: int
    true_pairs: int
    """Pairs of user and item whose truth is known, in one draw."""
    split: str
    relevance: str
    level: float
    sampled: int
    """Items that compete with one relevant item where lists are sampled."""
    rows: tuple[EstimatorRow, ...]
    """The one that would most often have chosen the truly better system first."""
    pairs: tuple[TruthPair, ...]
    values: tuple[EstimatedSystem, ...]
    sentences: tuple[str, ...]
    limits: tuple[str, ...]
    left_out: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """The answer in one sentence."""
        return self.sentences[0]

    @property
    def table(self) -> pl.DataFrame:
        """One row per estimator, the one most often right first."""
        return _frame(self.rows)

    @property
    def pair_table(self) -> pl.DataFrame:
        """One row per metric and pair of systems."""
        return _frame(self.pairs)

    @property
    def value_table(self) -> pl.DataFrame:
        """One row per estimator and system: the mean estimate next to the mean truth."""
        return _frame(self.values)


def _frame(rows: Sequence[EstimatorRow] | Sequence[TruthPair] | Sequence[EstimatedSystem]) -> pl.DataFrame:
    return pl.DataFrame([asdict(row) for row in rows], infer_schema_length=None)
