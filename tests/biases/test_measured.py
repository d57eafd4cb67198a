"""A system on a fold: fitted once whatever is measured, loaded where it is kept, noted where it fails."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from tests.biases.sample import KEYS, SIZES, small_study

from heldout import Study
from heldout.biases.analysis import bias_findings
from heldout.biases.measured import Bench, each_system, systems_on
from heldout.biases.options import BiasOptions
from heldout.biases.prepare import prepare
from heldout.experiment.kept_stages import Stages
from heldout.experiment.ledger import Ledger
from heldout.study.file import study_from


class Counting:
    """Scores that count how often they were asked for."""

    fits = 0
    tiles = 0

    def fit(self, train: Any) -> Counting:
        type(self).fits += 1
        self.items = train.n_items
        return self

    def score(self, users: Any) -> Any:
        type(self).tiles += 1
        return np.random.default_rng(1).random((len(users), self.items), dtype=np.float32)


def _study(**models: Any) -> Study:
    return study_from({**KEYS, "recommend": ["Popularity"]}, models=models)


def test_a_system_is_fitted_once_for_each_split() -> None:
    Counting.fits = 0
    options = BiasOptions(**{**SIZES, "sweeps": ("removed", "lists", "classes", "head")})
    bias_findings(_study(mine=Counting()), options, Bench())
    assert Counting.fits == 2  # the study's split, and the uniform one


def test_thinner_test_sets_share_one_pass_over_the_scores() -> None:
    Counting.tiles = 0
    bias_findings(_study(mine=Counting()), BiasOptions(**{**SIZES, "sweeps": ()}), Bench())
    without = Counting.tiles
    Counting.tiles = 0
    bias_findings(_study(mine=Counting()), BiasOptions(**{**SIZES, "sweeps": ("removed",)}), Bench())
    assert Counting.tiles - without == 2  # 90 users are two tiles, however many shares are removed


def test_what_is_kept_is_not_computed_again(tmp_path: Path) -> None:
    options = BiasOptions(**{**SIZES, "sweeps": ("removed", "classes")})
    tables = []
    for _ in range(2):
        ledger = Ledger(tmp_path / "out")
        with ledger.writing():
            ledger.announce({"complete": False, "kind": "bias"})
            bench = Bench(ledger=ledger, stages=Stages(ledger))
            findings = bias_findings(small_study(), options, bench)
            tables.append((findings.table, findings.expected, findings.sweeps, findings.sentences))
            fits = bench.clock.rounded().get("fit", 0.0)
    assert tables[0][3] == tables[1][3]
    assert all(first.equals(second) for first, second in zip(tables[0][:3], tables[1][:3], strict=True))
    assert fits == 0.0


def test_a_system_that_fails_is_left_out_by_name() -> None:
    class Broken:
        def fit(self, train: Any) -> None:
            raise RuntimeError("no luck")

    findings = bias_findings(_study(bad=Broken()), BiasOptions(**{**SIZES, "sweeps": ()}), Bench())
    assert "bad" not in findings.systems
    assert any(reason.startswith("bad: RuntimeError: no luck") for reason in findings.left_out)


def test_a_failure_is_noted_once_and_the_system_is_not_tried_again() -> None:
    prepared = prepare(small_study(), BiasOptions(sampled=9, classes=3), Bench())
    bench = Bench(failed={"ItemKNN(k=10)": "before"})
    names: list[str] = []
    each_system(prepared.study, prepared.folds[0], bench, lambda system: names.append(system.name))
    assert names == ["Popularity", "UserKNN(k=20)", "Random"]
    assert [s.name for s in systems_on(prepared.study, prepared.folds[0], bench)] == names
