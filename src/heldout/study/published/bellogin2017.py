"""What Bellogín et al. 2017 chose in their main experiment."""

from __future__ import annotations

from heldout.study.published.protocol import PublishedChoice, PublishedProtocol

PROTOCOL = PublishedProtocol(
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
)
