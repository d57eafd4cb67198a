"""`heldout evaluate`: what it prints and writes. What it refuses is in tests/snapshots/messages/evaluations.txt."""

from __future__ import annotations

import gzip
import io
import json
import lzma
import re
from pathlib import Path

import polars as pl
import pytest
import zstandard
from tests.cli.conftest import QRELS, RUN_A, Command
from tests.cli.refusing import refused
from tests.cli.saying import fine

EVALUATE = ("evaluate", "--qrels", "test.csv", "--run", "A=a.csv", "--run", "B=b.csv")


# evaluate


def test_evaluate_prints_a_table(desk: Path, heldout: Command) -> None:
    # Relevant from 4 on: i1 for u1 and for u2. A puts both first; B puts u1's second: nDCG 1/log2(3) = 0.6309.
    said = heldout(*EVALUATE, "-m", "nDCG(gain=binary)@10")
    out = fine(said)
    assert said.err == ""
    assert "A" in out
    assert "1.000" in out
    assert "0.815" in out  # (0.6309 + 1) / 2
    assert "HO402" in out


def test_evaluate_prints_json(desk: Path, heldout: Command) -> None:
    said = heldout(*EVALUATE, "-m", "P@[1, 5]", "--format", "json")
    facts = json.loads(fine(said))
    assert facts["systems"] == ["A", "B"]
    assert [s["metric"] for s in facts["settings"]] == ["P@1", "P@5"]
    values = {(row["setting"], row["system"]): row["value"] for row in facts["leaderboard"]}
    assert values == {(0, "A"): 1.0, (0, "B"): 0.5, (1, "A"): pytest.approx(0.2), (1, "B"): pytest.approx(0.2)}
    assert said.err.startswith("HO106 The relevance rule was guessed")


def test_quiet_prints_no_warnings(desk: Path, heldout: Command) -> None:
    for how in ("json", "csv", "latex"):
        said = heldout(*EVALUATE, "--format", how, "-q")
        assert said.err == ""
        assert fine(said)


def test_evaluate_prints_csv_whose_columns_hide_none_another(desk: Path, heldout: Command) -> None:
    table = pl.read_csv(io.StringIO(fine(heldout(*EVALUATE, "-m", "P@1", "--unrated", "condense", "--format", "csv"))))
    rows = table.to_dicts()
    assert [(r["system"], r["rank"], r["value"]) for r in rows] == [("A", 1, 1.0), ("B", 2, 0.5)]
    first = rows[0]
    assert (first["users"], first["unrated"], first["undefined"], first["coverage"]) == (
        "with_test",
        "condense",
        "zero",
        "zero",
    )
    assert (first["users_averaged"], first["users_undefined"], first["unrated_at_n"]) == (2, 0, 0.0)


def test_evaluate_prints_latex(desk: Path, heldout: Command) -> None:
    out = fine(heldout(*EVALUATE, "-m", "P@1", "--format", "latex"))
    assert out.count(r"\begin{tabular}") == out.count(r"\end{tabular}") == 1
    assert re.search(r"A & 1\.000.* \\\\\n", out) and r"\label{tab:leaderboard}" in out  # two users: nothing is bold
    assert r"\textbf" not in out


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_values_per_user(ending: str, desk: Path, heldout: Command) -> None:
    fine(heldout(*EVALUATE, "-m", "P@1", "--per-user", f"values.{ending}"))
    read = pl.read_csv if ending == "csv" else pl.read_parquet
    rows = read(desk / f"values.{ending}").select("system", "user_id", "P@1").sort("system", "user_id").rows()
    assert rows == [("A", "u1", 1.0), ("A", "u2", 1.0), ("B", "u1", 0.0), ("B", "u2", 1.0)]


def test_report_of_an_evaluation(desk: Path, heldout: Command) -> None:
    said = heldout(*EVALUATE, "--report", "report.html")
    assert "written:" not in fine(said) and said.err == "written: report.html\n"
    assert heldout(*EVALUATE, "--report", "report.html", "-q").err == ""
    page = (desk / "report.html").read_text(encoding="utf-8")
    assert page.lstrip().lower().startswith("<!doctype html>")
    assert "Evaluation of runs" in page


def test_results_of_an_evaluation_are_kept(desk: Path, heldout: Command) -> None:
    said = heldout(*EVALUATE, "--out", "judged")
    assert said.err == "written: judged\n" and fine(heldout("report", "judged")) == fine(said)
    assert fine(heldout("report", "judged", "--table", "all-leaderboards")) == fine(heldout(*EVALUATE, "--format", "csv"))
    again = heldout(*EVALUATE, "--out", "judged")
    refused(again, "judged: the folder already holds a finished evaluation", "choose another --out, delete the folder")
    assert "study" not in again.err
    (desk / "study.toml").write_text('data = "test.csv"\nsplit = "ratio(train=0.5)"\nrecommend = ["Popularity"]\n')
    before = (desk / "judged" / "manifest.json").read_bytes()
    refused(heldout("run", "study.toml", "--out", "judged"), "judged: the folder holds the results of an evaluation")
    assert (desk / "judged" / "manifest.json").read_bytes() == before
    refused(heldout(*EVALUATE, "--out", "."), "the folder is not empty and holds no results of Heldout")


