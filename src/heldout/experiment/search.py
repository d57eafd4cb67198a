"""The space of a search: which parameters of a model are looked for, and where."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeGuard, get_args

from heldout.catalogue import Component, make, parameters
from heldout.catalogue.component import default_of, type_of
from heldout.catalogue.text import parse, parse_value
from heldout.errors import SpecError, UnknownNameError
from heldout.recommenders.ranges import Among, Between, Range, Ranges
from heldout.recommenders.recommender import Recommender

_WRITTEN = "such as factors=10..100, l2=0.01..10:log or similarity=cosine,jaccard"


def search_space(model: Any, ranges: Mapping[str, Any]) -> tuple[Recommender, Ranges]:
    """The recommender to start from, and the ranges of the parameters that are looked for.

    Parameters that `model` names keep their value; the others are looked for in `ranges` or, where that is empty, in
    the ranges that the recommender declares.
    """
    start, fixed = _start(model)
    names = _names(type(start))
    space: dict[str, Range] = {}
    for name, value in ranges.items():
        if name.casefold() not in names:
            raise UnknownNameError(f"parameter of {start.key}", name, list(dict.fromkeys(names.values())), where="range")
        if names[name.casefold()] in fixed:
            raise SpecError(f"'{name}' has a value in {model} and a range", where="range", hint="leave one out")
        space[names[name.casefold()]] = range_of(name, value)
    space = space or {name: declared for name, declared in start.ranges.items() if name not in fixed}
    if not space:
        raise SpecError(f"nothing of {model} is to be tuned", where="range", hint=f"give a range, {_WRITTEN}")
    return start, {name: _of_type(start, name, span) for name, span in space.items()}


def _of_type(start: Recommender, name: str, span: Range) -> Range:
    """The range with ends of the parameter's type: `alpha=0..1` means real numbers if alpha is real.

    SpecError if the recommender does not take an end or an option.
    """
    ends = span.options if isinstance(span, Among) else (span.low, span.high)
    taken = [getattr(start.replace(**{name: end}), name) for end in ends]
    if isinstance(span, Among):
        return span
    hint = type_of(type(start), name)
    low, high = map(float, taken) if float in (hint, *get_args(hint)) else taken
    return Between(low, high, span.log)


def _names(cls: type[Component]) -> dict[str, str]:
    """Every casefolded name of a parameter → the parameter."""
    return {name.casefold(): field.name for field in parameters(cls) for name in (field.name, *field.metadata["also"])}


def _start(model: Any) -> tuple[Recommender, set[str]]:
    """The recommender, and the parameters that are named with it."""
    recommender: Recommender
    if isinstance(model, Component):
        recommender = make("recommender", model)
        cls = type(recommender)
        return recommender, {f.name for f in parameters(cls) if getattr(recommender, f.name) != default_of(cls, f)}
    call = parse(str(model))
    recommender = make("recommender", call)
    cls, names = type(recommender), _names(type(recommender))
    by_place = {field.name for field in parameters(cls)[: len(call.args)]}
    return recommender, by_place | {names[key.casefold()] for key in call.kwargs}


def range_of(name: str, value: Any) -> Range:
    """A range from itself, a pair of numbers, a list of values, or text: `10..100`, `0.01..10:log`, `cosine,jaccard`."""
    if isinstance(value, Between | Among):
        return value
    if isinstance(value, tuple) and len(value) == 2 and all(_is_number(end) for end in value):
        return _between(name, *value, log=False)
    if isinstance(value, list | tuple) and value:
        return Among(tuple(value))
    if not isinstance(value, str) or not value.strip():
        raise SpecError(f"no range of {name}: {value!r}", where="range", hint=_WRITTEN)
    text, colon, how = value.partition(":")
    if ".." in text:
        low, _, high = text.partition("..")
        if how not in ("", "log") or (colon and not how):
            raise SpecError(f"no range of {name}: {value!r}", where="range", hint=_WRITTEN)
        return _between(name, _number(name, low), _number(name, high), log=how == "log")
    return Among(tuple(parse_value(part) for part in value.split(",")))


def _between(name: str, low: float, high: float, *, log: bool) -> Between:
    if not low < high or (log and low <= 0):
        raise SpecError(
            f"the range of {name} goes from {low:g} to {high:g}",
            where="range",
            hint="the low end must be above 0 for a logarithmic range" if log and low <= 0 else "the low end must be lower",
        )
    return Between(low, high, log)


def _number(name: str, text: str) -> float:
    try:
        value = parse_value(text)
    except SpecError:
        value = None
    if not _is_number(value):
        raise SpecError(f"no range of {name}: {text!r} is not a number", where="range", hint=_WRITTEN)
    return value


def _is_number(value: Any) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool)
