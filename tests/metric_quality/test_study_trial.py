"""A study's metrics on trial: other seeds, other orders of ties, the truth, several protocols."""

from __future__ import annotations

import numpy as np
import pytest
from tests.metric_quality.studies import small_study
from tests.metric_quality.test_trial import OPTIONS

from heldout.errors import SpecError
from heldout.experiment.kept_stages import NoStages
from heldout.metric_quality.study_trial import Repeats, try_study

ARGUMENTS = {"options": OPTIONS, "store": None, "stages": NoStages()}


def test_stability_ties_and_validity_have_columns() -> None:
    told: list[tuple[str, int, int]] = []
    study = small_study(data="simulate(users=80, items=60, ratings=1500)")
    repeats = Repeats(seeds=(2, 3), tie_orders=2)
    (quality,) = try_study(study, repeats=repeats, progress=lambda *step: told.append(step), **ARGUMENTS)
    for row in quality.rows:
        assert -1 <= row.stability_tau <= 1
        assert -1 <= row.validity_tau <= 1
        assert -1 <= row.tie_tau <= 1
    assert {stage for stage, *_ in told} == {"metrics on trial"}
    assert [done for _, done, _ in told] == list(range(len(told)))
    assert told[-1][1] == told[-1][2]


def test_what_is_not_asked_for_has_no_figure() -> None:
    (quality,) = try_study(small_study(), repeats=Repeats(), **ARGUMENTS)
    assert all(np.isnan(row.stability_tau) and np.isnan(row.tie_tau) for row in quality.rows)
    assert not any(np.isnan(row.validity_tau) for row in quality.rows)


def test_a_split_that_no_seed_moves_has_no_stability() -> None:
    (quality,) = try_study(small_study(split="temporal(share=0.4)"), repeats=Repeats(seeds=(2,)), **ARGUMENTS)
    assert all(np.isnan(row.stability_tau) for row in quality.rows)
    assert any("gives the same split" in text for text in quality.limits)


def test_targets_without_a_truth_are_said() -> None:
    plain, test_items = try_study(small_study(target=["AllItems", "TestItems"]), repeats=Repeats(), **ARGUMENTS)
    assert not any(np.isnan(row.validity_tau) for row in plain.rows)
    assert all(np.isnan(row.validity_tau) for row in test_items.rows)
    assert any("no order by complete relevance" in text for text in test_items.limits)


def test_one_order_of_ties_is_refused() -> None:
    with pytest.raises(SpecError, match="at least 2 orders"):
        Repeats(tie_orders=1)
