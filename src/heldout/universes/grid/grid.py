"""The grid of all choices: which of their combinations are universes, how many there are, and their places in arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from heldout.aggregations.aggregation import Aggregation, UserWeight
from heldout.aggregations.coverage_rule import CoverageRule
from heldout.aggregations.undefined_rule import UndefinedRule
from heldout.metrics.measuring import depth_of
from heldout.metrics.metric import Gain, Metric
from heldout.significance.significance_test import Test
from heldout.study.applicability import aggregation_refusal, fits
from heldout.study.compatibility import asks_relevance
from heldout.study.protocol import JudgingChoices, chain_text
from heldout.study.spec import Study
from heldout.tables.arrays import Int32, Int64
from heldout.targets.target import Target
from heldout.targets.user_rule import UserRule
from heldout.universes.grid.decisions import NAMES, Decision, decision


@dataclass(frozen=True)
class AnalysisChoices:
    """How one metric's values become a number and a p-value; None where a decision does not apply to it."""

    aggregate: Aggregation | None
    undefined: UndefinedRule | None
    coverage: CoverageRule | None
    test: Test | None

    def texts(self) -> dict[str, str | None]:
        """Its choices by decision."""
        chosen = {"aggregate": self.aggregate, "undefined": self.undefined, "coverage": self.coverage, "test": self.test}
        return {name: None if option is None else str(option) for name, option in chosen.items()}


@dataclass(frozen=True)
class Multiverse:
    """A study whose every combination of options is a universe, under each of some seeds."""

    study: Study
    seeds: tuple[int, ...]
    left_out: tuple[str, ...] = ()
    """Metrics that do not apply to every system and rules that only bound values: none of the study's, with the reason."""

    def seeded(self, seed: int) -> Study:
        """The study under one seed."""
        return replace(self.study, seed=seed)

    @cached_property
    def judgements(self) -> tuple[JudgingChoices, ...]:
        """The distinct ways of judging one system's scores."""
        return tuple(self.study.judgements())

    @cached_property
    def metrics(self) -> tuple[Metric, ...]:
        """The metrics by which systems are compared."""
        return self.study.contests

    def metrics_of(self, users: Sequence[UserRule], choices: JudgingChoices) -> tuple[Metric, ...]:
        """The metrics that have a value under a way of judging, and are not already counted under another.

        A metric that asks neither for the rule of relevance nor for users chosen by it is counted under the first rule;
        under others only where users weigh by their relevant ratings.
        """
        again = self.again(users, choices)
        fitting = [m for m in self.metrics if fits(m, choices)]
        return tuple(m for m in fitting if self.settings(m, choices.target, again=again))

    def again(self, users: Sequence[UserRule], choices: JudgingChoices) -> bool:
        """Whether a way of judging differs from another in a rule of relevance that neither lists nor users ask for."""
        target, rule = choices.target, choices.relevance
        by_rule = target.single or target.form.by_relevance or any(u.by_relevance for u in users)
        return target.own_relevance is None and not by_rule and str(rule) != str(self.study.relevance[0])

    def settings(self, metric: Metric, target: Target, *, again: bool = False) -> tuple[AnalysisChoices, ...]:
        """All distinct ways of aggregating and testing a metric's values under a target; `again` as the method says."""
        again = again and not asks_relevance(metric)
        key = (metric, target.by_rating, target.single, again)
        if key not in self.memo:
            distinct = _settings(self.study, metric, target)
            self.memo[key] = tuple(s for s in distinct if not again or weighs_relevant(s.aggregate))
        settings: tuple[AnalysisChoices, ...] = self.memo[key]
        return settings

    @cached_property
    def memo(self) -> dict[Any, Any]:
        """What is worked out once of this grid."""
        return {}

    @cached_property
    def decisions(self) -> tuple[Decision, ...]:
        """Every decision with the levels that some universe has."""
        study = self.study
        levels: dict[str, list[str]] = {name: [] for name in NAMES}
        levels["data"] = [str(s) for s in study.data] or ["given"]
        levels["filter"] = [chain_text(c) for c in study.filters]
        levels["split"] = [str(s) for s in study.split]
        levels["seed"] = [str(s) for s in self.seeds]
        levels["users"] = [chain_text(c) for c in study.users]
        for choices in self.judgements:
            for name, text in choices.texts().items():
                levels[name].append(text)
        for metric in self.metrics:
            for name, part in parts_of(metric).items():
                levels[name] += [part] if part is not None else []
        for name in ("aggregate", "undefined", "coverage"):
            options = study.all_aggregations if name == "aggregate" else getattr(study, name)
            levels[name] = [str(option) for option in options]
        levels["test"] = [str(t) for t in study.compare.tests]
        return tuple(decision(name, levels[name]) for name in NAMES)

    def per_split(self) -> int:
        """Universes of each data set, filter, split and seed."""
        total = 0
        for users in self.study.users:
            for choices in self.judgements:
                again = self.again(users, choices)
                metrics = self.metrics_of(users, choices)
                total += sum(len(self.settings(m, choices.target, again=again)) for m in metrics)
        return total

    def splits(self) -> int:
        """Data sets × filters × splits × seeds."""
        return max(len(self.study.data), 1) * len(self.study.filters) * len(self.study.split) * len(self.seeds)

    def __len__(self) -> int:
        return self.splits() * self.per_split()


