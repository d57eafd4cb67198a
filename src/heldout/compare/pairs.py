"""The main entry: all pairs of systems, or all against a baseline, compared in any number of settings at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from heldout.aggregate.aggregation import Aggregation, check_weights, mean_of
from heldout.aggregate.moments import ONE_USER, effective_size
from heldout.compare.effect import effects
from heldout.compare.test import Correction, Test
from heldout.errors import HeldoutError, InputError, NotApplicableError, UnknownNameError
from heldout.tables.arrays import Bool, Float64, Int64

_VALUES_AT_ONCE = 1 << 23


@dataclass(frozen=True, eq=False)
class SettingValues:
    """One metric of all systems under one setting, as the rules left it."""

    name: str
    """What error messages call it."""
    values: Float64
    """Systems × users, after the undefined rule: NaN is a user to skip."""
    included: Bool
    """Systems × users: whom the coverage rule averages."""
    aggregation: Aggregation
    weights: Float64 | None = None
    """One number per user, where lists are averaged by rating."""
    higher_is_better: bool = True


@dataclass(frozen=True)
class PairComparison:
    """One pair of systems in one setting; differences are a − b, over the users that both are averaged on."""

    a: int
    b: int
    users: int
    """Users compared: those that both systems are averaged on."""
    value_a: float
    """Aggregated over these users; NaN when there is none."""
    value_b: float
    difference: float
    """Difference of the aggregated values."""
    low: float | None
    """Lower end of its confidence interval; None where the aggregation has none or fewer than two users are compared."""
    high: float | None
    effect: float | None
    """Paired Cohen d on the scale that is tested; 0 for equal columns, None when every user differs by the same."""
    wins: int
    """Users for whom a is better."""
    ties: int
    losses: int
    superiority: float | None
    """Share of users for whom a is better, ties counted half."""
    p: dict[str, float | None]
    """By test; None with a `reason`."""
    p_adjusted: dict[str, float | None]
    family: int
    """Comparisons that the correction counts: the pairs of this setting that could be tested."""
    reason: str = ""
    """Why the pair was not tested."""


def system_pairs(systems: Sequence[str], baseline: str | None = None) -> list[tuple[int, int]]:
    """All pairs (a, b) with a before b; with a baseline, every other system against it as b."""
    if baseline is None:
        return list(combinations(range(len(systems)), 2))
    if baseline not in systems:
        raise UnknownNameError("baseline", baseline, systems)
    b = list(systems).index(baseline)
    return [(a, b) for a in range(len(systems)) if a != b]


def compare_pairs(
    settings: Sequence[SettingValues],
    systems: Sequence[str],
    *,
    tests: Sequence[Test],
    correction: Correction,
    seed: int,
    baseline: str | None = None,
    level: float = 0.95,
) -> list[list[PairComparison]]:
    """Compare systems in every setting: for each setting, one row per pair, in the order of `system_pairs`.

    Pairs of any setting whose users are the same are tested together and share the flips of a permutation test. The
    p-values of one test in one setting are a family for the correction. A pair with fewer than two common users is not
    tested: its p is None and `reason` says so.
    """
    pairs = system_pairs(systems, baseline)
    for setting in settings:
        _check(setting, len(systems), tests)
    rows: list[list[PairComparison | None]] = [[None] * len(pairs) for _ in settings]
    for users, weights, members in _groups(settings, pairs):
        step = max(1, _VALUES_AT_ONCE // max(1, len(systems) * len(users)))
        for start in range(0, len(members), step):
            part = members[start : start + step]
            compared = _compare_group(
                [settings[s] for s, _ in part], [ps for _, ps in part], pairs, users, weights, tests, seed, level
            )
            for (s, numbers), found in zip(part, compared, strict=True):
                for number, row in zip(numbers, found, strict=True):
                    rows[s][number] = row
    return [_adjusted([row for row in of_setting if row is not None], tests, correction) for of_setting in rows]


def _check(setting: SettingValues, systems: int, tests: Sequence[Test]) -> None:
    if setting.values.shape != setting.included.shape or len(setting.values) != systems:
        raise InputError(
            f"{setting.name}: values are {setting.values.shape} and the users included {setting.included.shape}",
            hint=f"both must be {systems} systems × users",
        )
    if setting.weights is not None:
        check_weights(setting.weights, setting.values.shape[1])
    try:
        for test in tests:
            test.check_applicable(setting.aggregation, weighted=setting.weights is not None)
    except NotApplicableError as error:
        raise error.within(setting.name) from None


def _groups(
    settings: Sequence[SettingValues],
    pairs: Sequence[tuple[int, int]],
) -> list[tuple[Int64, Float64 | None, list[tuple[int, list[int]]]]]:
    """Users, their weights, and which (setting, pair numbers) are compared on exactly these users."""
    groups: dict[tuple[int, bytes, bytes], tuple[Int64, Float64 | None, list[tuple[int, list[int]]]]] = {}
    for s, setting in enumerate(settings):
        kept = setting.included & ~np.isnan(setting.values)
        # Systems mostly share their users: work with distinct masks, not with all pairs.
        masks, inverse = np.unique(np.packbits(kept, axis=1), axis=0, return_inverse=True)
        of_system = inverse.reshape(-1)
        first = [int(np.flatnonzero(of_system == k)[0]) for k in range(len(masks))]
        weighed = b"" if setting.weights is None else setting.weights.tobytes()
        by_masks: dict[tuple[int, int], list[int]] = {}
        for number, (a, b) in enumerate(pairs):
            by_masks.setdefault((int(of_system[a]), int(of_system[b])), []).append(number)
        in_setting: dict[tuple[int, bytes, bytes], list[int]] = {}
        for (mask_a, mask_b), numbers in by_masks.items():
            mask = kept[first[mask_a]] & kept[first[mask_b]]
            key = (len(mask), np.packbits(mask).tobytes(), weighed)
            if key not in groups:
                users = np.flatnonzero(mask).astype(np.int64)
                groups[key] = (users, setting.weights[users] if setting.weights is not None else None, [])
            in_setting.setdefault(key, []).extend(numbers)
        for key, numbers in in_setting.items():
            groups[key][2].append((s, numbers))
    return list(groups.values())


def _compare_group(
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
    raw = [np.where(np.isnan(s.values[:, users]), 0.0, s.values[:, users]) for s in settings]
    scaled = np.concatenate([_transformed(s, values) for s, values in zip(settings, raw, strict=True)])
    columns = np.array(
        [(k * width + pairs[n][0], k * width + pairs[n][1]) for k, of_setting in enumerate(numbers) for n in of_setting],
        dtype=np.int64,
    )
    aggregated = np.concatenate(
        [s.aggregation.aggregate(values.T, weights) for s, values in zip(settings, raw, strict=True)]
    )
    size = effects(scaled, columns, weights=weights, level=level)
    reason = _reason(len(users), weights)
    # Only a weighable test need know of weights.
    weighed = {} if weights is None else {"weights": weights}
    p = {} if reason else {str(t): t.p_values(scaled.T, columns, seed=seed, **weighed) for t in tests}
    middle = mean_of(scaled.T, weights)[columns].mean(axis=1)
    rows, at = [], 0
    for setting, of_setting in zip(settings, numbers, strict=True):
        found = []
        for number in of_setting:
            column_a, column_b = columns[at]
            low, high = _interval(setting.aggregation, middle[at], size.low[at], size.high[at])
            wins, losses = int(size.greater[at]), int(size.less[at])
            share = None if np.isnan(size.superiority[at]) else float(size.superiority[at])
            if not setting.higher_is_better:
                wins, losses, share = losses, wins, None if share is None else 1.0 - share
            found.append(
                PairComparison(
                    *pairs[number],
                    len(users),
                    float(aggregated[column_a]),
                    float(aggregated[column_b]),
                    float(aggregated[column_a] - aggregated[column_b]),
                    low,
                    high,
                    None if np.isnan(size.cohen_d[at]) else float(size.cohen_d[at]),
                    wins,
                    int(size.equal[at]),
                    losses,
                    share,
                    {str(t): float(p[str(t)][at]) if p else None for t in tests},
                    {},
                    0,
                    reason,
                )
            )
            at += 1
        rows.append(found)
    return rows


def _reason(users: int, weights: Float64 | None) -> str:
    if users < 2:
        return f"a paired test needs at least 2 users, found {users}"
    if weights is not None and effective_size(weights) <= ONE_USER:
        return "a paired test needs at least 2 users, and one user holds all the weight"
    return ""


def _transformed(setting: SettingValues, values: Float64) -> Float64:
    try:
        return setting.aggregation.transform(values)
    except HeldoutError as error:
        raise error.within(setting.name) from None


def _interval(aggregation: Aggregation, middle: float, low: float, high: float) -> tuple[float | None, float | None]:
    """The interval of the mean difference, from the scale tested to that of the values.

    About the midpoint m of both means, a difference δ on the tested scale is inverse(m + δ/2) − inverse(m − δ/2) on that
    of the values: the observed difference maps to itself, 0 to 0, and swapping a and b swaps the ends.
    """
    if not aggregation.has_interval or np.isnan(low) or np.isnan(high):
        return None, None
    ends = np.array([low, high]) / 2
    mapped = aggregation.inverse(middle + ends) - aggregation.inverse(middle - ends)
    return float(mapped[0]), float(mapped[1])


def _adjusted(rows: list[PairComparison], tests: Sequence[Test], correction: Correction) -> list[PairComparison]:
    """The rows of one setting with p adjusted over them, one family for each test."""
    made = rows
    for test in tests:
        name = str(test)
        p = np.array([np.nan if row.p[name] is None else row.p[name] for row in made], dtype=np.float64)
        adjusted = correction.adjust(p)
        made = [
            replace(
                row, family=int((~np.isnan(p)).sum()), p_adjusted={**row.p_adjusted, name: None if np.isnan(q) else float(q)}
            )
            for row, q in zip(made, adjusted, strict=True)
        ]
    return made
