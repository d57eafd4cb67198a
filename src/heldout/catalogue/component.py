"""How a component is declared: one frozen class whose fields are its parameters.

    class P(Metric):
        \"\"\"Precision: the share of the top n that is relevant. ...\"\"\"

        key = "P"
        rel: float | None = param(None, "a rating from which an item counts as relevant")
        n: int = cutoff()

Subclassing is all: the class becomes a frozen dataclass, is entered in the catalogue under `key`, checks its parameters
when it is made, and prints as the text that `parse` reads back.
"""

from __future__ import annotations

import dataclasses
import inspect
import math
import operator
import types
from collections.abc import Mapping
from functools import cached_property
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Generic,
    Literal,
    Self,
    TypeVar,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
    overload,
)

from heldout.catalogue.kinds import KINDS, Kind
from heldout.catalogue.prose import NO_DOCSTRING, docstring_of, lowered
from heldout.catalogue.text import Call, write_value
from heldout.errors import SpecError

LARGEST = 2**31 - 1
"""The largest whole number that a parameter may be, if it declares no bound of its own."""

DEEPEST_CUT = 10_000_000
"""The largest cut-off: discounts are tabulated for every rank up to it."""
REQUIRED: Any = dataclasses.MISSING
Held = TypeVar("Held")
Accepted = TypeVar("Accepted")


if TYPE_CHECKING:

    class Coerced(Generic[Held, Accepted]):
        """The type of a parameter that holds the first type and also takes the second: a text form or a list, say.

        Type checkers read it as a descriptor. At run time, `Coerced[Gain, str]` is `Gain`.
        """

        @overload
        def __get__(self, component: None, owner: Any) -> Self: ...
        @overload
        def __get__(self, component: object, owner: Any) -> Held: ...
        def __get__(self, component: Any, owner: Any) -> Any: ...
        def __set__(self, component: Any, value: Held | Accepted) -> None: ...

else:

    class Coerced:  # noqa: D101 - above
        def __class_getitem__(cls, types):
            return types[0]


_registry: dict[str, dict[str, type[Component]]] = {name: {} for name in KINDS}


def param(
    default: Any,
    doc: str,
    *,
    above: float | None = None,
    least: float | None = None,
    below: float | None = None,
    most: float | None = None,
    also: tuple[str, ...] = (),
    spelled: bool = False,
    instead: Mapping[str, str] | None = None,
) -> Any:
    """A parameter: its default (or REQUIRED), what it means, its bounds and other names it answers to.

    Text forms leave out what is as by default, unless it is `spelled`: nobody knows by heart how much a `ratio` trains.
    `instead` maps values that are no longer accepted, in small letters, to what to write for them.
    """
    bounds = {"above": above, "least": least, "below": below, "most": most}
    return dataclasses.field(
        default=default,
        metadata={"doc": doc, "also": also, "cutoff": False, "spelled": spelled, "instead": instead or {}, **bounds},
    )


def cutoff(default: Any = REQUIRED, doc: str = "depth at which the list is cut") -> Any:
    """The parameter written behind @."""
    bounds = {"least": 1, "most": DEEPEST_CUT}
    return dataclasses.field(default=default, kw_only=True, metadata={"doc": doc, "also": (), "cutoff": True, **bounds})


