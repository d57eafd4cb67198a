"""All that a multiverse says, as plain data: from this the terminal, the page and the files are drawn."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from heldout.json_codec import from_plain, to_plain
from heldout.study.published.papers import PAPERS
from heldout.universes.findings.agreement import Agreement, agreement
from heldout.universes.findings.anova import Anova, anova
from heldout.universes.findings.flips import Flips, flips
from heldout.universes.findings.minimal_pairs import MinimalPair, most_convincing
from heldout.universes.findings.neighbours import neighbours
from heldout.universes.findings.papers import Marked, chosen, marked
from heldout.universes.findings.specification_curve import SpecificationCurve, curve
from heldout.universes.findings.stability import Shares, Stability, shares, stability
from heldout.universes.findings.wording import short_names
from heldout.universes.universes import Universes


@dataclass(frozen=True, kw_only=True)
class DecisionFacts:
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
        """Whether universes differ in it."""
        return sum(n > 0 for n in self.counts) > 1


@dataclass(frozen=True, kw_only=True)
class PairFindings:
    """All that the multiverse says of one pair of systems."""

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

    def flipped(self) -> PairFindings:
        """The same pair, its second system first; what is said of it names systems, and stays."""
        return replace(self, first=self.second, second=self.first, shares=self.shares.flipped(), curve=self.curve.flipped())


@dataclass(frozen=True, kw_only=True)
class Findings:
    """All that a multiverse says."""

    systems: tuple[str, ...]
    """In full."""
    names: tuple[str, ...]
    """What sentences call them: without parameters, where that tells them apart."""
    universes: int
    level: float
    """The level of significance."""
    decisions: tuple[DecisionFacts, ...]
    pairs: tuple[PairFindings, ...]
    agreement: Agreement
    papers: tuple[Marked, ...]

    @property
    def varying(self) -> tuple[DecisionFacts, ...]:
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

    def seen_from(self, system: str) -> Findings:
        """The same findings with this system, named in full, the first of every pair that it is in."""
        name = dict(zip(self.systems, self.names, strict=True)).get(system, system)
        turned = [pair.second == name for pair in self.pairs]
        papers = [
            [
                (b, a, neither) if turn else (a, b, neither)
                for turn, (a, b, neither) in zip(turned, paper.outcomes, strict=True)
            ]
            for paper in self.papers
        ]
        return replace(
            self,
            pairs=tuple(pair.flipped() if turn else pair for turn, pair in zip(turned, self.pairs, strict=True)),
            papers=tuple(replace(paper, outcomes=tuple(own)) for paper, own in zip(self.papers, papers, strict=True)),
        )

    @property
    def overall(self) -> str:
        """Of three systems or more, the one that is named the winner against every other; empty where there is none."""
        compared = [pair for pair in self.pairs if pair.shares.universes]
        names = [name for name in self.names if any(name in (pair.first, pair.second) for pair in compared)]
        if len(names) < 3:
            return ""
        wins = {name: sum(pair.stability.winner == name for pair in compared) for name in names}
        best = next((name for name in names if wins[name] == len(names) - 1), "")
        among = "every other system" if len(names) == len(self.names) else "every other system that was compared"
        return f"{best} significantly beats {among}, each in most universes." if best else ""

    def words(self, name: str) -> str:
        """What a sentence calls a decision."""
        return next(decision.words for decision in self.decisions if decision.name == name)

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON types; a number that is none is null, other numbers have seven figures."""
        record: dict[str, Any] = to_plain(self, figures=7)
        return record

    @classmethod
    def from_dict(cls, record: dict[str, Any]) -> Findings:
        """The findings that `to_dict` wrote."""
        return from_plain(cls, record)

    def to_json(self) -> str:
        """What `multiverse.json` holds."""
        return json.dumps(self.to_dict(), ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def findings(universes: Universes, *, level: float) -> Findings:
    """All that a multiverse says; `level` is that at which its winners are significant."""
    systems, names = universes.systems, short_names(universes.systems)
    # One decision at a time is what all ask for.
    universes = replace(universes, systems=names, codes=np.asfortranarray(universes.codes))
    near = [neighbours(universes, k) for k in universes.varying]
    flipped = [flips(universes, neighbouring) for neighbouring in near]
    explained = anova(universes)
    counted = tuple(shares(universes, pair) for pair in range(len(universes.pairs)))
    stable = stability(universes, counted)
    picked = [chosen(universes, paper) for paper in PAPERS]
    rows = {paper.name: np.flatnonzero(mine) for paper, (mine, _) in zip(PAPERS, picked, strict=True)}
    pairs = []
    for pair, (first, second) in enumerate(universes.pair_names()):
        order = sorted(range(len(near)), key=lambda i: -flipped[i][pair].all.reversed)
        reversals = [most_convincing(universes, near[i], pair) for i in order]
        pairs.append(
            PairFindings(
                first=first,
                second=second,
                shares=counted[pair],
                stability=stable[pair],
                anova=explained[pair],
                flips=tuple(flipped[i][pair] for i in order),
                minimal=tuple(minimal for of_decision in reversals for minimal in of_decision),
                curve=curve(universes, pair, rows),
            )
        )
    return Findings(
        systems=systems,
        names=names,
        universes=len(universes),
        level=level,
        decisions=tuple(_decision(universes, k) for k in range(len(universes.decisions))),
        pairs=tuple(pairs),
        agreement=agreement(universes, near),
        papers=marked(universes, [mine for mine, _ in picked], [lacking for _, lacking in picked]),
    )


def _decision(universes: Universes, k: int) -> DecisionFacts:
    decision = universes.decisions[k]
    without, *counts = np.bincount(universes.codes[:, k] + 1, minlength=len(decision.levels) + 1).tolist()
    return DecisionFacts(
        name=decision.name,
        words=decision.words,
        letter=decision.letter,
        levels=decision.levels,
        labels=tuple(decision.amount(i) for i in range(len(decision.levels))),
        counts=tuple(counts),
        without=without,
    )
