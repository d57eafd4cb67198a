"""Rows of findings: settings, leaderboards, comparisons, the verdict, folds and notices, as plain data."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Literal

import polars as pl

from heldout.significance.significance_test import MIRRORED
from heldout.storage.codec import SPARSE
from heldout.text.names import metric_words, option_words


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
    """True if the metric only describes lists or values are bounds. The verdict leaves such settings out."""
    bound: bool = False
    """True if values are the end of an interval, with every unrated item at no gain or at full gain."""
    same_as: int | None = field(default=None, metadata=SPARSE)
    """The first setting in which every system has the same value of each user, if there is one before."""

    @property
    def words(self) -> str:
        """The label as people read it: "OnePlusRandom(100) · nDCG@10 (binary)"."""
        return label_words(self.label, self.metric)


@dataclass(frozen=True, kw_only=True)
class LeaderRow:
    """One system in one setting."""

    setting: int
    system: str
    rank: int
    value: float | None
    low: float | None
    """Lower end of the confidence interval of the value; None if the aggregation has none."""
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
    """Letters ("a", "ab", "b"): systems that share one do not differ significantly."""
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
        """True if the two systems differ significantly at this level; False without a p-value."""
        return self.p_adjusted is not None and self.p_adjusted < level


@dataclass(frozen=True, kw_only=True)
class LayoutRow:
    """The result of a test of all systems at once in one setting."""

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


@dataclass(frozen=True, kw_only=True)
class VerdictRow:
    """The leader of one setting, compared with one rival, and whether it leads the primary setting too."""

    setting: int
    leader: str
    value: float
    rival: str
    """Whom the leader is held against: the baseline where there is one, else the leader of the primary setting where that
    does not lead here, else the runner-up."""
    difference: float
    """Leader minus rival."""
    p_adjusted: float | None
    significant: bool
    agrees: bool
    refused: str = ""
    """Why the leader is not called the winner though it is ahead, completing "the leader …"."""
    remark: str = ""
    """The same in a few words."""
    effect: float | None = None
    """Paired Cohen d, above 0 if the users compared are better off with the leader."""
    users: int = 0
    """Users of the setting."""
    served: int = 0
    """Those whom every system recommends something to."""
    other_users: int = field(default=0, metadata=SPARSE)
    """Users that the leader is averaged over, if the setting rests on other users than the primary one; else 0."""

    @property
    def tie(self) -> bool:
        """True if leader and rival have the same value."""
        return self.difference == 0

    @property
    def answer(self) -> Literal["same", "other", "tie", "uncalled"]:
        """What the setting says of the primary setting's leader: it leads here too, another does, two tie, or no winner is
        called."""
        return "uncalled" if self.refused else "tie" if self.tie else "same" if self.agrees else "other"

    def seen_from(self, system: str) -> tuple[str, float, float | None]:
        """The other system of the pair, with difference and effect seen from this one."""
        if system == self.leader:
            return self.rival, self.difference, self.effect
        return self.leader, -self.difference, None if self.effect is None else -self.effect


def label_words(label: str, metric: str) -> str:
    """The label of a setting with that metric as people read it."""
    parts = (part.split(" = ") if part != metric else [part] for part in label.split(" · "))
    return " · ".join(" = ".join(metric_words(p) if p == metric else option_words(p) for p in own) for own in parts)


def user_counts(rows: Sequence[VerdictRow]) -> str:
    """How many users settings on other users have: "900", or "900 to 1,477"."""
    low, high = (pick(row.other_users for row in rows) for pick in (min, max))
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """Who wins, and whether that holds elsewhere."""

    answer: str
    """In at most 12 words, if systems have short names."""
    numbers: str = ""
    """The numbers behind the answer, in sentences."""
    note: str = ""
    """How they were tested."""
    exception: str = ""
    """The option under which all settings contradict the answer; empty if there is none."""
    rows: tuple[VerdictRow, ...] = ()
    """One for each setting with two systems or more; the primary one first."""

    @property
    def sentence(self) -> str:
        """The answer and its numbers."""
        return f"{self.answer} {self.numbers}".rstrip()

    @property
    def uncalled(self) -> tuple[VerdictRow, ...]:
        """The settings in which no winner is called though a system is ahead."""
        return tuple(row for row in self.rows if row.refused)

    @property
    def on_other_users(self) -> tuple[VerdictRow, ...]:
        """The settings that rest on other users than the primary one."""
        return tuple(row for row in self.rows if row.other_users)

    @property
    def tested(self) -> bool:
        """True if any setting has a p-value."""
        return any(row.p_adjusted is not None for row in self.rows)


@dataclass(frozen=True)
class NoticeRow:
    """A warning about method: a code, what was met, and where it is explained."""

    code: str
    message: str
    title: str = ""


def place(metric: str, choices: Mapping[str, str], aggregate: str) -> str:
    """A setting within a sentence: `P@10 (AllItems, threshold(tau=4), ratio(train=0.8), mean)`."""
    texts = [text for text in (*(choices.get(stage) for stage in ("target", "relevance", "split")), aggregate) if text]
    return f"{metric} ({', '.join(texts)})" if texts else metric


PAIRS = "comparisons.parquet"
"""The table's file in a results folder."""
MOST_IN_JSON = 20_000
"""Comparisons that stand in facts.json; more stand in a table. 20,000 take 9 MB there, those of 1,000 systems 900 MB."""
_TEXTS = ("test", "a", "b", "correction", "figures", "reason")
_COUNTS = ("setting", "wins", "ties", "losses", "family", "users")
_COLUMNS = tuple(field.name for field in fields(PairRow))


def pair_frame(comparisons: Sequence[PairRow]) -> pl.DataFrame:
    """A row for each comparison; as in JSON, a number that is none is null, and `figures` are a text of JSON."""
    columns = []
    for name in _COLUMNS:
        values = [getattr(row, name) for row in comparisons]
        if name == "figures":
            values = [json.dumps(figures) for figures in values]
        kind = pl.String if name in _TEXTS else pl.Int64 if name in _COUNTS else pl.Float64
        column = pl.Series(name, values, dtype=kind)
        columns.append(column.to_frame().select(_finite(name)).to_series() if kind == pl.Float64 else column)
    return pl.DataFrame(columns)


def _finite(name: str) -> pl.Expr:
    """A column of numbers, null where a number is not finite."""
    return pl.when(pl.col(name).is_finite()).then(pl.col(name)).alias(name)


def pair_rows(frame: pl.DataFrame) -> tuple[PairRow, ...]:
    """The comparisons that `pair_frame` wrote."""
    figures = {text: json.loads(text) for text in frame["figures"].unique()}
    return tuple(
        PairRow(**{**row, "figures": dict(figures[row["figures"]])}) for row in frame.select(_COLUMNS).iter_rows(named=True)
    )
