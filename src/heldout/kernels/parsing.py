"""Rows of plain numbers out of the bytes of a delimited text; whatever is not plain is left to a slower, exact reader."""

from __future__ import annotations

from typing import Any

import numpy as np

from heldout.kernels.jit import kernel

SKIP, ID, TIME, NUMBER = 0, 1, 2, 3
"""What a field is: not looked at, a whole number in its only spelling, a whole number, a number."""
_POWERS = 10.0 ** np.arange(19)


@kernel
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
