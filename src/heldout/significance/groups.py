"""Letters for systems that tests cannot tell apart: the compact letter display."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from string import ascii_letters


def letters(order: Sequence[int], adjusted: Mapping[tuple[int, int], float | None], *, alpha: float = 0.05) -> list[str]:
    """One text of letters per system: two systems share a letter exactly when no test tells them apart.

    `order` lists the systems, best first; `adjusted` holds the adjusted p of pairs, in either order of the pair. A pair
    without p (not there, None, NaN) counts as not told apart. The letters are those of insert-and-absorb (Piepho 2004), the
    first for the best system; systems are indexed as in `order`, so the result is in the order of system numbers.

    Example: p = 0.3 for (0, 1), 0.2 for (1, 2), 0.01 for (0, 2): "a", "ab", "b".
    """
    apart = {frozenset(pair) for pair, p in adjusted.items() if p is not None and p < alpha}
    groups: list[frozenset[int]] = [frozenset(order)] if order else []
    for pair in sorted(apart, key=sorted):
        if len(pair) == 2 and pair <= frozenset(order):
            groups = _split(groups, *sorted(pair))
    place = {system: k for k, system in enumerate(order)}
    groups.sort(key=lambda group: sorted(place[system] for system in group))
    text = dict.fromkeys(order, "")
    for k, group in enumerate(groups):
        for system in group:
            text[system] += ascii_letters[k] if k < len(ascii_letters) else f"({k + 1})"
    return [text[system] for system in sorted(order)]


def _split(groups: list[frozenset[int]], a: int, b: int) -> list[frozenset[int]]:
    """No group holds both a and b: those that did become two, and groups within another go."""
    divided = [piece for group in groups for piece in ((group - {a}, group - {b}) if {a, b} <= group else (group,))]
    distinct = list(dict.fromkeys(divided))
    return [group for group in distinct if not any(group < other for other in distinct)]
