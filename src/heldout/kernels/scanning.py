"""Fields and lines of a delimited text, checked and cleaned as bytes."""

from __future__ import annotations

from typing import Any

from heldout.kernels.jit import kernel

ROW, BLANK, DOUBTFUL = 0, 1, 2
"""What a line is: a row of the right number of fields, nothing at all, or something that must be looked at."""


@kernel
def scan_lines(text: Any, mark: Any, width: Any, quoted: Any, ascii_only: Any, starts: Any, states: Any) -> Any:
    """Fill the place where every line begins and what it is; the last line ends with the text.

    `mark` are the bytes of the separator; without any, runs of blanks and tabs separate. Where `quoted`, a separator between
    quotation marks is none, and a mark that neither begins nor ends a field is doubtful. So are a NUL byte, a carriage
    return inside of a line of a quoted text, and, where `ascii_only`, every byte above 127.
    """
    at, end, line, size = 0, text.shape[0], 0, mark.shape[0]
    while line < starts.shape[0]:
        starts[line] = at
        fields, inside, strange, empty, between, begin = 1 if size else 0, False, False, True, True, at
        while at < end and text[at] != 10:
            byte = text[at]
            step = 1
            if size == 0:
                if byte == 32 or byte == 9 or byte == 13:
                    between = True
                elif between:
                    between = False
                    fields += 1
            elif not inside and byte == mark[0]:
                same = at + size <= end
                for k in range(1, size):
                    same = same and text[at + k] == mark[k]
                if same:
                    fields += 1
                    step = size
                    begin = at + size
            if byte == 0 or (ascii_only and byte > 127):
                strange = True
            elif byte == 34 and quoted:
                if inside:
                    after = text[at + 1] if at + 1 < end else 10
                    strange = strange or not (after == 34 or after == 10 or after == 13 or after == mark[0])
                else:
                    strange = strange or not (at == begin or text[at - 1] == 34)
                inside = not inside
            elif byte == 13 and quoted and at + 1 < end and text[at + 1] != 10:
                strange = True
            if byte != 32 and byte != 9 and byte != 13:
                empty = False
            at += step
        if empty:
            states[line] = 1
        elif strange or inside or fields != width:
            states[line] = 2
        else:
            states[line] = 0
        at += 1
        line += 1


@kernel
def trim_fields(text: Any, mark: Any, quoted: Any, out: Any, marks: Any) -> Any:
    """Copy a text without the blanks and tabs around its fields; return the number of bytes in `out`.

    `mark` are the bytes of the separator. If `quoted`, a field between quotation marks is copied as it is. `marks` receives
    the number of such fields, and of fields that begin with a mark but do not end with one.
    """
    at, end, size, written, first, stop = 0, text.shape[0], mark.shape[0], 0, mark[0], 0
    while at < end:
        while at < end and (text[at] == 32 or text[at] == 9) and not _is_mark(text, at, mark):
            at += 1
        begin, whole = at, False
        if quoted and at < end and text[at] == 34:
            close = at + 1
            while close < end and (text[close] != 34 or (close + 1 < end and text[close + 1] == 34)):
                close += 2 if text[close] == 34 else 1
            after = close + 1
            while after < end and (text[after] == 32 or text[after] == 9) and not _is_mark(text, after, mark):
                after += 1
            whole = close < end and (after >= end or _ends_line(text, after) or _is_mark(text, after, mark))
            marks[0 if whole else 1] += 1
            if whole:
                at, stop = after, close + 1
        if not whole:
            while at < end:
                byte = text[at]
                if (byte == 10 or byte == 13) and _ends_line(text, at):
                    break
                if byte == first and _is_mark(text, at, mark):
                    break
                at += 1
            stop = at
            while stop > begin and (text[stop - 1] == 32 or text[stop - 1] == 9):
                stop -= 1
        for k in range(stop - begin):
            out[written + k] = text[begin + k]
        written += stop - begin
        if at < end:
            step = (1 if text[at] == 10 or at + 1 == end else 2) if _ends_line(text, at) else size
            for k in range(step):
                out[written + k] = text[at + k]
            written += step
            at += step
    return written


@kernel
def _is_mark(text: Any, at: Any, mark: Any) -> Any:
    """Whether the separator is here."""
    same = text[at] == mark[0] and at + mark.shape[0] <= text.shape[0]
    k = 1
    while same and k < mark.shape[0]:
        same = text[at + k] == mark[k]
        k += 1
    return same


@kernel
def _ends_line(text: Any, at: Any) -> Any:
    """Whether a line ends here, by a line feed or by a carriage return before one or before the end of the text."""
    return text[at] == 10 or (text[at] == 13 and (at + 1 == text.shape[0] or text[at + 1] == 10))
