"""How much of a ranking of systems is popularity: every system under plain and neutral protocols, and what changes.

The order of systems, the differences between them and their significance under each protocol are compared with those under
the study's own protocol (Bellogín, Castells and Cantador 2017, Figures 8 and 9).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from heldout.analysis.alignment import align
from heldout.analysis.ranking_agreement import tau_b
from heldout.analysis.settings import AggregatedSetting, aggregate_settings, compare_settings, deciding_test
from heldout.analysis.statistics import list_weights
from heldout.biases.findings import PairDifference, ProtocolEffect, ProtocolEffects, ProtocolValue
from heldout.biases.measured import number_or_nan
from heldout.biases.protocols import BiasProtocol
from heldout.catalogue import make
from heldout.metrics.measuring import depth_of
from heldout.metrics.metric import Metric
from heldout.study.spec import Study
from heldout.tables.cell_scores import CellScores


@dataclass(frozen=True, eq=False, kw_only=True)
class MeasuredProtocol:
    """The scores of all systems under one protocol."""

    protocol: BiasProtocol
    split: str
    metrics: tuple[Metric, ...]
    parts: tuple[CellScores, ...]


def protocol_effects(
    study: Study, measured: Sequence[MeasuredProtocol], reference: BiasProtocol, precision: Metric
) -> ProtocolEffects:
    """Values, differences and changes under each protocol, of the systems that were measured there.

    Of `precision` it is known what a random ranking is expected to reach.
    """
    values: list[ProtocolValue] = []
    pairs: list[PairDifference] = []
    effects: list[ProtocolEffect] = []
    ordered = sorted(measured, key=lambda of: of.protocol.name != reference.name)
    better: dict[str, dict[tuple[str, str], tuple[bool, bool]]] = {}
    by_metric: dict[str, dict[str, float]] = {}
    for of in ordered:
        systems = _systems(study, of)
        sub = replace(study, metrics=of.metrics, recommend=tuple(s for s in study.recommend if s.name in systems))
        for setting in _settings(sub, of, systems):
            metric = str(setting.metric)
            random = expected_random(setting, sub) if setting.metric == precision else float("nan")
            own = _values(of.protocol.name, setting, random)
            values += own
            against = metric if of.protocol.metric is None else str(study.metrics[0])
            differences = _differences(of.protocol.name, setting, sub)
            if of.protocol.name == reference.name:
                better[metric] = {pair: (d.difference >= 0, d.significant) for pair, d in differences.items()}
                by_metric[metric] = {row.system: _signed(setting, row.value) for row in own}
            if against not in better:
                continue
            turned = _turned(differences, better[against])
            pairs += turned
            order = by_metric[against]
            here = {row.system: _signed(setting, row.value) for row in own}
            effects.append(
                ProtocolEffect(
                    protocol=of.protocol.name,
                    summary=of.protocol.summary,
                    role=of.protocol.role,
                    split=of.split,
                    target=of.protocol.target,
                    estimand=of.protocol.estimand,
                    metric=metric,
                    against=against,
                    tau=_tau(order, here),
                    reversed=tuple((d.a, d.b) for d in turned if d.reversed),
                    overturned=tuple((d.a, d.b) for d in turned if d.reversed and d.significant),
                    lost=tuple((d.a, d.b) for d in turned if _was(better[against], d) and not d.significant),
                    best=min(own, key=lambda row: row.place).system,
                )
            )
    names = [of.protocol.name for of in measured]
    return ProtocolEffects(
        reference=reference.name,
        values=tuple(sorted(values, key=lambda row: names.index(row.protocol))),
        pairs=tuple(sorted(pairs, key=lambda row: names.index(row.protocol))),
        protocols=tuple(sorted(effects, key=lambda row: names.index(row.protocol))),
    )


def _systems(study: Study, of: MeasuredProtocol) -> list[str]:
    """The systems that a protocol measured on every fold."""
    names = [scores.system for part in of.parts for scores in part.scores[:1]]
    folds = max(names.count(name) for name in names)
    return [s.name for s in study.recommend if names.count(s.name) == folds]


def _settings(study: Study, of: MeasuredProtocol, systems: Sequence[str]) -> list[AggregatedSetting]:
    """The metrics of one protocol, aggregated and compared."""
    target = str(of.protocol.targets())
    protocols = dict.fromkeys(
        scores.protocol for part in of.parts for scores in part.scores if scores.protocol.target == target
    )
    tables = [align([part for part in of.parts if _of(part, systems)], protocol, systems) for protocol in protocols]
    settings = [setting for setting in aggregate_settings(study, tables) if setting.contest]
    if len(systems) > 1:
        compare_settings(study, settings)
    return settings


def _of(part: CellScores, systems: Sequence[str]) -> bool:
    return any(scores.system in systems for scores in part.scores)


def _signed(setting: AggregatedSetting, value: float) -> float:
    return value if setting.values.higher_is_better else -value


def _values(protocol: str, setting: AggregatedSetting, random: float) -> list[ProtocolValue]:
    tallies = dict(zip(setting.systems, setting.tallies, strict=True))
    worst_last = {name: -np.inf if t.value is None else _signed(setting, t.value) for name, t in tallies.items()}
    order = sorted(setting.systems, key=lambda name: -worst_last[name])
    return [
        ProtocolValue(
            protocol=protocol,
            metric=str(setting.metric),
            system=name,
            value=number_or_nan(tally.value),
            low=number_or_nan(tally.low),
            high=number_or_nan(tally.high),
            users=tally.users,
            place=order.index(name) + 1,
            random=random,
        )
        for name, tally in tallies.items()
    ]


def expected_random(setting: AggregatedSetting, study: Study) -> float:
    """What a random ranking is expected to reach: the mean of ρ@n over users, weighed as the target weighs them."""
    table, depth = setting.in_memory, depth_of(setting.metric)
    rho = table.values[0, table.metrics.index("Rho" if depth is None else f"Rho@{depth}")]
    weights = list_weights(table, make("target", setting.protocol.target), study.aggregate[0])
    per_row = table.over_folds(rho[None, :], np.ones(len(rho), dtype=np.bool_))[0]
    some = ~np.isnan(per_row)
    return float(np.average(per_row[some], weights=None if weights is None else weights[some])) if some.any() else np.nan


def _differences(protocol: str, setting: AggregatedSetting, study: Study) -> dict[tuple[str, str], PairDifference]:
    test = deciding_test(study, setting.pairs)
    sign = 1 if setting.values.higher_is_better else -1
    rows = {}
    for pair in setting.pairs:
        a, b = setting.systems[pair.a], setting.systems[pair.b]
        p = pair.p_adjusted.get(test) if test is not None else None
        low, high = (
            (number_or_nan(pair.low), number_or_nan(pair.high))
            if sign > 0
            else (-number_or_nan(pair.high), -number_or_nan(pair.low))
        )
        rows[a, b] = PairDifference(
            protocol=protocol,
            metric=str(setting.metric),
            a=a,
            b=b,
            difference=sign * pair.difference,
            low=low,
            high=high,
            relative=sign * pair.difference / abs(pair.value_b) if pair.value_b else float("nan"),
            p=number_or_nan(p),
            significant=p is not None and p < study.compare.level,
        )
    return rows


def _turned(
    differences: Mapping[tuple[str, str], PairDifference], better: Mapping[tuple[str, str], tuple[bool, bool]]
) -> list[PairDifference]:
    """The differences from the side of whoever is ahead under the reference."""
    return [d if better.get(pair, (True, False))[0] else _flipped(d) for pair, d in differences.items()]


def _flipped(d: PairDifference) -> PairDifference:
    relative = -d.relative / (1 + d.relative) if np.isfinite(d.relative) and d.relative != -1 else float("nan")
    return replace(d, a=d.b, b=d.a, difference=-d.difference, low=-d.high, high=-d.low, relative=relative)


def _was(better: Mapping[tuple[str, str], tuple[bool, bool]], d: PairDifference) -> bool:
    """Whether the pair differs significantly under the reference."""
    return better.get((d.a, d.b), better.get((d.b, d.a), (True, False)))[1]


def _tau(order: Mapping[str, float], other: Mapping[str, float]) -> float:
    shared = [name for name in order if name in other]
    first, second = (np.array([[values[name] for name in shared]]) for values in (order, other))
    return float(tau_b(first, second)[0, 0]) if len(shared) > 1 else float("nan")
