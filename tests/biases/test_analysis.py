"""The whole of it on a small study: folds, protocols that are missing, and drift."""

from __future__ import annotations

import numpy as np
import pytest
from tests.biases.sample import SIZES, small_findings, small_study
from tests.refusals import refused

from heldout.biases.analysis import bias_findings
from heldout.biases.findings import BiasFindings
from heldout.biases.measured import Bench
from heldout.biases.options import BiasOptions
from heldout.errors import SpecError, UnknownNameError
from heldout.progress import STEPS
from heldout.storage.codec import from_plain, to_plain


def test_every_protocol_is_measured_of_every_system() -> None:
    findings = small_findings()
    names = {effect.protocol for effect in findings.effects.protocols}
    assert names == {
        "AI-AR", "AR", "1R", "1R-head", "P1R", "U1R", "UAR", "AI-UAR", "bpref", "infAP", "1R infAP",
        "stratified recall", "1R stratified recall",
    }  # fmt: skip
    assert findings.systems == ("Popularity", "ItemKNN(k=10)", "UserKNN(k=20)", "Random")
    splits = {effect.protocol: effect.split for effect in findings.effects.protocols}
    assert splits["1R"] == "ratio(train=0.7)" and splits["U1R"].startswith("uniform_test(")
    assert all(np.isfinite(row.value) for row in findings.effects.values)


def test_popularity_gains_less_where_popularity_is_neutral() -> None:
    """What the protocols are made for; on data whose popularity is steep."""
    steep = small_study(data="simulate(users=150, items=80, ratings=3000, alpha=1.4)", recommend=["Popularity"])
    findings = bias_findings(steep, BiasOptions(**{**SIZES, "sweeps": ()}), Bench())
    times = {
        row.protocol: row.times_random
        for row in findings.effects.values
        if row.system == "Popularity" and row.metric == findings.precision
    }
    assert times["P1R"] < times["1R"] < times["AR"]
    assert times["U1R"] < times["1R"]


def test_folds_are_averaged_and_sweeps_are_of_the_first() -> None:
    findings = bias_findings(small_study(split="folds(3)"), BiasOptions(**{**SIZES, "sweeps": ("classes",)}), Bench())
    assert findings.folds == 3
    assert any("first fold" in limit for limit in findings.limits)
    users = {row.users for row in findings.effects.values if row.protocol == "AI-AR"}
    assert users == {90}  # whoever is tested on some fold


def test_places_of_sweeps_that_the_data_are_too_small_for_are_named() -> None:
    tiny = small_study(data="simulate(users=20, items=8, ratings=60)")
    findings = bias_findings(tiny, BiasOptions(**{**SIZES, "sweeps": ("removed", "lists")}), Bench())
    removed = [reason for reason in findings.left_out if reason.startswith("removed at 0: ")]
    assert len(removed) == 1 and "at most 8 items" in removed[0] and "found 9" in removed[0]
    assert any(reason.startswith("lists at 10: ") for reason in findings.left_out)
    assert not findings.curves


def test_steps_are_told() -> None:
    told: list[tuple[str, int, int]] = []
    options = BiasOptions(**{**SIZES, "sweeps": ()})
    bias_findings(small_study(), options, Bench(), lambda what, done, total: told.append((what, done, total)))
    assert told[0] == ("biases: Popularity", 0, STEPS)  # the stage, before anything of it is done
    done = [done for _, done, total in told if total]
    assert len(done) == 2 * 8 + 1 and done == sorted(done)  # begin and end of four systems on two splits, and the end
    assert done[-2] == done[-1] == STEPS


def test_other_aggregations_are_said_to_be_set_aside() -> None:
    study = small_study(aggregate="median", compare="sign")
    findings = bias_findings(study, BiasOptions(**{**SIZES, "sweeps": ()}), Bench())
    assert any(text.startswith("The study aggregates by median; here values are means") for text in findings.limits)


def test_what_users_like_without_having_chosen_it_is_told_where_it_is_known() -> None:
    """A simulated world knows what everybody says, and the chance of every pair."""
    exposure = small_findings().drift.exposure
    assert exposure is not None and exposure.met_head > exposure.met_rest > 0
    assert any("chosen or not, users like" in sentence for sentence in small_findings().sentences)


def test_tables_have_a_row_for_everything() -> None:
    findings = small_findings()
    assert len(findings.table) == len(findings.effects.values)
    assert set(findings.table["role"]) == {"plain", "neutral", "metric"}
    assert len(findings.changes) == len(findings.effects.protocols)
    assert len(findings.pairs) == len(findings.effects.pairs)
    assert len(findings.expected) == len(findings.expectations)
    assert len(findings.sweeps) == len(findings.curves)


def test_what_is_written_is_read_back() -> None:
    findings = small_findings()
    again = from_plain(BiasFindings, to_plain(findings))
    assert again.table.equals(findings.table) and again.sweeps.equals(findings.sweeps)
    assert again.sentences == findings.sentences and again.limits == findings.limits


@pytest.mark.parametrize(
    ("field", "values", "sweep", "found", "expected"),
    [
        ("removed", (0.2, 1.0), "removed", 1.0, "at least 0 and below 1"),
        ("heads", (-0.1,), "head", -0.1, "at least 0 and below 1"),
        ("shares", (1.0,), "uniform", 1.0, "at least 0 and below 1"),
        ("lists", (1,), "lists", 1, "at least 2 items"),
        ("class_counts", (0,), "classes", 0, "at least 1 class"),
        ("alphas", (0.5, -1.0), "skew", -1.0, "at least 0"),
    ],
)
def test_sizes_that_make_no_sense_are_refused(
    field: str, values: tuple[float, ...], sweep: str, found: float, expected: str
) -> None:
    with refused(SpecError, where=f"sweeps: {sweep}", found=found, expected=expected):
        BiasOptions(**{field: values})


def test_smallest_sizes_of_sweeps_are_allowed() -> None:
    BiasOptions(removed=(0.0,), heads=(0.0,), shares=(0.0,), lists=(2,), class_counts=(1,), alphas=(0.0,))


def test_sweeps_of_other_names_are_refused() -> None:
    with refused(UnknownNameError, where="sweeps", found="removd", hint="removed"):
        BiasOptions(sweeps=("removd",))  # type: ignore[arg-type]
