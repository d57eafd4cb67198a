"""The contract of metrics: what every metric of the catalogue, ours or yours, must keep.

from heldout.testing import check_metric
check_metric(MyMetric(n=10))
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np

from heldout.metrics.measuring import depth_of
from heldout.metrics.metric import Metric
from heldout.study.compatibility import asks_relevance
from heldout.tables import Judged
from heldout.testing.components import check_text_form, contract
from heldout.testing.lists import judged_lists, random_lists, values_of

SEEDS = range(5)


@contract
def check_metric(metric: Metric) -> None:
    """Raise AssertionError, saying what is broken, unless the metric keeps the contract and each of its own claims."""
    check_text_form(metric)
    for seed in SEEDS:
        stays_in_range(metric, seed)
        users_do_not_touch(metric, seed)
        nothing_is_changed(metric, seed)
    asks_relevance_as_declared(metric)
    for claim in metric.claims:
        if claim not in CLAIMS:
            raise AssertionError(f"{metric.key} claims '{claim}', which no check knows; known: {', '.join(CLAIMS)}")
        for seed in SEEDS:
            CLAIMS[claim](metric, seed)


def stays_in_range(metric: Metric, seed: int) -> None:
    """Values lie within the declared range and are finite; NaN only if the metric says that it can be undefined."""
    judged = _at_random(seed)
    values = values_of(metric, judged)
    assert isinstance(values, np.ndarray), f"{metric} gives a {type(values).__name__}, not an array"
    assert values.shape == (len(judged),), f"{metric} gives values of shape {values.shape} for {len(judged)} lists"
    assert values.dtype == np.float64, f"{metric} gives {values.dtype}, not float64"
    assert not np.isinf(values).any(), f"{metric} gives an infinite value; an undefined one is NaN"
    undefined = np.isnan(values)
    assert metric.undefined != "never" or not undefined.any(), f"{metric} is undefined, though it never should be"
    low, high = metric.limits
    inside = (values[~undefined] >= low - 1e-12) & (values[~undefined] <= high + 1e-12)
    assert inside.all(), f"{metric} leaves {metric.limits}: {values[~undefined][~inside][:3]}"


def users_do_not_touch(metric: Metric, seed: int) -> None:
    """A user's value is the same whoever else is judged, and in any order; a system's is the same for all."""
    together = values_of(metric, _at_random(seed))
    if not metric.per_user:
        assert np.isnan(together).all() or (together == together[0]).all(), f"{metric} is of a system, yet users differ"
        return
    order = np.random.default_rng(seed).permutation(len(together))
    shuffled = values_of(metric, _users_at_random(seed, tuple(order.tolist())))
    # sums run over all users' rows, so the last bits may differ
    np.testing.assert_allclose(shuffled, together[order], rtol=1e-12, atol=1e-14, err_msg=f"{metric}: order of users")
    for k in range(0, len(together), 20):
        alone = values_of(metric, _users_at_random(seed, (k,)))
        np.testing.assert_allclose(alone[0], together[k], rtol=1e-12, atol=1e-14, err_msg=f"{metric}: a user alone")


def nothing_is_changed(metric: Metric, seed: int) -> None:
    """Measuring twice gives the same bytes, and the judged lists stay as they were."""
    judged = _at_random(seed)
    before = (judged.rank.tobytes(), judged.row.tobytes(), judged.relevance.grade.tobytes())
    first, second = values_of(metric, judged), values_of(metric, judged)
    assert first.tobytes() == second.tobytes(), f"{metric} differs the second time"
    assert before == (judged.rank.tobytes(), judged.row.tobytes(), judged.relevance.grade.tobytes()), (
        f"{metric} changed its input"
    )


def asks_relevance_as_declared(metric: Metric) -> None:
    """Values change with the rule for what is relevant where `by_relevance` says so, and nowhere else."""
    few, many = (np.concatenate([values_of(metric, _at_random(seed, tau)) for seed in SEEDS]) for tau in (5.0, 3.0))
    changed = not np.array_equal(few, many, equal_nan=True)
    if not asks_relevance(metric):
        denied = f"by_relevance = {metric.by_relevance!r}"
        assert not changed, f"{metric} changes with what is called relevant, and declares {denied}"
    elif metric.direction != "none" and len(np.unique(few)) > 1:
        assert changed, f'{metric} is the same whatever is called relevant: declare by_relevance = "never"'


def bounded(metric: Metric, seed: int) -> None:
    """The range with default parameters is finite; `stays_in_range` checks that each metric keeps its own limits."""
    assert np.isfinite(metric.range).all(), f"{metric} claims to be bounded with the range {metric.range}"


def moving_up_never_lowers(metric: Metric, seed: int) -> None:
    """A relevant item that changes places with a not relevant one just above it never lowers the value."""
    before, after = (values_of(metric, judged) for judged in (_at_random(seed), _fresh(_moved_up(seed))))
    lower = after < before - 1e-12
    assert not lower.any(), f"{metric} falls from {before[lower][:1]} to {after[lower][:1]} when a relevant item moves up"


def ideal_is_one(metric: Metric, seed: int, *, tolerance: float = 1e-12) -> None:
    """The list of all rated items by descending grade scores 1 wherever the value is defined."""
    values = values_of(metric, _fresh(_ideal(seed)))
    defined = ~np.isnan(values)
    assert defined.any(), f"{metric} is undefined everywhere"
    assert (np.abs(values[defined] - 1) <= tolerance).all(), f"{metric} gives {values[defined].min()} for an ideal list"


def ideal_is_one_uncut(metric: Metric, seed: int) -> None:
    """As `ideal_is_one`, claimed only of the whole list."""
    if depth_of(metric) is None:
        ideal_is_one(metric, seed)


def ideal_is_nearly_one_uncut(metric: Metric, seed: int) -> None:
    """As `ideal_is_one_uncut`, to 1e-4."""
    if depth_of(metric) is None:
        ideal_is_one(metric, seed, tolerance=1e-4)


def ideal_is_zero(metric: Metric, seed: int) -> None:
    """The list of all rated items by descending grade scores 0 wherever the value is defined."""
    values = values_of(metric, _fresh(_ideal(seed)))
    assert not np.nan_to_num(values).any(), f"{metric} gives {np.nanmax(values)} for an ideal list"


def perfect_predictions_give_zero(metric: Metric, seed: int) -> None:
    """Scores that equal the ratings score 0."""
    judged = _at_random(seed)
    values = values_of(metric, replace(judged, score=judged.grade))
    assert not np.nan_to_num(values).any(), f"{metric} gives {np.nanmax(values)} for perfect predictions"


def _at_random(seed: int, tau: float = 4.0) -> Judged:
    """Random lists of a seed, of which no metric has measured anything yet."""
    return _fresh(_judged_at_random(seed, tau))


def _users_at_random(seed: int, users: tuple[int, ...]) -> Judged:
    """The random lists of these users alone, in this order."""
    return _fresh(_judged_users(seed, users))


def _fresh(judged: Judged) -> Judged:
    return replace(judged)


@cache
def _judged_at_random(seed: int, tau: float) -> Judged:
    return judged_lists(*random_lists(seed), tau=tau)


@cache
def _judged_users(seed: int, users: tuple[int, ...]) -> Judged:
    lists, unlisted = random_lists(seed)
    return judged_lists([lists[k] for k in users], [unlisted[k] for k in users])


@cache
def _moved_up(seed: int) -> Judged:
    """The random lists of a seed, in each of which a relevant item has changed places with a not relevant one above it."""
    rng = np.random.default_rng(seed)
    lists, unlisted = random_lists(seed)
    moved, items = [], []
    for ranked in lists:
        swapped, codes = list(ranked), list(range(len(ranked)))
        places = [k for k in range(1, len(ranked)) if _relevant(ranked[k]) and not _relevant(ranked[k - 1])]
        if places:
            k = int(rng.choice(places))
            swapped[k - 1], swapped[k] = swapped[k], swapped[k - 1]
            codes[k - 1], codes[k] = codes[k], codes[k - 1]
        moved.append(swapped)
        items.append(codes)
    assert moved != lists, "no list offered a swap"
    return judged_lists(moved, unlisted, items=items)


@cache
def _ideal(seed: int) -> Judged:
    """All rated items of every user of a seed, by descending grade."""
    lists, unlisted = random_lists(seed)
    return judged_lists(
        [
            [*sorted((grade for grade in [*ranked, *rest] if grade is not None), reverse=True)]
            for ranked, rest in zip(lists, unlisted, strict=True)
        ]
    )


def _relevant(grade: float | None) -> bool:
    return grade is not None and grade >= 4


CLAIMS: dict[str, Callable[[Metric, int], None]] = {
    "bounded": bounded,
    "moving a relevant item up never lowers": moving_up_never_lowers,
    "ideal is 0": ideal_is_zero,
    "ideal is 1": ideal_is_one,
    "ideal is 1 without a cut-off": ideal_is_one_uncut,
    "perfect predictions give 0": perfect_predictions_give_zero,
    "ideal is 1 to 1e-4 without a cut-off": ideal_is_nearly_one_uncut,
}
"""Claim → the check that shows it."""
