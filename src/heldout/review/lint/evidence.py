"""What results add to a study: the numbers and warnings that rules look at, as plain rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from heldout.analysis.findings import Findings
from heldout.analysis.rows import place
from heldout.catalogue.notices import Notice


@dataclass(frozen=True, kw_only=True)
class SystemEvidence:
    """One system in one setting."""

    setting: str
    """The label of the setting."""
    choices: Mapping[str, str]
    metric: str
    aggregate: str
    system: str
    value: float | None
    users: int
    undefined: int
    user_coverage: float
    coverage: float | None
    unrated: float | None

    @property
    def place(self) -> str:
        """Where this stands: metric, target, split and aggregation."""
        return place(self.metric, self.choices, self.aggregate)


@dataclass(frozen=True, kw_only=True)
class PairEvidence:
    """Two systems in one setting under one test."""

    setting: str
    choices: Mapping[str, str]
    metric: str
    aggregate: str
    a: str
    b: str
    value_a: float
    value_b: float
    difference: float
    effect: float | None
    p: float | None
    """Adjusted, where a correction was made."""
    users: int
    answered: bool
    """True if the test says something: a p-value or figures of its own."""

    @property
    def place(self) -> str:
        """Where this stands: metric, target, split and aggregation."""
        return place(self.metric, self.choices, self.aggregate)


@dataclass(frozen=True, kw_only=True)
class FoldCounts:
    """One fold: its sizes and what it leaks."""

    split: str
    test: int
    audit: Mapping[str, Any]


@dataclass(frozen=True)
class DataCounts:
    """A data set before and after its filters, as profiles."""

    name: str
    filter: str
    before: Mapping[str, Any]
    after: Mapping[str, Any]

    def kept(self, what: str) -> float:
        """The share of users, items or ratings that the filters left."""
        return float(self.after[what]) / float(self.before[what]) if self.before.get(what) else 1.0

    def extremes(self) -> tuple[float, float] | None:
        """The lowest and the highest rating after the filters."""
        edges = (self.after.get("values") or {}).get("edges", ())
        return (float(edges[0]), float(edges[-1])) if edges else None

    def rated(self) -> list[tuple[float, int]]:
        """Distinct ratings (or lower ends of bins) after the filters, with their numbers."""
        values = self.after.get("values") or {}
        edges, counts = values.get("edges", ()), values.get("counts", ())
        return [(float(edge), int(n)) for edge, n in zip(edges, counts, strict=False) if n]


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """All that rules read off results."""

    systems: tuple[SystemEvidence, ...] = ()
    pairs: tuple[PairEvidence, ...] = ()
    folds: tuple[FoldCounts, ...] = ()
    data: tuple[DataCounts, ...] = ()
    notices: tuple[Notice, ...] = ()
    lists: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Of runs made elsewhere, facts of their lists: `longest` and `same_for_all`. Empty if nothing is known of them."""


def evidence_of(findings: Findings) -> Evidence:
    """What rules look at in results."""
    settings = {s.id: s for s in findings.settings}
    systems = [
        SystemEvidence(
            setting=settings[row.setting].label,
            choices=settings[row.setting].choices,
            metric=settings[row.setting].metric,
            aggregate=settings[row.setting].aggregate,
            system=row.system,
            value=row.value,
            users=row.users,
            undefined=row.undefined,
            user_coverage=row.user_coverage,
            coverage=row.coverage,
            unrated=row.unrated,
        )
        for row in findings.leaderboard
    ]
    pairs = []
    for pair in findings.comparisons:
        setting = settings[pair.setting]
        p = pair.p_adjusted if pair.p_adjusted is not None else pair.p
        pairs.append(
            PairEvidence(
                setting=setting.label,
                choices=setting.choices,
                metric=setting.metric,
                aggregate=setting.aggregate,
                a=pair.a,
                b=pair.b,
                value_a=pair.value_a,
                value_b=pair.value_b,
                difference=pair.difference,
                effect=pair.effect,
                p=p,
                users=pair.users,
                answered=p is not None or bool(pair.figures),
            )
        )
    return Evidence(
        systems=tuple(systems),
        pairs=tuple(pairs),
        folds=tuple(FoldCounts(split=s.split, test=s.test, audit=s.audit) for s in findings.splits),
        data=tuple(DataCounts(d.name, d.filter, d.steps[0].profile, d.steps[-1].profile) for d in findings.data if d.steps),
        notices=tuple(Notice(n.code, n.message) for n in findings.notices),
        lists=findings.manifest.get("lists", {}),
    )
