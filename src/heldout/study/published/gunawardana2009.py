"""What Gunawardana and Shani 2009 chose in their main experiment."""

from __future__ import annotations

from heldout.study.published.protocol import PublishedChoice, PublishedProtocol

PROTOCOL = PublishedProtocol(
    "gunawardana2009",
    "Gunawardana & Shani 2009",
    (
        PublishedChoice("split", ("test_users(n=2000)",), "§6.3.1: 2000 test users, a random number of test items of each"),
        PublishedChoice(
            "metric",
            ("P", "Recall", "RMSE", "HLU"),
            "§6.3.1: RMSE, precision and recall; §6.3.2: half-life utility, half-life 5",
        ),
        PublishedChoice("cutoff", ("1", "3", "5", "10", "25", "50"), "§6.3.1: at 1, 3, 5, 10, 25 and 50 recommendations"),
        PublishedChoice(
            "aggregate", ("mean",), "§6.3.1: averaging the precisions and recalls at each number of recommendations"
        ),
        PublishedChoice("test", ("sign", "sign(alternative=greater)"), "§6.3.1: a sign test; §4.3 gives it one-sided"),
    ),
)
