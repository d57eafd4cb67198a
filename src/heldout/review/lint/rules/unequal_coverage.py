"""HO603: systems cover different shares of places or users."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.review.lint.evidence import SystemEvidence
from heldout.review.lint.finding import Finding
from heldout.review.lint.rule import Rule, Subject

APART = 0.05


class UnequalCoverage(Rule):
    """Systems fill different shares of their lists or serve different shares of the users.

    Assumes: coverage of what systems score themselves, at the metric's cut-off; more than 5 points apart. A study that also
    compares on the users whom every system serves, or with full lists, shows what the difference is worth.

    Example: UserKNN(k=2) fills a third of the places, Popularity all of them.
    """

    key = "HO603"
    title = "Systems cover different shares"
    severity = "warning"
    stage = "coverage"
    references = ("canamares2020",)
    from_results = "whether systems cover the same share of users and places"
    explanation = """
One system fills its lists for more users, or further, than another. With the uncovered at 0 the comparison mixes two
things: how good recommendations are, and to how many they are given (Cañamares, Castells and Moffat 2020, decisions B2
and C4, figures 7 and 8). Report both: coverage beside each value, and a second rule, `coverage = ["zero",
"intersection"]`, or fill the lists of all systems by the same `fallback = "popularity"`."""

    def review(self, subject: Subject) -> Iterator[Finding]:
        if any(not rule.as_zero and not rule.per_system for rule in subject.study.coverage):
            return
        settings: dict[str, list[SystemEvidence]] = {}
        for line in subject.evidence.systems if subject.evidence is not None else ():
            settings.setdefault(line.setting, []).append(line)
        widest = [max(((_share(a) - _share(b), a, b) for a in s for b in s), key=lambda t: t[0]) for s in settings.values()]
        apart, high, low = max(widest, key=lambda t: t[0], default=(0.0, None, None))
        if apart > APART and high is not None and low is not None:
            message = f"{high.system} fills {_share(high):.0%} of the places of {high.place}, {low.system} {_share(low):.0%}"
            yield self.finding(message, subject.replace("coverage", ["zero", "intersection"]))


def _share(line: SystemEvidence) -> float:
    return line.user_coverage if line.coverage is None else line.coverage
