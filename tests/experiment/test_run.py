"""Running a study: what is kept, what is computed again, and that threads, blocks and interruptions change no byte."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.experiment.conftest import STUDY, scores
from tests.refusals import refused

import heldout as ho
from heldout.errors import ResultsError
from heldout.experiment.ledger import Ledger, read_manifest


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of the study, run once."""
    folder = tmp_path_factory.mktemp("undisturbed") / "results"
    ho.run(STUDY, out=folder, threads=1)
    return folder


# The folder


def test_what_a_folder_holds(undisturbed: Path) -> None:
    files = {"manifest.json", "facts.json", "report.html", "index.sqlite", "scores", "ranks"}
    assert {p.name for p in undisturbed.iterdir()} == files
    manifest = read_manifest(undisturbed)
    assert manifest["complete"] is True
    assert manifest["heldout"] == 6
    assert (manifest["seed"], manifest["study"]["split"]) == (1, ["ratio(train=0.7, by=user, rounding=nearest)"])
    assert [s["name"] for s in manifest["study"]["recommend"]] == STUDY["recommend"]
    assert all("k=5" in s["model"] for s in manifest["study"]["recommend"][1:2])
    assert {"python", "heldout", "numpy", "numba", "polars"} <= set(manifest["versions"])
    assert set(manifest["machine"]) == {"system", "cores", "byte_order"}
    assert all(len(digest) == 64 for digest in manifest["inputs"].values())
    assert len(manifest["inputs"]) == 1
    assert {f"{name}.parquet" for name in manifest["parts"].values()} == set(scores(undisturbed))
    assert {"data", "split", "fit", "rank", "measure"} <= set(manifest["seconds"])


def test_other_tools_can_read_the_scores(undisturbed: Path) -> None:
    table = pl.read_parquet(undisturbed / "scores" / "*.parquet")
    assert set(table["system"].unique()) == set(STUDY["recommend"])
    assert table.n_unique(["system", "target", "fold", "user_id"]) == table.height
    assert table["nDCG(gain=binary)@5"].drop_nans().is_between(0, 1).all()
    means = table.group_by("system", "target").agg(pl.col("P@5").mean()).rows()
    board = ho.load(undisturbed).tables["all-leaderboards"].frame.filter(metric="P@5")
    assert sorted(means) == [
        (system, target, pytest.approx(value))
        for system, target, value in sorted(board.select("system", "target", "value").rows())
    ]


def test_inputs_are_digests_of_what_is_read(tmp_path: Path) -> None:
    import hashlib

    ho.read("simulate(users=30, items=20, ratings=200)").to_polars().write_csv(tmp_path / "ratings.csv")
    ho.run({**STUDY, "data": str(tmp_path / "ratings.csv"), "recommend": "Popularity"}, out=tmp_path / "results")
    (found,) = read_manifest(tmp_path / "results")["inputs"].values()
    assert found == hashlib.sha256((tmp_path / "ratings.csv").read_bytes()).hexdigest()


# Going on


