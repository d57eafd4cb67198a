"""What the paper says of Last.fm."""

from __future__ import annotations

from functools import partial

from heldout.papers.bellogin2017.baseline_claims import few_have_most
from heldout.papers.bellogin2017.bias_claims import linear
from heldout.papers.bellogin2017.bias_figures import BiasFigures, Verdict, bias_claim
from heldout.papers.paper import Claim

LASTFM_POPULAR: float = 0.35
LASTFM_LIKED: float = 0.73
"""P@10 of popularity in AR, §3.3, and the share of users who like the top item, §5.2."""


def _popular_first(f: BiasFigures) -> Verdict:
    order = f.order("AR")
    return order[0] == "Popularity", " > ".join(order)


def _popular_as_random(f: BiasFigures) -> Verdict:
    popular = f.value["U1R", "P@10", "Popularity"]
    random = f.precision("U1R", "Random")
    return (
        popular.low <= random <= popular.high,
        f"{popular.value:.4f} [{popular.low:.4f}, {popular.high:.4f}], {random:.4f}",
    )


def _disagree(f: BiasFigures) -> Verdict:
    orders = {protocol: f.order(protocol) for protocol in ("AR", "1R")}
    figures = "; ".join(f"{protocol}: {' > '.join(order)}" for protocol, order in orders.items())
    return orders["AR"] != orders["1R"], figures


def _second_in_1r(f: BiasFigures) -> Verdict:
    order = f.own_order("1R stratified recall")
    return order[1] == "Popularity", " > ".join(order)


def _first(f: BiasFigures, protocol: str) -> Verdict:
    order = f.own_order(protocol)
    return order[0] == "Popularity", " > ".join(order)


def _random_high(f: BiasFigures) -> Verdict:
    by_bpref, by_infap = f.own_order("bpref"), f.own_order("infAP")
    figures = f"bpref: {' > '.join(by_bpref)}; infAP: {' > '.join(by_infap)}"
    return set(by_bpref[:2]) == {"Random", "Popularity"} and by_infap[2] == "Random", figures


def _random_first(f: BiasFigures) -> Verdict:
    order = f.own_order("stratified recall")
    return order[0] == "Random", " > ".join(order)


LASTFM_CLAIMS: tuple[Claim, ...] = (
    bias_claim("3.3", "popularity “is the best approach in Last.fm with AR”", "first of the five in AR", _popular_first),
    bias_claim(
        "3.3",
        "“AR vs. 1R produces some disagreeing comparisons on Last.fm”",
        "the order of the five in AR is another than in 1R",
        _disagree,
    ),
    bias_claim(
        "4.2",
        "“they display a similar effect on Last.fm” (Figure 4, left)",
        "R² ≥ 0.99 of P@10 over density for each system, in AR",
        linear,
    ),
    bias_claim(
        "5.2",
        "“a few popular items accumulate most of the preference data” (Figure 5, right)",
        "the tenth of the items with the most positive pairs has more than half of them",
        few_have_most,
    ),
    bias_claim(
        "6.3",
        "in Last.fm “popularity drops to random in U1R”",
        "random in the 95% interval of popularity",
        _popular_as_random,
    ),
    *(
        bias_claim(
            "7",
            f"“popularity is still ranked first by bpref and infAP in Last.fm (AR option)”: {protocol}",
            "first of the five",
            partial(_first, protocol=protocol),
        )
        for protocol in ("bpref", "infAP")
    ),
    bias_claim(
        "7",
        "“random recommendation is the top system in Last.fm according to bpref, tied with popularity (and the third system "
        "by infAP, above MF and kNN)”",
        "by bpref random and popularity are the first two of the five; by infAP random is third",
        _random_high,
    ),
    bias_claim(
        "7",
        "“In AR on Last.fm, stratified recall highly overemphasises the performance of random recommendation to the point "
        "of ranking it as the top system”",
        "first of the five",
        _random_first,
    ),
    bias_claim(
        "7",
        "“except in AR for Last.fm, … popularity remains the second best algorithm according to the metric”: stratified "
        "recall in 1R",
        "second of the five",
        _second_in_1r,
    ),
)
