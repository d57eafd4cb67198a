"""The facts of a report: numbers and sentences as plain data, from which every form of report is drawn.

Whatever is shown in the terminal, in HTML, in LaTeX or in a plot stands here first; `Facts.to_dict` is its JSON.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from heldout.analysis.picture_rows import CurveRow, Pictures, SystemCost
from heldout.analysis.verdict_rows import Verdict
from heldout.json_codec import from_plain, to_plain
from heldout.significance.significance_test import MIRRORED


@dataclass(frozen=True, kw_only=True)
class Setting:
    """One complete way of measuring: a protocol, a metric and how users become one number."""

    id: int
    choices: dict[str, str]
    """Stage word → text form, for data, filter, split, users, fallback, relevance, target, unrated, ties."""
    metric: str
    aggregate: str
    undefined: str
    coverage: str
    label: str
    """The choices in which settings of this report differ, such as "TestRatings · P@10"; never empty."""
    higher_is_better: bool = True
    descriptive: bool = False
    """Whether the metric only describes lists, or values are bounds: no contest, and so no part of the verdict."""
    bound: bool = False
    """Whether values are the end of an interval, with every unrated item at no gain or at full gain."""


@dataclass(frozen=True, kw_only=True)
class LeaderRow:
    """One system in one setting."""

    setting: int
    system: str
    rank: int
    value: float | None
    low: float | None
    """Lower end of the confidence interval of the value; None where the aggregation has none."""
    high: float | None
    users: int
    """Users averaged."""
    undefined: int
    """Users whose value the metric leaves undefined."""
    user_coverage: float
    """Share of users with at least one item the system itself scored."""
    coverage: float | None
    """Coverage@n of what the system itself scored, at the metric's cut-off; None without a cut-off."""
    unrated: float | None
    """Share of unrated items in the top n."""
    rho: float | None
    """ρ@n, the expected precision of a random ranking of the same targets."""
    coverage_ranked: float | None = None
    """Coverage@n after fallback: of the lists as they were ranked."""
    group: str = ""
    """Letters shared by systems that the tests cannot tell apart ("a", "ab", "b")."""
    tied: float | None = None
    """Share of the rated items in the top n whose score another target has too."""


@dataclass(frozen=True, kw_only=True)
class PairRow:
    """One pair of systems in one setting under one test; differences are a − b."""

    setting: int
    test: str
    a: str
    b: str
    value_a: float
    value_b: float
    difference: float
    low: float | None
    high: float | None
    effect: float | None
    """Paired Cohen d: mean difference ÷ its standard deviation."""
    wins: int
    ties: int
    losses: int
    p: float | None
    p_adjusted: float | None
    correction: str
    family: int
    """Comparisons that the correction counts."""
    users: int
    """Users the pair was tested on."""
    superiority: float | None = None
    """Common-language effect size: share of users for whom a is better, ties counted half."""
    figures: dict[str, float] = field(default_factory=dict)
    """Further numbers of the test, by name: "rejected", the probabilities "better", "equal" and "worse", or "non_zero"."""
    reason: str = ""
    """Why the test was not made."""

    def flipped(self) -> PairRow:
        """The same comparison seen from the other system: a − b becomes b − a."""
        return replace(
            self,
            a=self.b,
            b=self.a,
            value_a=self.value_b,
            value_b=self.value_a,
            difference=-self.difference,
            low=None if self.high is None else -self.high,
            high=None if self.low is None else -self.low,
            effect=None if self.effect is None else -self.effect,
            wins=self.losses,
            losses=self.wins,
            superiority=None if self.superiority is None else 1.0 - self.superiority,
            figures={MIRRORED.get(name, name): value for name, value in self.figures.items()},
        )

    def significant(self, level: float) -> bool:
        """Whether the test tells the two systems apart at this level; False where it gives no p."""
        return self.p_adjusted is not None and self.p_adjusted < level


@dataclass(frozen=True, kw_only=True)
class LayoutRow:
    """What a test of all systems at once says of one setting."""

    setting: int
    test: str
    name: str
    """The statistic with its degrees of freedom, such as "χ²(5)"."""
    statistic: float
    p: float
    """That no system differs from another."""
    scale: str
    """What places are: "mean rank" or "mean"."""
    places: dict[str, float]
    """System → mean rank (1 the best) or mean."""
    critical: float
    """Systems whose places differ by less do not differ significantly."""
    users: int

    @property
    def ordered(self) -> list[tuple[str, float]]:
        """Systems with their places, best first: mean ranks from the least, means from the greatest."""
        return sorted(self.places.items(), key=lambda place: place[1] if self.scale == "mean rank" else -place[1])

    @property
    def cliques(self) -> list[list[str]]:
        """The longest runs of systems, best place first, that differ by less than the critical difference."""
        order = self.ordered
        runs: list[list[str]] = []
        for i, (_, first) in enumerate(order):
            run = [name for name, place in order[i:] if abs(place - first) < self.critical]
            if len(run) > 1 and not any(set(run) <= set(longer) for longer in runs):
                runs.append(run)
        return runs


@dataclass(frozen=True)
class DataStep:
    """A data set before any filter, or after one: `profile` as `heldout.data.profile` gives it."""

    label: str
    profile: dict[str, Any]


