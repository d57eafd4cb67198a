"""What a multiverse found, in words: options, pairs of systems, single universes and failed systems."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from heldout.analysis.rows import VerdictRow
from heldout.experiment.failure import system_of
from heldout.tables.arrays import Int32
from heldout.text.numbers import count, counted, digits_for, number, p_value, percent, rough_percent, signed
from heldout.text.phrases import listed
from heldout.universes.findings import (
    TOLERATED,
    Explained,
    Marked,
    MultiverseFindings,
    PairFindings,
    Region,
    Shares,
    StabilityKind,
    Where,
)
from heldout.universes.grid.decisions import NOT_APPLICABLE, Decision
from heldout.universes.universes import Universes

_SPEAKING = ("data", "split", "target", "relevance", "metric", "aggregate")
"""Decisions whose options need no name before them."""
FEW = 100
"""Below so many universes a sentence counts them instead of giving a share."""
FEW_SERVED = "fewer than half of the users have a list of both"
NAMED, LEAST_NAMED = 4, 0.005
"""Pairs of decisions that a sentence names at most, and the share that they explain at least."""


def ahead(names: tuple[str, str], effect: float, p: float) -> str:
    """WRMF ahead by 2.1% (p = 0.003)."""
    return f"{names[0] if effect > 0 else names[1]} ahead by {rough_percent(effect)} ({p_value(p)})"


def short_names(systems: Sequence[str]) -> tuple[str, ...]:
    """Systems without their parameters, if that distinguishes all: UserKNN(k=100), WRMF → UserKNN, WRMF."""
    heads = tuple(name.partition("(")[0] for name in systems)
    return heads if len(set(heads)) == len(heads) and all(heads) else tuple(systems)


def called(decision: Decision) -> str:
    """What a sentence calls the decision where options are numbers: "split ratio", "cut-off"."""
    head = decision.levels[0].partition("(")[0] if decision.parameter else ""
    return f"{decision.words} {head}".strip()


def step(decision: Decision, before: int, after: int) -> str:
    """split ratio(train=0.5) → ratio(train=0.4); target AllItems → TestRatings."""
    return f"{decision.words} {decision.label(before)} → {decision.label(after)}"


def option(decision: Decision, level: int) -> str:
    """One option in a list of choices: "TestRatings", "seed 2", "t test"."""
    if level < 0:
        return f"no {decision.words}"
    text = decision.levels[level]
    if decision.name == "test":
        return f"{text} test"
    return text if decision.name in _SPEAKING else f"{decision.words} {text}"


def setting(universes: Universes, universe: int, leave: int = -1) -> str:
    """What a universe chose of the decisions that vary, but for one; metric, gain and cut-off as one: nDCG(gain=exp2)@10."""
    place = {universes.decisions[k].name: k for k in universes.varying if k != leave}
    words = []
    for name, k in place.items():
        level = int(universes.codes[universe, k])
        if level < 0 or (name in ("cutoff", "gain") and "metric" in place):
            continue
        words.append(
            option(universes.decisions[k], level) + (_adorned(universes, universe, place) if name == "metric" else "")
        )
    return ", ".join(words)


def _adorned(universes: Universes, universe: int, place: dict[str, int]) -> str:
    """(gain=exp2)@10, as far as gain and cut-off vary and apply."""
    suffix = ""
    for name, form in (("gain", "(gain={})"), ("cutoff", "@{}")):
        if name in place and (text := universes.level(universe, place[name])) != NOT_APPLICABLE:
            suffix += form.format(text)
    return suffix


def condition(decision: Decision, levels: Sequence[int], all_levels: Sequence[int]) -> str:
    """A set of options: cut-off ≤ 5, split ratio between 0.3 and 0.6, TestRatings or TestItems, seed 2 or 3.

    `levels` and `all_levels` (those that occur in the grid) ascend; −1 where the decision does not apply.
    """
    chosen, occurring = [k for k in levels if k >= 0], [k for k in all_levels if k >= 0]
    bare = len(chosen) < len(levels)
    if not chosen:
        return f"no {decision.words}"
    text = _range(decision, chosen, occurring) if decision.ordered and len(chosen) > 1 else ""
    if not text:
        plain = [option(decision, k) if i == 0 else _again(decision, k) for i, k in enumerate(chosen)]
        others = [k for k in occurring if k not in chosen]
        few = 0 < len(others) < 3 and len(chosen) > len(others) + 1
        text = f"{decision.words} not {listed([_again(decision, k) for k in others], 'or')}" if few else listed(plain, "or")
        if decision.parameter and not few:
            text = f"{called(decision)} {listed([decision.amount(k) for k in chosen], 'or')}"
    return f"{text} (or no {decision.words})" if bare else text


def _again(decision: Decision, level: int) -> str:
    """A further option after the first: without the name before it."""
    return option(decision, level) if decision.name in (*_SPEAKING, "test") else decision.levels[level]


def _range(decision: Decision, chosen: list[int], occurring: list[int]) -> str:
    """≤, ≥ or between, where the options are next to each other in the grid."""
    places = [occurring.index(k) for k in chosen]
    if places != list(range(places[0], places[0] + len(places))) or len(chosen) == len(occurring):
        return f"any {decision.words}" if len(chosen) == len(occurring) else ""
    name = called(decision)
    if places[0] == 0:
        return f"{name} ≤ {decision.amount(chosen[-1])}"
    if places[-1] == len(occurring) - 1:
        return f"{name} ≥ {decision.amount(chosen[0])}"
    return f"{name} between {decision.amount(chosen[0])} and {decision.amount(chosen[-1])}"


def minimal_pair_sentence(
    universes: Universes,
    names: tuple[str, str],
    decision: int,
    places: tuple[int, int],
    effects: Sequence[float],
    p: Sequence[float],
) -> str:
    """Which one decision turns the winner round, all else equal; `places` are those of the two universes."""
    before, after = (int(universes.codes[u, decision]) for u in places)
    rest = setting(universes, places[0], leave=decision)
    equal = f", all else equal ({rest})," if rest else ", all else equal,"
    was, is_ = (ahead(names, effect, value) for effect, value in zip(effects, p, strict=True))
    return f"{step(universes.decisions[decision], before, after)}{equal} turns the winner round: {was} becomes {is_}."


def region_words(conditions: Sequence[str]) -> str:
    """TestRatings with cut-off ≤ 5."""
    return f"{conditions[0]} with {listed(conditions[1:])}" if len(conditions) > 1 else "".join(conditions)


def answer(findings: MultiverseFindings) -> str:
    """Whether the conclusion holds, in at most twelve words if systems have short names."""
    compared = [pair for pair in findings.pairs if pair.shares.universes]
    if not compared:
        return "No universe compares any two systems."
    if len(compared) == 1:
        (pair,) = compared
        winner, names = pair.stability.winner, (pair.first, pair.second)
        if winner:
            return f"{winner} beats {names[winner == names[0]]} in most universes."
        if pair.stability.kind == "depends":
            return f"{names[0]} or {names[1]} wins, depending on the choices."
        return f"No clear winner between {names[0]} and {names[1]}."
    winners = Counter(pair.stability.winner for pair in compared if pair.stability.winner)
    depending = sum(pair.stability.kind == "depends" for pair in compared)
    best, wins = max(winners.items(), key=lambda won: won[1], default=("", 0))
    rivals = len({name for pair in compared for name in (pair.first, pair.second)}) - 1
    if wins == rivals:
        return f"{best} beats every other system in most universes."
    if depending:
        return f"No overall winner: {counted(depending, 'comparison')} of {len(compared)} depend on the choices."
    if best and list(winners.values()).count(wins) == 1:
        return f"{best} beats {wins} of {counted(rivals, 'other system')} in most universes."
    return f"{sum(winners.values())} of {counted(len(compared), 'comparison')} have a clear winner."


def grid_words(findings: MultiverseFindings) -> str:
    """9 splits × 3 seeds × 4 targets …; says so if combinations are left out because they would repeat others."""
    sizes = [(sum(n > 0 for n in d.counts), d.words) for d in findings.decisions if d.varies]
    product = " × ".join(counted(n, words, _plural(words)) for n, words in sizes) or "one option of every decision"
    fewer = math.prod(n for n, _ in sizes) > findings.universes
    return f"{product}, without combinations that do not differ from another" if fewer else product


def _plural(words: str) -> str:
    fixed = {"tie rule": "tie rules", "unrated items": "rules for unrated items", "users tested": "choices of users"}
    ends = f"{words[:-1]}ies" if words.endswith("y") else words if words == "data" else f"{words}s"
    return {"coverage": "coverage rules", "undefined": "undefined rules", "aggregate": "aggregations", **fixed}.get(
        words, ends
    )


def lacking(marked: Marked, findings: MultiverseFindings) -> str:
    """What the grid lacks of a paper's choices, in words."""
    return "; ".join(f"{findings.words(c.decision)} {listed(c.options, 'or')}" for c in marked.missing)


