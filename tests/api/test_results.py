"""What comes of a run: tables to work with, forms to show, and folders to load them from."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest
from tests.refusals import refused

import heldout as ho

STUDY: dict[str, Any] = {
    "title": "Three on a small world",
    "data": "simulate(users=60, items=40, ratings=1200)",
    "split": "ratio(train=0.7, by=user)",
    "recommend": ["Popularity", "Random", "UserKNN(k=10)"],
    "target": ["AllItems", "TestRatings"],
    "metrics": ["nDCG(gain=binary)@5", "P@5"],
    "compare": {"tests": ["t", "wilcoxon"], "correction": "holm"},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("study") / "results"


@pytest.fixture(scope="module")
def results(folder: Path) -> ho.Results:
    return ho.run(STUDY, out=folder)


def written(results: ho.Results) -> str:
    return json.dumps(results.findings.to_dict())


def test_leaderboard(results: ho.Results) -> None:
    board = results.tables["all-leaderboards"].frame
    assert board.height == 2 * 2 * 3
    assert len(set(board.columns)) == len(board.columns)
    first = board.row(0, named=True)
    assert (first["target"], first["metric"], first["users"], first["unrated"]) == (
        "AllItems",
        "nDCG(gain=binary)@5",
        "with_test",
        "zero",
    )
    for _, group in board.group_by("setting"):
        assert group.sort("rank")["value"].to_list() == sorted(group["value"], reverse=True)
    assert (board["low"] <= board["value"]).all()
    assert (board["value"] <= board["high"]).all()
    assert board["coverage_at_n"].is_between(0, 1).all()


def test_comparisons(results: ho.Results) -> None:
    pairs = results.tables["all-comparisons"].frame
    assert pairs.height == 2 * 2 * 3 * 2  # settings × pairs × tests
    assert set(pairs["test"]) == {"t", "wilcoxon"}
    assert set(pairs["family"]) == {3}
    assert (pairs["p"] <= pairs["p_adjusted"]).all()
    assert ((pairs["value_a"] - pairs["value_b"] - pairs["difference"]).abs() < 1e-12).all()
    assert (pairs["wins"] + pairs["ties"] + pairs["losses"] == pairs["users"]).all()


def test_per_user(results: ho.Results) -> None:
    table = results.per_user()
    means = table.filter(target="AllItems").group_by("system").agg(pl.col("P@5").mean())
    board = results.tables["all-leaderboards"].frame.filter(target="AllItems", metric="P@5")
    assert dict(means.iter_rows()) == {s: pytest.approx(v) for s, v in board.select("system", "value").iter_rows()}


def test_other_frames(results: ho.Results) -> None:
    frame = results.tables["all-leaderboards"].frame.to_pandas()
    assert isinstance(frame, pd.DataFrame)
    assert frame["value"].tolist() == results.tables["all-leaderboards"].frame["value"].to_list()


def test_verdict(results: ho.Results) -> None:
    best = results.tables["all-leaderboards"].frame.filter(rank=1)["system"][0]
    assert best.partition("(")[0] in results.verdict
    assert "nDCG@5 (binary)" in results.verdict
    assert results.verdict.endswith(".")


def test_latex(results: ho.Results) -> None:
    board = results.tables["leaderboard"]
    text = board.to_latex()
    assert text.count(r"\begin{table*}") == text.count(r"\end{table*}") == 1
    assert "UserKNN" in text and text.count(r"\label{tab:leaderboard}") == 1
    assert board.to_latex(label="tab:mine").count(r"\label{tab:mine}") == 1


def test_tables_need_no_page(results: ho.Results, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any, **__: Any) -> str:
        raise AssertionError("a page was built")

    monkeypatch.setattr("heldout.reports.render.html.page", fails)
    again = ho.Results(findings=results.findings, manifest=results.manifest)
    for name in ("leaderboard", "settings", "pairs", "choices"):
        assert again.tables[name].to_csv()
    assert results.document.tables()["leaderboard"].rows == again.tables["leaderboard"].rows


def test_page_and_fragment(results: ho.Results) -> None:
    page = results.to_html()
    assert page.lstrip().lower().startswith("<!doctype html>")
    assert "Three on a small world" in page
    fragment = results._repr_html_()
    assert "<html" not in fragment
    assert "UserKNN" in fragment
    assert fragment.count("<table") == fragment.count("</table>") > 0
    assert not re.search(r"""(src|href)=["']https?://""", fragment)
    markup = re.sub(r"<style.*?</style>|<wbr>", "", fragment, flags=re.DOTALL)
    ET.fromstring(f"<root>{markup}</root>")


