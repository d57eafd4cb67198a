"""The rows of a text as the kernel finds them, held against the tokenizer that reads small texts."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from heldout.data import dialect as dialects
from heldout.data.dialect import BLANK, DOUBTFUL, ROW, WHITESPACE, Dialect, Scan

CHARACTERS = ['"', ",", "\t", "|", ":", " ", "\n", "\r", "a", "\u00a0", "\v"]


def by_kernel(dialect: Dialect, text: bytes, width: int, kept: Sequence[int] = ()) -> Scan:
    """What the kernel says of a text, however small."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dialects, "SMALL", 0)
        return dialect.scanned(text, width, kept)


def same_rows(dialect: Dialect, text: bytes) -> bool:
    """Whether the kernel and the tokenizer find the same rows, whatever their width is to be."""
    for width in (0, 2, 3):
        kept = [1] if width else []
        quick, slow = by_kernel(dialect, text, width, kept), dialect.scanned(text, width, kept)
        for name in ("sources", "states"):
            assert getattr(quick, name).tolist() == getattr(slow, name).tolist(), (name, width)
        assert (quick.quoted_fields, quick.open_fields) == (slow.quoted_fields, slow.open_fields)
        assert quick.text == slow.text and quick.targets.tolist() == slow.targets.tolist()
    return True


@pytest.mark.parametrize("quoted", [False, True])
@pytest.mark.parametrize("separator", [",", "\t", "|"])
@settings(max_examples=300, deadline=None)
@example(' "a ", " b" c , "d""" \r\n "e\n ')
@example('"a\n\nb",c\n\nd')
@given(st.text(st.sampled_from(CHARACTERS), max_size=24))
def test_the_kernel_and_the_expression_agree(separator: str, quoted: bool, text: str) -> None:
    assert same_rows(Dialect(separator, quoted), text.encode())


@pytest.mark.parametrize("separator", ["::", WHITESPACE])
@settings(max_examples=200, deadline=None)
@given(st.text(st.sampled_from(CHARACTERS), max_size=24))
def test_separators_that_are_not_one_character(separator: str, text: str) -> None:
    assert same_rows(Dialect(separator, quoted=False), text.encode())


def test_quoted_fields_are_counted() -> None:
    scan = by_kernel(Dialect(",", quoted=True), b'"a", "b" c,"d\n', 0)
    assert (scan.text, scan.quoted_fields, scan.open_fields) == (b'"a","b" c,"d\n', 1, 2)


@pytest.mark.parametrize(
    ("text", "states"),
    [
        (b"a,b,c\n\n , ,\na,b\na,b,c,d\n,,c", [ROW, BLANK, BLANK, DOUBTFUL, DOUBTFUL, ROW]),
        (b'"a\n",b,c\n"a\n1,2,3\n",b,c\n', [ROW, DOUBTFUL]),
        (b'"a\n1,2,3\n","b","c"\n"a"b,c,d\na",b,c\n', [DOUBTFUL, DOUBTFUL, DOUBTFUL]),
        (b"a\0,b,c\na,\xff,c\na,b,c", [DOUBTFUL, DOUBTFUL, ROW]),
    ],
    ids=["fields", "lines", "quotation marks", "bytes"],
)
def test_states_of_rows(text: bytes, states: list[int]) -> None:
    assert by_kernel(Dialect(",", quoted=True), text, 3).states.tolist() == states


def test_only_wanted_fields_of_good_rows_are_copied() -> None:
    scan = by_kernel(Dialect("::", quoted=False), b"a:: b ::c\na::b\n\nd::::e\n", 3, [0, 2])
    assert scan.text.replace(scan.join.encode(), b",") == b"a,c\nd,e\n"
