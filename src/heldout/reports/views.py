"""Facts indexed by setting: its leaderboard, its tests, the leader against the others."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from heldout.analysis.explored import relative_margin
from heldout.analysis.facts import Facts, LayoutRow, LeaderRow, PairRow, Setting
from heldout.analysis.verdict_rows import VerdictRow, user_counts
from heldout.errors import SpecError
from heldout.words import counted, digits_for

CHARTED = 80
"""Settings up to which a chart shows them."""


@dataclass(frozen=True, kw_only=True)
class Held:
    """A system held against a rival in one setting; above 0, effect and margin favour the system."""

    a: str
    b: str
    difference: float
    effect: float | None
    margin: float | None
    """The difference of both values by the mean of their magnitudes."""


@dataclass(frozen=True)
class View:
    """Facts, indexed by setting."""

    facts: Facts

    @cached_property
    def _settings(self) -> dict[int, Setting]:
        return {setting.id: setting for setting in self.facts.settings}

    @cached_property
    def _boards(self) -> dict[int, list[LeaderRow]]:
        boards: dict[int, list[LeaderRow]] = {}
        for row in self.facts.leaderboard:
            boards.setdefault(row.setting, []).append(row)
        return {key: sorted(rows, key=lambda r: r.rank) for key, rows in boards.items()}

    @cached_property
    def _values(self) -> dict[tuple[int, str], float | None]:
        return {(row.setting, row.system): row.value for row in self.facts.leaderboard}

    @cached_property
    def _pairs(self) -> dict[tuple[int, str], list[PairRow]]:
        pairs: dict[tuple[int, str], list[PairRow]] = {}
        for row in self.facts.comparisons:
            pairs.setdefault((row.setting, row.test), []).append(row)
        return pairs

    @cached_property
    def _verdicts(self) -> dict[int, VerdictRow]:
        return {row.setting: row for row in self.facts.verdict.rows}

    def setting(self, key: int) -> Setting:
        """The setting of this id."""
        if key not in self._settings:
            ids = ", ".join(str(k) for k in sorted(self._settings)) or "none"
            raise SpecError(f"no setting {key} in this report", hint=f"its settings: {ids}")
        return self._settings[key]

    @cached_property
    def primary(self) -> Setting:
        """The setting that the verdict is about."""
        return self.setting(self.facts.primary)

    @property
    def about_users(self) -> str:
        """How many settings rest on other users than the primary one of the verdict; empty if none do."""
        rows = self.facts.verdict.on_other_users
        if not rows:
            return ""
        primary, counts = f"{self.board(self.facts.verdict.rows[0].setting)[0].users:,}", user_counts(rows)
        rest = f"{counted(len(rows), 'setting')} {'rests' if len(rows) == 1 else 'rest'} on other users than the primary one"
        return f"{rest}: {counts} instead of {primary}." if counts != primary else f"{rest}."

    @cached_property
    def contests(self) -> list[Setting]:
        """The settings in which systems are compared; all of them where every metric is descriptive."""
        return [s for s in self.facts.settings if not s.descriptive] or list(self.facts.settings)

    @cached_property
    def descriptive(self) -> list[Setting]:
        """The settings that stand beside the leaderboard: their metrics describe lists and decide nothing."""
        return [s for s in self.facts.settings if s.descriptive]

    def board(self, key: int) -> list[LeaderRow]:
        """The leaderboard of a setting, best first."""
        return self._boards.get(key, [])

    def shown(self, most: int) -> list[str]:
        """Systems with a column of their own: all by place in the primary setting, or the first of these and all leaders."""
        order = [row.system for row in self.board(self.primary.id)]
        order += [s for s in self.facts.systems if s not in set(order)]
        if len(order) <= most:
            return order
        leaders = {row.leader for row in self.facts.verdict.rows}
        first = set(order[: max(1, most - len(leaders))]) | leaders
        return [s for s in order if s in first][:most]

    def verdict(self, key: int) -> VerdictRow | None:
        """Who leads in a setting."""
        return self._verdicts.get(key)

    def alone(self, key: int) -> str | None:
        """The system that leads a setting alone; None where the first two tie, and where nothing was compared."""
        row = self.verdict(key)
        return None if row is None or row.tie else row.leader

    def held(self, row: VerdictRow) -> Held:
        """The pair that says whether the primary setting's answer holds in another, seen from the primary leader.

        It is seen from the setting's leader where the primary leader has no value, and with a baseline: does it beat that?
        """
        from_rival = self.facts.baseline is None and row.rival == self.leader(self.facts.primary)
        system = row.rival if from_rival else row.leader
        rival, difference, effect = row.seen_from(system)
        value, other = self.value(row.setting, system), self.value(row.setting, rival)
        margin = None
        if value is not None and other is not None:
            margin = float(relative_margin(value, other, self.setting(row.setting).higher_is_better))
        return Held(a=system, b=rival, difference=difference, effect=effect, margin=margin)

    @cached_property
    def margins(self) -> list[tuple[VerdictRow, Held]]:
        """The settings that an axis of margins can show: those in which the primary leader has a value."""
        pairs = [(row, self.held(row)) for row in self.facts.verdict.rows]
        first = self.leader(self.facts.primary)
        return [(row, held) for row, held in pairs if held.margin is not None and (self.facts.baseline or held.a == first)]

    @property
    def margins_drawn(self) -> bool:
        """Whether a chart shows the margins: of several settings, and not of more than it has room for."""
        return len(self.contests) > 1 and 0 < len(self.margins) <= CHARTED

    def leader(self, key: int) -> str | None:
        """The first system of a setting."""
        row = self.verdict(key)
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
        """The first test of a setting that has p-values; None where nothing was tested."""
        return next((t for t in self.tests(key) if any(p.p is not None for p in self._pairs[key, t])), None)

    def pairs(self, key: int, test: str) -> list[PairRow]:
        """All pairs of a setting under a test, the higher-ranked system as `a`, in leaderboard order.

        With a baseline that is `b` throughout: what is asked is whether the others do better than it.
        """
        place = {row.system: i for i, row in enumerate(self.board(key))}
        last = len(place)
        rows = self._pairs.get((key, test), [])
        if self.facts.baseline is not None:
            return sorted(rows, key=lambda r: place.get(r.a, last))
        turned = [r.flipped() if place.get(r.b, last) < place.get(r.a, last) else r for r in rows]
        return sorted(turned, key=lambda r: (place.get(r.a, last), place.get(r.b, last)))

    def count(self, key: int, test: str) -> int:
        """How many pairs of a setting there are under a test."""
        return len(self._pairs.get((key, test), []))

    def against_others(self, key: int, test: str) -> list[PairRow]:
        """The pairs that the setting's leader is in, seen from the leader; with a baseline, all pairs with that."""
        if self.facts.baseline is not None:
            return self.pairs(key, test)
        leader = self.leader(key)
        rows = [r if r.a == leader else r.flipped() for r in self._pairs.get((key, test), []) if leader in (r.a, r.b)]
        place = {row.system: i for i, row in enumerate(self.board(key))}
        return sorted(rows, key=lambda r: place.get(r.b, len(place)))

    def held_pairs(self, key: int, test: str) -> dict[str, PairRow]:
        """By system, its pair with the setting's leader, or with the baseline, under a test."""
        held = self.facts.baseline or self.leader(key)
        return {row.b if row.a == held else row.a: row for row in self._pairs.get((key, test), []) if held in (row.a, row.b)}

    def pair(self, key: int, test: str, a: str, b: str) -> PairRow | None:
        """One pair as a − b."""
        for row in self._pairs.get((key, test), []):
            if (row.a, row.b) == (a, b):
                return row
            if (row.b, row.a) == (a, b):
                return row.flipped()
        return None

    def layouts(self, key: int) -> list[LayoutRow]:
        """What tests of all systems at once say of a setting."""
        return [row for row in self.facts.layouts if row.setting == key]

    def aggregations(self, key: int) -> list[Setting]:
        """The settings that differ from this one in nothing but how users become one number, itself among them."""
        own = self.setting(key)
        return [
            s
            for s in self.facts.settings
            if s.descriptive == own.descriptive
            and replace(s, id=key, aggregate="", label="", higher_is_better=True)
            == replace(own, aggregate="", label="", higher_is_better=True)
        ]

    def groups(self, key: int) -> dict[str, list[str]]:
        """Letter → the systems that share it, best first: those that the tests cannot tell apart."""
        groups: dict[str, list[str]] = {}
        for row in self.board(key):
            for letter in row.group:
                groups.setdefault(letter, []).append(row.system)
        return groups

    @cached_property
    def lettered(self) -> bool:
        """Whether systems have letters anywhere: with a baseline they have none."""
        return any(row.group for row in self.facts.leaderboard)

    def value(self, key: int, system: str) -> float | None:
        """The value of a system in a setting."""
        return self._values.get((key, system))

    def digits(self, key: int) -> int:
        """Decimals for the values of a setting."""
        return digits_for(row.value for row in self.board(key))
