"""What the five papers chose, decision by decision, and where they say so."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PublishedChoice:
    """The options of one decision that a paper's main experiment takes."""

    decision: str
    """As in `heldout.universes.grid.decisions`: split, target, metric, cutoff, …"""
    options: tuple[str, ...]
    """Text forms, as studies write them; a metric's without gain and cut-off."""
    source: str
    """Where the paper says so."""


@dataclass(frozen=True)
class PublishedProtocol:
    """The choices of one paper; a decision that it does not speak of is not here, and any option will do."""

    key: str
    """As in references.bib."""
    name: str
    choices: tuple[PublishedChoice, ...]


PAPERS = (
    PublishedProtocol(
        "gunawardana2009",
        "Gunawardana & Shani 2009",
        (
            PublishedChoice(
                "split", ("test_users(n=2000)",), "§6.3.1: 2000 test users, a random number of test items of each"
            ),
            PublishedChoice(
                "metric",
                ("P", "Recall", "RMSE", "HLU"),
                "§6.3.1: RMSE, precision and recall; §6.3.2: half-life utility, half-life 5",
            ),
            PublishedChoice(
                "cutoff", ("1", "3", "5", "10", "25", "50"), "§6.3.1: at 1, 3, 5, 10, 25 and 50 recommendations"
            ),
            PublishedChoice(
                "aggregate", ("mean",), "§6.3.1: averaging the precisions and recalls at each number of recommendations"
            ),
            PublishedChoice("test", ("sign", "sign(alternative=greater)"), "§6.3.1: a sign test; §4.3 gives it one-sided"),
        ),
    ),
    PublishedProtocol(
        "bellogin2011",
        "Bellogín et al. 2011",
        (
            PublishedChoice(
                "split",
                ("folds(n=5)", "leave_out(l=10)"),
                "§3, Table 1: five disjoint splits of 80/20; 10 items per user in test",
            ),
            PublishedChoice(
                "target",
                ("TestItems", "TrainingItems", "AllItems", "OnePlusRandom(nonrelevant=1000, relevance=threshold(tau=5))"),
                "§2.2–2.5; §2.6 warns of the fifth, TestRatings; N = 1000 and the highest rating are those of the work it "
                "cites",
            ),
            PublishedChoice("ties", ("trec",), "§3: computed using trec_eval"),
            PublishedChoice("metric", ("P", "Recall", "nDCG"), "§3: precision, recall and nDCG"),
            PublishedChoice("cutoff", ("50",), "§3: at cutoff 50"),
            PublishedChoice("aggregate", ("mean",), "§2.5: the average of the values obtained for each user"),
        ),
    ),
    PublishedProtocol(
        "bellogin2017",
        "Bellogín et al. 2017",
        (
            PublishedChoice(
                "split",
                ("folds(n=5)", "ratio(train=0.8)"),
                "§3.3: 5-fold cross-validation, a coin with probability 0.8 for training",
            ),
            PublishedChoice(
                "target",
                ("TestItems", "targets(candidates=test, relevant=one, nonrelevant=99, average=rating)"),
                "§3.3: generally TI-AN in AR; for 1R always TI-NN with |T_u| = 100, averaged over test ratings (eq. 1)",
            ),
            PublishedChoice("relevance", ("threshold(tau=5)",), "§3.3: positive relevance rating threshold 5 in MovieLens"),
            PublishedChoice("metric", ("P",), "§3.3: P@10"),
            PublishedChoice("cutoff", ("10",), "§3.3: P@10"),
            PublishedChoice("test", ("wilcoxon",), "§3.3: Wilcoxon p ≪ 0.001 for all pairwise differences"),
        ),
    ),
    PublishedProtocol(
        "valcarce2018",
        "Valcarce et al. 2018",
        (
            PublishedChoice("split", ("ratio(train=0.8, by=user)",), "§5: 80% of the ratings of each user for training"),
            PublishedChoice("target", ("AllItems",), "§5: the AllItems approach"),
            PublishedChoice("relevance", ("threshold(tau=4)",), "§5: relevance threshold 4"),
            PublishedChoice(
                "unrated", ("zero",), "§5: unrated items are neither relevant nor non-relevant, as unjudged documents"
            ),
            PublishedChoice("ties", ("trec",), "§3: follows trec_eval's implementation of the metrics"),
            PublishedChoice("metric", ("P", "nDCG"), "§1, §8: precision and nDCG should be preferred"),
            PublishedChoice("cutoff", ("100",), "§6: a cut-off of 100"),
            PublishedChoice("gain", ("linear",), "§3: the rating itself as gain"),
            PublishedChoice("aggregate", ("mean",), "§3: averaged over all the users"),
            PublishedChoice("coverage", ("zero",), "§3: zero for a user without recommendations"),
            PublishedChoice("test", ("permutation",), "§4: permutation test with 100,000 samples"),
        ),
    ),
    PublishedProtocol(
        "canamares2020",
        "Cañamares et al. 2020",
        (
            PublishedChoice("split", ("ratio(train=0.5)",), "§4, A2: a random split with a split ratio of 0.5"),
            PublishedChoice("users", ("with_train",), "§4, B1: users without ratings in Train are removed"),
            PublishedChoice("fallback", ("none",), "§4, B2: items without a score are not included"),
            PublishedChoice("target", ("AllItems",), "§4, C1: full-list evaluation"),
            PublishedChoice("relevance", ("threshold(tau=4)",), "§4, C2: gain 1 if r ≥ 4"),
            PublishedChoice("unrated", ("zero",), "§4, C2: an item that has not been rated has gain 0"),
            PublishedChoice("metric", ("P", "nDCG"), "§4, C2: Prec@d and NDCG@d"),
            PublishedChoice("cutoff", ("10",), "§4, C2: d = 10"),
            PublishedChoice("gain", ("binary",), "§4, C2: a binarized gain mapping g1"),
            PublishedChoice("aggregate", ("mean",), "§4, C3: the unweighted arithmetic mean over users"),
            PublishedChoice("undefined", ("zero",), "§4, C2: rankings without gains have scores of zero"),
            PublishedChoice("coverage", ("zero",), "§4, C4: full averages, with zero for users without a recommendation"),
            PublishedChoice("test", ("t",), "§4, D: a paired two-tailed t-test"),
        ),
    ),
)
"""What the authors of each paper chose in their main experiment, in the order of their years."""
