"""The verdict as plain data: its sentence, and for each setting who leads, against whom and how surely."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from heldout.json_codec import SPARSE


@dataclass(frozen=True, kw_only=True)
class VerdictRow:
    """Who leads in one setting, held against one rival, and whether that is what the primary setting says."""

    setting: int
    leader: str
    value: float
    rival: str
    """Whom the leader is held against: the baseline where there is one, else the leader of the primary setting where that
    does not lead here, else the runner-up."""
    difference: float
    """Leader minus rival."""
    p_adjusted: float | None
    significant: bool
    agrees: bool
    refused: str = ""
    """Why the leader is not called the winner though it is ahead, completing "the leader …"."""
    remark: str = ""
    """The same in a few words."""
    effect: float | None = None
    """Paired Cohen d, above 0 where the users compared are better off with the leader."""
    users: int = 0
    """Users of the setting."""
    served: int = 0
    """Those whom every system recommends something to."""
    other_users: int = field(default=0, metadata=SPARSE)
    """Users that the leader is averaged over, if the setting rests on other users than the primary one; else 0."""

    @property
    def tie(self) -> bool:
        """Whether leader and rival have the same value."""
        return self.difference == 0

    @property
    def answer(self) -> Literal["same", "other", "tie", "uncalled"]:
        """What the setting says of the primary setting's leader: it leads here too, another does, two tie, or no winner is
        called."""
        return "uncalled" if self.refused else "tie" if self.tie else "same" if self.agrees else "other"

    def seen_from(self, system: str) -> tuple[str, float, float | None]:
        """The other system of the pair, with difference and effect seen from this one."""
        if system == self.leader:
            return self.rival, self.difference, self.effect
        return self.leader, -self.difference, None if self.effect is None else -self.effect


def user_counts(rows: Sequence[VerdictRow]) -> str:
    """How many users settings on other users have: "900", or "900 to 1,477"."""
    low, high = (pick(row.other_users for row in rows) for pick in (min, max))
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


@dataclass(frozen=True)
class Verdict:
    """Who wins, and whether that holds elsewhere."""

    sentence: str
    rows: tuple[VerdictRow, ...] = ()
    """One for each setting with two systems or more; the primary one first."""

    @property
    def holding(self) -> tuple[VerdictRow, ...]:
        """The settings in which the primary leader leads alone and may be called the winner."""
        return tuple(row for row in self.rows if row.answer == "same")

    @property
    def contradicting(self) -> tuple[VerdictRow, ...]:
        """The settings in which another system leads significantly."""
        return tuple(row for row in self.rows if not row.agrees and row.significant)

    @property
    def uncalled(self) -> tuple[VerdictRow, ...]:
        """The settings in which no winner is called though a system is ahead."""
        return tuple(row for row in self.rows if row.refused)

    @property
    def on_other_users(self) -> tuple[VerdictRow, ...]:
        """The settings that rest on other users than the primary one."""
        return tuple(row for row in self.rows if row.other_users)

    @property
    def tested(self) -> bool:
        """Whether any setting has a p-value."""
        return any(row.p_adjusted is not None for row in self.rows)
