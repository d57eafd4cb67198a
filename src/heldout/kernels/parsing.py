"""Delimited text as bytes: plain numbers parsed at once, and the rows of any other text in a form that polars can read."""

from __future__ import annotations

from typing import Any

import numpy as np

from heldout.kernels.jit import kernel

SKIP, ID, TIME, NUMBER = 0, 1, 2, 3
"""What a field is: not looked at, a whole number in its only spelling, a whole number, a number."""
_POWERS = 10.0 ** np.arange(19)


@kernel(interpreted=False)
def parse_rows(text: Any, first: Any, second: Any, kinds: Any, slots: Any, wholes: Any, numbers: Any, powers: Any) -> Any:
    """Fill `wholes` and `numbers` (slots × rows) and return the number of rows, or −1 at anything that is not plain.

    The separator is the byte `first`, or `first` and `second` where that is not 0. An id has no leading zero, plus or
    blank; a number has at most 15 digits and no exponent, so that it is exactly an integer divided by a power of ten.
    """
    at, end, row, width = 0, text.shape[0], 0, kinds.shape[0]
    while at < end:
        if text[at] == 10:
            at += 1
            continue
        if text[at] == 13 and at + 1 < end and text[at + 1] == 10:
            at += 2
            continue
        for field in range(width):
            kind = kinds[field]
            if kind == 0:
                while (
                    at < end
                    and text[at] != 10
                    and not (text[at] == first and (second == 0 or (at + 1 < end and text[at + 1] == second)))
                ):
                    at += 1
            else:
                negative = at < end and text[at] == 45
                if negative:
                    at += 1
                begin, value, digits = at, np.int64(0), 0
                while at < end and 48 <= text[at] <= 57:
                    value = value * 10 + (text[at] - 48)
                    at += 1
                digits = at - begin
                if digits == 0 or digits > (15 if kind == 3 else 18):
                    return -1
                if kind == 1 and ((text[begin] == 48 and digits > 1) or (negative and text[begin] == 48)):
                    return -1
                if kind == 3:
                    decimals = 0
                    if at < end and text[at] == 46:
                        at += 1
                        begin = at
                        while at < end and 48 <= text[at] <= 57:
                            value = value * 10 + (text[at] - 48)
                            at += 1
                        decimals = at - begin
                        if decimals == 0 or digits + decimals > 15:
                            return -1
                    number = np.float64(value) / powers[decimals]
                    numbers[slots[field], row] = -number if negative else number
                else:
                    wholes[slots[field], row] = -value if negative else value
            if field < width - 1:
                if at >= end or text[at] != first:
                    return -1
                at += 1
                if second != 0:
                    if at >= end or text[at] != second:
                        return -1
                    at += 1
            else:
                if kind == 0 and at < end and text[at] == first:
                    return -1
                if at < end and text[at] == 13:
                    at += 1
                if at < end:
                    if text[at] != 10:
                        return -1
                    at += 1
        row += 1
    return row


def powers_of_ten() -> Any:
    """10⁰ to 10¹⁸, all of them exact."""
    return _POWERS


