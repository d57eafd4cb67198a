"""Development and evaluation users: who is compared, and when no winner may be called."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from heldout.errors import NotApplicableError
from heldout.study.align import Aligned
from heldout.study.outcome import Notice


def whom(found: Aligned, group: str) -> tuple[Aligned, str]:
    """The users of a group, and why no winner may be called on them; empty when one may.

    Systems and parameters are chosen on the development users, so a comparison on these praises what was fitted to them.
    """
    development = found.development
    if not development.any():
        if group == "development":
            raise NotApplicableError(
                "the split has no development users",
                where="compare",
                hint="divide the test users in the split, or compare all",
            )
        return found, ""
    if group == "evaluation":
        if development.all():
            raise NotApplicableError(
                "every tested user is a development user", where="compare", hint="keep some for evaluation"
            )
        return found.only(~development), ""
    why = f"{int(development.sum()):,} of these users are the development group, on which systems are chosen"
    return (found.only(development) if group == "development" else found), why


def about_groups(compared: Sequence[Aligned], group: str) -> Iterator[Notice]:
    """Notices about who was left out, or ought to have been."""
    if group != "evaluation" and any(found.development.any() for found in compared):
        yield Notice("HO406", f"group = {group} compares development users; no winner is called")