# Type checkers see a field with `param` or `cutoff` as one with a default: they read defaults only where these are keywords.
@dataclass_transform(frozen_default=True, field_specifiers=(dataclasses.field,))
class Component:
    """Anything that a user names in an experiment."""

    kind: ClassVar[Kind]
    key: ClassVar[str] = ""
    aliases: ClassVar[tuple[str, ...]] = ()
    references: ClassVar[tuple[str, ...]] = ()
    formula: ClassVar[str] = ""
    _parameters: ClassVar[tuple[dataclasses.Field[Any], ...]] = ()

    def __init_subclass__(cls, *, kind: str | None = None, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.__doc__ = cls.__doc__ or NO_DOCSTRING  # or the dataclass would make one of its fields
        dataclasses.dataclass(frozen=True, repr=False)(cls)
        cls._parameters = tuple(f for f in dataclasses.fields(cls) if "doc" in f.metadata)  # type: ignore[arg-type]
        if kind is not None:
            cls.kind = KINDS[kind]
        if cls.__dict__.get("key"):
            for name in (cls.key, *cls.aliases):
                registered_class = _registry[cls.kind.name].setdefault(name.casefold(), cls)
                if registered_class is not cls and registered_class.__qualname__ != cls.__qualname__:
                    raise TypeError(
                        f"two {cls.kind.plural} are called {name}: {registered_class.__module__} and {cls.__module__}"
                    )

    def __post_init__(self) -> None:
        for field in parameters(type(self)):
            value = getattr(self, field.name)
            object.__setattr__(self, field.name, _checked(self, field, value))
        self.check()

    def check(self) -> None:
        """Refuse parameters that are right one by one but not together; components override it."""

    def __str__(self) -> str:
        return self._short_text

    def __repr__(self) -> str:
        return self._short_text

    @cached_property
    def full_text(self) -> str:
        """The text form with every parameter written out: what digests and reports use."""
        return self._text(full=True)

    @cached_property
    def _short_text(self) -> str:
        """The text form without parameters that are as by default."""
        return self._text(full=False)

    def _text(self, *, full: bool) -> str:
        inner, at = [], ""
        for field in parameters(type(self)):
            value = getattr(self, field.name)
            if field.metadata["cutoff"]:
                at = "" if value is None else f"@{value}"
            elif full or field.metadata["spelled"] or value != default_of(type(self), field):
                inner.append(f"{field.name}={write_value(value)}")
        return f"{self.key}({', '.join(inner)}){at}" if inner else f"{self.key}{at}"

    def replace(self, **changes: Any) -> Self:
        """The same component with some parameters changed."""
        return dataclasses.replace(self, **changes)  # type: ignore[type-var]

    def phrase(self) -> str:
        """The component within a sentence of a methods section, in the past tense; its summary unless overridden."""
        return f"{lowered(self.summary())} (`{self}`)"

    @classmethod
    def summary(cls) -> str:
        """The first sentence of the docstring."""
        return docstring_of(cls).split("\n\n")[0].replace("\n", " ")


def parameters(cls: type[Component]) -> tuple[dataclasses.Field[Any], ...]:
    """The declared parameters, in order. A field that was declared without `param` or `cutoff` is none: it is held, and is
    no part of the text form."""
    return cls._parameters


def registered(kind: str) -> dict[str, type[Component]]:
    """All classes of a kind declared so far, by casefolded name."""
    return _registry[kind]


def from_call(cls: type[Component], call: Call) -> list[Component]:
    """Components from parsed text; `@[5, 10]` gives one for each cut-off."""
    fields = parameters(cls)
    plain = [f for f in fields if not f.metadata["cutoff"]]
    names = {n.casefold(): f.name for f in plain for n in (f.name, *f.metadata["also"])}
    values: dict[str, Any] = {}
    if len(call.args) > len(plain):
        raise SpecError(
            where=cls.key,
            found=len(call.args),
            expected=f"at most {_plural(len(plain), 'parameter')}" if plain else "no parameters",
            hint=f"write {signature(cls)}",
        )
    for field, value in zip(plain, call.args, strict=False):
        values[field.name] = value
    for written, value in call.kwargs.items():
        name = names.get(written.casefold())
        if name is None:
            from heldout.errors import UnknownNameError

            raise UnknownNameError(f"parameter of {cls.key}", written, [f.name for f in plain])
        if name in values:
            raise SpecError("given twice", where=f"{cls.key}: '{name}'")
        values[name] = value
    cut = next((f for f in fields if f.metadata["cutoff"]), None)
    if call.at and cut is None:
        raise SpecError(
            "takes no cut-off", where=cls.key, found=[f"@{n}" for n in call.at], hint=f"write {cls.key} without @"
        )
    missing = [f.name for f in plain if f.default is REQUIRED and f.name not in values]
    if missing:
        raise SpecError("missing", where=f"{cls.key}: '{missing[0]}'", hint=f"write {signature(cls)}")
    if cut is not None and not call.at and cut.default is REQUIRED:
        raise SpecError("missing", where=f"{cls.key}: cut-off", hint=f"write {cls.key}@10, for example")
    if cut is None or not call.at:
        return [cls(**values)]
    return [cls(**values, **{cut.name: n}) for n in call.at]


def signature(cls: type[Component]) -> str:
    """How the component is written, with parameters and defaults: `core(k)`, `ratio(train=0.8, by=rating)`."""
    inner, at = [], ""
    for field in parameters(cls):
        if field.metadata["cutoff"]:
            at = "@n" if field.default is REQUIRED else "[@n]"
        elif field.default is REQUIRED:
            inner.append(field.name)
        else:
            inner.append(f"{field.name}={write_value(default_of(cls, field))}")
    return f"{cls.key}({', '.join(inner)}){at}" if inner else f"{cls.key}{at}"


def _plural(n: int, noun: str) -> str:
    return f"{n} {noun}{'' if n == 1 else 's'}"


def default_of(cls: type[Component], field: dataclasses.Field[Any]) -> Any:
    """The default of a parameter as the component holds it, or REQUIRED."""
    if field.default is REQUIRED:
        return REQUIRED
    return _coerced(type_of(cls, field.name), field.default)


def type_of(cls: type[Component], name: str) -> Any:
    """The resolved type of a parameter."""
    hints = cls.__dict__.get("_hints")
    if hints is None:
        hints = get_type_hints(cls)
        cls._hints = hints  # type: ignore[attr-defined]
    return hints[name]


def describe_type(hint: Any) -> str:
    """A type in words a user can act on: "a whole number", "one of log2, zipf"."""
    if get_origin(hint) is Literal:
        return "one of " + ", ".join(str(a) for a in get_args(hint))
    if get_origin(hint) in (Union, types.UnionType):
        return " or ".join(describe_type(a) for a in get_args(hint))
    if get_origin(hint) is tuple:
        return f"a list of {describe_type(get_args(hint)[0])}"
    if inspect.isclass(hint) and issubclass(hint, Component):
        return f"a {hint.kind.word}"
    words = {int: "a whole number", float: "a number", str: "a text", bool: "true or false", type(None): "none"}
    return words.get(hint, getattr(hint, "__name__", str(hint)))


def _checked(owner: Component, field: dataclasses.Field[Any], written: Any) -> Any:
    hint = type_of(type(owner), field.name)
    place = f"{owner.key}: cut-off" if field.metadata.get("cutoff") else f"{owner.key}: '{field.name}'"
    value_read = str(written) if isinstance(written, Call) else written
    try:
        value = _coerced(hint, written)
    except (TypeError, ValueError, OverflowError) as error:
        raise SpecError(
            where=place,
            found=value_read,
            expected=describe_type(int if field.metadata.get("cutoff") else hint),
            hint=field.metadata.get("instead", {}).get(str(written).casefold(), ""),
        ) from error
    except SpecError as error:
        raise error.within(place) from None
    if isinstance(value, int | float) and not isinstance(value, bool):
        bounds = dict(field.metadata)
        if isinstance(value, int) and bounds.get("most") is None:
            bounds["most"] = LARGEST
        for bound, word, holds in (
            ("above", "above", operator.gt),
            ("least", "at least", operator.ge),
            ("below", "below", operator.lt),
            ("most", "at most", operator.le),
        ):
            limit = bounds.get(bound)
            if limit is not None and not holds(value, limit):
                limit_text = f"{limit:,}" if isinstance(limit, int) else f"{limit:g}"
                raise SpecError(where=place, found=value_read, expected=f"a number {word} {limit_text}")
    return value


def _coerced(hint: Any, written: Any) -> Any:
    """Convert a value to the declared type; TypeError or ValueError if it cannot be."""
    origin = get_origin(hint)
    if origin is Literal:
        folded = {str(a).casefold(): a for a in get_args(hint)}
        if str(written).casefold() not in folded:
            raise ValueError(written)
        return folded[str(written).casefold()]
    if origin in (Union, types.UnionType):
        if written is None and type(None) in get_args(hint):
            return None
        for option in get_args(hint):
            try:
                return _coerced(option, written)
            except (TypeError, ValueError):
                continue
        raise ValueError(written)
    if origin is tuple:
        if not isinstance(written, list | tuple):
            raise TypeError(written)
        return tuple(_coerced(get_args(hint)[0], f) for f in written)
    if inspect.isclass(hint) and issubclass(hint, Component):
        if isinstance(written, hint):
            return written
        from heldout.catalogue.lookup import make

        return make(hint.kind.name, written)
    if hint is type(None):
        if written is None or (isinstance(written, str) and written.casefold() == "none"):
            return None
        raise ValueError(written)
    return _scalar(hint, written)


def _scalar(hint: Any, written: Any) -> Any:
    if hint is bool:
        if isinstance(written, bool):
            return written
        raise TypeError(written)
    if isinstance(written, bool):
        raise TypeError(written)
    if hint is int:
        if isinstance(written, float) and not written.is_integer():
            raise ValueError(written)
        if isinstance(written, str):
            raise TypeError(written)
        return int(written)
    if hint is float:
        if isinstance(written, str):
            raise TypeError(written)
        value = float(written)
        if not math.isfinite(value):
            raise ValueError(written)
        return value
    if hint is str:
        if not isinstance(written, str | int | float):
            raise TypeError(written)
        return str(written)
    raise TypeError(f"a parameter cannot have the type {hint}")
