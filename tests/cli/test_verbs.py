"""Every verb does its work: what is printed, in which form, and what is written."""

from __future__ import annotations

import gzip
import io
import json
import lzma
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import jsonschema
import polars as pl
import pytest
import zstandard
from tests.cli.conftest import QRELS, RUN_A, Command, Said, study_text

from heldout.api import demo
from heldout.catalogue import KINDS, classes
from heldout.cli import console
from heldout.experiment import cell

EVALUATE = ("evaluate", "--qrels", "test.csv", "--run", "A=a.csv", "--run", "B=b.csv")


def fine(said: Said) -> str:
    assert said.code == 0, said.err
    assert "Traceback" not in said.err
    return said.out


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
    assert r"\textbf{1.0" in out


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


# list and describe


def test_list_names_every_component(heldout: Command) -> None:
    out = fine(heldout("list"))
    for kind in KINDS.values():
        assert kind.plural in out
        for cls in classes(kind.name):
            assert cls.key in out
    assert fine(heldout("list", "Metrics")) == fine(heldout("list", "metric"))


def test_describe_every_component(heldout: Command) -> None:
    for key in sorted({cls.key for kind in KINDS for cls in classes(kind)}):
        out = fine(heldout("describe", key))
        assert key in out
        assert "Assumes" in out
        assert "Example" in out


def test_describe_knows_case_aliases_text_forms_and_codes(heldout: Command) -> None:
    assert fine(heldout("describe", "NDCG")) == fine(heldout("describe", "nDCG(gain=exp2)@10"))
    assert "folds" in fine(heldout("describe", "cross_validation"))
    assert "Sampled targets" in fine(heldout("describe", "ho201"))


# schema


def test_schema_accepts_the_demo_and_refuses_a_misspelt_key(desk: Path, heldout: Command) -> None:
    schema = json.loads(fine(heldout("schema")))
    jsonschema.Draft202012Validator.check_schema(schema)
    valid = jsonschema.Draft202012Validator(schema)
    valid.validate(demo.STUDY)
    valid.validate(tomllib.loads(study_text(recommend='[{ name = "x", model = "Random" }, { model = "Popularity" }]')))
    for wrong in ({"mesure": ["P@10"]}, {"seed": "one"}, {"compare": {"level": 2}}, {"recommend": [{"name": "x"}]}):
        assert not valid.is_valid({**demo.STUDY, **wrong})
    for stage in ("split", "recommend", "target", "metrics"):
        assert schema["properties"][stage]["examples"]


# run, report, demo


def test_run_writes_a_folder_and_report_shows_it_again(desk: Path, heldout: Command) -> None:
    (desk / "study.toml").write_text(study_text(title='"Two of them"'))
    said = heldout("run", "study.toml", "-o", "results", "--threads", "1", "-v")
    out = fine(said)
    assert "Two of them" in out
    assert "Report: results/report.html" in out
    assert "measure" in said.err  # -v: seconds of each stage
    assert {p.name for p in (desk / "results").iterdir()} == {
        "manifest.json",
        "facts.json",
        "report.html",
        "index.sqlite",
        "scores",
        "ranks",
    }
    assert len(list((desk / "results" / "scores").glob("*.parquet"))) == 2
    shown = fine(heldout("report", "results"))
    assert shown.strip() == out.partition("\nReport:")[0].strip()
    (desk / "results" / "report.html").unlink()
    fine(heldout("report", "results", "--html"))
    assert "Two of them" in (desk / "results" / "report.html").read_text(encoding="utf-8")


def test_quiet_run_prints_nothing(desk: Path, heldout: Command) -> None:
    (desk / "study.toml").write_text(study_text())
    said = heldout("run", "study.toml", "-o", "results", "-q")
    assert (fine(said), said.err) == ("", "")
    assert (desk / "results" / "report.html").exists()


def test_ctrl_c_says_how_to_go_on(desk: Path, heldout: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("heldout.experiment.run.cell", stopped)
    (desk / "study.toml").write_text(study_text())
    said = heldout("run", "study.toml", "-o", "results")
    assert (said.code, said.out) == (130, "")
    assert said.err == "stopped; run the same command again to go on where it stopped\n"
    monkeypatch.setattr("heldout.experiment.run.cell", cell.cell)
    assert "Report: results/report.html" in fine(heldout("run", "study.toml", "-o", "results"))


def test_demo(desk: Path, heldout: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    small = {**demo.STUDY, "data": "simulate(users=60, items=80, ratings=1500)", "target": ["AllItems", "OnePlusRandom(20)"]}
    small |= {"recommend": ["Random", "Popularity", "UserKNN(k=5)"], "compare": {"tests": ["t"]}}
    monkeypatch.setattr(demo, "STUDY", small)
    out = fine(heldout("demo", "--out", "here"))
    assert "OnePlusRandom" in out
    assert "Report: here/report.html" in out
    assert "UserKNN" in (desk / "here" / "report.html").read_text(encoding="utf-8")


def test_data_describe(desk: Path, heldout: Command) -> None:
    out = fine(heldout("data", "describe", "ratings.csv", "--filter", "positive(4)"))
    assert "60" in out
    steps = json.loads(fine(heldout("data", "describe", "ratings.csv", "--filter", "positive(4)", "--json")))
    assert [s["label"] for s in steps] == ["as read", "positive(threshold=4)"]
    assert steps[0]["ratings"] == 60
    assert steps[1]["ratings"] == sum(1 + u * i % 5 >= 4 for u in range(1, 9) for i in range(1, 11) if (u + i) % 4)


def test_version_and_help(heldout: Command) -> None:
    assert fine(heldout("--version")).startswith("heldout ")
    for verb in ("run", "evaluate", "list", "describe", "schema", "report", "demo", "data"):
        assert verb in fine(heldout("--help"))
        assert "Usage: heldout " + verb in fine(heldout(verb, "-h"))
    said = heldout()
    assert (said.code, said.out) == (2, "")
    assert "Commands:" in said.err


# Width


@pytest.mark.parametrize("width", [60, 100])
def test_nothing_is_wider_than_the_terminal(
    width: int, desk: Path, heldout: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(console.out, "_width", width)
    (desk / "study.toml").write_text(study_text(target='["AllItems", "TestItems", "OnePlusRandom(3)"]'))
    commands = [
        (*EVALUATE, "-m", "nDCG(gain=exp2)@10", "-m", "P(rel=4)@[5, 10]"),
        ("run", "study.toml", "-o", "results"),
        ("report", "results"),
        ("list",),
        ("describe", "nDCG"),
        ("describe", "simulate"),
        ("describe", "HO201"),
        ("data", "describe", "ratings.csv", "-f", "core(2)", "-f", "positive(3)"),
    ]
    for command in commands:
        lines = fine(heldout(*command)).splitlines()
        assert lines
        assert max(map(len, lines)) <= width, (command, max(lines, key=len))


def test_the_width_comes_from_the_terminal(desk: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", "from heldout.cli import main; main()", *EVALUATE],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "COLUMNS": "60"},
    )
    assert max(map(len, ended.stdout.splitlines())) == 60
