"""Further sentences of the paper, which a review found missing; rules say what had been seen before."""

from __future__ import annotations

from itertools import combinations

from heldout.papers.paper import Claim
from heldout.papers.valcarce2018.metric_claims import METRICS, TrialFigures, Verdict, fine, short, trial_claim

ALMOST_EQUIVALENT = 0.9
"""τ above which the paper calls two orders almost equivalent."""


OTHER_SYSTEMS_DEEP = (
    "The systems. From the values that the authors publish of theirs, the least τ between cut-offs above 20 is .95 for P, "
    ".91 for Recall, .94 for AP and .98 for nDCG."
)


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


DEEP_AGREE: Claim = trial_claim(
    "“the correlation between cut-offs above 20 is very high”",
    "§6",
    "every τ between two cut-offs above 20 ≥ .9, for each of the seven (“almost equivalent” in the paper)",
    _deep_agree,
    OTHER_SYSTEMS_DEEP,
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
