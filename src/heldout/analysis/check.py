"""The release check: whether a candidate may replace a baseline, by each metric and guard."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from heldout.catalogue import make
from heldout.errors import SpecError
from heldout.metrics.metric import Metric
from heldout.significance.noninferiority import Margin, NonInferiority

Outcome = Literal["passed", "worse", "inconclusive", "suspicious"]
EXIT_CODES: dict[Outcome, int] = {"worse": 1, "suspicious": 5, "inconclusive": 4, "passed": 0}
"""In the order of precedence: the outcome of a check is the first that any metric or guard has. Wrong input ends with 2."""
_GUARD = re.compile(r"\s*(.+?)\s*(>=|<=)\s*(\S+)\s*")


@dataclass(frozen=True)
class Guard:
    """A limit on the change of a metric of whole systems: `ItemCoverage@10 >= -5%`."""

    metric: Metric
    at_least: bool
    """True if the change must be at least the limit; False if at most."""
    limit: Margin

    @classmethod
    def parse(cls, text: str) -> Guard:
        """The guard of a text; SpecError if it is none, or its metric has values per user."""
        match = _GUARD.fullmatch(text)
        if match is None:
            raise SpecError(where="guard", found=text, expected='such as "ItemCoverage@10 >= -5%"')
        metric: Metric = make("metric", match[1])
        if metric.per_user:
            hint = "name it as a metric of the check, which tests it"
            raise SpecError(
                "a guard is a metric of whole systems, without values per user", where="guard", found=text, hint=hint
            )
        return cls(metric, match[2] == ">=", Margin.parse(match[3], "guard", signed=True))

    def __str__(self) -> str:
        sign = "+" if self.limit.size > 0 else ""
        return f"{self.metric} {'>=' if self.at_least else '<='} {sign}{self.limit}"


@dataclass(frozen=True, kw_only=True)
class GuardCheck:
    """What a guard finds. It compares two numbers and has no interval."""

    guard: str
    metric: str
    baseline: float
    candidate: float
    limit: float
    """The limit as a difference."""
    passed: bool

    @classmethod
    def of(cls, guard: Guard, baseline: float, candidate: float) -> GuardCheck:
        """The guard applied to the values of both systems."""
        limit, change = guard.limit.of(baseline), candidate - baseline
        passed = change >= limit if guard.at_least else change <= limit
        return cls(
            guard=str(guard), metric=str(guard.metric), baseline=baseline, candidate=candidate, limit=limit, passed=passed
        )


@dataclass(frozen=True, kw_only=True)
class MetricCheck:
    """What the check finds by one metric."""

    metric: str
    identical: bool
    """True if both systems have the same lists, which passes whatever the margin."""
    test: NonInferiority

    @property
    def outcome(self) -> Outcome:
        """Passed, worse, inconclusive or suspicious."""
        return "passed" if self.identical else self.test.outcome


@dataclass(frozen=True, kw_only=True)
class CheckFindings:
    """What a release check found."""

    baseline: str
    candidate: str
    margin: str
    suspicious: str
    """From which gain on a candidate is suspicious; empty if none is."""
    metrics: tuple[MetricCheck, ...]
    guards: tuple[GuardCheck, ...]
    accept_inconclusive: bool

    @property
    def outcome(self) -> Outcome:
        """The first of worse, suspicious, inconclusive and passed that any metric or guard has."""
        outcomes = {check.outcome for check in self.metrics} | {"worse" for guard in self.guards if not guard.passed}
        return next(outcome for outcome in EXIT_CODES if outcome in outcomes)

    @property
    def exit_code(self) -> int:
        """0 if passed, 1 if worse, 4 if inconclusive (0 if that is accepted), 5 if suspicious."""
        return 0 if self.outcome == "inconclusive" and self.accept_inconclusive else EXIT_CODES[self.outcome]

    @property
    def passed(self) -> bool:
        """True if the candidate may be released: exit code 0."""
        return self.exit_code == 0


def parse_guards(guards: Sequence[str] | str) -> list[Guard]:
    """Guards of texts."""
    return [Guard.parse(text) for text in ([guards] if isinstance(guards, str) else guards)]
