"""Fields of a text without the blanks around them, held against a regular expression."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from heldout.data.dialect import Dialect


def by_expression(text: bytes, separator: bytes, *, quoted: bool) -> bytes:
    """The same by a regular expression."""
    blanks, end = (b" *" if separator == b"\t" else b"[ \t]*"), b"(?:" + re.escape(separator) + rb"|\r?\n|\r?\Z)"
    whole = rb'("(?:[^"]|"")*")' + blanks + b"(?=" + end + b")|" if quoted else b"(x^)|"
    field = re.compile(blanks + b"(?:" + whole + b"(.*?)" + blanks + b")(" + end + b")", re.DOTALL)
    pieces, at = [], 0
    while at < len(text):
        match = field.match(text, at)
        assert match is not None
        pieces += [match[1] or match[2] or b"", match[3]]
        at = match.end()
    return b"".join(pieces)


@pytest.mark.parametrize("quoted", [False, True])
@pytest.mark.parametrize("separator", [",", "\t", "|"])
@settings(max_examples=300, deadline=None)
@example(' "a ", " b" c , "d""" \r\n "e\n ')
@given(st.text(st.sampled_from(['"', ",", "\t", "|", " ", "\n", "\r", "a", "\u00a0", "\v"]), max_size=24))
def test_blanks_around_fields_are_left_out(separator: str, quoted: bool, text: str) -> None:
    dialect = Dialect(separator, quoted)
    once, _, open_marks = dialect.trimmed(text.encode())
    assert once == by_expression(text.encode(), separator.encode(), quoted=quoted)
    if not open_marks and not re.search(r"\r[ \t]+(\n|\Z)", text):  # such a carriage return then ends the line
        assert dialect.trimmed(once)[0] == once


@settings(max_examples=200, deadline=None)
@given(st.text(st.sampled_from([":", " ", "\t", "\n", "\r", "a", '"']), max_size=24))
def test_a_separator_of_two_characters(text: str) -> None:
    assert Dialect("::", quoted=False).trimmed(text.encode())[0] == by_expression(text.encode(), b"::", quoted=False)


def test_marks_are_counted() -> None:
    assert Dialect(",", quoted=True).trimmed(b'"a", "b" c,"d\n') == (b'"a","b" c,"d\n', 1, 2)
