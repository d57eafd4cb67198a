"""Scores from co-counts of items: ItemItem and UIR-Item."""

from __future__ import annotations

import pytest

from heldout import catalogue
from heldout.errors import NotApplicableError
from heldout.recommenders import guards


@pytest.mark.parametrize("name", ["ItemItem", "UIR-Item"])
def test_too_many_items_for_the_machine_are_refused(name, monkeypatch, ratings):
    monkeypatch.setattr(guards.threads, "memory", lambda: 1)
    with pytest.raises(NotApplicableError, match="pairs of 2 rated items need"):
        catalogue.make("recommender", name).fit(ratings([[1, 1]]), seed=1)
