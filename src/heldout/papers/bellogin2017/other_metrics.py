"""What §3.3, §4.2 and §7 say of further metrics: their order, when ratings are removed, and of one relevant item."""

from __future__ import annotations

from typing import Any

import numpy as np

from heldout.papers.bellogin2017 import causes
from heldout.papers.bellogin2017.bias_figures import GRADED, SYSTEMS
from heldout.papers.bias_runs import ThinnedRun
from heldout.papers.findings import Panel, PlotSeries
from heldout.papers.paper import Claim, ClaimFinding, MeasuredTables
from heldout.papers.rules import all_of, falling, in_words, mean
from heldout.papers.study_runs import RepeatedStudy, StudyRuns

REMOVED = (0.0, 0.2, 0.4, 0.6, 0.8)
"""Shares of the test ratings; the last is where the rules of Figure 4 look."""
RECALL, WHOLE_NDCG = "Recall@10", "nDCG(gain=binary)"
WHOLE = {WHOLE_NDCG: "nDCG", "AP": "MAP"}
"""Metrics without a cut-off."""
NAMES = {"P@10": "P@10", GRADED: "nDCG@10", RECALL: RECALL, **WHOLE, "RR": "MRR"}
UNAFFECTED = 0.1
"""What “quite unaffected” is read as: a change of less than this share of the value."""
SINGLE = "targets(candidates=test, relevant=one, nonrelevant={}, average=rating)"
"""1R, as `heldout bias` has it."""
INCOMPLETE = {
    "bpref": "bpref(count=all)",
    "infAP": "infAP(pool_depth=100)",
    "stratified recall": "StratifiedRecall@10",
}
"""The metrics of Figure 9."""


def thinned_run(keys: dict[str, Any], simulated: dict[str, Any]) -> ThinnedRun:
    """The systems under AR by several metrics when test ratings are removed."""
    return ThinnedRun(
        keys=with_baselines(keys) | {"metrics": list(NAMES)}, removed=REMOVED, simulated=with_baselines(simulated)
    )


def all_items_run(keys: dict[str, Any], simulated: dict[str, Any]) -> StudyRuns:
    """The systems by the metrics of Figure 9, all items competing; and bpref in 1R."""
    lists = {"metrics": list(INCOMPLETE.values()), "target": ["AllItems", SINGLE.format(99)]}
    few = with_baselines(simulated) | {"target": ["AllItems", SINGLE.format(20)]}
    return StudyRuns({"lists": RepeatedStudy(with_baselines(keys) | lists, simulated=few)})


def with_baselines(keys: dict[str, Any]) -> dict[str, Any]:
    """Keys of a look at biases for a study of its own, to which popularity and random are added; nothing is compared."""
    study = {**keys, "compare": "none"}
    if "recommend" in study:
        study["recommend"] = [*study["recommend"], "Popularity", "Random"]
    return study


def over_all_items(metric: str, system: str) -> Any:
    """A system's value by a metric of Figure 9, all items competing."""
    return lambda measured: measured.numbers(
        "lists values", "value", target="AllItems", metric=INCOMPLETE[metric], system=system
    )


def _curve(measured: MeasuredTables, metric: str, system: str) -> list[float]:
    rows = measured.rows("sparse removed", metric=metric, system=system).sort("removed")
    mean(rows["value"].to_list())
    return [float(value) for value in rows["value"]]


def _lost(measured: MeasuredTables, metric: str, system: str) -> float:
    """The share of its value that a system loses from all test ratings to a fifth of them."""
    values = _curve(measured, metric, system)
    return 1 - values[-1] / values[0]


def _signed(share: float) -> str:
    return f"{'−' if share > 0 else '+'}{abs(share):.0%}"


def _unaffected(measured: MeasuredTables) -> ClaimFinding:
    lost = {system: _lost(measured, RECALL, system) for system in SYSTEMS}
    holds = all(abs(share) < UNAFFECTED for share in lost.values())
    return ClaimFinding(holds, ", ".join(f"{system} {_signed(share)}" for system, share in lost.items()))


def _slightly(measured: MeasuredTables) -> ClaimFinding:
    parts = []
    for metric, name in WHOLE.items():
        lost = {system: (_lost(measured, metric, system), _lost(measured, GRADED, system)) for system in SYSTEMS}
        holds = all(0 < slight < clear for slight, clear in lost.values())
        figures = ", ".join(f"{system} {_signed(slight)} and {_signed(clear)}" for system, (slight, clear) in lost.items())
        parts.append((holds, f"{name} and nDCG@10: {figures}"))
    return all_of(parts)


def _flatter(measured: MeasuredTables) -> ClaimFinding:
    lost = {system: (_lost(measured, GRADED, system), _lost(measured, "P@10", system)) for system in SYSTEMS}
    figures = ", ".join(f"{system} {_signed(graded)} and {_signed(plain)}" for system, (graded, plain) in lost.items())
    return ClaimFinding(all(0 < graded < plain for graded, plain in lost.values()), f"nDCG@10 and P@10: {figures}")


