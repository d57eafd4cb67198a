"""What the authors of five papers chose, decision by decision, and where they say so."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Chosen:
    """The options of one decision that a paper's main experiment takes."""

    decision: str
    options: tuple[str, ...]
    """Text forms, as studies write them; a metric's without gain and cut-off."""
    source: str
    """Where the paper says so."""


@dataclass(frozen=True)
class Paper:
    """The choices of one paper; what it does not say is not here, and any option will do."""

    key: str
    """As in references.bib."""
    name: str
    choices: tuple[Chosen, ...]


def _choices(*rows: tuple[str, str | tuple[str, ...], str]) -> tuple[Chosen, ...]:
    return tuple(Chosen(name, (said,) if isinstance(said, str) else said, source) for name, said, source in rows)


PAPERS = (
    Paper(
        "gunawardana2009",
        "Gunawardana & Shani 2009",
        _choices(
            ("split", "test_users(n=2000)", "§6.3.1: 2000 test users, a random number of test items of each"),
            (
                "metric",
                ("P", "Recall", "RMSE", "HLU"),
                "§6.3.1: RMSE, precision and recall; §6.3.2: half-life utility, half-life 5",
            ),
            ("cutoff", ("1", "3", "5", "10", "25", "50"), "§6.3.1: at 1, 3, 5, 10, 25 and 50 recommendations"),
            ("aggregate", "mean", "§6.3.1: averaging the precisions and recalls at each number of recommendations"),
            ("test", ("sign", "sign(alternative=greater)"), "§6.3.1: a sign test; §4.3 gives it one-sided"),
        ),
    ),
    Paper(
        "bellogin2011",
        "Bellogín et al. 2011",
        _choices(
            ("split", ("folds", "leave_out(l=10)"), "§3, Table 1: five disjoint splits of 80/20; 10 items per user in test"),
            (
                "target",
                ("TestItems", "TrainingItems", "AllItems", "OnePlusRandom(nonrelevant=1000)"),
                "§2.2–2.5; §2.6 warns of the fifth, TestRatings; N = 1000 is that of the work it cites",
            ),
            ("ties", "trec", "§3: computed using trec_eval"),
            ("metric", ("P", "Recall", "nDCG"), "§3: precision, recall and nDCG"),
            ("cutoff", "50", "§3: at cutoff 50"),
            ("aggregate", "mean", "§2.5: the average of the values obtained for each user"),
        ),
    ),
    Paper(
        "bellogin2017",
        "Bellogín et al. 2017",
        _choices(
            ("split", ("folds", "ratio"), "§3.3: 5-fold cross-validation, a coin with probability 0.8 for training"),
            (
                "target",
                ("TestItems", "targets(candidates=test, relevant=one, nonrelevant=99, average=rating)"),
                "§3.3: generally TI-AN in AR; for 1R always TI-NN with |T_u| = 100, averaged over test ratings (eq. 1)",
            ),
            ("relevance", "threshold(tau=5)", "§3.3: positive relevance rating threshold 5 in MovieLens"),
            ("metric", "P", "§3.3: P@10"),
            ("cutoff", "10", "§3.3: P@10"),
            ("test", "wilcoxon", "§3.3: Wilcoxon p ≪ 0.001 for all pairwise differences"),
        ),
    ),
    Paper(
        "valcarce2018",
        "Valcarce et al. 2018",
        _choices(
            ("split", "ratio(by=user)", "§5: 80% of the ratings of each user for training"),
            ("target", "AllItems", "§5: the AllItems approach"),
            ("relevance", "threshold(tau=4)", "§5: relevance threshold 4"),
            ("unrated", "zero", "§5: unrated items are neither relevant nor non-relevant, as unjudged documents"),
            ("ties", "trec", "§3: follows trec_eval's implementation of the metrics"),
            ("metric", ("P", "nDCG"), "§1, §8: precision and nDCG should be preferred"),
            ("cutoff", "100", "§6: a cut-off of 100"),
            ("gain", "linear", "§3: the rating itself as gain"),
            ("aggregate", "mean", "§3: averaged over all the users"),
            ("coverage", "zero", "§3: zero for a user without recommendations"),
            ("test", "permutation", "§4: permutation test with 100,000 samples"),
        ),
    ),
    Paper(
        "canamares2020",
        "Cañamares et al. 2020",
        _choices(
            ("split", "ratio(train=0.5)", "§4, A2: a random split with a split ratio of 0.5"),
            ("users", "with_train", "§4, B1: users without ratings in Train are removed"),
            ("fallback", "none", "§4, B2: items without a score are not included"),
            ("target", "AllItems", "§4, C1: full-list evaluation"),
            ("relevance", "threshold(tau=4)", "§4, C2: gain 1 if r ≥ 4"),
            ("unrated", "zero", "§4, C2: an item that has not been rated has gain 0"),
            ("metric", ("P", "nDCG"), "§4, C2: Prec@d and NDCG@d"),
            ("cutoff", "10", "§4, C2: d = 10"),
            ("gain", "binary", "§4, C2: a binarized gain mapping g1"),
            ("aggregate", "mean", "§4, C3: the unweighted arithmetic mean over users"),
            ("undefined", "zero", "§4, C2: rankings without gains have scores of zero"),
            ("coverage", "zero", "§4, C4: full averages, with zero for users without a recommendation"),
            ("test", "t", "§4, D: a paired two-tailed t-test"),
        ),
    ),
)
