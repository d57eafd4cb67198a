"""`heldout evaluate`: what it prints and writes, and what it refuses."""

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
from tests.cli.conftest import QRELS, RATINGS, RUN_A, Command
from tests.cli.refusing import entries, refused, write
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


HEAD = "user,item,rating\n"


RUN = "user,item,score\n"


# Files of judgements and runs, through `heldout evaluate`.

BAD_QRELS: dict[str, tuple[str, str | bytes, tuple[str, ...]]] = {
    "missing column": (
        "q.csv",
        "user,thing,stuff,rating\nu1,i1,3,4\n",
        ("q.csv: there is no column for the item", "found user, thing"),
    ),
    "not a number": (
        "q.csv",
        HEAD + "u1,i1,3\nu1,i2,good\n",
        ("q.csv, line 3, column 'rating'", "a finite number, found 'good'"),
    ),
    "not a number in qrels": ("q.qrels", "u1 0 i1 1\nu1 0 i2 x\n", ("q.qrels, line 2", "a finite number, found 'x'")),
    "NaN": ("q.csv", HEAD + "u1,i1,3\nu1,i2,NaN\n", ("q.csv, line 3, column 'rating'", "a finite number, found 'NaN'")),
    "infinite": ("q.csv", HEAD + "u1,i1,inf\n", ("q.csv, line 2, column 'rating'", "a finite number, found 'inf'")),
    "empty field": ("q.csv", HEAD + "u1,i1,3\nu1,i2,\n", ("q.csv, line 3", "a finite number, found ''")),
    "empty id": ("q.csv", HEAD + "u1,i1,3\n,i2,4\n", ("q.csv, line 3, column 'user'", "a user id, found ''")),
    "duplicates": ("q.csv", HEAD + "u1,i1,3\nu2,i1,4\nu1,i1,5\n", ("q.csv: ", "found u1, i1", "keep one row for each")),
    "empty file": ("q.csv", "", ("q.csv: this file is empty",)),
    "blank lines": ("q.csv", "\n\n\n", ("q.csv: this file is empty",)),
    "header only": ("q.csv", HEAD, ("q.csv: expected at least one row below the header",)),
    "binary": ("q.csv", bytes(range(256)), ("q.csv: this file is binary: expected text",)),
    "Parquet in disguise": ("q.csv", b"PAR1 and more", ("q.csv: expected a text file, found 'Parquet'", "rename")),
    "cut gz": ("q.csv.gz", gzip.compress(RATINGS.encode())[:-20], ("q.csv.gz: the file is damaged",)),
    "not gz": ("q.csv.gz", HEAD, ("q.csv.gz: the file is damaged or not compressed as its name says",)),
    "not xz": ("q.csv.xz", HEAD, ("q.csv.xz: the file is damaged",)),
    "not zst": ("q.csv.zst", HEAD, ("q.csv.zst: the file is damaged",)),
    "damaged Parquet": ("q.parquet", b"PAR1 nonsense PAR1", ("q.parquet: cannot read the file", "expected a Parquet file")),
    "encoding": ("q.csv", (HEAD + "u1,i1,3\nü,i2,4\n").encode("latin-1"), ("q.csv, line 3", "expected UTF-8", "encoding=")),
    "UTF-16": ("q.csv", HEAD.encode("utf-16"), ("q.csv: expected UTF-8, found 'UTF-16'", "encoding=")),
    "too few fields": (
        "q.csv",
        HEAD + "u1,i1,3\nu1,i2\n",
        ("q.csv, line 3: expected 3 fields, as in the first line, found 2",),
    ),
    "too many fields": ("q.csv", HEAD + "u1,i1,3\nu1,i2,3,4\n", ("q.csv, line 3: expected 3 fields", "found 4", "comma")),
}


@pytest.mark.parametrize("case", BAD_QRELS)
def test_bad_judgements(case: str, desk: Path, heldout: Command) -> None:
    name, content, words = BAD_QRELS[case]
    write(desk, name, content)
    before = entries(desk)
    refused(heldout("evaluate", "--qrels", name, "--run", "a.csv", "--per-user", "values.csv"), *words)
    assert entries(desk) == before


