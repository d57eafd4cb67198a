"""Two results side by side: what differs in their protocols, decision by decision, and in their numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import isnan
from pathlib import Path
from typing import Any

import polars as pl

from heldout.analysis.findings import Findings
from heldout.analysis.rows import Setting
from heldout.api.load import load
from heldout.api.results import Results
from heldout.catalogue import KINDS as COMPONENT_KINDS
from heldout.experiment.ledger import kind_words, read_manifest
from heldout.text.numbers import counted
from heldout.text.phrases import listed
from heldout.universes.findings import MultiverseFindings
from heldout.web.summaries import reading, short_protocol, written_protocol

TASK = ("data", "filters", "split", "users", "relevance", "target")
"""Keys of a study file that decide what is asked of a system: under other options, values are of another scale."""
LETTERS = {kind.stage: kind.decision for kind in COMPONENT_KINDS.values() if kind.stage and kind.decision}
"""Key of a study file → the letter of its decision."""


@dataclass(frozen=True, kw_only=True)
class ProtocolRow:
    """One decision in two studies."""

    letter: str
    key: str
    first: tuple[str, ...]
    second: tuple[str, ...]
    same: bool


@dataclass(frozen=True, kw_only=True)
class NumberRow:
    """One number that both have."""

    of: str
    """The setting, or what else tells numbers of the same name apart."""
    system: str
    name: str
    first: float
    second: float

    @property
    def difference(self) -> float:
        """By how much the second is higher."""
        return self.second - self.first


@dataclass(frozen=True, kw_only=True)
class SideBySide:
    """Two results, and what differs between them."""

    protocol: tuple[ProtocolRow, ...]
    numbers: tuple[NumberRow, ...]
    remark: str
    """How numbers were matched, or why there are none."""


def side_by_side(first: str | Path, second: str | Path) -> SideBySide:
    """What differs between two results folders: decision by decision, and number by number where both have it.

    Settings of two studies are the same where they agree in every decision but those for which each study has one option
    and these differ: such a decision is a difference of the whole studies.
    """
    manifests = read_manifest(first), read_manifest(second)
    for folder, manifest in zip((first, second), manifests, strict=True):
        with reading(folder):
            written_protocol(manifest)
    protocol = tuple(_protocol_rows(*manifests))
    if manifests[0].get("kind") != manifests[1].get("kind"):
        kinds = f"{kind_words(manifests[0])} and {kind_words(manifests[1])}"
        return SideBySide(protocol=protocol, numbers=(), remark=f"They are {kinds}, whose numbers are not the same.")
    results = load(first), load(second)
    apart = {row.key for row in protocol if row.letter and not row.same and len(row.first) == len(row.second) == 1}
    tables = [_numbers(each, apart) for each in results]
    shared = [key for key in tables[0] if key in tables[1]]
    labels = _labels(shared)
    numbers = tuple(
        NumberRow(of=label, system=place.system, name=place.name, first=tables[0][place], second=tables[1][place])
        for place, label in zip(shared, labels, strict=True)
    )
    return SideBySide(protocol=protocol, numbers=numbers, remark=_remark(tables, len(shared), apart))


def _remark(tables: list[dict[_Place, float]], shared: int, apart: set[str]) -> str:
    if not shared:
        return "No system was measured by both in the same setting, so no number can stand beside another."
    words = [f"{counted(shared, 'number stands', 'numbers stand')} side by side"]
    for table, which in zip(tables, ("first", "second"), strict=True):
        if len(table) > shared:
            words.append(f"{counted(len(table) - shared, 'is', 'are')} only in the {which}")
    if apart:
        words.append(f"the studies as a whole differ in {listed(sorted(apart))}, so settings are matched by all else")
    task = listed([key for key in TASK if key in apart])
    warning = f" Under other {task} the task is another: compare the order of systems, not their values." if task else ""
    return "; ".join(words) + "." + warning


def _labels(places: list[_Place]) -> list[str]:
    """What tells each place from the others, apart from system and name: the options in which they differ."""
    varying = [stage for stage in places[0].choices if len({place.choices[stage] for place in places}) > 1] if places else []
    return [" · ".join(place.choices[stage] for stage in varying) if place.choices else place.of for place in places]


def _protocol_rows(first: Mapping[str, Any], second: Mapping[str, Any]) -> list[ProtocolRow]:
    sides = [written_protocol(manifest) for manifest in (first, second)]
    shorts = [short_protocol(side) for side in sides]
    rows = []
    for key in dict.fromkeys([*sides[0], *sides[1]]):
        whole = [side.get(key, ()) for side in sides]
        short = [side.get(key, ()) for side in shorts]
        same = whole[0] == whole[1]
        shown = whole if short[0] == short[1] and not same else short
        rows.append(ProtocolRow(letter=LETTERS.get(key, ""), key=key, first=shown[0], second=shown[1], same=same))
    rows += _origins(first, second)
    return sorted(rows, key=lambda row: (row.letter == "", row.letter))


def _origins(first: Mapping[str, Any], second: Mapping[str, Any]) -> Iterator[ProtocolRow]:
    """What both say of their data, their folds and Heldout: files of one name may hold other ratings."""
    for key, entry in (("data (digest)", "inputs"), ("folds (digest)", "folds"), ("Heldout (version)", "versions")):
        sides = [_digests(manifest.get(entry), "heldout" if entry == "versions" else "") for manifest in (first, second)]
        if all(sides):
            yield ProtocolRow(letter="", key=key, first=sides[0], second=sides[1], same=sides[0] == sides[1])


def _digests(by_name: Mapping[str, Any] | None, only: str) -> tuple[str, ...]:
    return tuple(sorted({str(value)[:12] for name, value in (by_name or {}).items() if not only or name == only}))


@dataclass(frozen=True, kw_only=True)
class _Place:
    """What tells a number apart."""

    of: str
    system: str
    name: str
    choices: Mapping[str, str] = field(default_factory=dict, compare=False)
    """Key of a study file → the option that `of` is made of."""


def _numbers(results: Results[Any], apart: set[str]) -> dict[_Place, float]:
    if isinstance(results.findings, Findings):
        return _leaderboard(results.findings, apart)
    if isinstance(results.findings, MultiverseFindings):
        return {
            _Place(of=f"{pair.first} and {pair.second}", system="", name=name): float(universes)
            for pair in results.findings.pairs
            for name, universes in (
                ("universes", pair.shares.universes),
                (f"{pair.first} wins", pair.shares.first),
                (f"{pair.second} wins", pair.shares.second),
                ("neither wins", pair.shares.neither),
            )
        }
    return _of_table(results.tables[results._kind.main].frame)


def _leaderboard(findings: Findings, apart: set[str]) -> dict[_Place, float]:
    choices = {setting.id: _choices(setting) for setting in findings.settings}
    metrics = {setting.id: setting.metric for setting in findings.settings}
    numbers = {}
    for row in findings.leaderboard:
        if row.value is not None:
            matched = {stage: text for stage, text in choices[row.setting].items() if stage not in apart}
            of = " · ".join(matched.values())
            numbers[_Place(of=of, system=row.system, name=metrics[row.setting], choices=matched)] = row.value
    return numbers


def _choices(setting: Setting) -> dict[str, str]:
    """Key of a study file → the option of a setting, but for its metric."""
    of_protocol = {"filters" if stage == "filter" else stage: text for stage, text in setting.choices.items()}
    return of_protocol | {stage: getattr(setting, stage) for stage in ("aggregate", "undefined", "coverage")}


def _of_table(table: pl.DataFrame) -> dict[_Place, float]:
    """Every number of a table; its texts tell rows apart."""
    texts = [name for name, kind in table.schema.items() if kind == pl.String and name not in ("system", "remark")]
    values = [name for name, kind in table.schema.items() if kind.is_float()]
    return {
        _Place(of=" · ".join(str(row[t]) for t in texts if row[t]), system=str(row.get("system", "")), name=name): row[name]
        for row in table.iter_rows(named=True)
        for name in values
        if row[name] is not None and not isnan(row[name])
    }
