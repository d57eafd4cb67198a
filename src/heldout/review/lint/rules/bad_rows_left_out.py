"""HO502: rows that could not be read were left out."""

from __future__ import annotations

from heldout.review.lint.rule import Noticed


class BadRowsLeftOut(Noticed):
    """Rows that could not be read were left out.

    Assumes: the reader was told on_bad_rows = skip.

    Example: a row without an item id.
    """

    key = "HO502"
    severity = "warning"
    stage = "data"
    change = "mend the file, or say how many rows were left out"
    from_results = "whether rows were skipped"