BAD_RUNS: dict[str, tuple[str, str | bytes, tuple[str, ...]]] = {
    "nobody tested": (
        "r.csv",
        RUN + "x1,i1,2\n",
        ("r.csv: ", "1 users", "found 'x1'", "same user ids"),
    ),
    "two scores": (
        "r.csv",
        RUN + "u1,i1,2\nu1,i2,1\nu1,i1,3\n",
        ("r.csv, line 4", "user u1 has this item more than once: found 'i1'"),
    ),
    "NaN": (
        "r.csv",
        RUN + "u1,i1,2\nu1,i2,nan\n",
        ("r.csv, line 3, column 'score': expected a finite number, found 'nan'",),
    ),
    "infinite": ("r.csv", RUN + "u1,i1,-inf\n", ("r.csv, line 2, column 'score': expected a finite number, found '-inf'",)),
    "TREC score": ("r.run", "u1 Q0 i1 1 2.0 t\nu1 Q0 i2 2 x t\n", ("r.run, line 2, column 'score'", "found 'x'")),
    "TREC fields": (
        "r.run",
        "u1 Q0 i1 1 2.0 t\nu1 Q0 i2 2 t\n",
        ("r.run, line 2: expected 6 fields", "found 5", "whitespace"),
    ),
    "no score": (
        "r.csv",
        "user,item,thing\nu1,i1,2\n",
        ("r.csv: expected a column score or rank, found user, item, thing",),
    ),
    "empty": ("r.csv", "", ("r.csv: this file is empty",)),
    "header only": ("r.csv", RUN, ("r.csv: expected at least one row below the header",)),
    "binary": ("r.run", bytes(range(256)), ("r.run: this file is binary: expected text",)),
    "damaged gz": ("r.run.gz", gzip.compress(b"u1 Q0 i1 1 2.0 t\n")[:-9], ("r.run.gz: the file is damaged",)),
    "damaged Parquet": ("r.parquet", b"nonsense", ("r.parquet: cannot read the file", "expected a Parquet file")),
    "encoding": ("r.csv", (RUN + "ü,i1,3\n").encode("latin-1"), ("r.csv, line 2", "expected UTF-8")),
}


@pytest.mark.parametrize("case", BAD_RUNS)
def test_bad_runs(case: str, desk: Path, heldout: Command) -> None:
    name, content, words = BAD_RUNS[case]
    write(desk, name, content)
    before = entries(desk)
    refused(heldout("evaluate", "--qrels", "test.csv", "--run", name, "--report", "report.html"), *words)
    assert entries(desk) == before


BAD_METRICS = {
    "ndgc@10": ("unknown metric 'ndgc'; did you mean nDCG?",),
    "nDCG@-3": ("metrics: nDCG: cut-off: ", "found -3"),
    "nDCG@2.5": ("metrics: nDCG: cut-off: ", "found 2.5"),
    "nDCG@1e999": ("metrics: nDCG: cut-off: ", "found inf"),
    "P@[5, 0]": ("metrics: P: cut-off: ", "found 0"),
    "nDCG(gain=exp2@10": ("metrics: 'nDCG(gain=exp2@10': ", "character 17", "expected ',' or ')'"),
    "P@10 x": ("metrics: 'P@10 x', character 6: ", "found 'x'"),
    "nDCG(foo=1)@10": ("unknown parameter of nDCG 'foo'", "known: ", "gain"),
    "P(rel=f(3))@10": ("metrics: P: 'rel': ", "found 'f(3)'"),
    "nDCG(gain=7)@10": ("metrics: nDCG: 'gain': ", "found 7"),
    "nDCG(gain=foo)@10": ("nDCG: 'gain': unknown gain 'foo'; known: ", "exp2"),
    "RR(1, 2, 3)@10": ("metrics: RR: ", "at most 1 parameter", "found 3", "RR(rel=none)[@n]"),
    "RMSE": ("RMSE: ", "use a ranking metric"),
    "Utility@5": ("Utility@5: ", "utility=<column>"),
    "GROC": ("GROC: ", "use CROC or UROC"),
    "ARP@5": ("ARP@5 needs the training ratings, which are not known", "pass the training set"),
    "StratifiedRecall@5": ("StratifiedRecall@5: ", "pass the training set"),
    "ILD(features=genre)@5": ("needs a table of items, and the data set has none",),
    'ILD(features=genre, table="nowhere.csv")@5': ("nowhere.csv",),
}


@pytest.mark.parametrize("text", BAD_METRICS)
def test_bad_metrics(text: str, desk: Path, heldout: Command) -> None:
    refused(heldout("evaluate", "--qrels", "test.csv", "--run", "a.csv", "-m", text), *BAD_METRICS[text])


