"""What moves the outcome of a pair of systems: decisions by the variance that they explain.

Formula: shares of variance as in `anova`, alone and summed over the pairs of decisions that hold the decision.

Example: target and cut-off each explain a third of the effect alone and a third together: both come first with 1/3 alone
and 1/3 joint.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from heldout.universes.findings.anova import Explained
from heldout.universes.findings.findings import Findings, PairFindings
from heldout.universes.findings.flips import Flips
from heldout.words import listed, percent

TELLING = 0.02
"""Share of the variance from which on a decision is worth a drawing."""
NAMED, LEAST_NAMED = 4, 0.005
"""Pairs of decisions that a sentence names at most, and the share that they explain at least."""


@dataclass(frozen=True, kw_only=True)
class Mover:
    """How much one decision moves the outcome of one pair."""

    words: str
    """The decision, and what it is nested in."""
    name: str
    effect: float
    """Share of the variance of the effect that it explains alone."""
    joint: float
    """What it explains together with one other, beyond both, summed over the others."""
    verdict: float
    flips: Flips | None

    @property
    def explained(self) -> float:
        """What it explains alone or with one other; 0 where the effect is the same in all universes."""
        return self.effect + self.joint if math.isfinite(self.effect) else 0.0

    @property
    def changes(self) -> tuple[float | None, float | None, float | None]:
        """Of the universes that differ in it only, shares in which the leader changes, the winner is reversed, and
        significance is gained or lost; None where there are none."""
        if self.flips is None:
            return None, None, None
        counted = self.flips.all
        return counted.share(counted.leader), counted.share(counted.reversed), counted.share(counted.significance)


def movers(findings: Findings, pair: PairFindings) -> list[Mover]:
    """Every decision that varies, the one that explains most, alone or with another, first."""
    flips = {flipped.decision: flipped for flipped in pair.flips}
    decisions = []
    for alone in pair.anova.single:
        name = alone.decisions[0]
        decisions.append(
            Mover(
                words=_words(findings, alone),
                name=name,
                effect=alone.effect,
                joint=sum(both.effect for both in pair.anova.joint if name in both.decisions),
                verdict=alone.verdict,
                flips=flips.get(name),
            )
        )
    return sorted(decisions, key=lambda decision: -decision.explained)


def telling(findings: Findings, pair: PairFindings, most: int) -> list[str]:
    """The decisions that explain most: at least one, and those above `TELLING`."""
    first = movers(findings, pair)[:most]
    return [decision.name for k, decision in enumerate(first) if k == 0 or decision.explained >= TELLING]


def together(findings: Findings, pair: PairFindings) -> str:
    """The pairs of decisions that explain most beyond both, and what is left, as a sentence."""
    if not pair.anova.single:
        return "Nothing varies."
    if not math.isfinite(pair.anova.remainder_effect):
        return "The effect is the same in all universes."
    named = [both for both in pair.anova.joint if both.effect >= LEAST_NAMED][:NAMED]
    texts = [f"{_words(findings, both)} {percent(both.effect)}" for both in named]
    first = f"Two decisions together, beyond each alone: {listed(texts)}." if texts else ""
    others = sum(both.effect for both in pair.anova.joint) - sum(both.effect for both in named)
    rest = f"Other pairs of decisions {percent(others)}, three or more together {percent(pair.anova.remainder_effect)}."
    note = "" if pair.anova.complete else "Some universes have no value, so these shares are approximate."
    return " ".join(filter(None, (first, rest if len(pair.anova.single) > 1 else "", note)))


def _words(findings: Findings, explained: Explained) -> str:
    """gain (within metric); target × cut-off."""
    words = " × ".join(findings.words(name) for name in explained.decisions)
    within = listed([findings.words(name) for name in explained.within])
    return f"{words} (within {within})" if within else words