def test_kept_results_are_compared_and_described(desk: Path, heldout: Command) -> None:
    fine(heldout(*EVALUATE, "-m", "P@1", "--out", "judged", "--description", "A=BPR-MF, k = 64"))
    assert "wilcoxon" in fine(heldout("compare", "judged", "--test", "wilcoxon"))
    assert "needed" in fine(heldout("power", "judged", "--effect", "0.1"))
    assert "P@1" in fine(heldout("meta", "judged", "-m", "P", "--depth", "1", "--samples", "1"))
    text = fine(heldout("methods", "judged"))
    assert "- **A**: BPR-MF, k = 64; read from `a.csv`." in text and "- **B**: read from `b.csv`." in text
    assert "BPR-MF, k = 64" in (desk / "judged" / "report.html").read_text(encoding="utf-8")
    refused(heldout(*EVALUATE, "--description", "A"), "--description: found 'A', expected NAME=TEXT")
    refused(heldout(*EVALUATE, "--description", "C=text"), "descriptions: unknown run 'C'")


def trec_run(text: str) -> str:
    rows = [line.split(",") for line in text.splitlines()[1:]]
    return "".join(f"{user}\tQ0  {item} 1 {score} tag\n" for user, item, score in rows)


def test_files_of_all_forms_and_compressions_mix(desk: Path, heldout: Command) -> None:
    (desk / "a.run.gz").write_bytes(gzip.compress(trec_run(RUN_A).encode()))
    (desk / "a.csv.xz").write_bytes(lzma.compress(RUN_A.encode()))
    (desk / "a.tsv.zst").write_bytes(zstandard.ZstdCompressor().compress(RUN_A.replace(",", "\t").encode()))
    pl.read_csv(io.StringIO(RUN_A)).write_parquet(desk / "a.parquet")
    pl.read_csv(io.StringIO(QRELS)).write_parquet(desk / "test.parquet")
    qrels = "".join("{} 0 {} {}\n".format(*line.split(",")) for line in QRELS.splitlines()[1:])
    (desk / "test.qrels").write_text(qrels)
    (desk / "test.qrels.gz").write_bytes(gzip.compress(qrels.encode()))
    runs = [f"--run={name}={name}" for name in ("a.csv", "a.run.gz", "a.csv.xz", "a.tsv.zst", "a.parquet")] + [
        "--run=B=b.csv"
    ]
    for test in ("test.csv", "test.parquet", "test.qrels", "test.qrels.gz", 'csv("test.csv", user=user)'):
        out = fine(heldout("evaluate", "--qrels", test, *runs, "-m", "RR", "--format", "csv", "-q"))
        table = pl.read_csv(io.StringIO(out))
        assert dict(table.select("system", "value").iter_rows()) == {
            **dict.fromkeys(("a.csv", "a.run.gz", "a.csv.xz", "a.tsv.zst", "a.parquet"), 1.0),
            "B": 0.75,
        }


def test_runs_are_named_by_their_file_unless_told(desk: Path, heldout: Command) -> None:
    out = fine(heldout("evaluate", "--qrels", "test.csv", "--run", "a.csv", "--run", "x=b.csv", "--format", "json", "-q"))
    assert json.loads(out)["systems"] == ["a", "x"]


def test_training_items_are_no_targets(desk: Path, heldout: Command) -> None:
    (desk / "train.csv").write_text("user,item,rating\nu1,i9,5\n")
    (desk / "c.csv").write_text("user,item,score\nu1,i9,9\nu1,i1,2\nu2,i1,1\n")
    said = heldout(
        "evaluate", "--qrels", "test.csv", "--run", "c.csv", "--train", "train.csv", "-m", "RR", "--format", "csv"
    )
    assert pl.read_csv(io.StringIO(fine(said)))["value"].to_list() == [1.0]
    assert "HO101" in said.err
    said = heldout("evaluate", "--qrels", "test.csv", "--run", "c.csv", "-m", "RR", "--format", "csv", "-q")
    assert pl.read_csv(io.StringIO(fine(said)))["value"].to_list() == [0.75]


@pytest.mark.parametrize("options", [["--seed", "many"], ["--format", "yaml"], ["--metrc", "P@5"]])
def test_bad_options_of_evaluate(options: list[str], desk: Path, heldout: Command) -> None:
    refused(heldout(*EVALUATE, "-m", "P@5", *options), options[0], "heldout evaluate --help")