BAD_OPTIONS: dict[str, tuple[list[str], tuple[str, ...]]] = {
    "ties": (["--ties", "itm"], ("unknown tie rule 'itm'; did you mean item?",)),
    "relevance": (["--relevance", "thr(4)"], ("unknown relevance rule 'thr'; known: ", "threshold")),
    "relevance without value": (["--relevance", "threshold"], ("relevance: threshold: 'tau': ", "write threshold(tau)")),
    "scores": (["--scores", "stars"], ("unknown kind of scores 'stars'; known: comparable, order, ratings",)),
    "items": (["--items", "nowhere.csv"], ("nowhere.csv",)),
    "unrated": (["--unrated", "condensed"], ("unknown rule for unrated items 'condensed'; did you mean condense?",)),
    "aggregate": (["--aggregate", "means"], ("unknown aggregation 'means'; did you mean mean",)),
    "undefined": (["--undefined", "skp"], ("unknown rule for undefined values 'skp'; did you mean skip?",)),
    "coverage": (["--coverage", "zer0"], ("unknown coverage rule 'zer0'; did you mean zero?",)),
    "test": (["--test", "permutations"], ("unknown test 'permutations'; did you mean permutation?",)),
    "correction": (["--correction", "holmes"], ("unknown correction 'holmes'; did you mean holm?",)),
    "baseline": (["--baseline", "c"], ("unknown baseline 'c'; known: a, b",)),
    "seed": (["--seed", "many"], ("'--seed'", "integer", "heldout evaluate --help")),
    "format": (["--format", "yaml"], ("'--format'", "'yaml'", "latex")),
    "no such option": (["--metrc", "P@5"], ("No such option", "--metrc")),
    "train missing": (["--train", "training.csv"], ("training.csv: no such file",)),
    "per-user ending": (["--per-user", "x.xlsx"], ("x.xlsx: cannot write values per user as '.xlsx'", ".parquet or .csv")),
    "per-user nowhere": (["--per-user", "no/x.csv"], ("no/x.csv: cannot be written (No such file or directory",)),
    "report nowhere": (["--report", "no/x.html"], ("no/x.html: cannot be written (No such file or directory)",)),
    "report is a folder": (["--report", "."], (".: cannot be written (Is a directory)",)),
    "two runs of one name": (["--run", "a.csv"], ("--run: two runs are called 'a'", "--run NAME=PATH")),
    "no name": (["--run", "=a.csv"], ("--run: found '=a.csv', expected PATH or NAME=PATH",)),
    "no path": (["--run", "A="], ("--run: found 'A=', expected PATH or NAME=PATH",)),
    "run missing": (["--run", "C=aa.csv"], ("aa.csv: no such file; did you mean a.csv?",)),
    "run is a folder": (["--run", "C=folder"], ("folder: this is a folder: expected a file",)),
}


@pytest.mark.parametrize("case", BAD_OPTIONS)
def test_bad_options_of_evaluate(case: str, desk: Path, heldout: Command) -> None:
    options, words = BAD_OPTIONS[case]
    (desk / "folder").mkdir()
    before = entries(desk)
    refused(heldout("evaluate", "--qrels", "test.csv", "--run", "a.csv", "--run", "b.csv", "-m", "P@5", *options), *words)
    assert entries(desk) == before


def test_judgements_that_are_not_there(desk: Path, heldout: Command) -> None:
    refused(heldout("evaluate", "--qrels", "tests.csv", "--run", "a.csv"), "tests.csv: no such file; did you mean test.csv?")
    refused(
        heldout("evaluate", "--qrels", "no/test.csv", "--run", "a.csv"),
        "no/test.csv: no such file",
        "there is no folder no either",
    )
    (desk / "folder").mkdir()
    refused(heldout("evaluate", "--qrels", "folder", "--run", "a.csv"), "folder: no reader recognises this folder")
    refused(
        heldout("evaluate", "--qrels", "none.csv", "--run", "a.csv", "--report", "no/r.html"), "no/r.html: cannot be written"
    )
    refused(heldout("evaluate", "--run", "a.csv"), "Missing option '--qrels'", "heldout evaluate --help")


def test_graded_gain_of_negative_ratings(desk: Path, heldout: Command) -> None:
    write(desk, "neg.csv", HEAD + "u1,i1,5\nu1,i2,-3\nu2,i1,4\n")
    said = heldout("evaluate", "--qrels", "neg.csv", "--run", "a.csv", "-m", "nDCG(gain=exp2)@5")
    refused(said, "metrics: nDCG(gain=exp2)@5: ", "found -3", "use gain=binary")
