"""How a delimited text is written, found out by its first lines: its separator, and whether fields are quoted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from heldout.data.columns import USUAL, folded
from heldout.data.dialect import BLANKS, NAMES, WHITESPACE, Dialect, is_number, split_blanks
from heldout.errors import InputError

_CANDIDATES = ("::", "\t", ";", ",", "|", WHITESPACE)
_WORDS = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "space": WHITESPACE, " ": WHITESPACE}
_PAIR = re.compile(r'"[^"]*"')
_QUOTED_FIELD = re.compile(rb'(?<![^,;|\t\n ])"(?:[^"]|"")*"(?![^,;|\t\r\n ])')
"""A quoted field of a text whose separator is not known yet."""
_BINARY = {
    b"PAR1": "Parquet",
    b"ARROW1": "Arrow",
    b"PK\x03\x04": "zip",
    b"\x1f\x8b": "gzip",
    b"\xfd7zXZ\0": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
}


def refuse_binary(head: bytes, *, file: object) -> None:
    """InputError when a file is not text."""
    for magic, name in _BINARY.items():
        if head.startswith(magic):
            hint = "rename the file so that it ends in its format"
            raise InputError(file=file, found=name, expected="a text file", hint=hint)
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        hint = 'pass csv("…", encoding="utf-16"), or save it as UTF-8'
        raise InputError(file=file, found="UTF-16", expected="UTF-8", hint=hint)
    if b"\0" in head:
        raise InputError("this file is binary", file=file, found=b"\0", expected="text")


def first_lines(text: bytes, n: int) -> list[str]:
    """The first lines that are not blank, from the first megabyte."""
    lines: list[str] = []
    start, end = 0, min(len(text), 1 << 20)
    while start < end and len(lines) < n:
        stop = text.find(b"\n", start, end)
        if stop < 0:
            if end < len(text) and start > 0:
                break  # cut off by the end of the megabyte
            stop = end
        line = text[start:stop].decode("utf-8", errors="replace")
        if line.strip(f"{BLANKS}\r"):
            lines.append(line.rstrip("\r"))
        start = stop + 1
    return lines


def sniff(text: bytes, separator: str | None, *, file: object) -> Dialect:
    """The dialect of a text by its first lines; the separator is found out unless it is given."""
    head = text[: 1 << 16] if text.count(b"\n", 0, 1 << 16) > 500 else text[: 1 << 20]
    if b'"' in head:  # quoted fields that go on over the end of a line, so that each line shows the separator
        head = _QUOTED_FIELD.sub(lambda field: field[0].replace(b"\n", b" "), head)
    lines = first_lines(head, 50)
    if not lines:
        raise InputError("this file is empty", file=file, expected="at least one line")
    chosen = _WORDS.get(separator.casefold(), separator) if separator else separator_of(lines, file=file)
    return dialect_of(text, chosen, lines)


def dialect_of(text: bytes, separator: str, lines: Sequence[str]) -> Dialect:
    """The dialect of a text with this separator and these first lines.

    Between tabs, a quotation mark is often only a character. There it quotes if a field of the first lines begins with
    one, or if all fields that begin with one also end with one.
    """
    if b'"' not in text or separator not in NAMES:
        return Dialect(separator, quoted=False)
    dialect = Dialect(separator, quoted=True)
    if separator != "\t" or any(f.lstrip(BLANKS).startswith('"') for line in lines for f in line.split(separator)):
        return dialect
    scan = dialect.scanned(text, 0)
    return replace(dialect, quoted=scan.quoted_fields > 0 and scan.open_fields == 0)


def separator_of(lines: Sequence[str], *, file: object) -> str:
    """The separator of a text; InputError when there is none, or when two give rows that could both be meant."""
    agreement = {separator: _agreement(lines, separator) for separator in _CANDIDATES}
    best = max(_CANDIDATES, key=lambda separator: agreement[separator])
    if agreement[best] == 0:
        raise InputError(
            "there is no known separator in this line",
            file=file,
            line=1,
            found=lines[0][:60],
            hint="pass separator=tab, comma, semicolon, pipe, whitespace or any other text",
        )
    rivals = [s for s in _CANDIDATES if agreement[s] == agreement[best]]
    if len(rivals) > 1:
        readable = [s for s in rivals if _readable(lines, s)]
        if "\t" in readable and WHITESPACE in readable:  # a tab is whitespace too
            readable.remove(WHITESPACE)
        named = [s for s in rivals if _names(_fields(lines[0], s))]
        if not named and len(readable) > 1:
            more = ", or add names of columns as the first line"
            raise _ambiguous(lines[0], readable[0], readable[1], file, place=1, more=more)
        best = (named or readable or [best])[0]
    if best == WHITESPACE:
        gap = next((line for line in lines if _holds_empty_field(line)), None)
        if gap is not None:
            raise _ambiguous(gap, "\t", WHITESPACE, file)
    return best


def _holds_empty_field(line: str) -> bool:
    """Whether a field between tabs is empty; runs of blanks and tabs would leave it out."""
    return "\t" in line and not all(field.strip(BLANKS) for field in line.rstrip(f"{BLANKS}\r\n").split("\t"))


def _ambiguous(line: str, first: str, second: str, file: object, *, place: int | None = None, more: str = "") -> InputError:
    named = {s: NAMES.get(s, s) for s in (first, second)}
    counted = " or ".join(f"{named[s]} ({len(_fields(line, s))} fields)" for s in named)
    options = " or ".join(f"separator={name}" for name in named.values())
    return InputError(
        "the separator is not clear",
        file=file,
        line=place,
        found=line[:60],
        expected=counted,
        hint=f"pass {options}, as in csv(…){more}",
    )


def _fields(line: str, separator: str) -> list[str]:
    if separator == WHITESPACE:
        return split_blanks(line)
    return [field.strip(BLANKS) for field in _PAIR.sub(lambda m: m[0].replace(separator, ""), line).split(separator)]


def _names(fields: Sequence[str]) -> bool:
    usual = {name for names in USUAL.values() for name in names if len(name) > 1}
    return any(folded(field.strip('"')) in usual for field in fields)


def _readable(lines: Sequence[str], separator: str) -> bool:
    """Whether a separator gives rows of users, items and numbers, or of two ids.

    Blanks are separators only where they give a number too, since titles and names hold them, and commas are followed by
    them.
    """
    rows = [_fields(line, separator) for line in lines]
    width = Counter(map(len, rows)).most_common(1)[0][0]
    rows = [row for row in rows if len(row) == width]
    if width < 3 and any("\t" in field for row in rows for field in row):
        return False  # hardly any id holds a tab
    if separator == WHITESPACE and (width < 3 or any(field.strip(",;|") != field for row in rows for field in row)):
        return False
    if width < 3:
        return all(field for row in rows for field in row)
    return all(is_number(row[2].strip('"')) for row in rows)


def _agreement(lines: Sequence[str], separator: str) -> int:
    """How many lines have as many fields as the most usual number, which must be above 1."""
    if separator == WHITESPACE:
        widths = [len(split_blanks(line)) for line in lines]
    else:
        widths = [_PAIR.sub("", line).count(separator) + 1 for line in lines]
    width, count = Counter(widths).most_common(1)[0]
    return count if width > 1 else 0
