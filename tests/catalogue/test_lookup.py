"""Kinds of components, components of other packages, and what a declaration must not do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from tests.refusals import failing_check, refused

import heldout as ho
from heldout.catalogue import KINDS, classes, find, make, param
from heldout.catalogue.component import registered
from heldout.catalogue.lookup import _entry_points, described
from heldout.errors import UNKNOWN, ComponentError, ComponentWarning, NotApplicableError, SpecError, UnknownNameError
from heldout.metrics.metric import Metric
from heldout.metrics.unrated_rule import UnratedRule
from heldout.tables import Judged
from heldout.tables.arrays import Float64
from heldout.testing import check_metric
from heldout.testing.lists import judged_lists, random_lists
from heldout.testing.metrics import stays_in_range


def test_every_kind_has_members_and_words() -> None:
    for kind in KINDS.values():
        assert classes(kind.name), kind.name
        assert kind.word
    assert len({kind.plural for kind in KINDS.values()}) == len(KINDS)


@dataclass(frozen=True)
class Point:
    """What importlib.metadata gives for an entry point."""

    name: str
    load: Callable[[], Any]
    value: str = "package:Thing"
    dist: Any = None
    module: str = "package"


Declare = Callable[[str, Callable[[], Any]], None]


@pytest.fixture
def declare(monkeypatch: pytest.MonkeyPatch) -> Iterator[Declare]:
    """Declare an entry point of a group; what it registers is forgotten afterwards."""
    kinds = ("metric", "target", "recommender", "unrated")
    for kind in kinds:
        classes(kind)  # before they are noted: a module that is imported once registers nothing again
    before = {kind: dict(registered(kind)) for kind in kinds}

    def declared(group: str, load: Callable[[], Any]) -> None:
        points = {group: [Point("thing", load)]}
        monkeypatch.setattr("heldout.catalogue.lookup.entry_points", lambda group: points.get(group, []))
        _entry_points.cache_clear()

    yield declared
    for kind, known in before.items():
        registered(kind).clear()
        registered(kind).update(known)
    _entry_points.cache_clear()


def constant() -> type[Metric]:
    class Constant(Metric):
        """The same value for every list.

        Assumes: nothing.

        Example: 0.5 whatever the list.
        """

        key = "Constant"
        aliases = ("same",)

        value: float = param(0.5, "the value", least=0, most=1)

        def measure(self, judged: Judged) -> Float64:
            return np.full(len(judged), self.value)

    return Constant


def test_a_metric_of_another_package(declare: Declare) -> None:
    declare("heldout.metrics", constant)
    assert find("metric", "constant").key == "Constant"
    assert "Constant" in {cls.key for cls in classes("metric")}
    assert str(make("metric", "SAME(value=0.25)")) == "Constant(value=0.25)"
    qrels = {"user": ["u", "v"], "item": ["i", "i"], "rating": [5, 4]}
    runs = {"A": {"user": ["u", "v"], "item": ["i", "i"], "score": [1.0, 1.0]}}
    assert ho.evaluate(qrels, runs, ["Constant(0.75)"]).tables["all-leaderboards"].frame["value"].to_list() == [0.75]


def broken() -> None:
    raise ImportError("no module named torch")


@pytest.mark.parametrize("unbounded", [np.inf, -np.inf, np.nan])
def test_the_contract_reports_infinite_values_within_the_range(unbounded: float) -> None:
    class Unbounded(Metric):
        """The number of relevant items; another value without one."""

        range = (-np.inf, np.inf)
        undefined = "nothing is relevant"
        direction = "none"

        def measure(self, judged: Judged) -> Float64:
            relevant = judged.relevance.total(None)
            return np.where(relevant == 0, unbounded, relevant.astype(np.float64))

    values = Unbounded().measure(judged_lists(*random_lists(0)))
    if np.isnan(unbounded):
        stays_in_range(Unbounded(), 0)
        return
    assert np.isinf(values).any() and np.isfinite(values).any()
    assert failing_check(stays_in_range, Unbounded(), 0)[0] == "stays_in_range"


def test_data_too_large_for_a_metric_of_heldout_are_no_fault_of_its_authors() -> None:
    large = {"u": {"a": 1.7e308, "b": 1.7e308}}
    with refused(NotApplicableError, where="DCG@2", hint="divide them by a constant"):
        ho.evaluate(large, {"u": ["a", "b"]}, ["DCG@2"], relevance="threshold(1)")


def test_components_of_the_house_and_of_scripts_are_named_as_such() -> None:
    assert described(find("metric", "nDCG")) == "the metric nDCG"
    own = type("Own", (), {"__module__": "__main__", "kind": KINDS["metric"], "key": "Own"})
    assert described(own) == "the metric Own of your own code"


def test_a_rule_for_unrated_items_of_another_package(declare: Declare) -> None:
    def as_they_are() -> type[UnratedRule]:
        class AsTheyAre(UnratedRule):
            """Nothing is changed."""

            key = "as_they_are"

            def apply(self, judged: Judged) -> Judged:
                return judged

        return AsTheyAre

    declare("heldout.unrated_rules", as_they_are)
    assert "as_they_are" in {cls.key for cls in classes("unrated")}


def test_groups_of_entry_points_are_words_of_their_own() -> None:
    groups = [kind.plural for kind in KINDS.values()]
    assert len(set(groups)) == len(groups)
    rules = {"unrated", "undefined", "relevance", "coverage"}
    assert {kind.plural for kind in KINDS.values() if kind.name in rules} == {f"{name}_rules" for name in rules}


@pytest.mark.parametrize(
    ("group", "load", "parts"),
    [
        ("heldout.metrics", broken, {}),
        ("heldout.metrics", lambda: 5, {"found": 5, "expected": "a class of metrics that has a `key`"}),
        ("heldout.metrics", lambda: Metric, {"found": Metric, "expected": "a class of metrics that has a `key`"}),
        ("heldout.targets", constant, {"expected": "a class of targets that has a `key`"}),
    ],
)
def test_a_broken_entry_point_is_named_and_costs_only_itself(
    declare: Declare, group: str, load: Callable[[], Any], parts: dict[str, Any]
) -> None:
    declare(group, load)
    kind = group.partition(".")[2].removesuffix("s")
    with pytest.warns(ComponentWarning, match=f"'thing' of '{group}'"):
        known = classes(kind)
    assert {"nDCG", "AllItems"} & {cls.key for cls in known}
    with refused(SpecError, where=f"entry point 'thing' of '{group}' (package:Thing)", **parts) as error:
        find(kind, "Thing")
    if load is broken:
        assert isinstance(error.value.found, ImportError)
    with refused(UnknownNameError, hint="did you mean nDCG?" if kind == "metric" else "AllItems"):
        find(kind, "nDGC")
    if kind == "metric":
        assert "nDCG" in str(ho.describe("nDCG"))


@pytest.mark.parametrize(
    ("values", "found"),
    [
        (np.zeros(3), "shape (3,), type float64"),
        (np.zeros((2, 1)), "shape (2, 1), type float64"),
        (0.5, 0.5),
        (np.array(["a", "b"]), "shape (2,), type <U1"),
        (None, None),
        (np.array([0, np.inf]), UNKNOWN),
        (np.array([-np.inf, 1]), UNKNOWN),
    ],
)
def test_values_of_a_wrong_shape_and_infinite_ones_name_the_metric_and_its_package(
    declare: Declare, values: Any, found: object
) -> None:
    def wrong() -> type[Metric]:
        class Wrong(Metric):
            """Values of no list."""

            key = "Wrong"
            range = (-np.inf, np.inf)

            def measure(self, judged: Judged) -> Any:
                return values

        Wrong.__module__ = "wrong_shapes.metrics"
        return Wrong

    declare("heldout.metrics", wrong)
    qrels = {"user": ["u", "v"], "item": ["i", "i"], "rating": [5, 4]}
    runs = {"A": {"user": ["u", "v"], "item": ["i", "i"], "score": [1.0, 1.0]}}
    expected = "numbers of shape (2,), one for each list: finite, or NaN if undefined"
    with refused(ComponentError, where="the metric Wrong of the package wrong_shapes", found=found, expected=expected):
        ho.evaluate(qrels, runs, ["Wrong"])
    with pytest.raises(AssertionError, match="Wrong"):
        check_metric(make("metric", "Wrong"))


def test_two_components_of_one_name(declare: Declare) -> None:
    declare("heldout.metrics", constant)
    classes("metric")
    with pytest.raises(TypeError, match="Same"):

        class Other(Metric):
            """Another."""

            key = "Same"

            def measure(self, judged: Judged) -> Float64:
                return np.zeros(len(judged))