def weighs_relevant(aggregate: Aggregation | None) -> bool:
    """Whether users weigh by their relevant ratings: then the rule of relevance tells even where a metric does not ask."""
    return aggregate is not None and aggregate.user_weight == UserWeight("relevant")


def parts_of(metric: Metric) -> dict[str, str | None]:
    """A metric taken apart into the decisions it joins: which metric, its cut-off, its gain map."""
    gain = getattr(metric, "gain", None)
    graded = isinstance(gain, Gain)
    depth = depth_of(metric)
    default = type(metric).__dataclass_fields__["gain"].default if graded else None
    plain = metric.replace(gain=default) if graded else metric
    text = str(plain)
    if depth is not None:
        text = text.rpartition("@")[0]
    return {"metric": text, "cutoff": None if depth is None else str(depth), "gain": str(gain) if graded else None}


def _settings(study: Study, metric: Metric, target: Target) -> Iterator[AnalysisChoices]:
    if not metric.per_user:
        yield AnalysisChoices(None, None, None, None)
        return
    rules: tuple[UndefinedRule | None, ...] = study.undefined
    if metric.skips_undefined or metric.undefined == "never":
        rules = (None,)
    systems = [s.name for s in study.recommend]
    for aggregate, rule, coverage in product(study.aggregations(metric), rules, study.coverage):
        if not aggregation_refusal(aggregate, metric, target, systems, study.compare.baseline, sure=True):
            for test in _tests(study.compare.tests, aggregate, by_rating=target.by_rating):
                yield AnalysisChoices(aggregate, rule, coverage, test)


def _tests(tests: Sequence[Test], aggregate: Aggregation, *, by_rating: bool) -> Iterator[Test | None]:
    """The tests that answer for an aggregation; None where none does: a universe without significance."""
    weighted = aggregate.weighs_users(by_rating=by_rating)
    answering = [t for t in tests if not t.refusal(aggregate, weighted=weighted)]
    yield from answering or (None,)


@dataclass(frozen=True, eq=False, kw_only=True)
class UniverseLayout:
    """One entry per universe. A choice that does not apply is −1."""

    metric: Int64
    """Place among the metrics measured."""
    aggregate: Int64
    undefined: Int64
    coverage: Int64
    test: Int64
    codes: Int32
    """Universes × (metric, cutoff, gain, aggregate, undefined, coverage, test): levels of the grid's decisions."""

    def __len__(self) -> int:
        return len(self.metric)


def layout(
    multiverse: Multiverse, metrics: tuple[Metric, ...], measured: tuple[Metric, ...], target: Target, *, again: bool
) -> UniverseLayout:
    """The universes of the metrics asked for under a target, metric by metric; `measured` are the rows there are.

    With `again`, only the universes that another relevance rule changes (`Multiverse.again`).
    """
    key = (metrics, measured, target.by_rating, target.single, again)
    if key not in multiverse.memo:
        multiverse.memo[key] = _layout(multiverse, metrics, measured, target, again=again)
    universes: UniverseLayout = multiverse.memo[key]
    return universes


def _layout(
    multiverse: Multiverse, metrics: Sequence[Metric], measured: Sequence[Metric], target: Target, *, again: bool
) -> UniverseLayout:
    study = multiverse.study
    options = {
        "aggregate": [str(a) for a in study.all_aggregations],
        "undefined": [str(u) for u in study.undefined],
        "coverage": [str(c) for c in study.coverage],
        "test": [str(t) for t in study.compare.tests],
    }
    levels = {d.name: d.levels for d in multiverse.decisions}
    at = {name: {text: k for k, text in enumerate(texts)} for name, texts in options.items()}
    level_at = {name: {text: k for k, text in enumerate(texts)} for name, texts in levels.items()}
    place = {metric: k for k, metric in enumerate(measured)}
    rows, codes = [], []
    for metric in metrics:
        parts = [level_at[name].get(text, -1) if text is not None else -1 for name, text in parts_of(metric).items()]
        for setting in multiverse.settings(metric, target, again=again):
            texts = setting.texts()
            rows.append([place[metric], *(-1 if t is None else at[name][t] for name, t in texts.items())])
            codes.append([*parts, *(-1 if t is None else level_at[name][t] for name, t in texts.items())])
    table = np.array(rows, dtype=np.int64).reshape(-1, 5)
    places = zip(("metric", *options), table.T, strict=True)
    return UniverseLayout(
        **{name: np.ascontiguousarray(column) for name, column in places},
        codes=np.array(codes, dtype=np.int32).reshape(-1, 7),
    )
