"""Components and their text forms."""

from __future__ import annotations

import inspect
import types
from dataclasses import Field
from typing import Any, Literal, Union, get_args, get_origin

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from heldout.catalogue import KINDS, REQUIRED, Component, classes, find, make, parameters
from heldout.catalogue.component import type_of
from heldout.catalogue.text import Call, write_value
from heldout.errors import SpecError

ALL = [cls for kind in KINDS for cls in classes(kind)]


NAMES = [f"{cls.kind.name} {cls.key}" for cls in ALL]


def values(hint: Any, field: Field[Any]) -> st.SearchStrategy[Any]:
    """Valid values of a parameter of this type."""
    bounds = field.metadata
    origin = get_origin(hint)
    if origin is Literal:
        return st.sampled_from(get_args(hint))
    if origin in (Union, types.UnionType):
        return st.one_of([values(option, field) for option in get_args(hint)])
    if origin is tuple:
        return st.lists(values(get_args(hint)[0], field), min_size=1, max_size=3).map(tuple)
    if inspect.isclass(hint) and issubclass(hint, Component):
        return st.sampled_from(classes(hint.kind.name)).flatmap(components)
    if hint is int:
        low, high = bounds.get("least"), bounds.get("most")
        return st.integers(int(low) if low is not None else -(10**9), int(high) if high is not None else 10**9)
    if hint is float:
        return st.floats(
            *(
                next((bounds[b] for b in side if bounds.get(b) is not None), None)
                for side in (("above", "least"), ("below", "most"))
            ),
            exclude_min=bounds.get("above") is not None,
            exclude_max=bounds.get("below") is not None,
            allow_nan=False,
            allow_infinity=False,
        )
    return {str: st.text(min_size=1, max_size=12), bool: st.booleans(), type(None): st.none()}[hint]


@st.composite
def components(draw: st.DrawFn, cls: type[Component]) -> Component:
    """A component with some parameters given and the others left at their defaults."""
    given_values = {}
    for field in parameters(cls):
        if field.default is REQUIRED or draw(st.booleans()):
            given_values[field.name] = draw(values(type_of(cls, field.name), field))
    try:
        return cls(**given_values)
    except SpecError:  # right one by one, but not together
        assume(False)
        raise


@pytest.mark.parametrize("cls", ALL, ids=NAMES)
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_what_is_printed_is_read_back(cls: type[Component], data: st.DataObject) -> None:
    made = data.draw(components(cls))
    kind = cls.kind.name
    for text in (str(made), made.full_text):
        again = make(kind, text)
        assert again == made
        assert (str(again), again.full_text) == (str(made), made.full_text)
    swapped = cls.key.swapcase() + str(made)[len(cls.key) :]
    assert make(kind, swapped) == made
    assert make(kind, made) is made


def test_defaults_are_not_printed_unless_nobody_knows_them_by_heart() -> None:
    bare = 0
    for cls in ALL:
        try:
            made = make(cls.kind.name, cls)
        except SpecError:  # it has no form without parameters
            continue
        bare += 1
        spelled = [f"{f.name}={write_value(f.default)}" for f in parameters(cls) if f.metadata.get("spelled")]
        assert str(made) == (f"{cls.key}({', '.join(spelled)})" if spelled else cls.key)
        assert made == cls()
    assert bare > len(ALL) / 2
    assert [str(make("split", text)) for text in ("ratio", "folds", "leave_out")] == [
        "ratio(train=0.8)",
        "folds(n=5)",
        "leave_out(l=1)",
    ]


@pytest.mark.parametrize("cls", ALL, ids=NAMES)
def test_other_names_mean_the_same(cls: type[Component]) -> None:
    for name in (cls.key, cls.key.upper(), *cls.aliases):
        assert find(cls.kind.name, name) is cls
    for field in parameters(cls):
        for other in field.metadata.get("also", ()):
            with pytest.raises(SpecError) as told:
                make(cls.kind.name, Call(cls.key, (), {other: object(), field.name: 1}))
            assert str(told.value) == f"{cls.key}: '{field.name}' is given twice"
