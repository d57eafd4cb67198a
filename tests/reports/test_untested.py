"""Testing switched off: differences, intervals and effects stay, and every form says that nothing was tested."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.refusals import refused
from typer.testing import CliRunner

import heldout as ho
from heldout.cli.app import whole_app
from heldout.errors import SpecError
from heldout.universes.grid.file import multiverse_from

BASE: dict[str, Any] = {
    "data": "simulate(users=120, items=80, ratings=3000)",
    "split": "ratio(train=0.7, by=user)",
    "recommend": ["Popularity", "AverageRating", "UserKNN(k=20)"],
    "metrics": ["nDCG@5", "P@5"],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("untested")
    path = place / "study.toml"
    path.write_text(
        'data = "simulate(users=120, items=80, ratings=3000)"\nsplit = "ratio(train=0.7, by=user)"\n'
        'recommend = ["Popularity", "AverageRating", "UserKNN(k=20)"]\nmetrics = ["nDCG@5", "P@5"]\n[compare]\ntests = []\n'
    )
    assert CliRunner().invoke(whole_app(), ["run", str(path), "--out", str(place / "out"), "-q"]).exit_code == 0
    return place / "out"


def test_pairs_keep_differences_and_have_no_p(folder: Path) -> None:
    frame = ho.load(folder).tables["all-comparisons"].frame
    assert len(frame) == 6 and frame["test"].unique().to_list() == ["none"]
    assert frame["p"].null_count() == frame["p_adjusted"].null_count() == 6
    assert frame.select("difference", "low", "high", "effect").null_count().row(0) == (0, 0, 0, 0)
    assert frame["metric"].to_list() == ["nDCG@5"] * 3 + ["P@5"] * 3 and frame.columns[:2] == ["setting", "metric"]


@pytest.mark.parametrize("tests", [[], "none", ["none"]])
def test_python_takes_it_in_any_form(tests: Any) -> None:
    tested = ho.run(BASE)
    off = ho.compare(tested, tests)
    assert "not tested" in off.verdict and "significant" not in off.verdict
    assert (
        off.tables["all-comparisons"].frame["difference"].to_list()
        == tested.tables["all-comparisons"].frame.filter(test="t")["difference"].to_list()
    )


def test_every_form_says_so(folder: Path) -> None:
    results = ho.load(folder)
    assert results.findings.verdict.answer.endswith("leads; the difference was not tested.")
    assert "not tested" in repr(results) and "letter" not in repr(results)
    assert "not tested" in results.document.answer
    for name in ("pairs", "leaderboard"):
        table = results.tables[name]
        assert not table.strong and "p adjusted" not in table.to_markdown() + table.to_latex()
    assert "Nothing was tested." in results.tables["leaderboard"].caption
    assert (
        "Nothing was tested." in results.tables["pairs"].caption
        and "no remark" not in results.tables["settings"].to_markdown()
    )
    assert all("Nothing was tested." in form for form in (results.to_html(), results.tables["pairs"].to_latex()))
    assert r"Nothing was tested." in results.to_markdown()
    told = ho.methods(folder).to_markdown()
    assert "No significance test was made." in told and "Significance tests | `none`" in told and "tests = []" in told
    assert any(f.code == "HO409" and "tests" in f.message + f.change for f in ho.lint(folder).findings)


def test_the_command_line_says_none(folder: Path, tmp_path: Path) -> None:
    shown = CliRunner().invoke(whole_app(), ["compare", str(folder), "--test", "none"])
    assert shown.exit_code == 0 and "Nothing was tested." in " ".join(shown.output.split())
    test, run = tmp_path / "test.csv", tmp_path / "a.csv"
    test.write_text("user,item,rating\nu,x,5\nv,y,5\n")
    run.write_text("user,item,score\nu,x,2\nu,y,1\nv,x,2\n")
    judged = CliRunner().invoke(
        whole_app(),
        ["evaluate", "--qrels", str(test), "--run", f"A={run}", "--run", f"B={run}", "-m", "P@1", "--test", "none"],
    )
    assert judged.exit_code == 0 and "Nothing was tested." in " ".join(judged.output.split())


def test_none_stands_alone_and_a_multiverse_needs_a_test() -> None:
    with refused(SpecError, where="compare: tests", found=["none", "t"], expected="either 'none' or tests"):
        ho.run({**BASE, "compare": ["none", "t"]})
    with refused(SpecError, where="compare", hint="such as t"):
        multiverse_from({**BASE, "compare": []})
