"""Multiverses made up for tests: any grid, with effects that a formula gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, product

import numpy as np

from heldout.universes.grid.decisions import NAMES, decision
from heldout.universes.universes import Universes

GRADED = ("nDCG", "ERR", "RBP")
USUAL = {
    "data": ["given"],
    "filter": ["none"],
    "split": ["ratio"],
    "seed": ["1"],
    "users": ["with_test"],
    "fallback": ["none"],
    "target": ["AllItems"],
    "relevance": ["threshold(tau=4)"],
    "unrated": ["zero"],
    "ties": ["item"],
    "metric": ["P"],
    "cutoff": ["10"],
    "gain": ["binary"],
    "aggregate": ["mean"],
    "undefined": ["zero"],
    "coverage": ["zero"],
    "test": ["t"],
}
Row = dict[str, str]


def made(
    levels: dict[str, Sequence[str]],
    effect: Callable[[Row], float],
    *,
    noise: float = 0.0,
    sure: float = 0.01,
    keep: Callable[[Row], bool] = lambda row: True,
) -> Universes:
    """Two systems A and B whose effect is a formula of the choices (and noise); significant from `sure` on.

    A gain map exists for graded metrics only, and each universe once.
    """
    decisions = tuple(decision(name, levels.get(name, USUAL[name])) for name in NAMES)
    codes, effects = [], []
    seen = set()
    for at in product(*(range(len(one.levels)) for one in decisions)):
        row = {one.name: one.levels[k] for one, k in zip(decisions, at, strict=True)}
        code = list(at)
        if row["metric"] not in GRADED:
            row["gain"] = "–"
            code[NAMES.index("gain")] = -1
        if tuple(code) in seen or not keep(row):
            continue
        seen.add(tuple(code))
        codes.append(code)
        effects.append(effect(row))
    found = np.array(effects, dtype=np.float64)
    found += noise * np.random.default_rng(1).standard_normal(len(found))
    return of(decisions, np.array(codes, dtype=np.int32), 0.4 + np.outer(found, [0.2, -0.2]), sure=sure)


def of(decisions, codes, values, *, sure: float = 0.01, systems: Sequence[str] = ()) -> Universes:
    """Universes from their systems' values: p falls with the effect and is 0.05 where that is `sure`."""
    names = tuple(systems) or tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ"[: values.shape[1]])
    pairs = np.array(list(combinations(range(len(names)), 2)), dtype=np.int32)
    a, b = values[:, pairs[:, 0]], values[:, pairs[:, 1]]
    difference = a - b
    with np.errstate(invalid="ignore", divide="ignore"):
        effect = np.where(difference == 0, 0.0, difference / ((np.abs(a) + np.abs(b)) / 2))
    p = np.exp(np.log(0.05) * np.abs(effect) / sure)
    winner = np.where(np.nan_to_num(p, nan=1.0) <= 0.05, np.sign(np.nan_to_num(difference)), 0).astype(np.int8)
    return Universes(
        systems=names,
        decisions=tuple(decisions),
        codes=codes,
        pairs=pairs,
        values=values,
        users=np.full(values.shape, 100, dtype=np.int32),
        other_users=np.zeros(len(codes), dtype=bool),
        low=values - 0.01,
        high=values + 0.02,
        higher=np.ones(len(codes), dtype=bool),
        difference=difference,
        effect=effect,
        d=effect * 3,
        p=p,
        p_adjusted=p,
        winner=winner,
        served=np.ones(winner.shape),
    )


def large(systems: int = 2, *, ratios: int = 9) -> Universes:
    """The grid of the benchmark, about 380,000 universes, in which a handful of decisions matter."""
    levels = {
        "split": ["ratio" if k == 8 else f"ratio(train=0.{k})" for k in range(1, ratios + 1)],
        "seed": ["1", "2", "3"],
        "fallback": ["none", "popularity"],
        "target": ["AllItems", "TestItems", "TrainingItems", "TestRatings"],
        "metric": ["P", "Recall", "AP", "RR", "nDCG", "RBP", "ERR"],
        "cutoff": ["1", "2", "3", "5", "10", "15", "20", "30", "50", "100"],
        "gain": ["binary", "linear", "exp2"],
        "aggregate": ["mean", "mean(weight=test)", "gmean", "trimmed"],
        "coverage": ["zero", "forgive"],
        "test": ["t", "sign"],
    }
    decisions = tuple(decision(name, levels.get(name, USUAL[name])) for name in NAMES)
    at = [np.arange(len(one.levels)) for one in decisions]
    codes = np.stack(np.meshgrid(*at, indexing="ij"), axis=-1).reshape(-1, len(decisions)).astype(np.int32)
    metric, gain = NAMES.index("metric"), NAMES.index("gain")
    plain = ~np.isin(codes[:, metric], [k for k, m in enumerate(decisions[metric].levels) if m in GRADED])
    distinct = ~plain | (codes[:, gain] == 0)
    codes, plain = codes[distinct], plain[distinct]
    codes[plain, gain] = -1
    rng = np.random.default_rng(7)
    x = {one.name: codes[:, k] / max(1, len(one.levels) - 1) for k, one in enumerate(decisions)}
    push = 0.06 * (x["split"] - 0.35) + 0.03 * (codes[:, NAMES.index("target")] == 3) * (0.5 - x["cutoff"])
    push = push - 0.02 * (codes[:, gain] == 2) + 0.005 * x["seed"] - 0.01 * x["aggregate"]
    slope = np.linspace(-1, 1, systems) * -1
    bend = rng.standard_normal((systems, len(decisions))) * 0.01 * (systems > 2)
    values = 0.4 + push[:, None] * slope + (codes / 10) @ bend.T + rng.standard_normal((len(codes), systems)) * 0.002
    return of(decisions, codes, values)
