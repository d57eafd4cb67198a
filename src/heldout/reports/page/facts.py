"""The facts that a page holds for its script: all of them where they are few, else those that it shows.

A thousand systems have half a million pairs in every setting. Such a page keeps the leaderboards, and of the pairs those of
each setting's leader with its nearest rivals; what is left out is counted, and the page says where it stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from heldout.analysis.findings import Findings
from heldout.analysis.rows import LeaderRow, PairRow, Setting
from heldout.json_codec import to_plain
from heldout.tables.deferred import Deferred
from heldout.words import count, listed

PAIRS = 3_000
"""Rows of comparisons up to which all are embedded; beyond, about as many as that."""
BOARDS = 3_000
"""The same for rows of leaderboards."""
SETTINGS = 300
"""Settings that a page shows at the most."""
LEAST_SYSTEMS, LEAST_RIVALS = 20, 5
"""Systems of every leaderboard, and rivals of every leader, that are kept in any case."""
DIGITS = 7
"""Significant figures of numbers in a page that is abridged."""


@dataclass(frozen=True)
class Embedded:
    """The part of the findings that a page holds."""

    findings: Findings

    @property
    def whole(self) -> bool:
        """Whether the page holds everything."""
        findings = self.findings
        return (
            len(findings.comparisons) <= PAIRS and len(findings.leaderboard) <= BOARDS and len(findings.settings) <= SETTINGS
        )

    @cached_property
    def settings(self) -> list[Setting]:
        """The settings shown, the primary one first among contests; those of descriptive metrics stand in their table."""
        kept = sorted(self.findings.contests, key=lambda s: s.id != self.findings.primary)[:SETTINGS]
        return sorted(kept, key=lambda s: s.id)

    @cached_property
    def leaderboard(self) -> list[LeaderRow]:
        """The best systems of every setting shown."""
        most = max(LEAST_SYSTEMS, BOARDS // max(1, len(self.settings)))
        return [row for s in self.settings for row in self.findings.board(s.id)[:most]]

    @cached_property
    def comparisons(self) -> list[PairRow]:
        """The leader's pairs of every setting with its nearest rivals; of the primary setting all pairs if they are few."""
        findings = self.findings
        tests = {s.id: findings.tests(s.id) for s in self.settings}
        most = max(LEAST_RIVALS, PAIRS // max(1, sum(map(len, tests.values()))))
        rows = []
        for setting in self.settings:
            for test in tests[setting.id]:
                every = findings.count(setting.id, test)
                primary = setting.id == findings.primary and every * len(tests[setting.id]) <= PAIRS
                rows += findings.pairs(setting.id, test) if primary else findings.against_others(setting.id, test)[:most]
        return rows

    def left_out(self) -> str:
        """What the page does not hold and where it stands; empty where it holds everything."""
        if self.whole:
            return ""
        findings = self.findings
        contests = len(self.findings.contests)
        gone = [
            (contests - len(self.settings), "settings", contests),
            (len(findings.leaderboard) - len(self.leaderboard), "rows of leaderboards", len(findings.leaderboard)),
            (len(findings.comparisons) - len(self.comparisons), "comparisons", len(findings.comparisons)),
        ]
        counts = [f"{count(n)} of {count(of)} {noun}" for n, noun, of in gone if n]
        files = "facts.json, or comparisons.parquet beside it,"
        where = f"All of them stand in {files} of the results folder, in results.leaderboard and in results.comparisons."
        rounded = f"Numbers in this page have {DIGITS} significant figures."
        return f"Left out for the size of the page: {listed(counts)}. {where} {rounded}" if counts else f"{rounded} {where}"

    def to_dict(self) -> dict[str, Any]:
        """The facts as JSON types; where they are abridged, tables are columns and rows."""
        if self.whole:
            return self.findings.to_dict()
        kept = {s.id for s in self.settings}
        verdict = replace(self.findings.verdict, rows=tuple(r for r in self.findings.verdict.rows if r.setting in kept))
        brief = replace(
            self.findings,
            settings=tuple(self.settings),
            leaderboard=(),
            comparisons=(),
            details=replace(self.findings.details, curves=Deferred.known(()), diagnostics=Deferred.known(())),
            verdict=verdict,
        )
        tables = {"leaderboard": _columns(self.leaderboard), "comparisons": _columns(self.comparisons)}
        return brief.to_dict() | tables | {"left_out": self.left_out()}


def _columns(rows: Sequence[LeaderRow] | Sequence[PairRow]) -> dict[str, Any]:
    """Rows as their names, once, and lists of values."""
    names = list(vars(rows[0])) if rows else []
    return {"columns": names, "rows": [[_rounded(to_plain(value)) for value in vars(row).values()] for row in rows]}


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _rounded(inner) for name, inner in value.items()}
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value
