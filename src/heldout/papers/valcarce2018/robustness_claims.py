"""Sentences on robustness, agreement and depth of metrics; rules say what had been measured before they were written."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np

from heldout.papers.paper import Claim
from heldout.papers.rules import mean
from heldout.papers.valcarce2018 import causes
from heldout.papers.valcarce2018.metric_claims import (
    METRICS,
    PUBLISHED_POWER,
    TrialFigures,
    Verdict,
    fine,
    short,
    trial_claim,
)

ALMOST_EQUIVALENT = 0.9
"""τ above which the paper calls two orders almost equivalent."""
STRONGER_DIFFERENCES = 0.8
"""τ below which it sees stronger differences."""


def _deep_agree(of: TrialFigures) -> Verdict:
    least = {m: min(tau for pair, tau in of.between_depths(m).items() if min(pair) > 20) for m in METRICS}
    figures = ", ".join(f"{metric} {short(tau)}" for metric, tau in least.items())
    return min(least.values()) >= ALMOST_EQUIVALENT, f"least of each: {figures}"


def _some_differ(of: TrialFigures) -> Verdict:
    taus = [of.between_metrics(a, b) for a, b in combinations(METRICS, 2)]
    below = sum(tau < 0.8 for tau in taus)
    return below > 0, f"{below} of {len(taus)}, the least {short(min(taus))}"


def _ap_before_estimates(of: TrialFigures) -> Verdict:
    taus = {metric: of.at("missing_tau")[metric] for metric in ("AP", "bpref", "infAP")}
    return taus["AP"] > max(taus["bpref"], taus["infAP"]), ", ".join(f"{m} {fine(tau)}" for m, tau in taus.items())


def _almost_always(of: TrialFigures) -> Verdict:
    taus = [tau for metric in METRICS for pair, tau in of.between_depths(metric).items() if min(pair) > 20]
    above = sum(tau > ALMOST_EQUIVALENT for tau in taus)
    return above > 0.9 * len(taus), f"{above} of {len(taus)}"


def _robust_beyond_50(figure: str) -> Callable[[TrialFigures], Verdict]:
    """Whether nDCG is more robust at every cut-off above 50 than at any up to 50."""

    def check(of: TrialFigures) -> Verdict:
        taus = of.over_depths(figure, "nDCG")
        least = min(tau for depth, tau in taus.items() if depth > 50)
        most = max(tau for depth, tau in taus.items() if depth <= 50)
        return least > most, f"at least {fine(least)} above 50, at most {fine(most)} up to 50"

    return check


def _others_rise(of: TrialFigures) -> Verdict:
    from scipy.stats import spearmanr

    rho = {}
    for metric in METRICS:
        for figure, name in (("missing_tau", "sparsity"), ("popularity_tau", "popularity")):
            taus = of.over_depths(figure, metric)
            values = list(taus.values())
            constant = min(values) == max(values)
            rho[f"{metric} by {name}"] = 0.0 if constant else float(spearmanr(list(taus), values).statistic)
    return min(rho.values()) > 0, ", ".join(f"{name} {short(value)}" for name, value in rho.items())


def _rest_agree(of: TrialFigures) -> Verdict:
    taus = {f"{a} and {b}": of.between_metrics(a, b) for a, b in combinations(METRICS, 2) if not {a, b} & {"RR", "bpref"}}
    least = min(taus, key=lambda pair: taus[pair])
    return taus[least] >= STRONGER_DIFFERENCES, f"the least is {short(taus[least])}, {least}"


def _great_difference(of: TrialFigures) -> Verdict:
    dp = of.at("dp")
    two = float(np.mean([dp[metric] for metric in ("nDCG", "P")]))
    rest = float(np.mean([dp[metric] for metric in METRICS if metric not in ("nDCG", "P")]))
    return two < rest / 2, f"mean DP {short(two)} of nDCG and P, {short(rest)} of the other five"


def _erratic(of: TrialFigures) -> Verdict:
    dp = of.at("dp")
    three = ("AP", "Recall", "RR")
    published = dict(zip(METRICS, PUBLISHED_POWER["ml-1m"], strict=True))
    here, there = (sorted(three, key=lambda metric: power[metric]) for power in (dp, published))
    figures = ", ".join(f"{metric} {short(dp[metric])}" for metric in here)
    return here != there, f"{figures}; MovieLens 1M: {', '.join(there)}"


def _negative(of: TrialFigures) -> Verdict:
    mean(of.without_popular)
    least = min(of.without_popular)
    return least < 0, f"the least is {short(least)}"


def _lowest_of_bpref(of: TrialFigures) -> Verdict:
    average = {m: float(np.mean([of.between_metrics(m, other) for other in METRICS if other != m])) for m in METRICS}
    lowest = min(average, key=lambda metric: average[metric])
    return lowest == "bpref", f"mean τ with the other six: {', '.join(f'{m} {short(tau)}' for m, tau in average.items())}"


def _bpref_against_ap(of: TrialFigures) -> Verdict:
    taus = {metric: of.between_metrics("AP", metric) for metric in METRICS if metric != "AP"}
    return min(taus, key=lambda metric: taus[metric]) == "bpref", ", ".join(f"{m} {short(tau)}" for m, tau in taus.items())


def _moderate(of: TrialFigures) -> Verdict:
    taus = of.at("popularity_tau")
    order = sorted(METRICS, key=lambda metric: -taus[metric])
    return "nDCG" not in (order[0], order[-1]), ", ".join(f"{metric} {fine(taus[metric])}" for metric in order)


def _precision_first(of: TrialFigures) -> Verdict:
    taus = of.at("missing_tau")
    order = sorted(METRICS, key=lambda metric: -taus[metric])
    return order[0] == "P", ", ".join(f"{metric} {fine(taus[metric])}" for metric in order)


DEEP_AGREE: Claim = trial_claim(
    "“the correlation between cut-offs above 20 is very high”",
    "§6",
    "every τ between two cut-offs above 20 ≥ .9, for each of the seven (“almost equivalent” in the paper)",
    _deep_agree,
    causes.OTHER_SYSTEMS_DEEP,
)
SOME_DIFFER: Claim = trial_claim(
    "“On the other two datasets [MovieLens 1M, BeerAdvocate], we observed stronger differences with some correlations below "
    "0.8”",
    "§7",
    "a τ between two metrics < .8 (rule written after their means had been seen)",
    _some_differ,
)
AP_FIRST: Claim = trial_claim(
    "“it is surprising that MAP showed better robustness figures than bpref and infAP on LibraryThing and BeerAdvocate”",
    "§7",
    "mean τ over shares of ratings is higher for AP than for bpref and infAP",
    _ap_before_estimates,
)
ALMOST_ALWAYS: Claim = trial_claim(
    "Between cut-offs above 20: “Those correlations are almost always higher than 0.9 on the LibraryThing and BeerAdvocate "
    "datasets”",
    "§6",
    "more than nine tenths of all τ between two cut-offs above 20, of the seven metrics, are > .9",
    _almost_always,
)
ROBUST_BEYOND_50: dict[str, Claim] = {
    figure: trial_claim(
        "nDCG: “we can see that robustness increases as we use deeper cut-offs”",
        "§6",
        f"mean τ over shares of {shares} is higher at every cut-off above 50 than at any up to 50",
        _robust_beyond_50(column),
    )
    for figure, column, shares in (
        ("fig-2", "missing_tau", "ratings"),
        ("fig-3", "popularity_tau", "items"),
    )
}
OTHERS_RISE: Claim = trial_claim(
    "“This phenomenon also occurs in the other studied metrics on the three datasets with slight variations”",
    "§6",
    "Spearman’s ρ between cut-off and mean τ is above 0 for each of the seven, in both sweeps",
    _others_rise,
    causes.DRIFT,
)
MODERATE: Claim = trial_claim(
    "nDCG has “moderate robustness to the popularity bias”",
    "§8",
    "its mean τ over shares of items is neither the highest nor the lowest of the seven (rule written after these had been "
    "seen)",
    _moderate,
)
MOST_ROBUST: Claim = trial_claim(
    "“Precision and nDCG showed very good figures of robustness to sparsity …, (precision especially on BeerAdvocate)”",
    "§7",
    "P has the highest mean τ over shares of ratings",
    _precision_first,
)
REST_AGREE: Claim = trial_claim(
    "“the ranking produced by the rest of the metrics showed a fairly strong correlation among them”",
    "§7",
    "every τ between two of P, Recall, AP, nDCG and infAP ≥ .8, below which the paper sees “stronger differences”",
    _rest_agree,
    causes.REST_DIFFER,
)
GREAT_DIFFERENCE: Claim = trial_claim(
    "nDCG and precision have the highest discriminative power “with great difference to the rest of the metrics”",
    "§7",
    "their mean DP is less than half of that of the other five",
    _great_difference,
    causes.POWER_AT_100,
)
ERRATIC: Claim = trial_claim(
    "“MAP, Recall and MRR show an erratic performance in terms of discriminative power depending on the dataset”",
    "§7",
    "the order of the three by DP is another than on MovieLens 1M in Table 3",
    _erratic,
)
NEGATIVE: Claim = trial_claim(
    "BeerAdvocate: “the correlations quickly drop after removing a small percentage of the most popular items even reaching "
    "negative correlation values”",
    "§7",
    "the least τ of the seven over shares of items is below 0",
    _negative,
)
BPREF_DIFFERS: tuple[Claim, ...] = (
    trial_claim(
        "“Bpref also shows a low correlation with the other metrics on the BeerAdvocate collection”",
        "§7",
        "bpref has the lowest mean τ with the other six",
        _lowest_of_bpref,
    ),
    trial_claim(
        "“bpref is poorly correlated with MAP on this dataset”",
        "§7",
        "of the other six, bpref has the lowest τ with AP",
        _bpref_against_ap,
    ),
)
