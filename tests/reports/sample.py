"""A made-up but realistic study: six systems, eight settings, two tests on a data set the size of MovieLens 1M."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from heldout.analysis.choices import Card, Choice
from heldout.analysis.details import Definitions, Details
from heldout.analysis.findings import Findings
from heldout.analysis.rows import LeaderRow, NoticeRow, PairRow, Setting
from heldout.analysis.sentences import verdict
from heldout.data.profile import DataStep, DataSteps
from heldout.splits.sizes import SplitCounts
from heldout.storage.deferred import Deferred

SYSTEMS = ("EASE(l2=500)", "ALS(factors=50, alpha=1)", "UserKNN(k=100)", "ItemKNN(k=50)", "Popularity", "Random")
TESTS = ("permutation(samples=100000)", "t")
USERS = 6_034

_RANKED = {  # target and metric → value per system
    ("AllItems", "nDCG@10"): (0.4682, 0.4553, 0.4498, 0.4321, 0.2104, 0.0093),
    ("AllItems", "P@10"): (0.4297, 0.4221, 0.4140, 0.4012, 0.1985, 0.0089),
    ("AllItems", "Recall@50"): (0.3962, 0.3988, 0.3771, 0.3640, 0.1899, 0.0135),
    ("TestItems", "nDCG@10"): (0.4691, 0.4560, 0.4502, 0.4333, 0.2110, 0.0098),
    ("TestRatings", "nDCG@10"): (0.8412, 0.8634, 0.8377, 0.8290, 0.8142, 0.7486),
    ("TestRatings", "P@10"): (0.6714, 0.6741, 0.6690, 0.6655, 0.6621, 0.6122),
    ("OnePlusRandom(99)", "HitRate@10"): (0.7713, 0.7580, 0.7505, 0.7391, 0.4976, 0.1001),
    ("AllItems", "RMSE"): (None, 0.8871, 0.9124, 0.9209, 1.1170, 1.7061),
}
_COVERAGE = (1.0, 1.0, 0.9987, 0.9996, 1.0, 1.0)


def _normal_tail(z: float) -> float:
    return math.erfc(abs(z) / math.sqrt(2))


def _letters(values: list[float], noise: float) -> list[str]:
    letters, start = [], 0
    for i, value in enumerate(values):
        if abs(values[start] - value) > 2.5 * noise:
            start = i
        letters.append(chr(ord("a") + start))
    return letters


def _setting(key: int, target: str, metric: str) -> Setting:
    choices = {
        "data": "movielens-1m",
        "filters": "core(5)",
        "split": "ratio(train=0.8, by=user)",
        "users": "with_relevant(min=1)",
        "fallback": "none",
        "relevance": "threshold(4)",
        "target": target,
        "unrated": "zero",
        "ties": "item",
    }
    return Setting(
        id=key,
        choices=choices,
        metric=metric,
        aggregate="mean",
        undefined="zero",
        coverage="zero",
        label=f"{target} · {metric}",
        higher_is_better=metric != "RMSE",
    )


def _rows(setting: Setting, values: tuple[float | None, ...]) -> tuple[list[LeaderRow], list[PairRow]]:
    better = 1 if setting.higher_is_better else -1
    known = sorted(((v, s) for v, s in zip(values, SYSTEMS, strict=True) if v is not None), key=lambda p: -better * p[0])
    noise = 0.0028
    letters = _letters([v for v, _ in known], noise)
    board = []
    for rank, ((value, system), letter) in enumerate(zip(known, letters, strict=True), 1):
        cover = _COVERAGE[SYSTEMS.index(system)]
        condensed = setting.choices["target"] == "TestRatings"
        board.append(
            LeaderRow(
                setting=setting.id,
                system=system,
                rank=rank,
                value=value,
                low=value - 0.0061,
                high=value + 0.0061,
                users=USERS,
                undefined=17 if "nDCG" in setting.metric else 0,
                user_coverage=cover,
                coverage=None if setting.metric == "RMSE" else cover * 0.9991,
                unrated=None if setting.metric == "RMSE" else 0.0 if condensed else 0.55 - value / 4,
                rho=None if setting.metric == "RMSE" else 0.5731 if condensed else 0.00874,
                coverage_ranked=None if setting.metric == "RMSE" else 1.0 if system == "UserKNN(k=100)" else cover * 0.9991,
                group=letter,
            )
        )
    board += [
        LeaderRow(
            setting=setting.id,
            system=system,
            rank=len(known) + 1,
            value=None,
            low=None,
            high=None,
            users=0,
            undefined=USERS,
            user_coverage=1.0,
            coverage=None,
            unrated=None,
            rho=None,
        )
        for v, system in zip(values, SYSTEMS, strict=True)
        if v is None
    ]
    pairs = []
    for test in TESTS:
        for i, (va, a) in enumerate(known):
            for vb, b in known[i + 1 :]:
                gap = va - vb
                p = max(_normal_tail(gap / noise), 1 / 100_001 if test.startswith("perm") else 0.0)
                wins = round(USERS * (0.38 + 0.4 * math.tanh(3 * better * gap)))
                losses = round(USERS * (0.33 - 0.3 * math.tanh(3 * better * gap)))
                pairs.append(
                    PairRow(
                        setting=setting.id,
                        test=test,
                        a=a,
                        b=b,
                        value_a=va,
                        value_b=vb,
                        difference=gap,
                        low=gap - 1.96 * noise,
                        high=gap + 1.96 * noise,
                        effect=gap / 0.21,
                        wins=wins,
                        ties=USERS - wins - losses,
                        losses=losses,
                        p=p,
                        p_adjusted=min(1.0, 4 * p),
                        correction="holm",
                        family=len(known) * (len(known) - 1) // 2,
                        users=USERS,
                    )
                )
    return board, pairs


def profile(users: int, items: int, ratings: int) -> dict[str, Any]:
    """A profile in the form of `heldout.data.profile`."""
    shares = (0.056, 0.108, 0.261, 0.349, 0.226)
    at = [k / 40 for k in range(41)]
    edges = [1]
    while edges[-1] < 4096:
        edges.append(max(edges[-1] + 1, round(edges[-1] * 2**0.5)))

    def bins(middle: int, total: int) -> dict[str, list[float]]:
        weights = [math.exp(-((math.log(e) - math.log(middle)) ** 2) / 2) for e in edges[:-1]]
        return {"edges": [float(e) for e in edges], "counts": [round(total * w / sum(weights)) for w in weights]}

    first, last = 956_703_932, 1_046_454_590
    return {
        "users": users,
        "items": items,
        "ratings": ratings,
        "density": ratings / (users * items),
        "gini": 0.634,
        "per_user": {"min": 5, "median": 96.0, "mean": ratings / users, "max": 2314},
        "per_item": {"min": 5, "median": 123.5, "mean": ratings / items, "max": 3428},
        "positive": 4.0,
        "positive_share": 0.575,
        "time_span": (first, last),
        "values": {"edges": [1.0, 2.0, 3.0, 4.0, 5.0], "counts": [round(ratings * s) for s in shares]},
        "popularity": {"x": at, "y": [1 - (1 - x) ** 3.4 for x in at]},
        "positive_by_popularity": {"x": at, "y": [0.72 - 0.4 * x for x in at]},
        "ratings_per_user": bins(90, users),
        "ratings_per_item": bins(120, items),
        "activity": {
            "edges": [first + k * (last - first) / 50 for k in range(51)],
            "counts": [round(ratings * math.exp(-k / 6) / 6.5) for k in range(50)],
        },
    }


def facts() -> Findings:
    """The sample."""
    settings: list[Setting] = []
    board: list[LeaderRow] = []
    pairs: list[PairRow] = []
    for key, ((target, metric), values) in enumerate(_RANKED.items()):
        setting = _setting(key, target, metric)
        rows, compared = _rows(setting, values)
        settings.append(setting)
        board += rows
        pairs += compared
    return Findings(
        title="Which collaborative filter ranks best on MovieLens 1M?",
        task="some_good_items",
        seed=42,
        systems=SYSTEMS,
        primary=0,
        verdict=verdict(settings, board, pairs, 0.05, systems=SYSTEMS),
        settings=tuple(settings),
        leaderboard=tuple(board),
        comparisons=tuple(pairs),
        details=Details.known(definitions=_definitions(), data=_data()),
        splits=_splits(),
        notices=(
            NoticeRow(
                "H104",
                "OnePlusRandom(99) ranks against sampled items; sampled metrics may order systems differently "
                "from full ones.",
                "Sampled targets",
            ),
            NoticeRow(
                "H210",
                "UserKNN(k=100) and ItemKNN(k=50) leave some users without any scored item; with coverage=zero "
                "these count as 0.",
                "Uneven coverage",
            ),
        ),
        manifest={
            "versions": {"heldout": "0.1.0", "python": "3.11.9", "numpy": "2.2.1", "numba": "0.61.0"},
            "machine": {"system": "Linux", "processor": "x86_64", "cores": 8},
            "digests": {"movielens-1m": "sha256:3f1c9a5be07d22aa", "study": "sha256:90be1147cc03d1f0"},
            "seconds": {"data": 0.61, "split": 0.22, "recommend": 14.8, "metrics": 1.93, "compare": 0.74},
        },
    )


def _choices() -> tuple[Choice, ...]:
    return (
        Choice(
            stage="filter",
            decision="A1",
            options=("core(5)",),
            meaning="Repeats until every user and item has at least 5 ratings.",
        ),
        Choice(
            stage="split",
            decision="A2",
            options=("ratio(train=0.8, by=user)",),
            meaning="Sends 80% of each user's ratings to train, at random.",
        ),
        Choice(
            stage="users",
            decision="B1",
            options=("with_relevant(min=1)",),
            meaning="Tests users with at least one relevant test item.",
        ),
        Choice(stage="fallback", decision="B2", options=("none",), meaning="Leaves out what a system cannot score."),
        Choice(
            stage="target",
            decision="C1",
            options=("AllItems", "TestItems", "TestRatings", "OnePlusRandom(99)"),
            meaning="Ranks every item of the data but the user's training items.",
        ),
        Choice(
            stage="metrics",
            decision="C2",
            options=("nDCG@10", "P@10", "Recall@50", "HitRate@10", "RMSE"),
            meaning="Discounted gain of the top 10 over the best achievable.",
        ),
        Choice(stage="aggregate", decision="C3", options=("mean",), meaning="Mean over users, each counting once."),
        Choice(stage="coverage", decision="C4", options=("zero",), meaning="Users without recommendations count as 0."),
        Choice(
            stage="compare", decision="D", options=TESTS, meaning="Sign flips of each user's difference, 100,000 samples."
        ),
    )


def _data() -> tuple[DataSteps, ...]:
    return (
        DataSteps(
            "movielens-1m",
            "core(5)",
            (
                DataStep("as read", profile(6040, 3706, 1_000_209)),
                DataStep("core(5)", profile(6040, 3416, 999_611)),
            ),
        ),
    )


def _splits() -> tuple[SplitCounts, ...]:
    split, dropped = "ratio(train=0.8, by=user)", (("user without relevant test item", 6),)
    return (
        SplitCounts(
            data="movielens-1m",
            filter="core(5)",
            split=split,
            fold=0,
            train=799_687,
            test=199_924,
            users=USERS,
            dropped=dropped,
        ),
    )


def _cards() -> tuple[Card, ...]:
    return (
        Card(
            name="nDCG",
            text="nDCG@10",
            summary="Discounted cumulative gain of the top n over the largest achievable.",
            formula="Σ_{k≤n} g_k / log2(k+1) ÷ ideal",
            assumes="Unrated items have gain 0; the ideal is over the user's test ratings, cut at n; a short list is "
            "not padded.",
            undefined="the ideal is 0",
            range="0…1",
            references=("jarvelin2002",),
        ),
        Card(
            name="P",
            text="P@10",
            summary="Share of relevant items in the top n.",
            formula="|relevant in top n| / n",
            assumes="Divides by n even where the list is shorter.",
            undefined="never",
            range="0…1",
            references=("canamares2020",),
        ),
    )


def _definitions() -> Definitions:
    return Definitions(
        choices=_choices(),
        cards=_cards(),
        references={
            "canamares2020": "R. Cañamares, P. Castells, A. Moffat. Offline evaluation options for recommender systems. "
            "Information Retrieval Journal 23, 2020.",
            "jarvelin2002": "K. Järvelin, J. Kekäläinen. Cumulated gain-based evaluation of IR techniques. "
            "ACM TOIS 20(4), 2002.",
            "krichene2020": "W. Krichene, S. Rendle. On sampled metrics for item recommendation. KDD 2020.",
        },
    )


def with_definitions(findings: Findings, **values: Any) -> Findings:
    """Findings with these values of `Definitions`."""
    return with_details(findings, definitions=replace(findings.details.definitions.value, **values))


def with_details(findings: Findings, **values: Any) -> Findings:
    """Findings with these values of `Details`."""
    deferred = {name: Deferred.known(value) for name, value in values.items()}
    return replace(findings, details=replace(findings.details, **deferred))
