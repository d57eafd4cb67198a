"""Development and evaluation users: who is compared, and when no winner may be called."""

from __future__ import annotations

import numpy as np

from heldout.analysis.alignment import AlignedScores
from heldout.errors import NotApplicableError
from heldout.tables.arrays import Bool, Ints


def users_of_group(table: AlignedScores, group: str) -> tuple[AlignedScores, str]:
    """The users of a group, and why no winner may be called on them; empty when one may.

    Systems and parameters are chosen on the development users, so a comparison on these praises what was fitted to them.
    """
    development = table.development
    _refuse(group, development)
    if not development.any():
        return table, ""
    if group == "evaluation":
        return table.only(~development), ""
    why = f"{int(development.sum()):,} of these users are the development group, on which systems are chosen"
    return (table.only(development) if group == "development" else table), why


def refuse_group(group: str, development: Bool | None, users: Ints) -> None:
    """NotApplicableError where a fold has no tested user of the group that is compared."""
    _refuse(group, np.zeros(len(users), dtype=np.bool_) if development is None else development[users])


def _refuse(group: str, development: Bool) -> None:
    if group == "development" and not development.any():
        raise NotApplicableError(
            "the split has no development users", where="compare", hint="divide the test users in the split, or compare all"
        )
    if group == "evaluation" and len(development) and development.all():
        raise NotApplicableError("every tested user is a development user", where="compare", hint="keep some for evaluation")
