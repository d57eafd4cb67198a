"""Rows of leaderboards and comparisons written by hand, whose other figures are of no matter."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from heldout.analysis.rows import LeaderRow, PairRow, Setting

Board = tuple[list[Setting], list[LeaderRow], list[PairRow]]


def setting(number: int, **changes: Any) -> Setting:
    """A setting whose metric is called m0, m1, …"""
    name = f"m{number}"
    usual = {"choices": {}, "metric": name, "aggregate": "mean", "undefined": "zero", "coverage": "zero", "label": name}
    return Setting(**{"id": number, **usual, **changes})


def leader_rows(number: int, values: Mapping[str, float]) -> list[LeaderRow]:
    """The systems of a setting, the highest value first; of equal ones the first named."""
    order = sorted(values.items(), key=lambda named: -named[1])
    return [
        LeaderRow(
            setting=number, system=system, rank=rank, value=value, low=None, high=None, users=9, undefined=0,
            user_coverage=1.0, coverage=None, unrated=None, rho=None,
        )
        for rank, (system, value) in enumerate(order, start=1)
    ]  # fmt: skip


def pair_row(number: int, a: str, b: str, values: Mapping[str, float], **changes: Any) -> PairRow:
    """A pair of systems of a setting, tested on nine users."""
    usual = {
        "test": "t", "difference": values[a] - values[b], "low": None, "high": None, "effect": 0.5, "wins": 5, "ties": 0,
        "losses": 4, "p": 0.01, "p_adjusted": 0.01, "correction": "holm", "family": 1, "users": 9,
    }  # fmt: skip
    return PairRow(**{"setting": number, "a": a, "b": b, "value_a": values[a], "value_b": values[b], **usual, **changes})


def one_setting(number: int, values: Mapping[str, float], pairs: Iterable[tuple[str, str, float]], **changes: Any) -> Board:
    """One setting, its systems, and the pairs that were tested with their p-values."""
    rows = [pair_row(number, a, b, values, p=p, p_adjusted=p, **changes) for a, b, p in pairs]
    return [setting(number)], leader_rows(number, values), rows


def joined(boards: Sequence[Board]) -> Board:
    """Several settings as one board."""
    settings, leaders, pairs = ([row for part in parts for row in part] for parts in zip(*boards, strict=True))
    return settings, leaders, pairs
