"""Text forms: what is printed is read back, whatever the component and its parameters; what cannot be read says where."""

from __future__ import annotations

import inspect
import types
from dataclasses import Field
from typing import Any, Literal, Union, get_args, get_origin

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from heldout.catalogue import KINDS, REQUIRED, Component, classes, find, make, make_all, parameters
from heldout.catalogue.component import type_of
from heldout.catalogue.text import Call, parse, write_value
from heldout.errors import SpecError, UnknownNameError

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


def test_defaults_are_not_printed() -> None:
    bare = 0
    for cls in ALL:
        try:
            made = make(cls.kind.name, cls)
        except SpecError:  # it has no form without parameters
            continue
        bare += 1
        assert str(made) == cls.key
        assert made == cls()
    assert bare > len(ALL) / 2


@pytest.mark.parametrize("cls", ALL, ids=NAMES)
def test_other_names_mean_the_same(cls: type[Component]) -> None:
    for name in (cls.key, cls.key.upper(), *cls.aliases):
        assert find(cls.kind.name, name) is cls
    for field in parameters(cls):
        for other in field.metadata.get("also", ()):
            with pytest.raises(SpecError) as told:
                make(cls.kind.name, Call(cls.key, (), {other: object(), field.name: 1}))
            assert str(told.value) == f"{cls.key}: '{field.name}' is given twice"


def test_cut_offs_in_a_list() -> None:
    assert [str(m) for m in make_all("metric", "nDCG(gain=exp2)@[5, 10]")] == ["nDCG(gain=exp2)@5", "nDCG(gain=exp2)@10"]
    assert make_all("metric", "p @ [ 5 ]") == [make("metric", "P@5")]
    with pytest.raises(SpecError, match=r"gives 2 components where one metric is expected"):
        make("metric", "P@[5, 10]")
    with pytest.raises(SpecError, match=r"ratio takes no cut-off; write ratio without @"):
        make("split", "ratio@5")


def test_values_of_every_kind() -> None:
    call = parse(
        """f(1, -2.5, 1e-3, 1_000, "a \\"b\\" \\u00e9", 'c:\\dir', yes, True, NONE, [1, [x]], g(h=2)@3, k=v)@[1, 2]"""
    )
    assert call.args == (
        *(1, -2.5, 1e-3, 1000, 'a "b" é', "c:\\dir", "yes", True, None, [1, ["x"]]),
        Call("g", (), {"h": 2}, (3,)),
    )
    assert (call.kwargs, call.at) == ({"k": "v"}, (1, 2))
    assert str(parse("nDCG( gain = exp2 )@[5,10]")) == "nDCG(gain=exp2)@[5, 10]"


BAD = {
    "": "expected a name, but the text ends at character 0",
    "5": "expected a name, found '5' at character 1",
    "P@": "more was expected, but the text ends at character 2",
    "P(": r"expected '\)', but the text ends at character 2",
    "P(rel=4": r"expected ',' or '\)', but the text ends at character 7",
    "P(rel=4 5)": r"expected ',' or '\)', found '5' at character 9",
    "P(rel=)": r"expected a value, found '\)' at character 7",
    "P(=4)": "expected a value, found '=' at character 3",
    "P(rel=4, 5)": "a value without a name cannot follow named ones, found '5' at character 10",
    "P(rel=4)) ": r"expected the end, found '\)' at character 9",
    "P@[5, 10": r"expected ',' or '\]', but the text ends at character 8",
    "P@[5; 10]": "unexpected ';' at character 5",
    "P ? 5": r"unexpected '\?' at character 3",
    "P(rel=ratings.csv)": "unexpected '.' at character 14; quote texts",
    "P(rel='a)": "unexpected ''' at character 7",
    'P(rel="a\\d")': "a backslash in the text at character 7 begins no known escape",
    "P(rel=1, rel=2)": "'rel' is given twice",
}


@pytest.mark.parametrize("text", BAD)
def test_errors_say_where(text: str) -> None:
    with pytest.raises(SpecError, match=BAD[text]) as told:
        parse(text)
    assert f"'{text}'" in str(told.value)


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="Pg(){}[],=@'\"\\ 0159.e-+_étrue", max_size=20) | st.text(max_size=10))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        call = parse(text)
    except SpecError:
        return
    assert parse(str(call)) == call


@given(st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text())
def test_values_are_read_back(value: Any) -> None:
    assert parse(f"f({write_value(value)})").args == (value,)


def test_another_kind_is_refused() -> None:
    with pytest.raises(SpecError, match=r"'P@5' is a metric, not a target"):
        make("target", make("metric", "P@5"))
    with pytest.raises(SpecError, match=r"'Popularity' is a recommender, not a metric"):
        make("metric", find("recommender", "Popularity"))
    with pytest.raises(SpecError, match="a tie rule is written as text, found 3"):
        make("ties", 3)


def test_names_are_suggested() -> None:
    with pytest.raises(UnknownNameError) as told:
        make("metric", "ndgc@10")
    assert str(told.value) == "unknown metric 'ndgc'; did you mean nDCG?"
    with pytest.raises(UnknownNameError, match="unknown target 'zzz'; known: AllItems, "):
        make("target", "zzz")
