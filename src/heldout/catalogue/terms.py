"""Abbreviations that reports use and that name no component: what each stands for and means."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Term:
    """An abbreviation of a protocol or of a statistic."""

    words: str
    """What it stands for."""
    meaning: str
    references: tuple[str, ...] = ()
    """Keys of the works that define it."""


_SWEEPS = ("bellogin2017",)
_DESIGN = ("gelman2014",)
TERMS = {
    "AI-AR": Term(
        words="all items, all relevant",
        meaning="Every item outside the user's training set is a candidate item, and all relevant test items count. It is "
        'the full ranking: target = "AllItems".',
        references=_SWEEPS,
    ),
    "AR": Term(
        words="all relevant",
        meaning='The candidate items are those with a test rating of any user: target = "TestItems".',
        references=_SWEEPS,
    ),
    "AR-NN": Term(
        words="all relevant among sampled items",
        meaning="All relevant test items of a user are ranked together with NN sampled test items that are not relevant.",
        references=("bellogin2011",),
    ),
    "1R": Term(
        words="one relevant",
        meaning="Each relevant test item is ranked by itself among sampled non-relevant items: OnePlusRandom.",
        references=("cremonesi2010", "bellogin2017"),
    ),
    "1R-head": Term(
        words="one relevant, without the most popular items",
        meaning="1R, with the most popular items left out of the test.",
        references=("cremonesi2010",),
    ),
    "AI-AR-head": Term(
        words="all items, all relevant, without the most popular items",
        meaning="AI-AR, with the most popular items left out of the test.",
    ),
    "AI-UAR": Term(
        words="all items, all relevant, uniform test set",
        meaning="AI-AR under a split that gives every test item the same number of test ratings: uniform_test.",
        references=_SWEEPS,
    ),
    "1R infAP": Term(
        words="one relevant, inferred average precision", meaning="infAP of the lists of 1R.", references=_SWEEPS
    ),
    "IPS": Term(
        words="inverse propensity scoring",
        meaning="Each observed rating counts with 1 ÷ the probability of being observed.",
        references=("yang2018",),
    ),
    "SNIPS": Term(
        words="self-normalised inverse propensity scoring",
        meaning="IPS, divided by the sum of the weights instead of by the number of ratings.",
        references=("yang2018",),
    ),
    "DP": Term(
        words="discriminative power",
        meaning="The sum of the p-values of all pairs of systems; the lower it is, the more differences the metric detects. "
        "The mean p is the same sum divided by the number of pairs.",
        references=("sakai2006", "valcarce2018"),
    ),
    "Eρ²": Term(
        words="relative reliability",
        meaning="The generalisability coefficient: var(systems) ÷ (var(systems) + var(rest) ÷ users). 1 means that another "
        "sample of users would order the systems in the same way.",
    ),
    "Φ": Term(
        words="absolute reliability",
        meaning="As Eρ², but the variance between users counts as error, too: whether another sample of users would give "
        "the same values, not only the same order.",
    ),
    "type-S": Term(
        words="sign error", meaning="The share of significant differences that have the wrong sign.", references=_DESIGN
    ),
    "type-M": Term(
        words="magnitude error",
        meaning="By what factor significant differences exaggerate the true difference, on average.",
        references=_DESIGN,
    ),
    "τ-b": Term(
        words="Kendall's rank correlation with correction for ties",
        meaning="(concordant − discordant pairs) ÷ √((pairs − ties in one) · (pairs − ties in the other)): 1 for the same "
        "order, −1 for the reverse.",
    ),
    "d": Term(
        words="paired Cohen's d",
        meaning="The mean of the users' differences ÷ their standard deviation. 0.2 is called small, 0.5 medium, 0.8 large.",
    ),
}
"""Abbreviation → what it stands for."""
SPELLINGS = {"Erho2": "Eρ²", "Phi": "Φ", "type S": "type-S", "type M": "type-M", "tau": "τ-b", "τ": "τ-b"}
"""Other spelling → abbreviation."""


def term(name: str) -> tuple[str, Term] | None:
    """The abbreviation that a name means, however it is spelt; None if it is not one."""
    by_name = {own.casefold(): own for own in TERMS} | {other.casefold(): own for other, own in SPELLINGS.items()}
    own = by_name.get(name.casefold())
    return None if own is None else (own, TERMS[own])