@kernel
def normal_form(
    text: Any,
    mark: Any,
    join: Any,
    width: Any,
    quoted: Any,
    ascii_only: Any,
    kept: Any,
    out: Any,
    sources: Any,
    targets: Any,
    states: Any,
    counts: Any,
) -> Any:
    """Copy the wanted fields of all good rows without the blanks around them; return the number of rows, also bad ones.

    `mark` are the bytes of the separator; without any, runs of blanks and tabs separate. `join` separates fields in `out`.
    If `quoted`, a field between quotation marks is copied as it is, with the separators and line feeds in it. `kept` tells
    which of `width` fields are wanted; if `width` is 0, all fields of all rows are.

    Of each row, `sources` and `targets` receive where it begins in `text` and in `out`, and `states` whether it is a row
    (0), blank (1) or doubtful (2): it has another number of fields, a NUL byte, a byte above 127 (if `ascii_only`), a
    quotation mark inside of a field that is not quoted, or several lines that may be several rows. `counts` receives the
    number of quoted fields, of fields that begin with a mark but do not end with one, and of bytes in `out`.
    """
    end, size = text.shape[0], mark.shape[0]
    at, written, row = 0, 0, 0
    while at < end:
        sources[row] = at
        targets[row] = written
        fields, lines, copied = 0, 0, 0
        blank, strange, more = True, False, True
        while more:
            while at < end and (text[at] == 32 or text[at] == 9) and not _is_mark(text, at, mark):
                at += 1
            begin, stop, whole = at, at, False
            if quoted and at < end and text[at] == 34:
                close = at + 1
                while close < end and (text[close] != 34 or (close + 1 < end and text[close + 1] == 34)):
                    close += 2 if text[close] == 34 else 1
                after = close + 1
                while after < end and (text[after] == 32 or text[after] == 9) and not _is_mark(text, after, mark):
                    after += 1
                whole = close < end and (after >= end or _ends_line(text, after) or _is_mark(text, after, mark))
                counts[0 if whole else 1] += 1
                if whole:
                    at, stop = after, close + 1
            if not whole:
                while at < end and not _ends_line(text, at):
                    if (text[at] == 32 or text[at] == 9) if size == 0 else _is_mark(text, at, mark):
                        break
                    strange = strange or (quoted and text[at] == 34)
                    at += 1
                stop = at
                while stop > begin and (text[stop - 1] == 32 or text[stop - 1] == 9):
                    stop -= 1
            if size > 0 or stop > begin:
                fields += 1
                blank = blank and (stop == begin or (whole and stop == begin + 2))
                for k in range(begin, stop):
                    strange = strange or text[k] == 0 or (ascii_only and text[k] > 127)
                    lines += text[k] == 10
                if width == 0 or (fields <= width and kept[fields - 1]):
                    if copied > 0:
                        out[written] = join
                        written += 1
                    copied += 1
                    for k in range(begin, stop):
                        out[written] = text[k]
                        written += 1
            if at >= end:
                more = False
            elif _ends_line(text, at):
                at += 1 if text[at] == 10 or at + 1 == end else 2
                more = False
            else:
                at += size
        if lines > 0 and not strange:
            strange = _joins_rows(text, sources[row], at, mark, width)
        if blank:
            states[row] = 1
            written = targets[row]
        elif width > 0 and (strange or fields != width):
            states[row] = 2
            written = targets[row]
        else:
            states[row] = 0
            out[written] = 10
            written += 1
        row += 1
    counts[2] = written
    return row


@kernel
def _joins_rows(text: Any, start: Any, end: Any, mark: Any, width: Any) -> Any:
    """Whether a row of several lines may be several rows that an open quotation mark has joined.

    A line inside of it, or each of its lines, would then be a row by itself.
    """
    while end > start and (text[end - 1] == 10 or text[end - 1] == 13):
        end -= 1
    separators, since, inside, first, inner, every = 0, 0, False, True, False, True
    for at in range(start, end + 1):
        if at == end or text[at] == 10:
            is_row = separators + (since if inside else 0) == width - 1
            every = every and is_row
            inner = inner or (is_row and not first and at < end)
            separators, since, inside, first = 0, 0, False, False
        elif text[at] == 34:
            inside = not inside
            since = 0
        elif text[at] == mark[0]:
            separators += not inside
            since += inside
    return inner or every


@kernel
def _is_mark(text: Any, at: Any, mark: Any) -> Any:
    """Whether the separator is here."""
    same = mark.shape[0] > 0 and at + mark.shape[0] <= text.shape[0] and text[at] == mark[0]
    k = 1
    while same and k < mark.shape[0]:
        same = text[at + k] == mark[k]
        k += 1
    return same


@kernel
def _ends_line(text: Any, at: Any) -> Any:
    """Whether a line ends here, by a line feed or by a carriage return before one or before the end of the text."""
    return text[at] == 10 or (text[at] == 13 and (at + 1 == text.shape[0] or text[at + 1] == 10))
