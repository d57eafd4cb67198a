"""What Bellogín et al. 2011 chose in their main experiment."""

from __future__ import annotations

from heldout.study.published.protocol import PublishedChoice, PublishedProtocol

PROTOCOL = PublishedProtocol(
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
            "§2.2–2.5; §2.6 warns of the fifth, TestRatings; N = 1000 and the highest rating are those of the work it cites",
        ),
        PublishedChoice("ties", ("trec",), "§3: computed using trec_eval"),
        PublishedChoice("metric", ("P", "Recall", "nDCG"), "§3: precision, recall and nDCG"),
        PublishedChoice("cutoff", ("50",), "§3: at cutoff 50"),
        PublishedChoice("aggregate", ("mean",), "§2.5: the average of the values obtained for each user"),
    ),
)
