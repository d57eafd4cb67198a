"""What a reader can switch between: every way of measuring by its choices, and what each says of the systems.

A way is a setting under one test, or a universe of a multiverse. `explored_settings` makes the ways of a study.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from heldout.analysis.contests import VerdictEvidence, favours, leader_effect
from heldout.analysis.findings import Findings
from heldout.analysis.rows import PairRow, Setting, VerdictRow
from heldout.analysis.sentences import Conclusion, brief, setting_conclusion
from heldout.catalogue import KINDS, make
from heldout.catalogue.spelled import spelled
from heldout.errors import UnknownNameError
from heldout.metrics.measuring import depth_of
from heldout.study.protocol import JUDGING
from heldout.study.spec import KEYS, KINDS_OF_STAGE
from heldout.tables.arrays import Bool, Float64, Int8, Int32
from heldout.text.names import short_names
from heldout.text.numbers import digits_for

NO_OPTION = -1
"""The code of a switch that does not apply to a way."""
_ORDER = (
    *("data", "filter", "filters", "split", "users", *JUDGING),
    *("metric", "cutoff", "aggregate", "undefined", "coverage", "test"),
)
_WORDS = {stage: declared.words for stage, declared in KEYS.items()}
_WORDS |= {"cutoff": "cut-off", "undefined": "undefined values", "coverage": "users without a list"}
_KINDS = {**KINDS_OF_STAGE, "filter": "filter", "metric": "metric", "cutoff": "metric", "test": "test"}


@dataclass(frozen=True)
class Switch:
    """A decision that varies, and its options."""

    name: str
    words: str
    """What a reader calls it."""
    letter: str
    """The decision's letter, A1 to D."""
    options: tuple[str, ...]


@dataclass(frozen=True, eq=False, kw_only=True)
class Switchboard:
    """All ways of measuring that a report can show; a row of every array is a way."""

    noun: str
    """What a way is called: setting, combination (of a setting and a test) or universe."""
    systems: tuple[str, ...]
    switches: tuple[Switch, ...]
    codes: Int32
    """Ways × switches: the option of each, or `NO_OPTION`. No two ways have the same codes."""
    number: Int32
    """The id of the setting, or the number of the universe."""
    tests: tuple[str, ...]
    """The test of each way; empty if nothing was tested."""
    start: int
    """The way that is shown first."""
    reference: int
    """The system whose margin is drawn, by its place: the first one of the start; −1 if nothing was compared there."""
    leader: Int32
    """The system that leads alone, by its place; −1 if the first two tie or nothing was compared."""
    significant: Int8
    """True if the leader is called a significant winner."""
    margin: Float64
    """The reference less the best other system, by the mean of both magnitudes: above 0 where the reference leads. NaN where
    it has no value, or no other has."""
    sentences: tuple[str, ...]
    """Who wins, by how much and how surely."""
    briefs: tuple[str, ...]
    """The same in a few words."""

    @property
    def has_curve(self) -> bool:
        """True if there are several ways, in some of which the reference stands beside another system."""
        several = len(self.codes) > 1 and bool(self.switches)
        return several and self.reference >= 0 and bool(np.isfinite(self.margin).any())

    @property
    def verdict_of_reference(self) -> Int8:
        """1 where the reference wins significantly, −1 where another system does, else 0."""
        side = np.where(self.leader == self.reference, 1, -1)
        return np.where(self.significant & (self.leader >= 0), side, 0).astype(np.int8)


def relative_margin(value: float | Float64, other: float | Float64, higher: bool | Bool) -> Float64:
    """(value − other) ÷ the mean of both magnitudes, positive where the value is better; 0 if both are 0.

    0.33 and 0.30 with higher values better: 0.03 ÷ 0.315 = 0.095.
    """
    values, others = np.asarray(value, dtype=np.float64), np.asarray(other, dtype=np.float64)
    difference = np.where(higher, values - others, others - values)
    magnitude = np.abs(values) + np.abs(others)
    unknown = np.where(np.isnan(difference), np.nan, 0.0)
    quotient: Float64 = np.divide(2 * difference, magnitude, out=unknown, where=magnitude > 0)
    return quotient


@dataclass(frozen=True)
class Way:
    """A setting as one test judges it; `row` is None if fewer than two systems have a value."""

    setting: Setting
    test: str
    row: VerdictRow | None
    conclusion: Conclusion


def settings_under_tests(findings: Findings, settings: Sequence[Setting]) -> list[Way]:
    """Every setting under every test that was made in it, with its verdict; the study's deciding test comes first."""
    rows = {row.setting: row for row in findings.verdict.rows}
    decisive = {row.setting: {row.leader, row.rival} for row in findings.verdict.rows}
    tested: set[tuple[int, str]] = set()
    pairs: dict[str, list[PairRow]] = {}
    for pair in findings.comparisons:  # of a thousand systems half a million: keep those that a verdict asks for
        tested.add((pair.setting, pair.test))
        of_test = pairs.setdefault(pair.test, [])
        held = decisive.get(pair.setting, ())
        if pair.a in held and pair.b in held:
            of_test.append(pair)
    tests = list(pairs) or [""]
    evidence = {test: _evidence(findings, settings, pairs.get(test, [])) for test in tests}
    judged = []
    for setting in settings:
        own = [test for test in tests if (setting.id, test) in tested] or [tests[0]]
        for test in own:
            row = rows.get(setting.id)
            if row is not None:
                row = _under_test(row, setting, evidence[test])
            judged.append(Way(setting, test, row, setting_conclusion(row, setting, evidence[test])))
    return judged


