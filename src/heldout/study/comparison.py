"""How the systems of a study are compared: which tests, which correction, and whether they go with the rest."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from heldout.aggregations.aggregation import Aggregation
from heldout.catalogue import make
from heldout.errors import HeldoutError, SpecError, UnknownNameError, all_of, warn_spelling
from heldout.significance.significance_test import Correction, Test
from heldout.study.keys import Options, Table, declared_keys, listed, make_options, setting
from heldout.targets.target import Target

NO_TEST = "none"
"""What stands for a list of tests that is empty on purpose."""
DEFAULT_TESTS = ("t", "permutation")
FOLDS = ("average", "pooled")
GROUPS = ("evaluation", "development", "all")


@dataclass(frozen=True, kw_only=True)
class Comparison(Table):
    """How systems are compared."""

    tests: tuple[Test, ...] = field(
        metadata=setting("significance tests; all of them are run", Options, default=list(DEFAULT_TESTS))
    )
    """Empty where nothing is tested: differences, intervals and effect sizes alone."""
    correction: Correction = field(metadata=setting("correction for many comparisons", str, default="holm"))
    level: float = field(default=0.05, metadata=setting("the level of significance", above=0, below=1))
    baseline: str | None = field(
        default=None, metadata=setting("compare only with this system, instead of all pairs", str | None)
    )
    folds: str = field(
        default="average", metadata=setting("average: a user's folds are averaged first; pooled: they are not", str | None)
    )
    """"average" tests users, their values averaged over folds; "pooled" takes each fold of a user as a user."""
    group: str = field(
        default="evaluation",
        metadata=setting("of a split with two groups of users: evaluation, development, all", str | None),
    )
    """Whom a split with development and evaluation users compares: "evaluation", "development" or "all"."""


COMPARE_KEYS = tuple(declared_keys(Comparison))
"""The keys of the table `compare`."""


def make_comparison(value: Any, systems: Sequence[str] | None) -> Comparison:
    """How systems are compared, from a list of tests or a table; the baseline is not looked up where `systems` is None."""
    table = settled_table(value) if isinstance(value, Mapping) else {"tests": value}
    settings: dict[str, Any] = {}
    problems: list[HeldoutError] = [
        UnknownNameError("key", str(name), COMPARE_KEYS) for name in table if name not in COMPARE_KEYS
    ]
    makers: dict[str, Callable[[], Any]] = {
        "tests": lambda: _tests(table.get("tests", DEFAULT_TESTS)),
        "correction": lambda: make("correction", table.get("correction", "holm")),
        "level": lambda: _level(table.get("level", 0.05)),
        "baseline": lambda: _baseline(table.get("baseline"), systems),
        "folds": lambda: _one_of("folds", table, FOLDS),
        "group": lambda: _one_of("group", table, GROUPS),
    }
    for name, maker in makers.items():
        try:
            settings[name] = maker()
        except HeldoutError as error:
            problems.append(error)
    if problems:
        raise all_of(problems) from None
    comparison = Comparison(**settings)
    one_sided = next((t for t in comparison.tests if t.one_sided), None)
    if one_sided is not None and comparison.baseline is None:
        raise SpecError(
            "a one-sided test needs a baseline",
            where="baseline",
            found=str(one_sided),
            hint="name the system that the others should beat",
        )
    return comparison


def settled_table(table: Mapping[str, Any]) -> dict[str, Any]:
    """The table of a comparison with `tests` in its one spelling; `test`, as verbs and commands have it, is read too."""
    if "test" not in table or "tests" in table:
        return dict(table)
    warn_spelling("the key 'test' is read as 'tests'; write tests in compare")
    return {"tests" if key == "test" else key: value for key, value in table.items()}


def _tests(value: Any) -> tuple[Test, ...]:
    texts = listed(value)
    if NO_TEST in texts and len(texts) > 1:
        raise SpecError(where="tests", found=[str(text) for text in texts], expected=f"either '{NO_TEST}' or tests")
    return make_options("test", texts) if texts and NO_TEST not in texts else ()


def _level(level: Any) -> float:
    if not isinstance(level, int | float) or not 0 < level < 1:
        raise SpecError(where="level", found=level, expected="a number between 0 and 1")
    return float(level)


def _baseline(baseline: Any, systems: Sequence[str] | None) -> str | None:
    if baseline is None or systems is None or baseline in systems:
        return None if baseline is None else str(baseline)
    return _spelt_otherwise(str(baseline), systems)


def _spelt_otherwise(baseline: str, systems: Sequence[str]) -> str:
    """The system that a text form means, however its parameters are written."""
    try:
        meant = str(make("recommender", baseline))
    except HeldoutError:
        meant = ""
    if meant not in systems:
        raise UnknownNameError("baseline", baseline, systems)
    return meant


def _one_of(key: str, table: Mapping[str, Any], options: tuple[str, ...]) -> str:
    chosen = str(table.get(key) or options[0])
    if chosen not in options:
        raise UnknownNameError(key, chosen, options)
    return chosen


def refuse_inapplicable(compare: Comparison, aggregations: Sequence[Aggregation], targets: Sequence[Target]) -> None:
    """Raise NotApplicableError if a test answers for no aggregation of the study: before hours of work, not after."""
    weighings = [
        (aggregation, aggregation.weighs_users(by_rating=by_rating))
        for aggregation in aggregations
        for by_rating in sorted({target.by_rating for target in targets})
        if aggregation.compared_by
    ]
    for test in compare.tests:
        if weighings and all(test.refusal(aggregation, weighted=weighted) for aggregation, weighted in weighings):
            test.check_applicable(weighings[0][0], weighted=weighings[0][1])
