"""`heldout run`: what it writes, and which studies, data and folders it refuses."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.cli.conftest import RATINGS, Command, study_text
from tests.cli.refusing import entries, refused, write
from tests.cli.saying import fine

from heldout.experiment import cell

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


HEAD = "user,item,rating\n"


# Study files, through `heldout run`.

BAD_STUDIES: dict[str, tuple[dict[str, str | None], tuple[str, ...]]] = {
    "key": ({"metrcs": '"P@10"'}, ("study.toml: unknown key 'metrcs'; did you mean metrics",)),
    "no data": ({"data": None}, ("study.toml: data: a study needs data", 'data = "ratings.csv"')),
    "no split": ({"split": None}, ("study.toml: split: the key is missing", "ratio(train=0.8)")),
    "split": ({"split": '"ratoi(0.5)"'}, ("study.toml: split: unknown split 'ratoi'; did you mean ratio?",)),
    "recommender": (
        {"recommend": '"Populartiy"'},
        ("recommend: unknown recommender 'Populartiy'; did you mean Popularity?",),
    ),
    "target": ({"target": '"AllItem"'}, ("target: unknown target 'AllItem'; did you mean AllItems?",)),
    "filter": ({"filters": '"cores(2)"'}, ("filters: unknown filter 'cores'; did you mean core?",)),
    "aggregation": ({"aggregate": '"medain"'}, ("aggregate: unknown aggregation 'medain'; did you mean median",)),
    "test": ({"compare": '"permute"'}, ("compare: unknown test 'permute'; did you mean permutation?",)),
    "correction": (
        {"compare": '{ correction = "bonferoni" }'},
        ("compare: unknown correction 'bonferoni'; did you mean bonf",),
    ),
    "compare key": ({"compare": '{ corection = "holm" }'}, ("compare: unknown key 'corection'; did you mean correction?",)),
    "compare level": ({"compare": "{ level = 2 }"}, ("compare, level: expected a number below 1, found 2",)),
    "compare level text": ({"compare": '{ level = "x" }'}, ("compare, level: expected a number, found 'x'",)),
    "baseline": (
        {"compare": '{ baseline = "Popularty" }'},
        ("compare: unknown baseline 'Popularty'; did you mean Popularity?",),
    ),
    "relevance": (
        {"relevance": '"treshold(4)"'},
        ("relevance: unknown relevance rule 'treshold'; did you mean threshold?",),
    ),
    "ties": ({"ties": '"items"'}, ("ties: unknown tie rule 'items'; did you mean item",)),
    "coverage": ({"coverage": '"forgiven"'}, ("coverage: unknown coverage rule 'forgiven'; did you mean forgive?",)),
    "fallback": ({"fallback": '"nothing"'}, ("fallback: unknown fallback 'nothing'",)),
    "users": ({"users": '"with_tests"'}, ("users: unknown rule for users 'with_tests'; did you mean with_test",)),
    "metric": ({"metrics": '"ndgc@10"'}, ("metrics: unknown metric 'ndgc'; did you mean nDCG?",)),
    "another kind": ({"target": '"nDCG@10"'}, ("target: unknown target 'nDCG'; known: AllItems",)),
    "task": ({"task": '"good"'}, ("study.toml: task: unknown task 'good'; known: all_good_items",)),
    "seed": ({"seed": '"abc"'}, ("seed: expected a whole number, found 'abc'",)),
    "seed of half": ({"seed": "1.5"}, ("seed: expected a whole number, found 1.5",)),
    "seed in quotes": ({"seed": '"5"'}, ("study.toml: seed: ", "found '5'")),
    "title": ({"title": "5"}, ("title: expected a text, found 5",)),
    "number for a text": ({"target": "5"}, ("target: expected a text or a list, found 5", 'such as target = ["AllItems"')),
    "number in a list": ({"metrics": '["P@5", 5]'}, ("metrics: expected a text or a table, found 5",)),
    "system key": (
        {"recommend": '[{ nam = "x", model = "Random" }]'},
        ("recommend: unknown key 'nam'; did you mean name?",),
    ),
    "two names": (
        {"recommend": '["Random", { name = "Random", model = "Popularity" }]'},
        ("study.toml: recommend: ", "found 'Random'", "{ name = "),
    ),
    "parameter type": ({"recommend": '"UserKNN(k=many)"'}, ("study.toml: recommend: UserKNN: 'k': ", "found 'many'")),
    "parameter name": ({"recommend": '"UserKNN(kk=3)"'}, ("unknown parameter of UserKNN 'kk'; did you mean k?",)),
    "one fold": ({"split": '"folds(1)"'}, ("study.toml: split: folds: 'n': ", "found 1")),
    "no train": (
        {"split": '"ratio(train=0.01, by=user)"'},
        ("ratio(train=0.01, by=user): the training set of fold 1 ", "found 0 training ratings, 60 test ratings"),
    ),
    "nobody": ({"users": '"with_test(99)"'}, ("users with_test(min=99): no user is left to be tested", "loosen")),
    "nobody of one chain": (
        {"users": '["with_test", "with_relevant"]', "relevance": '"threshold(9)"'},
        ("relevance: ", "threshold(tau=9)", "found 5"),
    ),
    "filter leaves nothing": (
        {"filters": '"core(50)"'},
        ("filters: core(k=50) removes all ratings", "at least one of 60", "ask for less"),
    ),
    "second filter": (
        {"filters": '[["min_ratings(user=2)", "positive(9)"]]'},
        ("filters: positive(threshold=9) removes all ratings",),
    ),
    "sample of nothing": ({"target": '"OnePlusRandom(0)"'}, ("target: OnePlusRandom: 'nonrelevant': ", "found 0")),
    "no list": (
        {"target": '"OnePlusRandom(2, relevance=threshold(7))"'},
        (
            "target: OnePlusRandom(nonrelevant=2, relevance=threshold(tau=7)): ",
            "found 5",
            "leave out relevance there to follow the study's rule",
        ),
    ),
    "data missing": ({"data": '"rating.csv"'}, ("study.toml: data: rating.csv: no such file; did you mean ratings.csv",)),
    "data number": ({"data": "7"}, ("data: expected a text", "found 7")),
    "data column": (
        {"data": '{ path = "ratings.csv", user = "who" }'},
        ("column 'who': there is no such column for the user: found user, item, rating",),
    ),
    "data key": (
        {"data": '{ path = "ratings.csv", usr = "user" }'},
        ("data: unknown parameter of csv 'usr'; did you mean user?",),
    ),
    "reader": ({"data": "\"moviles('x')\""}, ("data: unknown reader 'moviles'; did you mean movielens?",)),
    "given in different numbers": (
        {"split": '\'given(train=["a.csv", "b.csv"], test="test.csv")\'', "data": None},
        ("study.toml: split: given: 'train': ", "1 training file,", "found 2"),
    ),
    "given missing": ({"split": "'given(test=\"tst.csv\")'"}, ("tst.csv: no such file; did you mean test.csv?",)),
    "given overlapping": (
        {"split": '\'given(train="ratings.csv", test="test.csv")\'', "data": None},
        ("test.csv: ", "ratings.csv", "found user u1, item i1, and 2 more", "overlap=train"),
    ),
    "given and filtered": (
        {"split": '\'given(train="train.csv", test="test.csv")\'', "data": None, "filters": '"core(2)"'},
        ("filters: filters cannot change a split whose train and test are both given", "filter the files"),
    ),
}


@pytest.mark.parametrize("case", BAD_STUDIES)
def test_bad_studies(case: str, desk: Path, heldout: Command) -> None:
    keys, words = BAD_STUDIES[case]
    write(desk, "train.csv", HEAD + "u1,i3,3\nu2,i4,4\n")
    write(desk, "study.toml", study_text(**keys))
    before = entries(desk)
    refused(heldout("run", "study.toml", "--out", "results"), *words)
    assert entries(desk) == before


BAD_DATA: dict[str, tuple[str, tuple[str, ...]]] = {
    "not a number": (
        HEAD + "u1,i1,3\nu1,i2,good\n",
        ("data.csv, line 3, column 'rating': expected a finite number, found 'good'",),
    ),
    "duplicates": (HEAD + "u1,i1,3\nu1,i1,4\n", ("data.csv: ", "found u1, i1", "duplicates(keep=")),
    "ragged": (HEAD + "u1,i1,3\nu1\n", ("data.csv, line 3: expected 3 fields",)),
    "graded gain of negative ratings": (RATINGS.replace(",1\n", ",-1\n"), ("metrics: nDCG(gain=exp2)@5: ", "found -1")),
}


@pytest.mark.parametrize("case", BAD_DATA)
def test_bad_data_of_a_study(case: str, desk: Path, heldout: Command) -> None:
    content, words = BAD_DATA[case]
    write(desk, "data.csv", content)
    write(desk, "study.toml", study_text(data='"data.csv"', metrics='"nDCG(gain=exp2)@5"'))
    before = entries(desk)
    refused(heldout("run", "study.toml", "--out", "results"), *words)
    assert entries(desk) == before


def test_study_files_that_are_none(desk: Path, heldout: Command) -> None:
    write(desk, "study.toml", study_text())
    refused(heldout("run", "studi.toml", "-o", "out"), "studi.toml: no such study file; did you mean study.toml?")
    (desk / "folder").mkdir()
    refused(heldout("run", "folder", "-o", "out"), "error: folder: ", "expected a study file")
    write(desk, "bad.toml", "data = \nsplit")
    refused(heldout("run", "bad.toml", "-o", "out"), "bad.toml, line 1: ", "character 8", "valid TOML")
    write(desk, "binary.toml", bytes(range(128, 256)))
    refused(heldout("run", "binary.toml", "-o", "out"), "binary.toml: ", "byte 1", "UTF-8 text", r"b'\x80'")
    write(desk, "empty.toml", "")
    said = heldout("run", "empty.toml", "-o", "out")
    assert said.err.startswith("error: empty.toml: 2 things are wrong:\n- split: the key is missing")
    assert "\n- recommend: " in said.err
    refused(heldout("run", "study.toml"), "Missing option '--out'", "heldout run --help")
    assert not (desk / "out").exists()


def test_folders_that_cannot_take_results(desk: Path, heldout: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    write(desk, "study.toml", study_text())
    refused(heldout("run", "study.toml", "-o", "a.csv"), "a.csv: is a file, not a folder for results", "another --out")
    refused(heldout("run", "study.toml", "-o", "a.csv/out"), "a.csv/out: cannot write there", "a.csv is a file")
    (desk / "full").mkdir()
    write(desk, "full/thesis.txt", "do not lose me")
    refused(
        heldout("run", "study.toml", "-o", "full"), "full: the folder is not empty and holds no results", "another --out"
    )
    assert entries(desk / "full") == {"thesis.txt"}
    if os.geteuid() == 0:  # root may write anywhere, so the refusal is simulated
        monkeypatch.setattr("os.access", lambda _, mode: not mode & os.W_OK)
    else:
        desk.chmod(0o555)
    refused(heldout("run", "study.toml", "-o", "out"), "out: cannot write there (no permission)")
    desk.chmod(0o755)
    assert not (desk / "out").exists()


@pytest.mark.parametrize("options", [["--threads", "0"], ["--threads", "two"], ["--block", "0"]])
def test_bad_options_of_run(options: list[str], desk: Path, heldout: Command) -> None:
    write(desk, "study.toml", study_text())
    refused(heldout("run", "study.toml", "-o", "out", *options), options[0], "heldout run --help")
    assert not (desk / "out").exists()