def _evidence(findings: Findings, settings: Sequence[Setting], pairs: Sequence[PairRow]) -> VerdictEvidence:
    return VerdictEvidence(
        settings=settings,
        leaders=findings.leaderboard,
        pairs=pairs,
        level=findings.level,
        systems=findings.systems,
        baseline=findings.baseline,
        selected={},
        served={},
    )


def _under_test(row: VerdictRow, setting: Setting, evidence: VerdictEvidence) -> VerdictRow:
    """The verdict of a setting if it rested on this test; who leads, and whether that may be called, no test changes."""
    pair = evidence.pair(setting.id, row.leader, row.rival)
    if pair is None:
        return replace(row, p_adjusted=None, significant=False, effect=None)
    p = pair.p_adjusted
    sure = p is not None and p < evidence.level and favours(pair, row.leader, setting) and not row.refused
    return replace(row, p_adjusted=p, significant=sure, effect=leader_effect(pair, row.leader, setting))


def explored_settings(findings: Findings, settings: Sequence[Setting]) -> Switchboard:
    """The ways of a study: these settings, each under every test, by the choices in which they differ."""
    ways = settings_under_tests(findings, settings)
    switches, codes = _switches(ways)
    place = {system: k for k, system in enumerate(findings.systems)}
    short = short_names(findings.systems)
    start = next(k for k, way in enumerate(ways) if way.setting.id == findings.primary)
    rows = [way.row for way in ways]
    leader = np.array([-1 if row is None or row.tie else place[row.leader] for row in rows], dtype=np.int32)
    boards = _evidence(findings, settings, ()).boards
    first = rows[start]
    margin = np.full(len(ways), np.nan)
    for k, way in enumerate(ways):
        board = {row.system: row.value for row in boards.get(way.setting.id, []) if row.value is not None}
        others = [system for system in board if first is not None and system != first.leader]
        if first is not None and first.leader in board and others:
            own, other = board[first.leader], board[others[0]]
            margin[k] = relative_margin(own, other, way.setting.higher_is_better)
    digits = [digits_for(row.value for row in boards.get(way.setting.id, [])) for way in ways]
    return Switchboard(
        noun="setting" if len(ways) == len(settings) else "combination",
        systems=findings.systems,
        switches=switches,
        codes=codes,
        number=np.array([way.setting.id for way in ways], dtype=np.int32),
        tests=tuple(way.test for way in ways),
        start=start,
        reference=-1 if first is None else place[first.leader],
        leader=leader,
        significant=np.array([row is not None and row.significant for row in rows], dtype=np.int8),
        margin=margin,
        sentences=tuple(way.conclusion.sentence for way in ways),
        briefs=tuple(
            "nothing to compare" if row is None else brief(row, decimals, short)
            for row, decimals in zip(rows, digits, strict=True)
        ),
    )


def _switches(ways: Sequence[Way]) -> tuple[tuple[Switch, ...], Int32]:
    """The decisions in which ways differ, each with the options it has, and what every way chose.

    A decision that always goes with others, as a rule of relevance with its target, is no switch.
    """
    chosen = [_choices(way) for way in ways]
    if _crossed([choices["metric"] for choices in chosen]):
        for choices in chosen:
            choices["metric"], choices["cutoff"] = _apart(choices["metric"])
    names = [name for name in _ORDER if any(name in choices for choices in chosen)]
    names += [name for choices in chosen for name in choices if name not in _ORDER]
    names = list(dict.fromkeys(names))
    options = {name: list(dict.fromkeys(choices.get(name, "") for choices in chosen)) for name in names}
    options = {name: [text for text in texts if text] for name, texts in options.items()}
    codes = {
        name: [texts.index(choices[name]) if choices.get(name) else NO_OPTION for choices in chosen]
        for name, texts in options.items()
    }
    kept = [name for name in names if len(set(codes[name])) > 1]
    for name in sorted(kept, key=lambda name: (name in ("metric", "target"), -kept.index(name))):
        others = [other for other in kept if other != name]
        if len(set(zip(*(codes[other] for other in others), strict=True)) if others else [()]) == len(chosen):
            kept = others
    table = np.array([codes[name] for name in kept], dtype=np.int32).reshape(len(kept), len(ways)).T
    return tuple(
        Switch(name, _WORDS.get(name, name), _letter(name), spelled(_KINDS.get(name, ""), options[name])) for name in kept
    ), table


def _choices(way: Way) -> dict[str, str]:
    own = way.setting
    beside = {"metric": own.metric, "aggregate": own.aggregate, "undefined": own.undefined, "coverage": own.coverage}
    return {**own.choices, **beside, "test": way.test}


def _apart(metric: str) -> tuple[str, str]:
    """A metric and its cut-off: nDCG@10 → nDCG and 10; AUC has none, and one that is not installed here stays whole."""
    try:
        depth = depth_of(make("metric", metric))
    except UnknownNameError:
        return metric, ""
    return (metric, "") if depth is None else (metric.rpartition("@")[0], str(depth))


def _crossed(metrics: Sequence[str]) -> bool:
    """True if every metric with a cut-off has all of several cut-offs, so that the two are switched apart."""
    cutoffs: dict[str, set[str]] = {}
    for metric in dict.fromkeys(metrics):
        name, cutoff = _apart(metric)
        if cutoff:
            cutoffs.setdefault(name, set()).add(cutoff)
    distinct = {frozenset(of_metric) for of_metric in cutoffs.values()}
    return len(distinct) == 1 and len(next(iter(distinct))) > 1


def _letter(name: str) -> str:
    kind = _KINDS.get(name)
    return KINDS[kind].decision if kind else ""
