"""The space of a search: which parameters of a model are looked for, and where."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from heldout.catalogue import Component, find, make, parameters
from heldout.catalogue.component import default_of, from_call
from heldout.catalogue.text import parse
from heldout.errors import SpecError, UnknownNameError
from heldout.recommenders.ranges import Among, Between, Range, Ranges
from heldout.recommenders.recommender import Recommender

_WRITTEN = "such as factors=10..100, l2=0.01..10:log or similarity=cosine,jaccard"


def searched(model: Any, asked: Mapping[str, Any]) -> tuple[Recommender, Ranges]:
    """The recommender to start from, and the ranges of the parameters that are looked for.

    Parameters that `model` names keep their value; of the others those in `asked` are looked for, and, where nothing is
    asked for, those whose range the recommender declares.
    """
    start, fixed = _start(model)
    known = {field.name: field for field in parameters(type(start))}
    names = {n.casefold(): f.name for f in known.values() for n in (f.name, *f.metadata["also"])}
    given: dict[str, Range] = {}
    for name, found in asked.items():
        if name.casefold() not in names:
            raise UnknownNameError(f"parameter of {start.key}", name, list(known), where="range")
        if names[name.casefold()] in fixed:
            raise SpecError(f"'{name}' has a value in {model} and a range", where="range", hint="leave one out")
        given[names[name.casefold()]] = range_of(name, found)
    space = given or {name: found for name, found in start.ranges.items() if name not in fixed}
    if not space:
        raise SpecError(f"nothing of {model} is to be tuned", where="range", hint=f"give a range, {_WRITTEN}")
    for name, found in space.items():
        ends = found.options if isinstance(found, Among) else (found.low, found.high)
        for end in ends:
            start.replace(**{name: end})
    return start, space


def _start(model: Any) -> tuple[Recommender, set[str]]:
    if isinstance(model, Component):
        made: Recommender = make("recommender", model)
        cls = type(made)
        return made, {f.name for f in parameters(cls) if getattr(made, f.name) != default_of(cls, f)}
    call = parse(str(model))
    cls_found: Any = find("recommender", call.name)
    made = from_call(cls_found, call)[0]  # type: ignore[assignment]
    fields = parameters(cls_found)
    names = {n.casefold(): f.name for f in fields for n in (f.name, *f.metadata["also"])}
    return made, {f.name for f in fields[: len(call.args)]} | {names[k.casefold()] for k in call.kwargs}


def range_of(name: str, found: Any) -> Range:
    """A range from itself, a pair of numbers, a list of values, or text: `10..100`, `0.01..10:log`, `cosine,jaccard`."""
    if isinstance(found, Between | Among):
        return found
    if isinstance(found, tuple) and len(found) == 2 and all(isinstance(end, int | float) for end in found):
        return _between(name, *found, log=False)
    if isinstance(found, list | tuple) and found:
        return Among(tuple(found))
    if not isinstance(found, str) or not found.strip():
        raise SpecError(f"no range of {name}: {found!r}", where="range", hint=_WRITTEN)
    text, colon, how = found.partition(":")
    if ".." in text:
        low, _, high = text.partition("..")
        if how not in ("", "log") or (colon and not how):
            raise SpecError(f"no range of {name}: {found!r}", where="range", hint=_WRITTEN)
        return _between(name, _number(name, low), _number(name, high), log=how == "log")
    return Among(tuple(_value(part.strip()) for part in found.split(",")))


def _between(name: str, low: float, high: float, *, log: bool) -> Between:
    if not low < high or (log and low <= 0):
        raise SpecError(
            f"the range of {name} goes from {low:g} to {high:g}",
            where="range",
            hint="the low end must be above 0 for a logarithmic range" if log and low <= 0 else "the low end must be lower",
        )
    return Between(low, high, log)


def _number(name: str, text: str) -> float:
    value = _value(text.strip())
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise SpecError(f"no range of {name}: {text!r} is not a number", where="range", hint=_WRITTEN)
    return value


def _value(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return {"true": True, "false": False, "none": None}.get(text.casefold(), text)
