"""Lines of a delimited text that do not have the fields they should, found without making a text of any of them."""

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
