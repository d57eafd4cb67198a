"""Findings of a study that has every figure, and what tests ask of specifications."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from tests.reports.curves import curve
from tests.reports.pictured import pictured
from tests.reports.sample import SYSTEMS

from heldout.analysis.details import GroupValues, SystemCost
from heldout.analysis.findings import Findings
from heldout.analysis.rows import LayoutRow
from heldout.reports.document import Spec

NOVELTY = (11.5, 10.2, 9.8, 9.1, 7.3, 14.9)
SECONDS = (0.4, 12.0, 3.5, 2.8, 0.0002, 0.0001)


def everything() -> Findings:
    """The sample with groups of every kind, curves, a test of all systems at once, novelty and costs."""
    study = pictured()
    pictures = study.pictures
    (activity,) = pictures.groups
    many = tuple(f"a long name of group {k}" for k in range(7))
    groups = (
        activity,
        group("warm-users", ("cold", "warm"), low=0.02),
        group("user-gender", ("F", "M"), low=0.03),
        group("user-occupation", many, low=0.05),
        group("item-popularity", ("head", "middle", "tail")),
        group("item-genre", many),
    )
    novelty = replace(study.setting(0), id=8, metric="Novelty@10", label="AllItems · Novelty@10", descriptive=True)
    board = tuple(
        replace(row, setting=8, value=NOVELTY[SYSTEMS.index(row.system)], low=None, high=None, group="")
        for row in study.board(0)
    )
    details = replace(study.details, curves=type(study.details.curves).known(tuple(map(curve, SYSTEMS[:3]))))
    details = replace(details, pictures=type(details.pictures).known(replace(pictures, groups=groups)))
    friedman = LayoutRow(
        setting=0,
        test="friedman",
        name="χ²(5)",
        statistic=812.4,
        p=1e-9,
        scale="mean rank",
        places=dict(zip(SYSTEMS, (1.8, 2.1, 2.2, 3.4, 5.0, 5.9), strict=True)),
        critical=0.5,
        users=6_034,
    )
    return replace(
        study,
        settings=(*study.settings, novelty),
        leaderboard=(*study.leaderboard, *board),
        layouts=(friedman,),
        costs=tuple(
            SystemCost(system=s, fit=t, score=t / 4, memory=None, folds=1) for s, t in zip(SYSTEMS, SECONDS, strict=True)
        ),
        details=details,
    )


def group(by: str, names: tuple[str, ...], low: float = 0.0) -> GroupValues:
    """Values of all systems on groups, with intervals if they have a width."""
    values = tuple(tuple(0.5 - 0.07 * k + 0.01 * j for j in range(len(names))) for k in range(len(SYSTEMS)))
    ends = [tuple(tuple(v + shift for v in line) for line in values) if low else () for shift in (-low, low)]
    return GroupValues(
        by=by,
        title=f"By {by}",
        metric="nDCG@10",
        means=f"Groups by {by}.",
        groups=names,
        users=tuple(100 * (k + 1) for k in range(len(names))),
        systems=SYSTEMS,
        values=values,
        ordered=False,
        low=ends[0],
        high=ends[1],
    )


def units(spec: Spec) -> Iterator[tuple[Spec, list[dict[str, Any]]]]:
    """Every mark of a specification, with what it inherits from the layers around it and its rows of data."""
    yield from _units(spec, {}, [])


def _units(spec: Spec, encoding: Spec, rows: list[dict[str, Any]]) -> Iterator[tuple[Spec, list[dict[str, Any]]]]:
    rows = spec["data"]["values"] if "data" in spec else rows
    own = {**encoding, **spec.get("encoding", {})}
    if "mark" in spec:
        yield {**spec, "encoding": own}, rows
    parts = [part for kind in ("layer", "vconcat", "hconcat") for part in spec.get(kind, [])]
    for part in [*parts, *([spec["spec"]] if "spec" in spec else [])]:
        yield from _units(part, own, rows)


def rows_of(spec: Spec, name: str = "") -> list[dict[str, Any]]:
    """The rows of the data of this name in a specification, or of its first mark."""
    data = [rows for own, rows in _data(spec) if name in ("", own)]
    return data[0]


def _data(spec: Spec) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    if "data" in spec:
        yield spec["data"].get("name", ""), spec["data"]["values"]
    for kind in ("layer", "vconcat", "hconcat"):
        for part in spec.get(kind, []):
            yield from _data(part)
