"""What every tie rule of the catalogue keeps to."""

from __future__ import annotations

import numpy as np
import pytest

from heldout.catalogue import classes
from heldout.tables import Vocabulary
from heldout.targets.tie_rule import TieRule

RULES = [cls() for cls in classes("ties")]


@pytest.mark.parametrize("rule", RULES, ids=str)
def test_no_two_items_have_the_same_key(rule: TieRule) -> None:
    keys = rule.keys(Vocabulary.numbered(120))
    assert keys.dtype == np.int32 and len(np.unique(keys)) == 120


@pytest.mark.parametrize("rule", RULES, ids=str)
def test_an_order_is_either_the_same_for_all_users_or_drawn(rule: TieRule) -> None:
    assert not (rule.fixed_order and rule.draws(0))
    assert rule.counts == (rule.expects or rule.draws(0) != 0)  # who averages over orders or draws one must know the ties
