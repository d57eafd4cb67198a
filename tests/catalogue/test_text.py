"""Text forms: what is printed is read back, whatever the component and its parameters; what cannot be read says where."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heldout.catalogue import find, make, make_all
from heldout.catalogue.text import Call, parse, write_value
from heldout.errors import SpecError, UnknownNameError


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