def outcome(marked: Marked, pair: int, findings: MultiverseFindings) -> str:
    """In how many of a paper's universes which system of a pair is better: "UserKNN 14, neither 18"."""
    if not marked.universes:
        return "no universe"
    first, second, neither = marked.outcomes[pair]
    n = first + second + neither
    if not n:
        return f"no value in any of {count(marked.universes)}"
    names = (findings.pairs[pair].first, findings.pairs[pair].second, "neither")
    words = ", ".join(f"{name} {count(k)}" for name, k in zip(names, (first, second, neither), strict=True) if k)
    return f"{words} of {count(n)} with a value" if n < marked.universes else words


def stability_sentence(
    kind: StabilityKind,
    names: tuple[str, str],
    shares: Shares,
    where: Sequence[Where | None],
    users: tuple[Int32, Int32],
) -> str:
    """Who wins between two systems, in how many universes, and under which choices that is reversed.

    `where` is where the first and the second are significantly better. `users` are the numbers of users in universes on
    other users, and in the rest.
    """
    return f"{_conclusion(kind, names, shares, where)}{_unserved(shares)}{_on_other_users(shares, *users)}"


def _conclusion(kind: StabilityKind, names: tuple[str, str], s: Shares, where: Sequence[Where | None]) -> str:
    turned = s.second > s.first
    better, other = reversed(names) if turned else names
    common, rare = reversed(where) if turned else where
    most, least = max(s.first, s.second), min(s.first, s.second)
    universes = counted(s.universes, "universe")
    out = f" ({counted(s.without, 'universe')} without a value left out)" if s.without else ""
    if not s.universes:
        return f"No universe has a value of both {better} and {other}."
    if s.unserved == s.universes:
        return f"No winner is called between {better} and {other}: {FEW_SERVED} in {_of(s.unserved, s.universes)}{out}."
    if kind == "holds":
        return f"{better} beats {other} significantly in {_of(most, s.universes)}{out}; {_reversal(rare, other)}."
    if kind == "depends":
        return (
            f"No winner can be named between {better} and {other}, it depends on the choices: {better} is significantly "
            f"better in {_of(most, s.universes)}{out}{_place(common)}; {other} in {_part(least, s.universes)}{_place(rare)}."
        )
    if not most:
        total = f"any of {universes}" if s.universes > 1 else "the one universe there is"
        return f"No winner can be named between {better} and {other}: neither is significantly better in {total}{out}."
    often = _place(common) if most >= TOLERATED * s.universes else ""  # fewer may be chance: a place would say too much
    return (
        f"No winner can be named between {better} and {other}: of {universes}{out}, {better} is significantly better in "
        f"{_part(most, s.universes)}{often}, {other} in {_part(least, s.universes)}, and neither in the others."
    )


