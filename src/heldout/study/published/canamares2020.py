"""What Cañamares et al. 2020 chose in their main experiment."""

from __future__ import annotations

from heldout.study.published.protocol import PublishedChoice, PublishedProtocol

PROTOCOL = PublishedProtocol(
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
)
