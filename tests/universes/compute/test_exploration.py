"""What a run of a multiverse says it reused."""

from __future__ import annotations

from heldout.universes.compute.exploration import reused


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
