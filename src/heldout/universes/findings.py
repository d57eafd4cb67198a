"""What a multiverse found, as plain frozen records: terminal, page and files are drawn from them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from itertools import combinations, pairwise
from typing import Any, Literal

from heldout.data.profile import ProfiledFindings
from heldout.storage.codec import SPARSE, from_plain, to_plain
from heldout.storage.deferred import Deferred
from heldout.study.published import PublishedChoice

StabilityKind = Literal["holds", "depends", "undecided"]
FIGURES = 7
"""Figures of numbers that are written."""
TOLERATED = 0.05
"""A system that is significantly better in fewer of the universes does not question the other's win."""


@dataclass(frozen=True, kw_only=True)
class DecisionFindings:
    """A decision and its options in the grid."""

    name: str
    words: str
    """What a sentence calls it."""
    letter: str
    levels: tuple[str, ...]
    """The options' text forms."""
    labels: tuple[str, ...]
    """The same, short: the numbers where they differ in nothing else."""
    counts: tuple[int, ...]
    """Universes with each."""
    without: int
    """Universes to which it does not apply."""

    @property
    def varies(self) -> bool:
        """True if universes differ in it."""
        return sum(n > 0 for n in self.counts) > 1


@dataclass(frozen=True, kw_only=True)
class Shares:
    """In how many universes which of two systems is better."""

    universes: int
    """With a value for both."""
    without: int
    """Without one, left out of the rest."""
    first: int
    """The first is significantly better."""
    second: int
    neither: int
    """Tested, and neither is."""
    untested: int
    """No test gives a p-value."""
    ahead: int
    """The first is ahead, significantly or not."""
    behind: int
    equal: int
    unserved: int = 0
    """Too few users have a list of both systems, so that no winner is called."""
    other_users: int = field(default=0, metadata=SPARSE)
    """The values are averaged over other users than under the first options, on the same split."""

    @property
    def undecided(self) -> int:
        """Universes in which neither is significantly better, tested or not."""
        return self.universes - self.first - self.second

    def share(self, count: int) -> float:
        """A count of universes as a share of those with a value; 0 if none has one."""
        return count / max(self.universes, 1)


@dataclass(frozen=True)
class Region:
    """A block of choices, and how often something happens in it."""

    where: tuple[tuple[str, tuple[str, ...]], ...]
    """By decision, the options that make the block; none that restricts: the whole grid."""
    words: str
    """TestRatings with cut-off ≤ 5."""
    universes: int
    """Universes in the block."""
    cases: int
    """Those in which it happens."""

    @property
    def everywhere(self) -> bool:
        """True if the block is the whole grid."""
        return not self.where


@dataclass(frozen=True)
class Where:
    """In which universes one of two systems is significantly better."""

    only: Region
    """The smallest block of choices that holds them all."""
    densest: Region | None


@dataclass(frozen=True, kw_only=True)
class Stability:
    """What may be said of one pair of systems."""

    kind: StabilityKind
    winner: str
    """Empty if none can be named."""
    sentence: str
    first: Where | None
    """Where the first is significantly better; None if nowhere."""
    second: Where | None


@dataclass(frozen=True)
class Explained:
    """The share of the variance that one decision explains alone, or two explain jointly beyond both."""

    decisions: tuple[str, ...]
    within: tuple[str, ...]
    """The decisions that these are nested in."""
    effect: float
    """Share of the variance of the effect; NaN if that does not vary."""
    verdict: float
    """Share of the variance of the verdict (−1, 0, 1); NaN if that does not vary."""


@dataclass(frozen=True, kw_only=True)
class Anova:
    """The shares of one pair of systems: largest first, single decisions before pairs of them."""

    single: tuple[Explained, ...]
    joint: tuple[Explained, ...]
    remainder_effect: float
    """Share that only three or more decisions together explain."""
    remainder_verdict: float
    sd: float
    """Standard deviation of the effect over the universes."""
    complete: bool
    """True if every universe has a value; the shares are approximate where some have none."""