def _steady(measured: MeasuredTables) -> ClaimFinding:
    kept = [1 - share for share in REMOVED]
    fits = {s: float(np.corrcoef(kept, _curve(measured, GRADED, s))[0, 1] ** 2) for s in SYSTEMS}
    return ClaimFinding(min(fits.values()) >= 0.99, ", ".join(f"{system} R² {fit:.4f}" for system, fit in fits.items()))


def _falls(measured: MeasuredTables) -> ClaimFinding:
    curves = {system: _curve(measured, "RR", system) for system in SYSTEMS}
    return ClaimFinding(all(map(falling, curves.values())), "; ".join(f"{s} {in_words(v)}" for s, v in curves.items()))


def _undistorted(measured: MeasuredTables) -> ClaimFinding:
    changed = []
    for metric, name in NAMES.items():
        curves = {system: _curve(measured, metric, system) for system in SYSTEMS}
        orders = [sorted(SYSTEMS, key=lambda system: -curves[system][k]) for k in range(len(REMOVED))]
        changed += [f"{name} at {REMOVED[k]:.0%}: {' > '.join(o)}" for k, o in enumerate(orders) if o != orders[0]]
    return ClaimFinding(not changed, "the same at every share" if not changed else "; ".join(changed))


def _same_trends(measured: MeasuredTables) -> ClaimFinding:
    orders = {
        name: sorted(SYSTEMS, key=lambda system: -_curve(measured, metric, system)[0])
        for metric, name in NAMES.items()
        if name in ("P@10", "nDCG@10", "MAP", "MRR")
    }
    figures = "; ".join(f"{name}: {' > '.join(order)}" for name, order in orders.items())
    return ClaimFinding(all(order == orders["P@10"] for order in orders.values()), figures)


def _always_1(measured: MeasuredTables) -> ClaimFinding:
    rows = measured.rows("lists values", metric=INCOMPLETE["bpref"])
    single = {s: mean(rows.filter(rows["target"] != "AllItems", rows["system"] == s)["value"].to_list()) for s in SYSTEMS}
    return ClaimFinding(all(value == 1 for value in single.values()), ", ".join(f"{s} {v:.4f}" for s, v in single.items()))


def sparsity_panels(measured: MeasuredTables) -> tuple[Panel, ...]:
    """One panel for each metric, by the share of removed test ratings."""
    x_label = "share of test ratings removed"
    return tuple(
        Panel(
            title="AR",
            x_label=x_label,
            y_label=name,
            series=tuple(PlotSeries(name=s, x=REMOVED, y=tuple(_curve(measured, metric, s))) for s in SYSTEMS),
        )
        for metric, name in NAMES.items()
    )


SPARSITY_CLAIMS: tuple[Claim, ...] = (
    Claim(
        words="“recall seems quite unaffected by sparsity below e.g. the MovieLens 1M density level”",
        section="§4.2",
        rule=f"Recall@10 of each of the five changes by less than {UNAFFECTED:.0%} of its value when 80% are removed, in AR",
        check=_unaffected,
        causes=(causes.NOBODY_LEFT,),
    ),
    Claim(
        words="“MAP and nDCG (without cutoff) are still slightly sensitive to the sparsity bias”, “The sensitivity is even "
        "clearer in nDCG@n”",
        section="§4.2",
        rule="each of the five loses some of its MAP and nDCG when 80% are removed, in AR, and a larger share of its "
        "nDCG@10",
        check=_slightly,
        causes=(causes.FEWER_ITEMS,),
    ),
    Claim(
        words="“the slope of the dependency is slightly flatter for nDCG@n than for P@n”",
        section="§4.2",
        rule="each of the five loses a smaller share of its nDCG@10 than of its P@10 when 80% are removed, in AR",
        check=_flatter,
    ),
    Claim(
        words="“but just as steady”",
        section="§4.2",
        rule="R² ≥ 0.99 of nDCG@10 over density for each of the five, as for P@10",
        check=_steady,
        causes=(causes.STEADY_TO_60,),
    ),
    Claim(
        words="“The sparsity bias is similarly displayed by metrics such as MRR”",
        section="§4.2",
        rule="MRR of each of the five falls with every share that is removed, in AR",
        check=_falls,
    ),
    Claim(
        words="“In all the cases discussed so far, the sparsity effects thus mainly affect the range of the metric values, "
        "but not – except in sparsity extremes – the comparison between systems”",
        section="§4.2",
        rule="the order of the five by each metric is the same at every share that is removed, in AR (rule written after "
        "P@10 and MRR had been seen)",
        check=_undistorted,
    ),
)
SAME_TRENDS: Claim = Claim(
    words="“Other metrics such as nDCG, MAP, or Mean Reciprocal Rank (MRR) show similar trends as with P@10”",
    section="§3.3",
    rule="the order of the five by nDCG@10, MAP and MRR in AR is that by P@10, on the first fold",
    check=_same_trends,
)
ALWAYS_1: Claim = Claim(
    words="“bpref returns 1 for all systems because a single relevant item is sampled per run”",
    section="§7",
    rule="bpref in 1R is 1 for each of the five",
    check=_always_1,
    causes=(causes.NOT_SCORED,),
)
