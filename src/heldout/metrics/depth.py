"""Which entries of judged lists stand within a cut-off."""

from __future__ import annotations

import numpy as np

from heldout.tables import Judged
from heldout.tables.arrays import Bool


def within(judged: Judged, n: int | None) -> Bool:
    """Entries of rank at most n; all of them without a cut-off."""
    return np.ones(len(judged.rank), dtype=bool) if n is None else judged.rank <= n
