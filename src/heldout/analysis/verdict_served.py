"""Whom a verdict rests on, and why no winner is called where too many users are served by some systems only."""

from __future__ import annotations

from collections.abc import Sequence

from heldout.analysis.facts import Setting
from heldout.analysis.served_users import Served
from heldout.analysis.verdict_rows import VerdictRow
from heldout.catalogue import make
from heldout.words import number, percent, signed

INSTEAD = (
    "Leave out the systems that serve few; or, in a study that fits them, name a fallback for what they cannot score or "
    'test only users with training ratings (users = [["with_train", "with_test"]]).'
)
"""Of runs made elsewhere only the first can be done."""


def why_uncalled(served: Served | None, leader: str, setting: Setting, systems: Sequence[str]) -> tuple[str, str]:
    """Why a leader is not called the winner, completing "the leader …", and a short remark; both empty where it may be."""
    if served is None or served.served == served.users:
        return "", ""
    if served.few:
        return f"leads among users of whom {percent(served.share)} are served by every system", "few users served"
    if leader in systems and served.depends(systems.index(leader), higher=setting.higher_is_better):
        return "depends on what users count as whom some system does not serve", "depends on the users not served"
    return "", ""


def uncalled(setting: Setting, served: Served, systems: Sequence[str]) -> str:
    """The whole verdict where no winner is called for lack of service: who leads whichever way the unserved count."""
    higher = setting.higher_is_better
    as_zero, common = (_lead(served, values, systems, higher=higher) for values in (served.as_zero, served.common))
    reached = f"{'only ' if served.few else ''}{served.served:,} of the {served.users:,} users ({percent(served.share)})"
    start = f"No winner is called on {setting.label}: {reached} are served by every system"
    if not common:
        lead = f"; with the others counted as recommended nothing, {as_zero}" if as_zero else ""
        return f"{start}{lead}. {INSTEAD}"
    counted = "" if higher else ", each system over the users it serves"
    over_all = "with the others counted as recommended nothing" if higher else f"over all of them{counted}"
    return f"{start}. {over_all[0].upper()}{over_all[1:]}, {as_zero}; with the others left out, {common}. {INSTEAD}"


def rests_on(row: VerdictRow, setting: Setting, averaged: int) -> str:
    """Whom a winner rests on, if only some users are `averaged` or served by every system."""
    coverage = make("coverage", setting.coverage)
    text = ""
    if coverage.as_zero and averaged < row.users:  # other rules leave out users who have a value
        text = f" For {row.users - averaged:,} of the {row.users:,} users {setting.metric} has no value; they are left out."
    if row.served >= row.users:
        return text
    fate = coverage.fate(higher_is_better=setting.higher_is_better)
    reached = f"{row.served:,} of the {row.users:,} users ({percent(row.served / row.users)})"
    return f"{text} {reached} are served by every system; the others {fate}."


def _lead(served: Served, values: Sequence[float | None], systems: Sequence[str], *, higher: bool) -> str:
    """Who has the best of these values, and by how much: "A leads (0.5000, +0.1000 over B)"."""
    order = sorted(
        ((v, k) for k, v in enumerate(values) if v is not None), key=lambda vk: (-vk[0] if higher else vk[0], vk[1])
    )
    if not order:
        return ""
    value, first = order[0]
    over = f", {signed(value - order[1][0], 4)} over {systems[order[1][1]]}" if len(order) > 1 else ""
    if len(order) > 1 and value == order[1][0]:
        return f"{systems[first]} and {systems[order[1][1]]} tie at {number(value, 4)}"
    return f"{systems[first]} leads ({number(value, 4)}{over})"