def test_a_second_run_computes_nothing(undisturbed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a cell was computed again")

    monkeypatch.setattr("heldout.experiment.cell.CellTask.compute", refuse)
    before = scores(undisturbed)
    first = ho.load(undisturbed)
    again = ho.run(STUDY, out=undisturbed)
    assert again.tables["all-leaderboards"].frame.equals(first.tables["all-leaderboards"].frame)
    assert again.tables["all-comparisons"].frame.equals(first.tables["all-comparisons"].frame)
    assert again.verdict == first.verdict
    assert scores(undisturbed) == before


def test_a_system_more_computes_only_it(tmp_path: Path, count_cells: list[str]) -> None:
    ho.run({**STUDY, "recommend": ["Popularity", "Random"]}, out=tmp_path / "out")
    count_cells.clear()
    results = ho.run({**STUDY, "recommend": ["Random", "UserKNN(k=5)", "Popularity"]}, out=tmp_path / "out")
    assert count_cells == ["UserKNN(k=5) 0"]
    assert list(results.findings.systems) == ["Random", "UserKNN(k=5)", "Popularity"]


@pytest.mark.parametrize("stop_at", [0, 1, 2])
def test_an_interrupted_run_goes_on_to_the_same_bytes(
    stop_at: int, undisturbed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count_cells: list[str]
) -> None:
    out = tmp_path / "out"

    def interrupted(stage: str, done: int, total: int) -> None:
        if stage == STUDY["recommend"][stop_at] and done > 0:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ho.run(STUDY, out=out, progress=interrupted, threads=2)
    if stop_at == 0:
        assert not out.exists()  # nothing was done, and nothing is left
    else:
        assert read_manifest(out)["complete"] is False
        assert scores(out).items() < scores(undisturbed).items()
        assert len(scores(out)) == stop_at
        with refused(ResultsError, where=str(out), hint="run the same command again: it goes on where it stopped"):
            ho.load(out)
    count_cells.clear()
    ho.run(STUDY, out=out)
    assert len(count_cells) == 3 - stop_at
    assert scores(out) == scores(undisturbed)
    assert ho.load(out).tables["all-leaderboards"].frame.equals(ho.load(undisturbed).tables["all-leaderboards"].frame)


def test_a_run_that_fails_later_does_not_pass_for_the_earlier_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    least = {**STUDY, "recommend": ["Popularity"]}
    ho.run(least, out=tmp_path / "out")

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ho.run(
            {**least, "recommend": ["Popularity", "Random"]},
            out=tmp_path / "out",
            progress=lambda s, d, t: stop() if d else None,
        )
    with refused(ResultsError, where=str(tmp_path / "out"), hint="run the same command again: it goes on where it stopped"):
        ho.load(tmp_path / "out")
    ho.run(least, out=tmp_path / "out")
    assert ho.load(tmp_path / "out").findings.systems == ho.run(least).findings.systems


def test_remains_of_a_killed_run_are_no_obstacle(undisturbed: Path, tmp_path: Path) -> None:
    (tmp_path / ".manifest.json.part-9-0~").write_text("{")  # killed while the manifest was written
    ho.run({**STUDY, "recommend": "Popularity"}, out=tmp_path)
    assert scores(tmp_path).items() < scores(undisturbed).items()


def test_tests_that_do_not_answer_are_refused_before_anything_runs(tmp_path: Path, count_cells: list[str]) -> None:
    with refused(ho.NotApplicableError, where="compare", hint="use wilcoxon, sign"):
        ho.run({**STUDY, "aggregate": "median"}, out=tmp_path / "out")
    assert count_cells == []
    assert not (tmp_path / "out").exists()
    ho.run({**STUDY, "aggregate": "median", "recommend": "Popularity"})  # nothing is compared


# The same bytes


@pytest.mark.parametrize(("threads", "block"), [(2, 4096), (1, 1), (2, 7), (2, 64)])
def test_threads_and_blocks_change_no_byte(threads: int, block: int, undisturbed: Path, tmp_path: Path) -> None:
    ho.run(STUDY, out=tmp_path / "out", threads=threads, block=block)
    assert scores(tmp_path / "out") == scores(undisturbed)


def test_results_do_not_depend_on_a_folder(undisturbed: Path) -> None:
    assert ho.run(STUDY).tables["all-leaderboards"].frame.equals(ho.load(undisturbed).tables["all-leaderboards"].frame)
    per_user = ho.run(STUDY).per_user()
    assert per_user.equals(ho.load(undisturbed).per_user())


# Folds, chains and filters


def test_folds_are_averaged_per_user_before_testing() -> None:
    study = {**STUDY, "split": "folds(3)", "recommend": ["Popularity", "Random"], "target": "AllItems", "metrics": "P@5"}
    results = ho.run(study)
    per_user = results.per_user()
    assert sorted(per_user["fold"].unique()) == [0, 1, 2]
    of_user = per_user.group_by("system", "user_id").agg(pl.col("P@5").mean()).sort("user_id")
    board = dict(results.tables["all-leaderboards"].frame.select("system", "value").iter_rows())
    values = {system: of_user.filter(system=system)["P@5"].to_numpy() for system in board}
    assert board == {system: pytest.approx(v.mean()) for system, v in values.items()}
    assert set(results.tables["all-leaderboards"].frame["users_averaged"]) == {
        of_user["user_id"].n_unique()
    }  # users, not users × folds
    from scipy import stats

    row = results.tables["all-comparisons"].frame.row(0, named=True)
    assert row["p"] == pytest.approx(stats.ttest_rel(values[row["a"]], values[row["b"]]).pvalue)
    assert row["users"] == of_user["user_id"].n_unique()


# Models of one's own


# The ledger


def test_foreign_folders_are_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("x")
    with refused(ResultsError, where=str(tmp_path), hint="choose another --out"):
        ho.run(STUDY, out=tmp_path)
    (tmp_path / "manifest.json").write_text('{"name": "a web page"}')
    with refused(ResultsError, where="manifest.json", hint="name another folder"):
        ho.run(STUDY, out=tmp_path)
    with refused(ResultsError, where="thesis.tex", hint="choose another --out"):
        Ledger(tmp_path / "thesis.tex")
    assert {p.name for p in tmp_path.iterdir()} == {"thesis.tex", "manifest.json"}


def test_what_was_saved_is_read_back(undisturbed: Path) -> None:
    outcome = ho.run(STUDY)._source
    assert outcome is not None
    keys = list(json.loads((undisturbed / "manifest.json").read_text())["parts"].values())
    for key, part in zip(keys, outcome.parts, strict=True):
        again = Ledger(undisturbed).load(key)
        for ours, theirs in zip(again.scores, part.scores, strict=True):
            assert (ours.system, ours.protocol, ours.fold, ours.metrics) == (
                theirs.system,
                theirs.protocol,
                theirs.fold,
                theirs.metrics,
            )
            np.testing.assert_array_equal(ours.values, theirs.values)
            assert again.users.decode(ours.users).to_list() == part.users.decode(theirs.users).to_list()
