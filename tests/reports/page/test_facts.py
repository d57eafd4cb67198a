"""Pages of very many systems or settings: what is embedded is capped, and what is left out is told."""

from __future__ import annotations

import json
import re
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from heldout.analysis.findings import Findings
from heldout.analysis.rows import LeaderRow, PairRow, Setting
from heldout.analysis.sentences import verdict
from heldout.reports.page.document import to_html
from heldout.reports.page.facts import PAIRS, Embedded

CHOICES = ("data", "filter", "split", "users", "fallback", "relevance", "target", "unrated", "ties")


def facts(systems: int, settings: int) -> Findings:
    rng = np.random.default_rng(1)
    names = tuple(f"System(k={k}, factors=20, alpha=0.1)" for k in range(systems))
    ways, board, pairs = [], [], []
    for s in range(settings):
        chosen = dict.fromkeys(CHOICES, "x") | {"target": f"T{s}"}
        ways.append(
            Setting(
                id=s,
                choices=chosen,
                metric=f"nDCG@{s + 1}",
                aggregate="mean",
                undefined="zero",
                coverage="zero",
                label=f"T{s} · nDCG@{s + 1}",
            )
        )
        values = rng.random(systems)
        for rank, k in enumerate(np.argsort(-values).tolist(), start=1):
            value = float(values[k])
            board.append(
                LeaderRow(
                    setting=s,
                    system=names[k],
                    rank=rank,
                    value=value,
                    low=value - 0.01,
                    high=value + 0.01,
                    users=900,
                    undefined=3,
                    user_coverage=1.0,
                    coverage=1.0,
                    unrated=0.5,
                    rho=0.01,
                )
            )
        for a, b in combinations(range(systems), 2):
            d, p = float(values[a] - values[b]), float(rng.random())
            pairs.append(
                PairRow(
                    setting=s,
                    test="t",
                    a=names[a],
                    b=names[b],
                    value_a=float(values[a]),
                    value_b=float(values[b]),
                    difference=d,
                    low=d - 0.01,
                    high=d + 0.01,
                    effect=d * 3,
                    wins=500,
                    ties=10,
                    losses=390,
                    p=p,
                    p_adjusted=p,
                    correction="holm",
                    family=9,
                    users=900,
                )
            )
    judged = verdict(ways, board, pairs, 0.05, systems=names)
    return Findings(
        title="Many",
        task="",
        seed=1,
        systems=names,
        primary=0,
        verdict=judged,
        settings=tuple(ways),
        leaderboard=tuple(board),
        comparisons=tuple(pairs),
    )


def held(page: str) -> dict[str, Any]:
    text = re.search(r'<script type="application/json" id="facts"[^>]*>(.*?)</script>', page, re.S)
    assert text is not None
    found: dict[str, Any] = json.loads(text[1])
    return found


@pytest.mark.parametrize(("systems", "settings"), [(20, 100), (200, 2)])
def test_a_page_stays_small_and_says_what_it_lacks(systems: int, settings: int) -> None:
    """200 systems have 19,900 pairs in each setting; the page was 45 MB of them."""
    sample = facts(systems, settings)
    page = to_html(sample)
    assert len(page.encode()) < 3_000_000
    inside, kept = held(page), Embedded(sample)
    assert inside["left_out"] == kept.left_out() and kept.left_out() in page.replace("&amp;", "&")
    gone = len(sample.comparisons) - len(inside["comparisons"]["rows"])
    assert (
        f"{gone:,} of {len(sample.comparisons):,} comparisons" in inside["left_out"] and "facts.json" in inside["left_out"]
    )
    assert len(inside["comparisons"]["rows"]) < 2 * PAIRS
    assert len(inside["leaderboard"]["rows"]) == systems * settings


def test_every_leader_keeps_its_nearest_rivals() -> None:
    sample = facts(60, 3)
    kept = Embedded(sample)
    assert not kept.whole
    for row in sample.verdict.rows:
        assert any({p.a, p.b} == {row.leader, row.rival} for p in kept.comparisons if p.setting == row.setting)
    inside = held(to_html(sample))
    at = inside["leaderboard"]["columns"].index("value")
    assert inside["leaderboard"]["rows"][0][at] == pytest.approx(sample.leaderboard[0].value, rel=1e-6)


def test_few_facts_are_embedded_whole() -> None:
    sample = facts(6, 4)
    assert held(to_html(sample)) == sample.to_dict() and Embedded(sample).left_out() == ""