def _unserved(s: Shares) -> str:
    """A note on some universes in which too few users are served."""
    if not s.unserved or s.unserved == s.universes:
        return ""
    return f" In {_of(s.unserved, s.universes)} {FEW_SERVED}, and no winner is called there."


def _on_other_users(s: Shares, users: Int32, first_users: Int32) -> str:
    """In how many universes the averages rest on other users than under the first options."""
    if not s.other_users:
        return ""
    counts, first = _span(users), _span(first_users)
    instead = f" ({counts} instead of {first})" if first and counts != first else ""
    return f" In {_of(s.other_users, s.universes)} the averages rest on other users than under the first options{instead}."


def _span(users: Int32) -> str:
    """900, or 900 to 1,477; empty without any."""
    if not users.size:
        return ""
    low, high = int(users.min()), int(users.max())
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _reversal(where: Where | None, other: str) -> str:
    """Where the other is significantly better, as the end of a sentence."""
    if where is None:
        return f"{other} is significantly better in none"
    if where.only.everywhere:
        cases = counted(where.only.cases, "universe")
        return f"reversed in {cases}{_place(where)}" if where.densest else f"reversed in {cases}, spread over the grid"
    return f"reversed only under {_block(where.only)}{_mostly(where)}"


def _place(where: Where | None) -> str:
    """, only under …; , most often under …; nothing if no place stands out."""
    if where is None:
        return ""
    if where.only.everywhere:
        return _mostly(where)
    return f", only under {_block(where.only)}{_mostly(where)}"


def _mostly(where: Where) -> str:
    """The densest corner, where the block that holds all says less than it."""
    corner = where.densest
    only = where.only
    if corner is None or corner.where == only.where:
        return ""
    denser = corner.cases * only.universes >= 1.5 * only.cases * corner.universes
    if not denser:
        return ""
    return f", most often under {_block(corner)}"


def _block(region: Region) -> str:
    return f"{region.words} ({region.cases:,} of {counted(region.universes, 'universe')} there)"


def _of(number: int, total: int) -> str:
    if total < FEW:
        return "the one universe there is" if total == number == 1 else f"{number} of {counted(total, 'universe')}"
    return f"{rough_percent(number / total)} of {counted(total, 'universe')}"


