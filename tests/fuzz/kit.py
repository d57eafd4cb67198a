"""What the fuzz tests share: how many examples, what an outcome may be, and bytes that are damaged at random.

HELDOUT_FUZZ multiplies the examples and draws other ones each time: `HELDOUT_FUZZ=50 pytest tests/fuzz`. Without it the same
sample is tried each time.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from heldout.errors import HeldoutError, visible

FUZZ = float(os.environ.get("HELDOUT_FUZZ", "1"))
TRIED: Counter[tuple[str, str]] = Counter()
"""(what, outcome) → how often, told at the end of the tests."""
T = TypeVar("T")
LONGEST = 4000
"""Characters of a message, at most."""


class Refused(str):
    """The sentence by which an input was refused."""

    __slots__ = ()


def examples(n: int) -> settings:
    """Settings for a test that is tried on n inputs in the sample."""
    return settings(
        max_examples=max(1, round(n * FUZZ)),
        derandomize="HELDOUT_FUZZ" not in os.environ,
        database=None,
        deadline=None,
        print_blob=False,
        suppress_health_check=list(HealthCheck),
    )


def outcome(what: str, work: Callable[[], T]) -> T | Refused:
    """What the work gives, or the sentence that refuses it; any other exception fails the test."""
    try:
        done: T | Refused = work()
    except HeldoutError as error:
        done = Refused(str(error))
        assert done.strip(), "a refusal says nothing"
        assert len(done) <= LONGEST, f"a refusal of {len(done):,} characters: {done[:300]}"
        assert visible(done) == done, "a refusal holds control characters"
    TRIED[what, "refused" if isinstance(done, Refused) else "read"] += 1
    return done


def entries(folder: Path) -> set[str]:
    """All files and folders under a folder."""
    return {str(p.relative_to(folder)) for p in folder.rglob("*")}


TOKENS = [
    b"\x00", b"\xff", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\r", b"\r\n", b"\n\n", b'"', b'""', b"'", b",", b";",
    b"\t", b"|", b"::", b" ", b"\x1b[31m", b"\x1f", b"\xe2\x80\xae", b"nan", b"-inf", b"1e999", b"1e-999",
    b"9" * 400, b"-0", b"0x1f", b"1_000", b"1,5", b"2004-02-30", b"12:00:00 PM", b"CET", b"None", b"null", b"{",
    b"[" * 2000, b"]", b"a(" * 2000, b"#", b"\\", b"\\ud800", b"%s{}$", b"=cmd|' /C calc'!A0", b"\xe2\x80\xa8",
    b"007", b"1.0", b"True", b"user", b"9223372036854775808", b"x" * 140_000,
]  # fmt: skip
"""What is put into files: ends of lines, quotes, separators, marks, impossible numbers and dates, nesting, a long field."""


@st.composite
def damaged(draw: st.DrawFn, whole: bytes, *, tokens: list[bytes] = TOKENS) -> bytes:
    """The bytes after one to three accidents."""
    text = whole
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 40)))
        how = draw(st.sampled_from(("cut", "lose", "repeat", "flip", "insert", "insert", "replace")))
        token = draw(st.sampled_from(tokens))
        if how == "cut":
            text = text[:start]
        elif how == "lose":
            text = text[:start] + text[end:]
        elif how == "repeat":
            text = text[:end] + text[start:]
        elif how == "flip" and start < len(text):
            text = text[:start] + bytes([text[start] ^ (1 << draw(st.integers(0, 7)))]) + text[start + 1 :]
        elif how == "insert":
            text = text[:start] + token + text[start:]
        else:
            text = text[:start] + token + text[end:]
    return text
