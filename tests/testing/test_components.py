"""What is held of every component, and data to try them on."""

from __future__ import annotations

import numpy as np
import pytest
from tests.refusals import failing_check

from heldout.catalogue import make
from heldout.testing.components import check_text_form, renamed, some_ratings


def test_a_text_form_that_does_not_parse_back_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    metric = make("metric", "nDCG(gain=exp2)@10")
    check_text_form(metric)
    monkeypatch.setitem(vars(metric), "full_text", "nDCG(gain=linear)@10")
    read_differently = failing_check(check_text_form, metric)
    monkeypatch.setattr(type(metric), "key", "")
    assert failing_check(check_text_form, metric) != read_differently


def test_the_ratings_are_as_they_are_described() -> None:
    data = some_ratings()
    assert (data.n_users, data.n_items) == (90, 40) and set(data.value.tolist()) == {1, 2, 3, 4, 5}
    assert np.flatnonzero(data.user_counts == 0).tolist() == [7]
    assert np.flatnonzero(data.item_counts == 0).tolist() == [3, 39]
    assert data.time is not None and len(set(data.time.tolist())) == len(data)


def test_other_names_keep_the_order() -> None:
    data, other = some_ratings(), renamed(some_ratings())
    assert other.user.tolist() == data.user.tolist() and other.item.tolist() == data.item.tolist()
    assert other.digest != data.digest and sorted(other.users.ids) == list(other.users.ids)
