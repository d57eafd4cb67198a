"""Universes, options and effects in words."""

from __future__ import annotations

from collections.abc import Sequence

from heldout.universes.grid.decisions import NOT_APPLICABLE, Decision
from heldout.universes.universes import Universes
from heldout.words import listed, p_value, rough_percent

_SPEAKING = ("data", "split", "target", "relevance", "metric", "aggregate")
"""Decisions whose options need no name before them."""


def ahead(names: tuple[str, str], effect: float, p: float) -> str:
    """WRMF ahead by 2.1% (p = 0.003)."""
    return f"{names[0] if effect > 0 else names[1]} ahead by {rough_percent(effect)} ({p_value(p)})"


def short_names(systems: Sequence[str]) -> tuple[str, ...]:
    """Systems without their parameters, where that tells all apart: UserKNN(k=100), WRMF → UserKNN, WRMF."""
    heads = tuple(name.partition("(")[0] for name in systems)
    return heads if len(set(heads)) == len(heads) and all(heads) else tuple(systems)


def ordered(decision: Decision) -> bool:
    """Whether options are amounts, of which more and less can be said; a seed is a number but no amount."""
    return decision.numbers is not None and decision.name != "seed"


def called(decision: Decision) -> str:
    """What a sentence calls the decision where options are numbers: "split ratio", "cut-off"."""
    head = decision.levels[0].partition("(")[0] if decision.parameter else ""
    return f"{decision.words} {head}".strip()


def step(decision: Decision, before: int, after: int) -> str:
    """split ratio(train=0.5) → ratio(train=0.4); target AllItems → TestRatings."""
    return f"{decision.words} {decision.label(before)} → {decision.label(after)}"


def option(decision: Decision, level: int) -> str:
    """One option as it stands in a list of choices: "TestRatings", "seed 2", "t test"."""
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
    text = _range(decision, chosen, occurring) if ordered(decision) and len(chosen) > 1 else ""
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
    """≤, ≥ or between, where the options stand side by side in the grid."""
    places = [occurring.index(k) for k in chosen]
    if places != list(range(places[0], places[0] + len(places))) or len(chosen) == len(occurring):
        return f"any {decision.words}" if len(chosen) == len(occurring) else ""
    name = called(decision)
    if places[0] == 0:
        return f"{name} ≤ {decision.amount(chosen[-1])}"
    if places[-1] == len(occurring) - 1:
        return f"{name} ≥ {decision.amount(chosen[0])}"
    return f"{name} between {decision.amount(chosen[0])} and {decision.amount(chosen[-1])}"