@dataclass(frozen=True)
class DataFacts:
    """A data set through its chain of filters."""

    name: str
    filter: str
    steps: tuple[DataStep, ...]


@dataclass(frozen=True, kw_only=True)
class SplitFacts:
    """One fold of one split."""

    data: str
    filter: str
    split: str
    fold: int
    train: int
    test: int
    users: int
    """Users that are tested."""
    dropped: tuple[tuple[str, int], ...] = ()
    validation: int = 0
    development: int = 0
    """Test users on whom systems are chosen."""
    audit: dict[str, Any] = field(default_factory=dict)
    """What the fold leaks: test ratings older than training ones, cold users and items, pairs in both parts."""
    chosen: tuple[tuple[str, tuple[tuple[str, int], ...]], ...] = ()
    """For every chain of user rules and relevance rule, how many users each rule leaves."""

    @property
    def test_share(self) -> float | None:
        """Test ratings among those of all parts; None of an empty fold."""
        size = self.train + self.validation + self.test
        return self.test / size if size else None

    def audited_share(self, key: str) -> float | None:
        """A count of the audit as a share of the test ratings; None where the audit has none."""
        audited = self.audit.get(key)
        return None if audited is None else float(audited / max(1, self.test))


@dataclass(frozen=True, kw_only=True)
class Definition:
    """What an option means: its definition card in short."""

    name: str
    summary: str
    formula: str
    assumes: str
    references: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Choice:
    """One decision of the study and the options it took."""

    stage: str
    decision: str
    options: tuple[str, ...]
    meaning: str
    """What the first option does, in a sentence."""
    definitions: tuple[Definition, ...] = ()
    """Of every component among the options, each once; metrics have cards of their own."""


@dataclass(frozen=True, kw_only=True)
class Card:
    """What a metric means: its definition card."""

    name: str
    text: str
    """The full text form."""
    summary: str
    formula: str
    assumes: str
    undefined: str
    range: str
    references: tuple[str, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    """Denominator, gain, ties, short lists, and what other libraries mean by the name, as (word, text)."""


@dataclass(frozen=True)
class NoticeRow:
    """A warning about method: a code, what was met, and where it is explained."""

    code: str
    message: str
    title: str = ""


@dataclass(frozen=True)
class DiagnosticRow:
    """A diagnostic under one protocol: it describes the lists and ranks no system."""

    label: str
    """The choices in which protocols differ."""
    metric: str
    values: tuple[float | None, ...]
    """One for each system, averaged over the users that have a value in every system."""
    users: int


@dataclass(frozen=True, kw_only=True)
class Facts:
    """All that a report says."""

    title: str
    task: str
    seed: int
    systems: tuple[str, ...]
    primary: int
    verdict: Verdict
    settings: tuple[Setting, ...]
    leaderboard: tuple[LeaderRow, ...]
    comparisons: tuple[PairRow, ...]
    choices: tuple[Choice, ...] = ()
    data: tuple[DataFacts, ...] = ()
    splits: tuple[SplitFacts, ...] = ()
    cards: tuple[Card, ...] = ()
    notices: tuple[NoticeRow, ...] = ()
    references: dict[str, str] = field(default_factory=dict)
    """Citation key → formatted reference."""
    manifest: dict[str, Any] = field(default_factory=dict)
    """Versions, digests, machine and seconds of each stage."""
    level: float = 0.05
    """The level of significance; intervals hold with 1 − level."""
    layouts: tuple[LayoutRow, ...] = ()
    """Tests of all systems at once."""
    diagnostics: tuple[DiagnosticRow, ...] = ()
    curves: tuple[CurveRow, ...] = ()
    """Curves of metrics that have one."""
    baseline: str | None = None
    """The system that all others are compared with; None where all pairs are."""
    pictures: Pictures = field(default_factory=Pictures)
    """What further pictures of the primary setting are drawn from."""
    costs: tuple[SystemCost, ...] = ()
    """What fitting and scoring took. Measured, and another each time, so no part of `to_dict`: the manifest has it."""

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON types; a number that is none is null."""
        record: dict[str, Any] = to_plain(self)
        return {name: value for name, value in record.items() if name != "costs"}

    @classmethod
    def from_dict(cls, record: dict[str, Any]) -> Facts:
        """The facts that `to_dict` wrote."""
        return from_plain(cls, {**record, "costs": []})


@dataclass(frozen=True, kw_only=True)
class ProtocolFacts:
    """What was asked, what it means and what computed it: the part of the facts that results of other kinds have too."""

    choices: tuple[Choice, ...]
    cards: tuple[Card, ...]
    """Of every metric, each once."""
    references: dict[str, str]
    manifest: dict[str, Any]
    """What does not differ from run to run."""
    data: tuple[DataFacts, ...] = ()
    """Each data set before and after its filters; empty where the manifest keeps none."""


def place(metric: str, choices: Mapping[str, str], aggregate: str) -> str:
    """A setting within a sentence: `P@10 (AllItems, threshold(tau=4), ratio(train=0.8), mean)`."""
    texts = [text for text in (*(choices.get(stage) for stage in ("target", "relevance", "split")), aggregate) if text]
    return f"{metric} ({', '.join(texts)})" if texts else metric
