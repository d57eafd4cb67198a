"""What the paper says of popularity, of random recommendation and of the data: rules that look at no other system."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from heldout.papers.bellogin2017 import causes
from heldout.papers.bellogin2017.bias_figures import BiasFigures, Verdict, bias_claim
from heldout.papers.paper import Claim

POPULAR_IN_AR: float = 0.08
RANDOM_IN_1R: float = 0.01
"""P@10, §3.3 and equation 5 with lists of 100."""
FLAT_POPULAR: float = 0.0077
FLAT_RANDOM: float = 0.01
"""P@10 of popularity and random in 1R without any skew, §5.2."""
SKEW: float = 1.4
TOP_LIKED: float = 0.327
"""α of MovieLens 1M, and the share of users who like its top item, §5.2."""
ZETA: int = 1703
ETA: int = 118
"""Items of a test set with as many ratings of each, and how many, §6.2."""


def _random_expected(f: BiasFigures) -> Verdict:
    rows = [f.expected[protocol, "Random"] for protocol in ("AR", "1R", "P1R", "U1R", "UAR")]
    figures = ", ".join(f"{r.protocol} {r.expected:.4f} in [{r.low:.4f}, {r.high:.4f}]" for r in rows)
    return all(row.low <= row.expected <= row.high for row in rows), figures


def _skew_zero(f: BiasFigures) -> Verdict:
    popular, random = (f.curve("skew", "1R", system)[0] for system in ("Popularity", "Random"))
    holds = popular.low <= FLAT_POPULAR <= popular.high and random.low <= FLAT_RANDOM <= random.high
    holds &= popular.value < random.value
    return holds, f"Popularity {popular.value:.4f} [{popular.low:.4f}, {popular.high:.4f}], Random {random.value:.4f}"


def _skew_grows(f: BiasFigures) -> Verdict:
    values = [p.value for p in f.curve("skew", "1R", "Popularity")]
    return values == sorted(values), " → ".join(f"{value:.4f}" for value in values)


def _uniform_shape(f: BiasFigures) -> Verdict:
    zeta, eta = f.of_data("zeta"), f.of_data("eta")
    return (zeta, eta) == (ZETA, ETA), f"ζ = {zeta:.0f}, η = {eta:.0f}"


def _less_popular(pairs: tuple[tuple[str, str], ...]) -> Callable[[BiasFigures], Verdict]:
    def check(f: BiasFigures) -> Verdict:
        figures = ", ".join(f"{a} {f.ratio(a):.2f} × and {b} {f.ratio(b):.2f} ×" for a, b in pairs)
        return all(f.ratio(a) < f.ratio(b) for a, b in pairs), figures

    return check


def _steepness(f: BiasFigures) -> Verdict:
    alpha = f.of_data("skew")
    return round(alpha, 1) == SKEW, f"α = {alpha:.2f}"


def _top_item(f: BiasFigures) -> Verdict:
    share = float(f.liked.max() / f.of_data("users"))
    return round(share, 3) == TOP_LIKED, f"{share:.1%}"


def _liked_more(f: BiasFigures) -> Verdict:
    from scipy.stats import spearmanr

    rated = f.ratings > 0
    rho = float(spearmanr(f.ratings[rated], f.liked[rated] / f.ratings[rated]).statistic)
    return rho > 0, f"Spearman’s ρ {rho:.2f} over {int(rated.sum()):,} items"


def _near_eight(f: BiasFigures) -> Verdict:
    value = f.precision("AR", "Popularity")
    return round(value, 2) == POPULAR_IN_AR, f"{value:.4f}"


def _popular_expected(f: BiasFigures) -> Verdict:
    row = f.expected["AR", "Popularity"]
    return row.low <= row.expected <= row.high, f"{row.expected:.4f} in [{row.low:.4f}, {row.high:.4f}]"


def _more_in_1r(f: BiasFigures) -> Verdict:
    ratios = {protocol: f.ratio(protocol) for protocol in ("P1R", "U1R", "UAR")}
    figures = ", ".join(f"{protocol} {ratio:.2f} ×" for protocol, ratio in ratios.items())
    return max(ratios["P1R"], ratios["U1R"]) < ratios["UAR"], figures


def _same_in_ar(f: BiasFigures) -> Verdict:
    popular, random = ([point.value for point in f.curve("skew", "AR", system)] for system in ("Popularity", "Random"))
    figures = f"{' → '.join(f'{value:.4f}' for value in popular)}, Random {random[0]:.4f} at α = 0"
    return popular == sorted(popular) and popular[0] < random[0], figures


def few_have_most(f: BiasFigures) -> Verdict:
    """Whether a tenth of the items has most of the liked ratings."""
    liked = np.sort(f.liked)[::-1]
    share = float(liked[: len(liked) // 10].sum() / liked.sum())
    return share > 0.5, f"{share:.1%}"


def _liked_as_rated(f: BiasFigures) -> Verdict:
    from scipy.stats import spearmanr

    rho = float(spearmanr(f.ratings, f.liked).statistic)
    return rho > 0, f"Spearman’s ρ {rho:.2f} over {len(f.ratings):,} items"


def _reduced(f: BiasFigures) -> Verdict:
    whole, tested = (f.value[protocol, "P@10", "Random"] for protocol in ("AI-UAR", "UAR"))
    factor = f.of_data("zeta") / len(f.ratings)
    figures = f"{whole.value:.4f} ÷ {factor:.3f} = {whole.value / factor:.4f} in [{tested.low:.4f}, {tested.high:.4f}]"
    return tested.low <= whole.value / factor <= tested.high, figures


BASELINE_CLAIMS: tuple[Claim, ...] = (
    bias_claim("3.3", "“in AR popularity ranges from 0.08 on MovieLens”", "P@10, rounded to two decimals", _near_eight),
    bias_claim(
        "4.2",
        "“The expected precision of random recommendation” is given by equations 4 and 5",
        "closed form in the 95% interval, five protocols",
        _random_expected,
    ),
    bias_claim("5.2", f"“α ∼ {SKEW} for MovieLens 1M”", "the fitted α, rounded to one decimal", _steepness, causes.SKEW_FIT),
    bias_claim(
        "5.2",
        f"“the top popular item in … MovieLens … is liked by … {TOP_LIKED:.1%} … of users”",
        "the share, rounded to one decimal",
        _top_item,
        causes.TOP_ITEM,
    ),
    bias_claim(
        "5.2",
        f"popularity “degrades to slightly below random ({FLAT_POPULAR} vs. {FLAT_RANDOM:.4f}) when popularity is uniform”",
        "both in the 95% interval, and below",
        _skew_zero,
    ),
    bias_claim("5.2", "popularity “benefits from steep distributions”", "1R grows at every step of α", _skew_grows),
    bias_claim(
        "6.2",
        f"“in MovieLens 1M we get |T| = {ZETA:,} …, resulting in η = {ETA} test ratings per item”",
        "ζ and η are exactly these",
        _uniform_shape,
    ),
    bias_claim(
        "6.2",
        "“the ratio [of positive ratings] grows with popularity in this dataset” (Figure 7)",
        "Spearman’s ρ over items above 0",
        _liked_more,
    ),
    bias_claim(
        "6.2",
        "“if C ⊇ T (i.e., the TI policy is not adhered to), then E[P_RND@n] would get reduced by a factor of |T|/|C|”",
        "P@10 of random in AI-UAR, divided by |T|/|C|, lies in the 95% interval of that in UAR (rule written after both had "
        "been seen)",
        _reduced,
    ),
    bias_claim(
        "6.3",
        "“P1R, U1R and UAR effectively limit the popularity bias”",
        "popularity ÷ random is lower in P1R and U1R than in 1R, and in UAR than in AR-NN",
        _less_popular((("P1R", "1R"), ("U1R", "1R"), ("UAR", "AR-NN"))),
    ),
    bias_claim(
        "6.3",
        "“This residual bias is higher in U1R than P1R”",
        "popularity ÷ random is higher in U1R than in P1R",
        _less_popular((("P1R", "U1R"),)),
    ),
    bias_claim(
        "6.3",
        "“the TI policy in UAR, without which (in AI-UAR) a higher bias remains”",
        "popularity ÷ random is higher in AI-UAR than in UAR",
        _less_popular((("UAR", "AI-UAR"),)),
    ),
    bias_claim(
        "6.3",
        "removing the head “reduces the measured precision of popularity, but it is not quite as effective as the proposed "
        "approaches”",
        "popularity ÷ random lower than in 1R, and higher than in P1R and U1R",
        _less_popular((("1R-head", "1R"), ("P1R", "1R-head"), ("U1R", "1R-head"))),
    ),
    bias_claim(
        "5.1",
        "“its number of positive ratings correlates with the total number of ratings”",
        "Spearman’s ρ over items above 0",
        _liked_as_rated,
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
    bias_claim(
        "5.2",
        "“We show only the 1R design, but the effect is the same in AR”",
        "P@10 of popularity in AR is below random at α = 0 and grows at every step of α",
        _same_in_ar,
    ),
    bias_claim(
        "5.2",
        "“a few popular items accumulate most of the preference data” (Figure 5, right)",
        "the tenth of the items with the most ratings of 5 has more than half of them",
        few_have_most,
    ),
)
"""In no order: figures take them by section."""
