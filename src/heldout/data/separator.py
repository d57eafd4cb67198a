"""Which separator a text has, by its first lines; one that another reading contradicts is not taken."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from heldout.data.columns import USUAL, folded
from heldout.errors import InputError

WHITESPACE = "whitespace"
NAMES = {"\t": "tab", ",": "comma", ";": "semicolon", "|": "pipe"}
"""What separators are called where they are shown."""
_CANDIDATES = ("::", "\t", ";", ",", "|", WHITESPACE)
_QUOTED = re.compile(r'"[^"]*"')
BLANKS = " \t"
"""Characters that are not part of a field at its beginning or end, unless it is quoted. All others are."""
_BLANKS = re.compile(rf"[{BLANKS}]+")


def split_blanks(line: str) -> list[str]:
    """The fields between runs of blanks and tabs, and nothing else: other white space may be part of an id."""
    return [field for field in _BLANKS.split(line.rstrip("\r\n")) if field]


def is_number(text: str) -> bool:
    """Whether a text reads as a number; NaN and infinity do, so that they are refused as such later."""
    try:
        float(text)
    except ValueError:
        return False
    return True


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
    return [field.strip(BLANKS) for field in _QUOTED.sub(lambda m: m[0].replace(separator, ""), line).split(separator)]


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
        widths = [_QUOTED.sub("", line).count(separator) + 1 for line in lines]
    width, count = Counter(widths).most_common(1)[0]
    return count if width > 1 else 0
