"""What a filter leaves, with vocabularies that hold only what is met; nothing left is an error."""

from __future__ import annotations

from heldout.data.filter import Filter
from heldout.errors import InputError
from heldout.tables import Interactions
from heldout.tables.arrays import Bool, Ints


def kept(data: Interactions, rows: Bool | Ints, by: Filter) -> Interactions:
    """These rows, compact; InputError names the filter when there are none."""
    left = data.select(rows)
    if len(left) == 0:
        raise InputError(f"{by} leaves none of {len(data):,} ratings", hint="ask for less")
    return left.compact()
