"""Pairs of several settings that are compared on the same users, and comparing them together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from heldout.aggregations.aggregation import Aggregation, mean_of
from heldout.aggregations.moments import ONE_USER, effective_size
from heldout.significance.effect import Effects, effects
from heldout.significance.pairs import PairComparison, SettingValues
from heldout.significance.significance_test import MIRRORED, Test
from heldout.tables.arrays import Bool, Float64, Int64

Members = list[tuple[int, list[int]]]
"""(setting, numbers of pairs)."""


def group_by_users(
    settings: Sequence[SettingValues], pairs: Sequence[tuple[int, int]]
) -> list[tuple[Int64, Float64 | None, Members]]:
    """Users, their weights, and which (setting, pair numbers) are compared on exactly these users."""
    groups: dict[tuple[int, bytes, bytes], tuple[Int64, Float64 | None, Members]] = {}
    for s, setting in enumerate(settings):
        kept = setting.included & ~np.isnan(setting.values)
        # Systems mostly share their users: work with distinct masks, not with all pairs.
        masks, inverse = np.unique(np.packbits(kept, axis=1), axis=0, return_inverse=True)
        of_system = inverse.reshape(-1)
        first = [int(np.flatnonzero(of_system == k)[0]) for k in range(len(masks))]
        weighing = setting.weighing
        weighed = b"" if weighing is None else weighing.tobytes()
        by_masks: dict[tuple[int, int], list[int]] = {}
        for number, (a, b) in enumerate(pairs):
            by_masks.setdefault((int(of_system[a]), int(of_system[b])), []).append(number)
        in_setting: dict[tuple[int, bytes, bytes], list[int]] = {}
        for (mask_a, mask_b), numbers in by_masks.items():
            mask = kept[first[mask_a]] & kept[first[mask_b]]
            key = (len(mask), np.packbits(mask).tobytes(), weighed)
            if key not in groups:
                users = np.flatnonzero(mask).astype(np.int64)
                groups[key] = (users, weighing[users] if weighing is not None else None, [])
            in_setting.setdefault(key, []).extend(numbers)
        for key, numbers in in_setting.items():
            groups[key][2].append((s, numbers))
    return list(groups.values())


def compare_group(
    settings: list[SettingValues],
    numbers: list[list[int]],
    pairs: Sequence[tuple[int, int]],
    users: Int64,
    weights: Float64 | None,
    tests: Sequence[Test],
    seed: int,
    level: float,
) -> list[list[PairComparison]]:
    """Compare pairs of several settings on one set of users."""
    width = len(settings[0].values)
    scaled = np.concatenate([s.tested(users) for s in settings])
    aggregated = np.concatenate([s.aggregated(users) for s in settings])
    places = [(k, n) for k, of_setting in enumerate(numbers) for n in of_setting]
    columns = np.array([(k * width + pairs[n][0], k * width + pairs[n][1]) for k, n in places], dtype=np.int64)
    size = effects(scaled, columns, weights=weights, level=level)
    reason = _reason(len(users), weights)
    refusals = [{str(t): why for t in tests if (why := s.refusal(t))} for s in settings]
    found = {str(t): _tested(t, scaled, columns, _answered(t, refusals, places), seed, weights, reason) for t in tests}
    middle = mean_of(scaled.T, weights)[columns].mean(axis=1)
    rows: list[list[PairComparison]] = [[] for _ in settings]
    for at, (k, number) in enumerate(places):
        setting, (a, b) = settings[k], columns[at]
        low, high = (None, None) if setting.totals is not None else _interval(setting.aggregation, middle[at], size, at)
        wins, losses = int(size.greater[at]), int(size.less[at])
        share = None if np.isnan(size.superiority[at]) else float(size.superiority[at])
        if not setting.higher_is_better:
            wins, losses, share = losses, wins, None if share is None else 1.0 - share
        rows[k].append(
            PairComparison(
                *pairs[number],
                len(users),
                float(aggregated[a]),
                float(aggregated[b]),
                float(aggregated[a] - aggregated[b]),
                low,
                high,
                None if np.isnan(size.cohen_d[at]) else float(size.cohen_d[at]),
                wins,
                int(size.equal[at]),
                losses,
                share,
                {name: None if np.isnan(p[at]) else float(p[at]) for name, (p, _) in found.items()},
                {},
                0,
                reason,
                {name: _figures(f, at, higher_is_better=setting.higher_is_better) for name, (_, f) in found.items() if f},
                refusals[k],
            )
        )
    return rows


Found = tuple[Float64, dict[str, Float64]]
"""p of every pair, and figures by name; NaN where there is none."""


def _answered(test: Test, refusals: list[dict[str, str]], places: list[tuple[int, int]]) -> Bool:
    """Which pairs are of settings that a test answers for."""
    return np.array([str(test) not in refusals[k] for k, _ in places], dtype=np.bool_)


def _tested(
    test: Test, scaled: Float64, columns: Int64, answered: Bool, seed: int, weights: Float64 | None, reason: str
) -> Found:
    p, figures = np.full(len(columns), np.nan), {}
    if reason or test.all_at_once or not answered.any():
        return p, {}
    # Only a weighable test need know of weights.
    weighed = {} if weights is None else {"weights": weights}
    p[answered] = test.p_values(scaled.T, columns[answered], seed=seed, **weighed)
    for name, values in test.figures(scaled.T, columns[answered], seed=seed, **weighed).items():
        figures[name] = np.full(len(columns), np.nan)
        figures[name][answered] = values
    return p, figures


def _figures(figures: dict[str, Float64], at: int, *, higher_is_better: bool) -> dict[str, float]:
    """The figures of one pair; what is better where lower values are is what is less."""
    named = {name: float(values[at]) for name, values in figures.items() if not np.isnan(values[at])}
    return named if higher_is_better else {MIRRORED.get(name, name): value for name, value in named.items()}


def _reason(users: int, weights: Float64 | None) -> str:
    if users < 2:
        return f"a paired test needs at least 2 users, found {users}"
    if weights is not None and effective_size(weights) <= ONE_USER:
        return "a paired test needs at least 2 users, and one user holds all the weight"
    return ""


def _interval(aggregation: Aggregation, middle: float, size: Effects, at: int) -> tuple[float | None, float | None]:
    """The interval of the mean difference, from the scale tested to that of the values.

    About the midpoint m of both means, a difference δ on the tested scale is inverse(m + δ/2) − inverse(m − δ/2) on that
    of the values: the observed difference maps to itself, 0 to 0, and swapping a and b swaps the ends.
    """
    low, high = size.low[at], size.high[at]
    if not aggregation.has_interval or np.isnan(low) or np.isnan(high):
        return None, None
    ends = np.array([low, high]) / 2
    mapped = aggregation.inverse(middle + ends) - aggregation.inverse(middle - ends)
    return float(mapped[0]), float(mapped[1])