def test_text(results: ho.Results) -> None:
    text = repr(results)
    assert "Three on a small world" in text
    assert max(map(len, text.splitlines())) <= 100
    assert "\x1b" not in text


@pytest.mark.parametrize("kind", ["leaderboard", "differences", "settings"])
def test_plots(results: ho.Results, kind: str, tmp_path: Path) -> None:
    figure = results.figures[kind]
    assert figure.spec["description"] == figure.caption and figure.title
    figure.save(tmp_path / "plot.svg", width=3.4)
    assert 'width="3.4in"' in (tmp_path / "plot.svg").read_text(encoding="utf-8")


def test_unknown_plot(results: ho.Results) -> None:
    with refused(ho.UnknownNameError, where="figure", found="leaderbord", hint="did you mean leaderboard?"):
        results.figures["leaderbord"]


def test_load(results: ho.Results, folder: Path) -> None:
    loaded = ho.load(folder)
    assert written(loaded) == written(results)
    assert loaded.tables["all-leaderboards"].frame.equals(results.tables["all-leaderboards"].frame)
    assert loaded.tables["all-comparisons"].frame.equals(results.tables["all-comparisons"].frame)
    assert loaded.per_user().equals(results.per_user())
    assert loaded.verdict == results.verdict
    assert loaded.to_html() == results.to_html() == (folder / "report.html").read_text(encoding="utf-8")
    assert repr(loaded) == repr(results)


def test_an_evaluation_can_be_saved_and_loaded(tmp_path: Path) -> None:
    found = ho.evaluate(([1, 2], [7, 7], [5, 5]), {"A": ([1, 2], [7, 7], [1.0, 1.0])}, ["RR"])
    found.save(tmp_path / "kept")
    loaded = ho.load(tmp_path / "kept")
    entries = loaded.findings.to_dict()
    assert len(entries["manifest"].pop("parts")) == 1  # names of files, which there are only in a folder
    assert entries == found.findings.to_dict()
    assert loaded.per_user().equals(found.per_user())


def test_a_run_without_a_folder_can_be_saved_with_its_scores(tmp_path: Path) -> None:
    results = ho.run(STUDY)
    results.save(tmp_path / "kept")
    assert ho.load(tmp_path / "kept").per_user().equals(results.per_user())
    assert ho.verify(tmp_path / "kept")["problem"].unique().to_list() == [""]


@pytest.mark.parametrize(
    ("name", "instead"),
    [
        ("leaderboard", 'results.tables["all-leaderboards"].frame'),
        ("facts", "results.findings"),
        ("table", "results.findings"),
        ("plot", "results.figures[name]"),
        ("compare", "ho.compare(results, …)"),
        ("load", "ho.load(folder)"),
    ],
)
def test_former_names_say_what_to_write(name: str, instead: str) -> None:
    results = ho.Results(findings=None, manifest={})
    for owner in (results, ho.Results):
        with pytest.raises(AttributeError) as error:
            getattr(owner, name)
        assert instead in str(error.value) and error.value.name == name
        assert not hasattr(owner, name)
    assert name not in dir(results) and "findings" in dir(results)


def test_results_are_not_saved_over_others(tmp_path: Path) -> None:
    runs = {"A": ([1, 2], [7, 7], [1.0, 1.0])}
    ho.evaluate(([1, 2], [7, 7], [5, 5]), runs, ["RR"]).save(tmp_path / "kept")
    with refused(ho.ResultsError, where=str(tmp_path / "kept"), hint="choose another folder"):
        ho.evaluate(([1, 2], [7, 7], [5, 5]), runs, ["P@1"]).save(tmp_path / "kept")
