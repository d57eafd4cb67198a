"""Further sentences of the paper on MovieLens 1M, which a review found missing; rules say what had been seen before."""

from __future__ import annotations

from heldout.papers.bellogin2017 import causes
from heldout.papers.bellogin2017.bias_figures import BiasFigures, Verdict, bias_claim
from heldout.papers.paper import Claim


def _popular_expected(f: BiasFigures) -> Verdict:
    row = f.expected["AR", "Popularity"]
    return row.low <= row.expected <= row.high, f"{row.expected:.4f} in [{row.low:.4f}, {row.high:.4f}]"


def _faster_when_sparse(f: BiasFigures) -> Verdict:
    left: dict[tuple[str, str], float] = {}
    for sweep in ("removed", "lists"):
        for system in ("pLSA", "kNN"):
            points = f.curve(sweep, "1R", system)
            left[sweep, system] = (points[-1].upper - points[-1].lower) / (points[0].upper - points[0].lower)
    figures = ", ".join(f"{system} by {sweep} {share:.0%}" for (sweep, system), share in left.items())
    return all(left["removed", system] < left["lists", system] for system in ("pLSA", "kNN")), f"left: {figures}"


def _more_in_1r(f: BiasFigures) -> Verdict:
    ratios = {protocol: f.ratio(protocol) for protocol in ("P1R", "U1R", "UAR")}
    figures = ", ".join(f"{protocol} {ratio:.2f} ×" for protocol, ratio in ratios.items())
    return max(ratios["P1R"], ratios["U1R"]) < ratios["UAR"], figures


LATER_CLAIMS: tuple[Claim, ...] = (
    bias_claim(
        "3.4",
        "“and even faster with test data sparsity”",
        "pLSA, kNN: of the width between the bounds less is left at the last place by removed ratings than by size of the "
        "lists (rule written after both had been seen)",
        _faster_when_sparse,
    ),
    bias_claim(
        "5.1",
        "popularity: “for an AR experimental design, Equation (3) applies”",
        "P@10 of popularity in AR by equation 3 lies in the 95% interval of the measured one",
        _popular_expected,
        causes.TRAINED,
    ),
    bias_claim(
        "6.3",
        "“The techniques seem to be more effective on 1R than AR”",
        "popularity ÷ random is lower in P1R and in U1R than in UAR (rule written after these had been seen)",
        _more_in_1r,
    ),
)
"""By section."""
