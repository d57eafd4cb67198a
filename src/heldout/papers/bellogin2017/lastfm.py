"""What the paper says of Last.fm."""

from __future__ import annotations

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


LASTFM_CLAIMS: tuple[Claim, ...] = (
    bias_claim("3.3", "popularity “is the best approach in Last.fm with AR”", "first of the five in AR", _popular_first),
    bias_claim(
        "6.3",
        "in Last.fm “popularity drops to random in U1R”",
        "random in the 95% interval of popularity",
        _popular_as_random,
    ),
)
