"""What the papers chose, in text forms that studies write."""

from __future__ import annotations

from heldout.catalogue import describe, find, make
from heldout.study.published.papers import PAPERS

KINDS = {"split": "split", "users": "users", "target": "target", "relevance": "relevance", "gain": "gain", "test": "test"}


def test_options_are_written_as_grids_write_them() -> None:
    for paper in PAPERS:
        for choice in paper.choices:
            if choice.decision in KINDS:
                for option in choice.options:
                    assert str(make(KINDS[choice.decision], option)) == option, paper.key


def test_lists_of_one_relevant_item_are_averaged_by_rating_in_bellogin_2017() -> None:
    """Its eq. 1 sums over test ratings, where the paper of 2011 averages over users."""
    (paper,) = [one for one in PAPERS if one.key == "bellogin2017"]
    options = next(choice.options for choice in paper.choices if choice.decision == "target")
    (single,) = [target for target in (make("target", option) for option in options) if target.single]
    assert single.by_rating and single.form.sample == 99
    earlier = next(one for one in PAPERS if one.key == "bellogin2011")
    targets = [make("target", o) for c in earlier.choices if c.decision == "target" for o in c.options]
    assert not any(target.by_rating for target in targets)


def test_both_cards_say_whose_figures_are_whose() -> None:
    exp2, scaled = (describe.describe(find("gain", key)).assumes for key in ("exp2", "chapelle_scaled"))
    assert "chapelle_scaled" in exp2 and "exp2" in scaled and "Cañamares" in exp2 and "Cañamares" in scaled
