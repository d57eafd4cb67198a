"""What a run of a multiverse says it reused."""

from __future__ import annotations

from typing import Any

import numpy as np

import heldout as ho
from heldout.json_codec import to_plain
from heldout.universes.compute.exploration import reused
from heldout.universes.compute.explore import explore
from heldout.universes.grid.file import multiverse_from


def test_what_was_reused_and_why_the_rest_was_not() -> None:
    done = {"splits kept": 1, "splits measured": 1, "fits kept": 2, "fits made": 3}
    before = {"heldout": "1", "study": {"metrics": ["P@5"], "split": ["ratio"]}}
    now = {"heldout": "1", "study": {"metrics": ["P@10"], "split": ["ratio"]}}
    text = "universes of 1 of 2 splits reused; the others computed (metrics changed) from 2 kept fits and 3 new ones"
    assert reused(done, before, now) == text
    assert "changed" not in reused(done, now, now)


def test_a_whole_folder_and_a_new_one() -> None:
    done = {"splits kept": 2, "splits measured": 0, "fits kept": 0, "fits made": 0}
    assert reused(done, {}, {}) == "universes of 2 of 2 splits reused"
    assert reused(done, None, {}) == ""


GRID: dict[str, Any] = {
    "data": "simulate(users=80, items=50, ratings=1400)",
    "split": ["ratio(train=0.5)", "ratio(train=0.8)"],
    "users": ["with_relevant"],
    "recommend": ["UserKNN(k=2)", "Popularity"],
    "relevance": "threshold(4)",
    "target": ["AllItems", "OnePlusRandom(10)"],
    "metrics": ["P@5"],
    "compare": "t",
}
STATED = {"target": ["AllItems", "OnePlusRandom(10, relevance=threshold(5))"]}


def test_universes_of_a_target_that_states_another_rule_are_counted() -> None:
    """Two splits and two targets: the users without a rating of 5 are missing in two of four universes."""
    explored = explore(multiverse_from({**GRID, **STATED}))
    place = explored.universes.decision("target")
    assert explored.others is not None
    stated = [explored.universes.level(u, place).startswith("OnePlusRandom") for u in range(4)]
    assert explored.others.rows.tolist() == stated
    plain = ho.run({k: v for k, v in {**GRID, **STATED}.items() if k != "multiverse"}, progress=False).facts
    users = {(s.choices["target"], s.choices["split"]): row.users for s in plain.settings for row in plain.leaderboard
             if row.setting == s.id}  # fmt: skip
    few, all_users = ([n for (target, _), n in users.items() if target.startswith(name)] for name in ("One", "All"))
    assert explored.others.counts == f"{min(few)} to {max(few)}" and max(few) < max(all_users)
    results = ho.multiverse({**GRID, **STATED}, progress=False)
    told = f"In 2 of 4 universes other users are tested than under the first options ({explored.others.counts} instead of "
    assert all(told in sentence for sentence in results.sentences)
    assert results.findings.pairs[0].shares.other_users == 2
    assert told in results.to_html() and told in results.to_markdown()


def test_universes_on_the_same_users_of_a_split_say_nothing_of_them() -> None:
    """Other splits test other users, but every way of judging tests the same ones of each."""
    assert explore(multiverse_from(GRID)).others is None
    results = ho.multiverse(GRID, progress=False)
    assert "other users" not in " ".join(results.sentences)
    assert "other_users" not in to_plain(results.findings.pairs[0].shares)


def test_rules_of_users_count_as_well() -> None:
    explored = explore(multiverse_from({**GRID, "users": ["with_test(min=2)", "with_test(min=6)"], "target": "AllItems"}))
    place = explored.universes.decision("users")
    assert explored.others is not None
    assert np.array_equal(explored.others.rows, explored.universes.codes[:, place] == 1)


def test_users_without_a_list_of_one_relevant_item_are_counted() -> None:
    """Under the default rule all users with a test rating are tested; those without a relevant one have no such list."""
    grid = {**GRID, "users": ["with_test"], "split": "ratio(train=0.8)", "relevance": "threshold(5)"}
    explored = explore(multiverse_from(grid))
    place = explored.universes.decision("target")
    assert explored.others is not None
    assert explored.others.rows.tolist() == [explored.universes.level(u, place).startswith("One") for u in range(2)]
    plain = ho.run(grid, progress=False).facts
    users = {setting.choices["target"]: row.users for setting in plain.settings for row in plain.leaderboard
             if row.setting == setting.id}  # fmt: skip
    few, all_users = sorted(users.values())
    assert (explored.others.counts, explored.others.first) == (str(few), str(all_users))
