"""Measured values lie within the ranges that cards state, for every metric, parameter and scale of ratings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, Literal, get_args, get_origin

import numpy as np
import pytest
from tests.metrics.test_single_lists import JUDGED as SINGLE_LISTS

import heldout as ho
from heldout.catalogue import classes, make, parameters
from heldout.catalogue.component import Component, type_of
from heldout.catalogue.describe import describe
from heldout.errors import NotApplicableError, SpecError
from heldout.metrics.measuring import check_gains, measure
from heldout.metrics.metric import Discount, Gain, Metric, Propensity, Utility
from heldout.tables import Judged
from heldout.testing.lists import judged_lists, random_lists
from heldout.text.numbers import value_range

OPTIONS: dict[type[Component], Sequence[str]] = {
    Gain: (
        *("linear", "binary", "exp2", "exp2(4)", "exp2(7)", "stop", "stop(4)", "stop(7)"),
        *("chapelle", "chapelle(4)", "chapelle(7)", "chapelle_scaled", "chapelle_scaled(4)", "chapelle_scaled(7)"),
        *("table([0, 0.1, 0.4, 0.7, 1])", "table([0, 1, 2, 4, 8])"),
    ),
    Discount: ("log2", "jarvelin", "rbp(0.5)", "zipf", "table([1, 0.5, 0.25])"),
    Propensity: ("popularity", "column(p)", "column(p, scale=proportional)"),
    Utility: ("above_neutral", "above_neutral(2)", "column", "hit", "log_inverse_popularity"),
}
"""What parameters of these kinds are set to."""
VALUES: dict[str, Sequence[Any]] = {
    "n": (1, 3, 10),
    "rel": (3.0, 5.0),
    "phi": (0.3, 0.95),
    "beta": (0.5, 3.0),
    "gamma": (0.0, 2.0),
    "pool_depth": (2,),
    "features": ("genre",),
    "half_life": (2.0,),
    "low": (1.0, 2.0, -3.0),
    "high": (4.0, 5.0, 10.0),
}
"""What parameters of these names are set to."""
SCALES: dict[str, Sequence[float]] = {
    "1 to 5": (1, 2, 3, 4, 5),
    "0 to 4": (0, 1, 2, 3, 4),
    "-2 to 2": (-2, -1, 0, 1, 2),
    "counts": (1, 2, 3, 40, 3000),
    "fractions": (0.1, 0.2, 0.3, 0.7, 0.9),
}


def options(cls: type[Component], name: str) -> Sequence[Any]:
    """What a parameter is set to besides its default."""
    if name in VALUES:
        return VALUES[name]
    hint = type_of(cls, name)
    for part in (hint, *get_args(hint)):
        if get_origin(part) is Literal:
            return get_args(part)
        if part in OPTIONS:
            return OPTIONS[part]
    return ()


def variants(cls: type[Component]) -> Iterator[Metric]:
    """Metrics of a class that differ from the default in at most three parameters."""
    by_name = {field.name: options(cls, field.name) for field in parameters(cls)}
    seen: set[Component] = set()
    for size in range(4):
        for names in combinations(by_name, size):
            for settings in _products(names, by_name):
                try:
                    metric = cls(**settings)
                except (SpecError, TypeError):  # parameters that exclude each other, or a cut-off is missing
                    continue
                if metric not in seen:
                    seen.add(metric)
                    yield metric  # type: ignore[misc]


def _products(names: Sequence[str], by_name: dict[str, Sequence[Any]]) -> Iterator[dict[str, Any]]:
    if not names:
        yield {}
        return
    for value in by_name[names[0]]:
        for rest in _products(names[1:], by_name):
            yield {names[0]: value, **rest}


def judged_on(scale: Sequence[float], seed: int) -> Judged:
    """Random lists with ratings of a scale, the upper two of which are relevant."""
    lists, unlisted = random_lists(seed, users=60)
    mapped = [[None if g is None else scale[int(g) - 1] for g in ranked] for ranked in lists]
    rest = [[scale[int(g) - 1] for g in grades] for grades in unlisted]
    judged = judged_lists(mapped, rest, tau=scale[3], top=scale[-1])
    known = judged.relevance.background
    assert known is not None and known.train is not None
    own = np.array(scale, dtype=np.float64)[known.train.value.astype(np.int64) - 1]
    background = replace(known, lowest=scale[0], train=replace(known.train, value=own))
    return replace(judged, relevance=replace(judged.relevance, background=background))


LISTS = {name: judged_on(scale, seed) for seed, (name, scale) in enumerate(SCALES.items())}


@pytest.mark.parametrize("cls", classes("metric"), ids=lambda cls: cls.key)
def test_values_lie_within_the_stated_range(cls: type[Component]) -> None:
    """Of every variant that some scale allows; what is refused has no value."""
    measured = 0
    for metric in variants(cls):
        for scale, judged in LISTS.items():
            try:
                check_gains(judged.relevance, [metric])
                values = metric.measure(judged)
            except (NotApplicableError, SpecError):
                continue
            measured += 1
            check(metric, values, scale)
    assert measured, f"no variant of {cls.key} could be measured"


@pytest.mark.parametrize("cls", classes("metric"), ids=lambda cls: cls.key)
def test_values_of_single_lists_lie_within_the_stated_range(cls: type[Component]) -> None:
    for metric in variants(cls):
        try:
            values = measure(SINGLE_LISTS, [metric]).values
        except (NotApplicableError, SpecError):
            continue
        check(metric, values, "lists of one relevant item")


def check(metric: Metric, values: Any, data: str) -> None:
    low, high = metric.limits
    known = values[~np.isnan(values)]
    outside = known[(known < low - 1e-9) | (known > high + 1e-9)]
    assert not len(outside), f"{metric} on {data} has values outside {low:g} to {high:g}, such as {outside[:3]}"


@pytest.mark.parametrize(
    ("text", "limits"),
    [
        ("P@5", (0, 1)),
        ("P(ips, propensity=column(p))@5", (0, np.inf)),
        ("AP", (0, 1)),
        ("AP(ips, propensity=column(p))", (0, np.inf)),
        ("bpref", (0, 1)),
        ("bpref(count=all)", (-np.inf, 1)),
        ("ILD@5", (0, 2)),
        ("ILD(features=genre)@5", (0, 1)),
        ("Serendipity@5", (0, 1)),
        ("Serendipity(against=profile)@5", (0, 2)),
        ("Serendipity(against=profile, features=genre)@5", (0, 1)),
    ],
)
def test_cards_state_the_range_of_the_given_parameters(text: str, limits: tuple[float, float]) -> None:
    metric = make("metric", text)
    stated = dict(describe(type(metric), metric).facts)
    assert stated["Range"] == value_range(*limits)
    assert ("bounded" in stated["Holds"]) == bool(np.isfinite(limits).all())


def test_an_item_with_opposite_ratings_is_further_from_the_profile_than_one() -> None:
    """u rated b with 5; v rated b with 5 and a with −5: cos(a, b) = −25 / (5 · √50) = −1/√2."""
    train = {"user": ["u", "v", "v"], "item": ["b", "a", "b"], "rating": [5, -5, 5]}
    test, run = {"user": ["u"], "item": ["a"], "rating": [5]}, {"user": ["u"], "item": ["a"], "score": [1]}
    values = ho.measure(test, run, "Serendipity(against=profile)@1", train=train, relevance="threshold(4)")
    assert values["Serendipity(against=profile)@1"][0] == pytest.approx(1 + 2**-0.5)


@pytest.mark.parametrize("cls", classes("metric"), ids=lambda cls: cls.key)
def test_general_cards_name_the_ranges_of_all_parameters(cls: type[Component]) -> None:
    """A card without parameters has the default's range, and names another that parameters lead to."""
    general = dict(describe(cls).facts)["Range"]
    for metric in variants(cls):
        assert value_range(*metric.limits) in general, f"the card of {cls.key} states {general}, {metric} has another range"