@dataclass(frozen=True)
class Counted:
    """Pairs of universes, and in how many of them what changes."""

    pairs: int
    leader: int
    reversed: int
    significance: int
    """Pairs in which one universe has a significant winner and the other has none."""

    def share(self, count: int) -> float | None:
        """A count of pairs as a share of all; None if there are none."""
        return count / self.pairs if self.pairs else None


@dataclass(frozen=True, kw_only=True)
class Flips:
    """What changing one decision alone does to one pair of systems."""

    decision: str
    all: Counted
    adjacent: Counted | None
    """Of options next to each other; None if options are no amounts."""
    levels: tuple[str, ...]
    """The options that have neighbours, in the order of `reversals`."""
    reversals: tuple[tuple[int, ...], ...]
    """Options × options: pairs in which the first is significantly better under the row's and worse under the column's."""
    compared: tuple[tuple[int, ...], ...]
    """Options × options: pairs there are."""


@dataclass(frozen=True, kw_only=True)
class MinimalPair:
    """One decision turns the winner round, all else equal."""

    decision: str
    before: str
    """The option under which the first universe is."""
    after: str
    universes: tuple[int, int]
    effects: tuple[float, float]
    """Above 0, the first system of the pair is better."""
    p: tuple[float, float]
    adjacent: bool
    """True if the two options are next to each other, if they are amounts."""
    same: tuple[tuple[str, str], ...]
    """The other decisions that vary, and what both universes chose."""
    sentence: str


