"""A study's metrics on trial: other seeds, other orders of ties, the truth, several protocols."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.metric_quality.studies import small_study
from tests.metric_quality.test_analysis import OPTIONS
from tests.refusals import refused

from heldout.errors import SpecError
from heldout.experiment.kept_stages import Stages
from heldout.metric_quality.study_analysis import Repeats, study_findings
from heldout.progress import STEPS
from heldout.recommenders import UserKNN

ARGUMENTS = {"options": OPTIONS, "store": None, "stages": Stages()}


def test_stability_ties_and_validity_have_columns() -> None:
    told: list[tuple[str, int, int]] = []
    study = small_study(data="simulate(users=80, items=60, ratings=1500)")
    repeats = Repeats(seeds=(2, 3), tie_orders=2)
    (quality,) = study_findings(study, repeats=repeats, progress=lambda *step: told.append(step), **ARGUMENTS).trials
    for row in quality.rows:
        assert -1 <= row.stability_tau <= 1
        assert -1 <= row.validity_tau <= 1
        assert -1 <= row.tie_tau <= 1
    assert {stage for stage, *_ in told} == {"metrics on trial"}
    done = [done for _, done, total in told if total]
    assert done == sorted(done) and done[-2] == done[-1] == STEPS  # the last unit that was planned is the last that was done


def test_what_is_not_asked_for_has_no_figure() -> None:
    (quality,) = study_findings(small_study(), repeats=Repeats(), **ARGUMENTS).trials
    assert all(np.isnan(row.stability_tau) and np.isnan(row.tie_tau) for row in quality.rows)
    assert not any(np.isnan(row.validity_tau) for row in quality.rows)


def test_a_split_that_no_seed_moves_has_no_stability() -> None:
    (quality,) = study_findings(small_study(split="temporal(share=0.4)"), repeats=Repeats(seeds=(2,)), **ARGUMENTS).trials
    assert all(np.isnan(row.stability_tau) for row in quality.rows)
    assert any("gives the same split" in text for text in quality.limits)


def test_targets_without_a_truth_are_said() -> None:
    targets = ["AllItems", "TestItems", "TestRatings", "OnePlusRandom(N=9)"]
    qualities = study_findings(small_study(target=targets), repeats=Repeats(), **ARGUMENTS).trials
    plain, test_items = qualities[:2]
    assert not any(np.isnan(row.validity_tau) for row in plain.rows)
    assert all(np.isnan(row.validity_tau) for row in test_items.rows)
    assert any("no order by complete relevance" in text for text in test_items.limits)
    said = [any(text.startswith("Which items compete") for text in quality.limits) for quality in qualities]
    assert said == [False, True, False, True]


def test_one_order_of_ties_is_refused() -> None:
    with refused(SpecError, where="tie_orders", found=1, expected="at least 2 orders"):
        Repeats(tie_orders=1)


def test_a_system_that_fails_is_named(doomed: Any) -> None:
    study = small_study(recommend=["Popularity", "Random", "UserKNN(k=5)", "Doomed"])
    (quality,) = study_findings(study, repeats=Repeats(seeds=(2,)), **ARGUMENTS).trials
    assert quality.systems == ("Popularity", "Random", "UserKNN(k=5)")
    assert [reason.partition(":")[0] for reason in quality.left_out] == ["Doomed"]
    # It fails by the complete truth too, and under no other seed in another way.
    assert [text for text in quality.limits if "Doomed" in text] == [
        "The order by complete relevance lacks Doomed: ZeroDivisionError: division by zero."
    ]


def test_a_system_that_fails_under_another_seed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    fit = UserKNN.fit

    def failing(self: UserKNN, train: Any, *, seed: int) -> Any:
        if seed == 2:
            raise ZeroDivisionError("division by zero")
        return fit(self, train, seed=seed)

    monkeypatch.setattr(UserKNN, "fit", failing)
    study = small_study(recommend=["Popularity", "Random", "ItemKNN(k=10)", "UserKNN(k=5)"])
    (quality,) = study_findings(study, repeats=Repeats(seeds=(2,)), **ARGUMENTS).trials
    assert "UserKNN(k=5)" in quality.systems
    assert any(text.startswith("Stability over splits leaves out UserKNN(k=5): ") for text in quality.limits)


def test_one_fit_serves_all_orders_of_ties(monkeypatch: pytest.MonkeyPatch) -> None:
    fits: list[int] = []
    fit = UserKNN.fit
    monkeypatch.setattr(UserKNN, "fit", lambda self, train, *, seed: fits.append(seed) or fit(self, train, seed=seed))
    monkeypatch.setattr("heldout.metric_quality.study_analysis.knows_truth", lambda study: False)  # which fits anew
    study = small_study(recommend=["Popularity", "Random", "UserKNN(k=5)"])
    (quality,) = study_findings(study, repeats=Repeats(tie_orders=3), **ARGUMENTS).trials
    assert quality.protocol["ties"] == "item"
    assert len(fits) == 1
