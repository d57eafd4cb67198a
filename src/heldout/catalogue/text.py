"""The text form of a component: `name(value, parameter=value)@cut-off`, read and written.

nDCG(gain=exp2)@[5, 10]      one call, two cut-offs; nDCG(gain=exp2)@5,10 is read as the same
movielens("ml-1m")           texts with spaces, slashes or dots are quoted
targets(corrected=bv(0.1))   values may be calls
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from heldout.errors import SpecError, brief

DEEPEST = 32
"""How many calls and lists may stand inside one another."""
LONGEST_NUMBER = 400
"""Digits of a number."""

_TOKEN = re.compile(
    r"""\s*(?:
      (?P<number>[+-]?(?:\d[\d_]*\.?[\d_]*|\.\d+)(?:[eE][+-]?\d+)?)(?![\w.])
    | (?P<text>"(?:[^"\\]|\\.)*"|'[^']*')
    | (?P<name>[^\W\d][\w\-+]*)
    | (?P<mark>[()\[\],=@])
    )""",
    re.VERBOSE,
)
_WORDS: dict[str, Any] = {"true": True, "false": False, "none": None}
_PLAIN = re.compile(r"[^\W\d][\w\-+]*\Z")


@dataclass(frozen=True)
class Call:
    """A component as it was written, before anyone knows what it names."""

    name: str
    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = field(default_factory=dict)
    at: tuple[Any, ...] = ()

    def __str__(self) -> str:
        inner = [*map(write_value, self.args), *(f"{k}={write_value(v)}" for k, v in self.kwargs.items())]
        cut = f"@{write_value(self.at[0] if len(self.at) == 1 else self.at)}" if self.at else ""
        return f"{self.name}({', '.join(inner)}){cut}" if inner else f"{self.name}{cut}"


@lru_cache(maxsize=1024)
def parse(text: str) -> Call:
    """Read one text form; a SpecError gives the first character that cannot be read."""
    reader = _Reader(text)
    call = reader.call()
    while call.at and reader.peek() == ",":
        reader.expect(",")
        call = Call(call.name, call.args, call.kwargs, (*call.at, reader.value()))
    if reader.peek() is not None:
        reader.fail("the end")
    return call


def parse_value(text: str) -> Any:
    """Read one value as it stands in a text form: `10`, `0.5`, `true`, `none`, `cosine`, `"two words"`, `[1, 2]`, `log2`."""
    reader = _Reader(text)
    value = reader.value()
    if reader.peek() is not None:
        reader.fail("the end")
    return value


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[tuple[str, str, int]] = []
        self.depth = 0
        at, end = 0, len(text.rstrip())
        while at < end:
            match = _TOKEN.match(text, at)
            if match is None or match.lastgroup is None:
                start = at + len(text[at:]) - len(text[at:].lstrip())
                raise SpecError(
                    where=self.place(start),
                    found=text[start],
                    expected="a name, a number, a quoted text or one of ( ) [ ] , = @",
                    hint="quote text that is not a plain name",
                )
            self.tokens.append((match.lastgroup, match.group(match.lastgroup), match.start(match.lastgroup)))
            at = match.end()
        self.at = 0

    def peek(self) -> str | None:
        return self.tokens[self.at][1] if self.at < len(self.tokens) else None

    def take(self) -> tuple[str, str]:
        if self.at >= len(self.tokens):
            self.fail("a value")
        group, token, _ = self.tokens[self.at]
        self.at += 1
        return group, token

    def place(self, start: int | None = None) -> str:
        """Where an error is: the text, and the number of a character in it."""
        return f"'{brief(self.text)}'" + ("" if start is None else f", character {start + 1}")

    def fail(self, expected: str) -> None:
        """Raise SpecError at the token that is not what was expected, or at the end of the text."""
        if self.at < len(self.tokens):
            _, token, start = self.tokens[self.at]
            raise SpecError(where=self.place(start), found=token, expected=expected)
        raise SpecError(f"ends at character {len(self.text)}", where=self.place(), expected=expected)

    def expect(self, mark: str) -> None:
        if self.peek() != mark:
            self.fail(f"'{mark}'")
        self.at += 1

    def separator(self, end: str) -> None:
        """Pass a comma; the end mark may follow instead, and is left."""
        if self.peek() == ",":
            self.at += 1
        elif self.peek() != end:
            self.fail(f"',' or '{end}'")

    def call(self) -> Call:
        if self.at >= len(self.tokens) or self.tokens[self.at][0] != "name":
            self.fail("a name")
        _, name = self.take()
        return self._rest_of_call(name)

    def _deeper(self) -> None:
        self.depth += 1
        if self.depth > DEEPEST:
            raise SpecError("nested too deeply", where=self.place(), expected=f"at most {DEEPEST} levels of brackets")

    def _rest_of_call(self, name: str) -> Call:
        self._deeper()
        args: list[Any] = []
        kwargs: dict[str, Any] = {}
        at: tuple[Any, ...] = ()
        if self.peek() == "(":
            self.at += 1
            while self.peek() != ")":
                if self.peek() is None:
                    self.fail("')'")
                named = self.tokens[self.at][0] == "name" and self.tokens[self.at + 1 : self.at + 2]
                if named and named[0][1] == "=":
                    start = self.tokens[self.at][2]
                    _, key = self.take()
                    self.expect("=")
                    if key in kwargs:
                        raise SpecError("given twice", where=self.place(start), found=key)
                    kwargs[key] = self.value()
                elif kwargs:
                    self.fail("name=value after a named value")
                else:
                    args.append(self.value())
                self.separator(")")
            self.at += 1
        if self.peek() == "@":
            self.at += 1
            value = self.value()
            at = tuple(value) if isinstance(value, list) else (value,)
            if not at:
                raise SpecError(where=self.place(), found=[], expected="at least one cut-off")
        self.depth -= 1
        return Call(name, tuple(args), kwargs, at)

    def value(self) -> Any:
        group, token = self.take()
        if group == "number":
            plain = token.replace("_", "")
            if len(plain) > LONGEST_NUMBER:
                expected = f"a number of at most {LONGEST_NUMBER} characters"
                raise SpecError(where=self.place(self.tokens[self.at - 1][2]), found=token, expected=expected)
            return float(plain) if any(c in plain for c in ".eE") else int(plain)
        if group == "text":
            return self._unquoted(token)
        if group == "name":
            if token.casefold() in _WORDS:
                return _WORDS[token.casefold()]
            return self._rest_of_call(token) if self.peek() in ("(", "@") else token
        if token == "[":
            self._deeper()
            items: list[Any] = []
            while self.peek() != "]":
                items.append(self.value())
                self.separator("]")
            self.at += 1
            self.depth -= 1
            return items
        self.at -= 1
        self.fail("a value")
        raise AssertionError("unreachable")

    def _unquoted(self, token: str) -> str:
        if token[0] == "'":
            return token[1:-1]
        start = self.tokens[self.at - 1][2]
        try:
            text = str(json.loads(token, strict=False))
        except ValueError:
            raise SpecError(
                where=self.place(start),
                found=token,
                expected="a known escape after each backslash",
                hint="double the backslash, or write the text in single quotes",
            ) from None
        refuse_surrogates(text, self.place(start))
        return text


def refuse_surrogates(text: str, where: str) -> None:
    """Raise SpecError if a text contains half of a surrogate pair, which a file cannot."""
    if any("\ud800" <= c <= "\udfff" for c in text):
        raise SpecError(where=where, found=text, expected="text without lone surrogates")


def write_value(value: Any) -> str:
    """A value as the text form writes it."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return f"{int(value)}" if value.is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(value, str):
        plain = _PLAIN.match(value) and value.casefold() not in _WORDS
        return value if plain else json.dumps(value, ensure_ascii=False)
    if isinstance(value, tuple | list):
        return "[" + ", ".join(write_value(v) for v in value) + "]"
    return str(value)
