"""Text forms of components: what is printed is read back, and errors name the character."""

from __future__ import annotations

import inspect
import types
from dataclasses import Field
from typing import Any, Literal, Union, get_args, get_origin

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from tests.refusals import refused

from heldout.catalogue import KINDS, REQUIRED, Component, classes, find, make, make_all, parameters
from heldout.catalogue.component import type_of
from heldout.catalogue.spelled import _entries, spelled
from heldout.catalogue.text import Call, parse, write_value
from heldout.errors import UNKNOWN, SpecError, UnknownNameError, brief

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
            with refused(SpecError, where=f"{cls.key}: '{field.name}'", found=UNKNOWN):
                make(cls.kind.name, Call(cls.key, (), {other: object(), field.name: 1}))


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


def test_cut_offs_in_a_list() -> None:
    assert [str(m) for m in make_all("metric", "nDCG(gain=exp2)@[5, 10]")] == ["nDCG(gain=exp2)@5", "nDCG(gain=exp2)@10"]
    assert make_all("metric", "p @ [ 5 ]") == [make("metric", "P@5")]


ENDS, TOKEN = UNKNOWN, "a name, a number, a quoted text or one of ( ) [ ] , = @"
BAD: dict[str, tuple[str, object, str]] = {
    "": ("''", ENDS, "a name"),
    "5": ("character 1", "5", "a name"),
    "P@": ("'P@'", ENDS, "a value"),
    "P(": ("'P('", ENDS, "')'"),
    "P(rel=4": ("'P(rel=4'", ENDS, "',' or ')'"),
    "P(rel=4 5)": ("character 9", "5", "',' or ')'"),
    "P(rel=)": ("character 7", ")", "a value"),
    "P(=4)": ("character 3", "=", "a value"),
    "P(rel=4, 5)": ("character 10", "5", "name=value after a named value"),
    "P(rel=4)) ": ("character 9", ")", "the end"),
    "P@[5, 10": ("'P@[5, 10'", ENDS, "',' or ']'"),
    "P@[]": ("'P@[]'", [], "at least one cut-off"),
    "P@[5; 10]": ("character 5", ";", TOKEN),
    "P ? 5": ("character 3", "?", TOKEN),
    "P(rel=ratings.csv)": ("character 14", ".", TOKEN),
    "P(rel='a)": ("character 7", "'", TOKEN),
    'P(rel="a\\d")': ("character 7", '"a\\d"', "a known escape after each backslash"),
    'P(rel="\\ud800")': ("character 7", "\ud800", "text without lone surrogates"),
    "P(rel=1, rel=2)": ("character 10", "rel", ""),
    f"P(rel={'1' * 401})": ("character 7", "1" * 401, "a number of at most 400 characters"),
    "P(rel=" + "[" * 40: ("'P(rel=[[", ENDS, "at most 32 levels of brackets"),
}
"""Text form → where it cannot be read, the value found there and what is expected."""


@pytest.mark.parametrize("text", BAD)
def test_errors_name_the_character(text: str) -> None:
    where, found, expected = BAD[text]
    with refused(SpecError, where=where, found=found, expected=expected or None) as error:
        parse(text)
    assert error.value.where.startswith(f"'{brief(text)}'")


@pytest.mark.parametrize(
    ("kind", "spec", "parts"),
    [
        ("metric", "P@[5, 10]", {"found": ["P@5", "P@10"], "expected": "one metric"}),
        ("split", "ratio@5", {"where": "ratio", "found": ["@5"], "hint": "write ratio without @"}),
        ("metric", "P", {"where": "P: cut-off", "hint": "write P@10"}),
        ("metric", "P@0", {"where": "P: cut-off", "found": 0, "expected": "a number at least 1"}),
        ("metric", "P(rel=x)@5", {"where": "P: 'rel'", "found": "x", "expected": "a number or none"}),
        ("filter", "core", {"where": "core: 'k'", "found": UNKNOWN, "hint": "write core(k)"}),
        ("filter", "core(2, 3)", {"where": "core", "found": 2, "expected": "at most 1 parameter", "hint": "write core(k)"}),
        ("recommender", "Random(2)", {"where": "Random", "found": 1, "expected": "no parameters"}),
        ("split", "ratio(1)", {"where": "ratio: 'train'", "found": 1, "expected": "a number below 1"}),
        ("metric", " ", {"found": " ", "expected": "the name of a metric"}),
        ("ties", 3, {"found": 3, "expected": "a tie rule as text"}),
        ("target", make("metric", "P@5"), {"found": make("metric", "P@5"), "expected": "a target"}),
        (
            "metric",
            find("recommender", "Popularity"),
            {"found": make("recommender", "Popularity"), "expected": "a metric"},
        ),
    ],
)
def test_what_is_refused(kind: str, spec: Any, parts: dict[str, Any]) -> None:
    with refused(SpecError, **parts):
        make(kind, spec)


def test_unknown_names_are_answered_with_near_ones_or_all() -> None:
    for kind, text, hint in (
        ("metric", "ndgc@10", "did you mean nDCG?"),
        ("target", "zzz", "known: AllItems"),
        ("split", "ratio(trian=0.5)", "did you mean train?"),
        ("zzz", "P", "known: aggregation"),
    ):
        with refused(UnknownNameError, hint=hint):
            make(kind, text)


def test_a_default_is_written_where_another_option_differs_in_it() -> None:
    assert spelled("split", ["ratio(train=0.5)", "ratio"]) == ("ratio(train=0.5)", "ratio(train=0.8)")
    assert spelled("split", ["ratio(by=user)", "ratio(train=0.5)"]) == (
        "ratio(train=0.8, by=user)",
        "ratio(train=0.5, by=rating)",
    )


def test_what_does_not_share_a_name_or_is_no_single_option_stays() -> None:
    for kind, texts in (
        ("split", ["ratio", "temporal(at=0.8)"]),
        ("metric", ["nDCG(gain=exp2)@10", "nDCG@10"]),
        ("filter", ["core(5) + sample(0.5)", "none"]),
        ("split", ["not_installed(a=1)", "not_installed"]),
        ("", ["1", "2"]),
    ):
        assert spelled(kind, texts) == tuple(texts)


def test_commas_inside_a_value_do_not_part_it() -> None:
    assert _entries("gain=exp(base=2, shift=1), of=[1, 2], n=3") == ["gain=exp(base=2, shift=1)", "of=[1, 2]", "n=3"]
