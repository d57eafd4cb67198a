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
_BLANKS = re.compile(r"[ \t]+")


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
            f"no separator was found in '{lines[0][:60]}'",
            file=file,
            line=1,
            hint="say it, such as separator=tab, comma, semicolon, pipe or whitespace",
        )
    rivals = [s for s in _CANDIDATES if agreement[s] == agreement[best]]
    if len(rivals) == 1:
        return best
    named = [s for s in rivals if _names(_fields(lines[0], s))]
    if named:
        return named[0]
    readable = [s for s in rivals if _readable(lines, s)]
    if "\t" in readable or len(readable) < 2:  # no id holds a tab
        return "\t" if "\t" in readable else (readable or [best])[0]
    first, second = (NAMES.get(s, s) for s in readable[:2])
    widths = [len(_fields(lines[0], s)) for s in readable[:2]]
    raise InputError(
        f"the separator may be {first} ({widths[0]} fields) or {second} ({widths[1]} fields), as in '{lines[0][:60]}'",
        file=file,
        line=1,
        hint=f"say separator={first} or separator={second}, as in csv(…), or put names of columns above the first line",
    )


def _fields(line: str, separator: str) -> list[str]:
    if separator == WHITESPACE:
        return split_blanks(line)
    return [field.strip() for field in _QUOTED.sub(lambda m: m[0].replace(separator, ""), line).split(separator)]


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
    if any("\t" in field for row in rows for field in row):
        return False
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
