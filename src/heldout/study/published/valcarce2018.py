"""What Valcarce et al. 2018 chose in their main experiment."""

from __future__ import annotations

from heldout.study.published.protocol import PublishedChoice, PublishedProtocol

PROTOCOL = PublishedProtocol(
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
)