@dataclass(frozen=True)
class SpecificationRow:
    """One option, or some side by side, and how many universes of each column chose it."""

    decision: str
    label: str
    counts: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class SpecificationCurve:
    """Universes sorted by effect, column by column from where the second system leads most."""

    sizes: tuple[int, ...]
    """Universes of each column."""
    effect: tuple[float, ...]
    """Their median effect; above 0, the first system is better."""
    first: tuple[int, ...]
    """Those in which the first is significantly better."""
    second: tuple[int, ...]
    rows: tuple[SpecificationRow, ...]
    papers: tuple[tuple[str, tuple[int, ...]], ...]
    """By paper, the columns that hold universes which its authors would have chosen; once for each universe."""

    def winner(self, column: int) -> int:
        """1 where the first is significantly better in most universes of a column, −1 the second, else 0."""
        half = self.sizes[column] / 2
        return 1 if self.first[column] > half else -1 if self.second[column] > half else 0

    def thinned(self, columns: int) -> SpecificationCurve:
        """Neighbouring columns joined until they are few enough; a joined column has the effect of its middle one."""
        n = len(self.sizes)
        if n <= columns:
            return self
        spans = list(pairwise(round(k * n / columns) for k in range(columns + 1)))
        place = {c: k for k, (a, b) in enumerate(spans) for c in range(a, b)}

        def joined(counts: tuple[int, ...]) -> tuple[int, ...]:
            return tuple(sum(counts[a:b]) for a, b in spans)

        return SpecificationCurve(
            sizes=joined(self.sizes),
            effect=tuple(self.effect[(a + b) // 2] for a, b in spans),
            first=joined(self.first),
            second=joined(self.second),
            rows=tuple(SpecificationRow(row.decision, row.label, joined(row.counts)) for row in self.rows),
            papers=tuple((paper, tuple(place[c] for c in chosen)) for paper, chosen in self.papers),
        )


@dataclass(frozen=True)
class AgreementBy:
    """How alike universes rank the systems that differ in one decision only."""

    decision: str
    mean: float
    """NaN if there are no two such universes."""
    levels: tuple[str, ...]
    between: tuple[tuple[float, ...], ...]
    """Options × options: mean τ; 1 for an option and itself, NaN if no two universes differ so."""

    @property
    def least_alike(self) -> tuple[str, str, float] | None:
        """The two options between which universes agree least, with their mean τ; None if no two can be compared."""
        taus = [
            (self.between[i][j], i, j)
            for i, j in combinations(range(len(self.levels)), 2)
            if not math.isnan(self.between[i][j])
        ]
        if not taus:
            return None
        tau, i, j = min(taus)
        return self.levels[i], self.levels[j], tau


@dataclass(frozen=True, kw_only=True)
class Point:
    """One ranking on the map."""

    x: float
    y: float
    universes: int
    order: str
    """The systems from best to worst."""
    level: int
    """The option of the map's decision that most of its universes chose, by its place in the map's levels."""


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """How alike universes rank the systems."""

    mean: float
    """Mean τ over all pairs of universes; NaN with fewer than two."""
    distinct: int
    """Different rankings."""
    common: tuple[tuple[str, int], ...]
    """The most frequent rankings and their universes."""
    by_decision: tuple[AgreementBy, ...]
    """The decision that changes rankings most first."""
    decision: str
    """That decision, by which the map is marked."""
    levels: tuple[str, ...]
    points: tuple[Point, ...]
    left_out: int
    """Universes whose rankings are not on the map."""
    axes: tuple[float, float]
    """Share of the spread that each axis shows."""


@dataclass(frozen=True, kw_only=True)
class Marked:
    """The universes of one paper."""

    paper: str
    key: str
    """As in references.bib."""
    universes: int
    missing: tuple[PublishedChoice, ...]
    """Its choices that the grid has none of."""
    outcomes: tuple[tuple[int, int, int], ...]
    """By pair of systems: its universes in which the first is significantly better, the second is, and neither."""

    @property
    def exact(self) -> bool:
        """True if the grid has all of its choices."""
        return not self.missing


@dataclass(frozen=True, kw_only=True)
class PairFindings:
    """What was found about one pair of systems."""

    first: str
    second: str
    shares: Shares
    stability: Stability
    anova: Anova
    flips: tuple[Flips, ...]
    """By decision, most reversals first."""
    minimal: tuple[MinimalPair, ...]
    """For each decision that alone can turn the winner round, one or a few; the decision with most reversals first."""
    curve: SpecificationCurve


@dataclass(frozen=True, kw_only=True)
class MultiverseFindings(ProfiledFindings):
    """What was found about a multiverse."""

    systems: tuple[str, ...]
    """In full."""
    names: tuple[str, ...]
    """What sentences call them: without parameters, if that distinguishes them."""
    universes: int
    level: float
    """The level of significance."""
    decisions: tuple[DecisionFindings, ...]
    pairs: tuple[PairFindings, ...]
    agreement: Agreement
    papers: tuple[Marked, ...]
    distinct: int = field(default=0, metadata=SPARSE)
    """Universes with numbers that no earlier one has; 0 in results of earlier versions, which do not tell."""

    @property
    def varying(self) -> tuple[DecisionFindings, ...]:
        """The decisions in which universes differ."""
        return tuple(decision for decision in self.decisions if decision.varies)

    @property
    def contested(self) -> list[PairFindings]:
        """The pairs of systems, those whose verdict changes most over the universes first."""
        return sorted(self.pairs, key=lambda pair: -pair.shares.share(min(pair.shares.first, pair.shares.second)))

    @property
    def common_rankings(self) -> list[tuple[str, int, float]]:
        """The most frequent rankings, with the number and the share of universes that have them."""
        return [(order, n, n / self.universes) for order, n in self.agreement.common]

    def words(self, name: str) -> str:
        """What a sentence calls a decision."""
        return next(decision.words for decision in self.decisions if decision.name == name)

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON types; a number that is none is null, others have seven figures, except those of profiles."""
        record: dict[str, Any] = to_plain(self, figures=FIGURES)
        return record

    @classmethod
    def from_dict(cls, record: dict[str, Any]) -> MultiverseFindings:
        """The findings that `to_dict` wrote."""
        return from_plain(cls, record)

    def rounded(self) -> MultiverseFindings:
        """The findings as they are written, with seven figures; the profiles are the same and not computed."""
        unprofiled = replace(self, profiles=Deferred.known(()))
        return replace(self.from_dict(unprofiled.to_dict()), profiles=self.profiles)
