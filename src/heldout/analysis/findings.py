"""The findings of a study: numbers and sentences as plain data, from which every form of report is drawn.

Whatever is shown in the terminal, in HTML, in LaTeX or in a plot is here first; `Findings.to_dict` is its JSON.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from heldout.analysis.choices import Card, Choice
from heldout.analysis.details import CurveRow, Definitions, Details, DiagnosticRow, Pictures, SystemCost
from heldout.analysis.rows import LayoutRow, LeaderRow, NoticeRow, PairRow, Setting, Verdict, VerdictRow
from heldout.data.profile import DataSteps
from heldout.errors import SpecError
from heldout.splits.sizes import SplitCounts
from heldout.storage.codec import SPARSE, from_plain, to_plain
from heldout.text.numbers import digits_for

KEYS = (
    *("title", "task", "seed", "systems", "primary", "verdict", "settings", "leaderboard", "comparisons", "choices", "data"),
    *("splits", "cards", "notices", "references", "manifest", "level", "layouts", "diagnostics", "curves", "baseline"),
    "pictures",
)
"""What `Findings.to_dict` has, in its order."""


@dataclass(frozen=True, kw_only=True)
class _Written:
    """The details of findings, as they are written."""

    choices: tuple[Choice, ...]
    cards: tuple[Card, ...]
    references: dict[str, str]
    data: tuple[DataSteps, ...]
    diagnostics: tuple[DiagnosticRow, ...]
    curves: tuple[CurveRow, ...]
    pictures: Pictures


@dataclass(frozen=True, kw_only=True)
class Findings:
    """All that a report says of a study."""

    title: str
    task: str
    seed: int
    systems: tuple[str, ...]
    primary: int
    verdict: Verdict
    settings: tuple[Setting, ...]
    leaderboard: tuple[LeaderRow, ...]
    comparisons: tuple[PairRow, ...]
    splits: tuple[SplitCounts, ...] = ()
    notices: tuple[NoticeRow, ...] = ()
    manifest: dict[str, Any] = field(default_factory=dict)
    """Versions, digests, machine and seconds of each stage."""
    level: float = 0.05
    """The level of significance; intervals hold with 1 − level."""
    layouts: tuple[LayoutRow, ...] = ()
    """Tests of all systems at once."""
    baseline: str | None = None
    """The system that all others are compared with; None if all pairs are compared."""
    details: Details = field(default=Details(), metadata=SPARSE)
    """Costly parts, each computed when it is first read: definitions, `data`, `diagnostics`, `curves` and `pictures`."""
    costs: tuple[SystemCost, ...] = field(default=(), metadata=SPARSE)
    """What fitting and scoring took. It differs from run to run and is no part of `to_dict`: the manifest has it."""

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON types; numbers that are not finite are null."""
        return {name: to_plain(getattr(self, name)) for name in KEYS}

    @classmethod
    def from_dict(cls, record: dict[str, Any]) -> Findings:
        """The findings that `to_dict` wrote."""
        written = from_plain(_Written, record)
        details = Details.known(
            definitions=Definitions(choices=written.choices, cards=written.cards, references=written.references),
            data=written.data,
            diagnostics=written.diagnostics,
            curves=written.curves,
            pictures=written.pictures,
        )
        return replace(from_plain(cls, record), details=details)

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The decisions of the study with their options."""
        return self.details.definitions.value.choices

    @property
    def cards(self) -> tuple[Card, ...]:
        """What each metric means."""
        return self.details.definitions.value.cards

    @property
    def references(self) -> dict[str, str]:
        """Citation key → formatted reference."""
        return self.details.definitions.value.references

    @property
    def data(self) -> tuple[DataSteps, ...]:
        """Each data set before its filters and after each."""
        return self.details.data.value

    @property
    def diagnostics(self) -> tuple[DiagnosticRow, ...]:
        """Metrics that describe lists, by protocol."""
        return self.details.diagnostics.value

    @property
    def curves(self) -> tuple[CurveRow, ...]:
        """Curves of metrics that have one."""
        return self.details.curves.value

    @property
    def pictures(self) -> Pictures:
        """What further pictures of the primary setting are drawn from."""
        return self.details.pictures.value

    @cached_property
    def _settings(self) -> dict[int, Setting]:
        return {setting.id: setting for setting in self.settings}

    @cached_property
    def _boards(self) -> dict[int, list[LeaderRow]]:
        boards: dict[int, list[LeaderRow]] = {}
        for row in self.leaderboard:
            boards.setdefault(row.setting, []).append(row)
        return {key: sorted(rows, key=lambda r: r.rank) for key, rows in boards.items()}

    @cached_property
    def _values(self) -> dict[tuple[int, str], float | None]:
        return {(row.setting, row.system): row.value for row in self.leaderboard}

    @cached_property
    def _pairs(self) -> dict[tuple[int, str], list[PairRow]]:
        pairs: dict[tuple[int, str], list[PairRow]] = {}
        for row in self.comparisons:
            pairs.setdefault((row.setting, row.test), []).append(row)
        return pairs

    @cached_property
    def _verdicts(self) -> dict[int, VerdictRow]:
        return {row.setting: row for row in self.verdict.rows}

    def setting(self, key: int) -> Setting:
        """The setting of this id."""
        if key not in self._settings:
            ids = ", ".join(str(k) for k in sorted(self._settings)) or "none"
            raise SpecError(f"no setting {key} in this report", hint=f"its settings: {ids}")
        return self._settings[key]

    @cached_property
    def primary_setting(self) -> Setting:
        """The setting that the verdict is about."""
        return self.setting(self.primary)

    @cached_property
    def contests(self) -> list[Setting]:
        """The settings in which systems are compared; all of them if every metric is descriptive."""
        return [s for s in self.settings if not s.descriptive] or list(self.settings)

    @cached_property
    def descriptive(self) -> list[Setting]:
        """The settings whose metrics describe lists and decide nothing."""
        return [s for s in self.settings if s.descriptive]

    def board(self, key: int) -> list[LeaderRow]:
        """The leaderboard of a setting, best first."""
        return self._boards.get(key, [])

    def verdict_row(self, key: int) -> VerdictRow | None:
        """Who leads in a setting."""
        return self._verdicts.get(key)

    def alone(self, key: int) -> str | None:
        """The system that leads a setting alone; None if the first two tie or nothing was compared."""
        row = self.verdict_row(key)
        return None if row is None or row.tie else row.leader

    def leader(self, key: int) -> str | None:
        """The first system of a setting."""
        row = self.verdict_row(key)
        board = self.board(key)
        return row.leader if row else board[0].system if board else None

    @cached_property
    def _tests(self) -> dict[int, list[str]]:
        tests: dict[int, list[str]] = {}
        for setting, test in self._pairs:
            tests.setdefault(setting, []).append(test)
        return tests

    def tests(self, key: int) -> list[str]:
        """The tests run in a setting, the study's first one first."""
        return self._tests.get(key, [])

    def deciding_test(self, key: int) -> str | None:
        """The first test of a setting that has p-values; None if nothing was tested."""
        return next((t for t in self.tests(key) if any(p.p is not None for p in self._pairs[key, t])), None)

    def pairs(self, key: int, test: str) -> list[PairRow]:
        """All pairs of a setting under a test, the higher-ranked system as `a`, in leaderboard order.

        With a baseline that is `b` throughout: what is asked is whether the others do better than it.
        """
        place = {row.system: i for i, row in enumerate(self.board(key))}
        last = len(place)
        rows = self._pairs.get((key, test), [])
        if self.baseline is not None:
            return sorted(rows, key=lambda r: place.get(r.a, last))
        turned = [r.flipped() if place.get(r.b, last) < place.get(r.a, last) else r for r in rows]
        return sorted(turned, key=lambda r: (place.get(r.a, last), place.get(r.b, last)))

    def count(self, key: int, test: str) -> int:
        """How many pairs of a setting there are under a test."""
        return len(self._pairs.get((key, test), []))

    def against_others(self, key: int, test: str) -> list[PairRow]:
        """The pairs that the setting's leader is in, seen from the leader; with a baseline, all pairs with that."""
        if self.baseline is not None:
            return self.pairs(key, test)
        leader = self.leader(key)
        rows = [r if r.a == leader else r.flipped() for r in self._pairs.get((key, test), []) if leader in (r.a, r.b)]
        place = {row.system: i for i, row in enumerate(self.board(key))}
        return sorted(rows, key=lambda r: place.get(r.b, len(place)))

    def held_pairs(self, key: int, test: str) -> dict[str, PairRow]:
        """By system, its pair with the setting's leader, or with the baseline, under a test."""
        held = self.baseline or self.leader(key)
        return {row.b if row.a == held else row.a: row for row in self._pairs.get((key, test), []) if held in (row.a, row.b)}

    def pair(self, key: int, test: str, a: str, b: str) -> PairRow | None:
        """One pair as a − b."""
        for row in self._pairs.get((key, test), []):
            if (row.a, row.b) == (a, b):
                return row
            if (row.b, row.a) == (a, b):
                return row.flipped()
        return None

    def layouts_of(self, key: int) -> list[LayoutRow]:
        """What tests of all systems at once say of a setting."""
        return [row for row in self.layouts if row.setting == key]

    def aggregations(self, key: int) -> list[Setting]:
        """The settings that differ from this one in nothing but how users become one number, itself among them."""
        own = self.setting(key)
        return [
            s
            for s in self.settings
            if s.descriptive == own.descriptive
            and replace(s, id=key, aggregate="", label="", higher_is_better=True)
            == replace(own, aggregate="", label="", higher_is_better=True)
        ]

    def groups(self, key: int) -> dict[str, list[str]]:
        """Letter → the systems that share it, best first; they do not differ significantly."""
        groups: dict[str, list[str]] = {}
        for row in self.board(key):
            for letter in row.group:
                groups.setdefault(letter, []).append(row.system)
        return groups

    @cached_property
    def lettered(self) -> bool:
        """True if systems have letters in any setting; with a baseline they have none."""
        return any(row.group for row in self.leaderboard)

    def value(self, key: int, system: str) -> float | None:
        """The value of a system in a setting."""
        return self._values.get((key, system))

    def digits(self, key: int) -> int:
        """Decimals for the values of a setting."""
        return digits_for(row.value for row in self.board(key))


def distinct_contests(findings: Findings) -> list[Setting]:
    """Contests in which users have different values. The label of each names the later ones that are identical to it.

    "AllItems · P@10" and "TestItems · P@10" make "AllItems = TestItems · P@10".
    """
    alike: dict[int, list[Setting]] = {}
    for setting in findings.contests:
        alike.setdefault(setting.id if setting.same_as is None else setting.same_as, []).append(setting)
    return [replace(group[0], label=_joined([s.label for s in group])) for group in alike.values()]


def _joined(labels: Sequence[str]) -> str:
    """Labels of several settings as one: parts in which they differ are joined by =."""
    parts = [label.split(" · ") for label in labels]
    if len({len(own) for own in parts}) > 1:
        return " = ".join(labels)
    return " · ".join(" = ".join(dict.fromkeys(column)) for column in zip(*parts, strict=True))