def _part(number: int, total: int) -> str:
    return "none" if not number else str(number) if total < FEW else rough_percent(number / total)


def together(findings: MultiverseFindings, pair: PairFindings) -> str:
    """The pairs of decisions that explain most beyond both, and what is left, as a sentence."""
    if not pair.anova.single:
        return "Nothing varies."
    if not math.isfinite(pair.anova.remainder_effect):
        return "The effect is the same in all universes."
    named = [both for both in pair.anova.joint if both.effect >= LEAST_NAMED][:NAMED]
    texts = [f"{explained_words(findings, both)} {percent(both.effect)}" for both in named]
    first = f"Two decisions together, beyond each alone: {listed(texts)}." if texts else ""
    others = sum(both.effect for both in pair.anova.joint) - sum(both.effect for both in named)
    remainder = percent(pair.anova.remainder_effect)
    rest = (
        f"Other pairs of decisions explain {percent(others)} of the effect of {pair.first} against {pair.second}, three or "
        f"more together {remainder}."
    )
    note = "" if pair.anova.complete else "Some universes have no value, so these shares are approximate."
    return " ".join(filter(None, (first, rest if len(pair.anova.single) > 1 else "", note)))


def explained_words(findings: MultiverseFindings, explained: Explained) -> str:
    """gain (within metric); target × cut-off."""
    words = " × ".join(findings.words(name) for name in explained.decisions)
    within = listed([findings.words(name) for name in explained.within])
    return f"{words} (within {within})" if within else words


def universe_sentence(universes: Universes, row: VerdictRow, won: int, level: float, served: float) -> str:
    """Whom one universe calls the winner: `won` is 1 if that is the leader, −1 if it is the rival, 0 if neither."""
    u = row.setting
    digits = digits_for(universes.values[u].tolist())
    test = universes.level(u, universes.decision("test"))
    sure = "not tested" if row.p_adjusted is None else f"{test} test, adjusted {p_value(row.p_adjusted)}"
    numbers = f"{number(row.value, digits)}, {signed(row.difference, digits)} over {row.rival} ({sure})"
    if row.refused:
        few = f"{percent(served)} of the users have a list of both"
        return f"No winner is called: {row.leader} is ahead, {numbers}, but {few}."
    if row.tie:
        return f"No winner: {row.leader} and {row.rival} tie at {number(row.value, digits)}."
    if row.p_adjusted is None:
        return f"{row.leader} leads: {numbers}."
    if won > 0:
        return f"{row.leader} wins: {numbers}."
    if won < 0 or (row.p_adjusted < level and not won):
        against = "on the users compared the test does not favour it"
        return f"No winner: {row.leader} has the better average, {numbers}, but {against}."
    return f"No winner: {row.leader} is ahead, {numbers}, but that can be chance."


@dataclass(frozen=True)
class FailedSystem:
    """One system that failed somewhere."""

    name: str
    places: tuple[str, ...]
    """The splits and seeds on which it did."""
    reasons: tuple[tuple[str, int], ...]
    """Why, with the number of places, the most frequent first."""
    compared: bool
    """True if some universe still compares it with another system."""

    @property
    def sentence(self) -> str:
        """On how many splits it failed, and why."""
        place = self.places[0] if len(self.places) == 1 else ""
        where = place or f"{counted(len(self.places), 'split')}, each seed counted"
        why = "; ".join(f"{reason} (on {count(n)})" if len(self.reasons) > 1 else reason for reason, n in self.reasons)
        out = "" if self.compared else ", so that no universe compares it"
        return f"{self.name} failed on {where}{out}: {why}"


def failed_systems(findings: MultiverseFindings, failed: Mapping[str, str]) -> list[FailedSystem]:
    """The systems with a failed cell, in the order of the study; a cell of an unknown system keeps its name."""
    short = dict(zip(findings.systems, findings.names, strict=True))
    cells: dict[str, list[tuple[str, str]]] = {}
    for cell, reason in failed.items():
        name = system_of(cell, findings.systems)
        cells.setdefault(name, []).append((cell.removesuffix(name).removesuffix(" | "), reason))
    compared = {name for pair in findings.pairs if pair.shares.universes for name in (pair.first, pair.second)}
    order = {name: k for k, name in enumerate(findings.systems)}
    return [
        FailedSystem(
            short.get(name, name),
            tuple(place for place, _ in mine),
            tuple(Counter(reason for _, reason in mine).most_common()),
            short.get(name, name) in compared,
        )
        for name, mine in sorted(cells.items(), key=lambda system: order.get(system[0], len(order)))
    ]
