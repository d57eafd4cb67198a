"""Sentences of §3.3, §5.2 and §6.3 on other thresholds and metrics: what was run for them, and their rules."""

from __future__ import annotations

from typing import Any

from heldout.catalogue import make
from heldout.papers.bellogin2017 import causes
from heldout.papers.bellogin2017.bias_figures import GRADED, PLAIN, SYSTEMS
from heldout.papers.bellogin2017.other_metrics import SINGLE, WHOLE_NDCG, with_baselines
from heldout.papers.bias_runs import SkewedRun
from heldout.papers.findings import Panel, PlotSeries
from heldout.papers.paper import Claim, ClaimFinding, MeasuredTables
from heldout.papers.rules import all_of, mean, rising
from heldout.papers.study_runs import RepeatedStudy, StudyRuns

ALPHAS = (0.0, 0.5, 1.0, 1.5, 2.0)
SKEWED_METRICS: dict[str, str] = {
    "Recall@10": "Recall@10",
    GRADED: "nDCG@10",
    WHOLE_NDCG: "nDCG",
    "AP@10": "MAP@10",
    "AP": "MAP",
    "RR@10": "MRR@10",
    "RR": "MRR",
}
"""With and without a cut-off; without one recall is 1 for all."""
OTHER_METRICS: dict[str, str] = {"Recall@10": "recall", "AP": "MAP", "RR": "MRR"}
OWN_THRESHOLD, LOWER_THRESHOLD = "threshold(tau=5)", "threshold(tau=4)"


def _targets(sampled: int, classes: int, level: int) -> dict[str, dict[str, str]]:
    """The nine configurations of Figures 2 and 8, by split: those of the folds and those of a uniform test set."""
    own = {
        "AI-AR": "AllItems",
        "AR": "TestItems",
        "AR-NN": f"targets(candidates=test, nonrelevant={level})",
        "1R": SINGLE.format(sampled),
        "1R-head": SINGLE.format(f"{sampled}, head=0.1"),
        "P1R": f"P1R(nonrelevant={sampled}, percentiles={classes})",
    }
    return {"folds": own, "uniform": {"U1R": f"U1R(nonrelevant={sampled})", "UAR": "UAR", "AI-UAR": "AllItems"}}


PAPERS_TARGETS = _targets(99, 10, 1700)
"""|N_u| = 1,700 of AR is the paper’s, §6.3."""
SIMULATED_TARGETS = _targets(20, 2, 40)


def protocol_runs(keys: dict[str, Any], simulated: dict[str, Any], uniform: str) -> StudyRuns:
    """The five systems under the nine configurations by further metrics, with ratings of 5, and of 4 and 5, relevant."""
    base = with_baselines(keys) | {"relevance": ["threshold(5)", "threshold(4)"], "metrics": ["P@10", *OTHER_METRICS]}
    few = with_baselines(simulated)

    def study(part: str, **split: str) -> RepeatedStudy:
        targets, of_simulated = (list(each[part].values()) for each in (PAPERS_TARGETS, SIMULATED_TARGETS))
        return RepeatedStudy(base | {"target": targets} | split, simulated=few | {"target": of_simulated} | split)

    return StudyRuns({"folds": study("folds"), "uniform": study("uniform", split=uniform)})


def skewed_run(keys: dict[str, Any]) -> SkewedRun:
    """Popularity and random under AR by further metrics, on simulated ratings of more and more skew."""
    own = {key: keys[key] for key in ("relevance", "target")}
    study = own | {"split": "ratio(train=0.8)", "recommend": ["Popularity", "Random"], "metrics": list(SKEWED_METRICS)}
    return SkewedRun(keys=study | {"compare": "none"}, alphas=ALPHAS)


def _order(measured: MeasuredTables, protocol: str, metric: str, relevance: str = OWN_THRESHOLD) -> list[str]:
    """The five systems, the best first."""
    own = "folds" if protocol in PAPERS_TARGETS["folds"] else "uniform"
    targets = [str(make("target", each[own][protocol])) for each in (PAPERS_TARGETS, SIMULATED_TARGETS)]
    rows = measured.rows("values", study=own, metric=metric, relevance=relevance)
    of_target = rows.filter(rows["target"].is_in(targets))
    return sorted(SYSTEMS, key=lambda s: -mean(of_target.filter(of_target["system"] == s)["value"].to_list()))


def _thresholds(measured: MeasuredTables) -> ClaimFinding:
    parts = []
    for protocol in ("AI-AR", "AR", "1R"):
        orders = [_order(measured, protocol, "P@10", relevance) for relevance in (OWN_THRESHOLD, LOWER_THRESHOLD)]
        words = f"{protocol}: {' > '.join(orders[0])}"
        parts.append((orders[0] == orders[1], words if orders[0] == orders[1] else f"{words} and {' > '.join(orders[1])}"))
    return all_of(parts)


def _same_trends(measured: MeasuredTables) -> ClaimFinding:
    parts = []
    for metric, name in OTHER_METRICS.items():
        others = [p for p in PLAIN if _order(measured, p, metric) != _order(measured, p, "P@10")]
        parts.append((not others, f"{name}: {'in all nine' if not others else 'another order under ' + ', '.join(others)}"))
    return all_of(parts)


def _at_skews(measured: MeasuredTables, metric: str, system: str) -> list[float]:
    rows = measured.rows("skewed", metric=metric, system=system).sort("alpha")
    mean(rows["value"].to_list())
    return rows["value"].to_list()


def _popular_by_others(measured: MeasuredTables) -> ClaimFinding:
    parts = []
    for metric, name in SKEWED_METRICS.items():
        popular, random = (_at_skews(measured, metric, system) for system in ("Popularity", "Random"))
        words = f"{name} {' → '.join(f'{value:.5f}' for value in popular)}, Random {random[0]:.5f} at α = 0"
        parts.append((popular[0] < random[0] and rising(popular), words))
    return all_of(parts)


def skew_panels(measured: MeasuredTables) -> tuple[Panel, ...]:
    """One panel for each metric, by skew."""
    return tuple(
        Panel(
            title="AR",
            x_label="skew α",
            y_label=name,
            series=tuple(
                PlotSeries(name=s, x=ALPHAS, y=tuple(_at_skews(measured, metric, s))) for s in ("Popularity", "Random")
            ),
        )
        for metric, name in SKEWED_METRICS.items()
    )


THRESHOLDS: Claim = Claim(
    words="“We have experimented with other thresholds for positive ratings, obtaining equivalent results”",
    section="§3.3",
    rule="with ratings of 4 and 5 relevant, the order of the five by P@10 is that with 5 alone, in AI-AR, AR and 1R",
    check=_thresholds,
    causes=(causes.OTHER_THRESHOLD,),
)
ALL_TRENDS: Claim = Claim(
    words="“Results in terms of recall, MAP and MRR show quite the same trends” as Figure 8",
    section="§6.3",
    rule="the order of the five by Recall@10, MAP and MRR is that by P@10 in all nine configurations, as for nDCG",
    check=_same_trends,
    causes=(causes.ALL_METRICS,),
)
OTHER_SKEWS: Claim = Claim(
    words="“The popularity bias is quite similarly displayed empirically by other metrics we have tested, including recall, "
    "nDCG, MAP and MRR, with and without cutoff”",
    section="§5.2",
    rule="by each, popularity in AR is below random at α = 0 and grows at every step of α, as by P@10",
    check=_popular_by_others,
)
