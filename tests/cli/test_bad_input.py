"""What a user may get wrong: one clear message, exit code 2, nothing printed and nothing half-written."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import RATINGS, Command, Said, study_text

from heldout.experiment.ledger import parts_key, sealed
from heldout.experiment.ledger.manifest import manifest_text

HEAD = "user,item,rating\n"
RUN = "user,item,score\n"


def refused(said: Said, *words: str) -> None:
    """One message of one line that holds all the words, and nothing else."""
    assert said.code == 2, said
    assert said.out == ""
    assert "Traceback" not in said.err
    assert said.err.startswith("error: ")
    assert said.err.count("\n") == 1, said.err
    for word in words:
        assert word in said.err, said.err


def write(folder: Path, name: str, content: str | bytes) -> None:
    (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())


def entries(folder: Path) -> set[str]:
    return {str(p.relative_to(folder)) for p in folder.rglob("*")}


# Files of judgements and runs, through `heldout evaluate`.

BAD_QRELS: dict[str, tuple[str, str | bytes, tuple[str, ...]]] = {
    "missing column": (
        "q.csv",
        "user,thing,stuff,rating\nu1,i1,3,4\n",
        ("q.csv: no column for the item", "found user, thing"),
    ),
    "not a number": ("q.csv", HEAD + "u1,i1,3\nu1,i2,good\n", ("q.csv, line 3, column 'rating'", "'good' is not a finite")),
    "not a number in qrels": ("q.qrels", "u1 0 i1 1\nu1 0 i2 x\n", ("q.qrels, line 2", "'x' is not a finite number")),
    "NaN": ("q.csv", HEAD + "u1,i1,3\nu1,i2,NaN\n", ("q.csv, line 3, column 'rating'", "'NaN' is not a finite number")),
    "infinite": ("q.csv", HEAD + "u1,i1,inf\n", ("q.csv, line 2, column 'rating'", "'inf' is not a finite number")),
    "empty field": ("q.csv", HEAD + "u1,i1,3\nu1,i2,\n", ("q.csv, line 3", "an empty field is not a finite number")),
    "empty id": ("q.csv", HEAD + "u1,i1,3\n,i2,4\n", ("q.csv, line 3, column 'user'", "the user id is missing")),
    "duplicates": ("q.csv", HEAD + "u1,i1,3\nu2,i1,4\nu1,i1,5\n", ("q.csv: ", "user u1, item i1", "keep one row for each")),
    "empty file": ("q.csv", "", ("q.csv: this file is empty",)),
    "blank lines": ("q.csv", "\n\n\n", ("q.csv: this file is empty",)),
    "header only": ("q.csv", HEAD, ("q.csv: there is a header but no row",)),
    "binary": ("q.csv", bytes(range(256)), ("q.csv: this file is binary, text is expected",)),
    "Parquet in disguise": ("q.csv", b"PAR1 and more", ("q.csv: this is a Parquet file", "name ending")),
    "cut gz": ("q.csv.gz", gzip.compress(RATINGS.encode())[:-20], ("q.csv.gz: this file is damaged",)),
    "not gz": ("q.csv.gz", HEAD, ("q.csv.gz: this file is damaged or not compressed as its name says",)),
    "not xz": ("q.csv.xz", HEAD, ("q.csv.xz: this file is damaged",)),
    "not zst": ("q.csv.zst", HEAD, ("q.csv.zst: this file is damaged",)),
    "damaged Parquet": ("q.parquet", b"PAR1 nonsense PAR1", ("q.parquet: not a readable Parquet file",)),
    "encoding": ("q.csv", (HEAD + "u1,i1,3\nü,i2,4\n").encode("latin-1"), ("q.csv, line 3", "not UTF-8", "encoding=")),
    "UTF-16": ("q.csv", HEAD.encode("utf-16"), ("q.csv: this file is UTF-16, UTF-8 is expected", "encoding=")),
    "too few fields": ("q.csv", HEAD + "u1,i1,3\nu1,i2\n", ("q.csv, line 3: too few fields: 2 where the first line has 3",)),
    "too many fields": ("q.csv", HEAD + "u1,i1,3\nu1,i2,3,4\n", ("q.csv, line 3: too many fields: 4", "comma")),
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
        ("r.csv: none of its 1 users is in the test set", "first: x1", "same user ids"),
    ),
    "two scores": ("r.csv", RUN + "u1,i1,2\nu1,i2,1\nu1,i1,3\n", ("r.csv, line 4", "user u1 has item i1 more than once")),
    "NaN": ("r.csv", RUN + "u1,i1,2\nu1,i2,nan\n", ("r.csv, line 3, column 'score': 'nan' is not a finite number",)),
    "infinite": ("r.csv", RUN + "u1,i1,-inf\n", ("r.csv, line 2, column 'score': '-inf' is not a finite number",)),
    "TREC score": ("r.run", "u1 Q0 i1 1 2.0 t\nu1 Q0 i2 2 x t\n", ("r.run, line 2, column 'score': 'x' is not a finite",)),
    "TREC fields": ("r.run", "u1 Q0 i1 1 2.0 t\nu1 Q0 i2 2 t\n", ("r.run, line 2: too few fields: 5", "whitespace")),
    "no score": ("r.csv", "user,item,thing\nu1,i1,2\n", ("r.csv: neither a score nor a rank; found user, item, thing",)),
    "empty": ("r.csv", "", ("r.csv: this file is empty",)),
    "header only": ("r.csv", RUN, ("r.csv: there is a header but no row",)),
    "binary": ("r.run", bytes(range(256)), ("r.run: this file is binary, text is expected",)),
    "damaged gz": ("r.run.gz", gzip.compress(b"u1 Q0 i1 1 2.0 t\n")[:-9], ("r.run.gz: this file is damaged",)),
    "damaged Parquet": ("r.parquet", b"nonsense", ("r.parquet: not a readable Parquet file",)),
    "encoding": ("r.csv", (RUN + "ü,i1,3\n").encode("latin-1"), ("r.csv, line 2", "not UTF-8")),
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
    "nDCG@0": ("nDCG: cut-off must be at least 1, found 0",),
    "nDCG@-3": ("nDCG: cut-off must be at least 1, found -3",),
    "nDCG@2.5": ("nDCG: cut-off must be a whole number, found 2.5",),
    "nDCG@ten": ("nDCG: cut-off must be a whole number, found ten",),
    "nDCG@1e999": ("nDCG: cut-off must be a whole number",),
    "P@[5, 0]": ("P: cut-off must be at least 1, found 0",),
    "P@[]": ("cannot read 'P@[]'", "the list of cut-offs is empty"),
    "P": ("P needs a cut-off; such as P@10",),
    "nDCG(gain=exp2@10": ("cannot read 'nDCG(gain=exp2@10'", "expected ',' or ')'", "the text ends at character 17"),
    "nDCG)@10": ("expected the end, found ')' at character 5",),
    "P@10 x": ("expected the end, found 'x' at character 6",),
    "P!": ("unexpected '!' at character 2",),
    "nDCG(foo=1)@10": ("unknown parameter of nDCG 'foo'", "known: ", "gain"),
    "P(rel=abc)@10": ("P: 'rel' must be a number or none, found abc",),
    "P(rel=f(3))@10": ("P: 'rel' must be a number or none, found f(3)",),
    "nDCG(gain=7)@10": ("nDCG: 'gain': a gain is written as text, found 7",),
    "nDCG(gain=foo)@10": ("nDCG: 'gain': unknown gain 'foo'; known: ", "exp2"),
    "P(rel=1, rel=2)@10": ("'rel' is given twice",),
    "RR(1, 2, 3)@10": ("RR takes 1 parameter, found 3", "it is written RR(rel=none)[@n]"),
    'nDCG(gain="\\q")@10': ("a backslash in the text at character 11", "single quotes"),
    " ": ("the name of a metric is empty",),
    "RMSE": ("RMSE needs scores on the rating scale, which these are not", "use a ranking metric"),
    "Utility@5": ("needs a column of utilities, and the test ratings have none", "utility=<column>"),
    "GROC": ("this system's scores are not comparable across users", "use CROC or UROC"),
    "ARP@5": ("ARP@5 needs the training ratings, which are not known", "name the training set"),
    "StratifiedRecall@5": ("needs the training ratings to count how many users like an item",),
    "ILD(features=genre)@5": ("needs a table of items, and the data set has none",),
    'ILD(features=genre, table="nowhere.csv")@5': ("nowhere.csv",),
    "RBP(gain=linear)@5": ("RBP needs gains within 0…1, which gain=linear may leave",),
    "P(ips)@5": ("P(ips) needs absolute propensities, and none are named",),
}


@pytest.mark.parametrize("text", BAD_METRICS)
def test_bad_metrics(text: str, desk: Path, heldout: Command) -> None:
    refused(heldout("evaluate", "--qrels", "test.csv", "--run", "a.csv", "-m", text), *BAD_METRICS[text])


BAD_OPTIONS: dict[str, tuple[list[str], tuple[str, ...]]] = {
    "ties": (["--ties", "itm"], ("unknown tie rule 'itm'; did you mean item?",)),
    "relevance": (["--relevance", "thr(4)"], ("unknown relevance rule 'thr'; known: ", "threshold")),
    "relevance without value": (["--relevance", "threshold"], ("threshold needs 'tau'; it is written threshold(tau)",)),
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
    "run is a folder": (["--run", "C=folder"], ("folder: this is a folder, a file is expected",)),
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
        "nor is there a folder no",
    )
    (desk / "folder").mkdir()
    refused(
        heldout("evaluate", "--qrels", "folder", "--run", "a.csv"), "folder: this folder is no data set that a reader knows"
    )
    refused(
        heldout("evaluate", "--qrels", "none.csv", "--run", "a.csv", "--report", "no/r.html"), "no/r.html: cannot be written"
    )
    refused(heldout("evaluate", "--run", "a.csv"), "Missing option '--qrels'", "heldout evaluate --help")


def test_graded_gain_of_negative_ratings(desk: Path, heldout: Command) -> None:
    write(desk, "neg.csv", HEAD + "u1,i1,5\nu1,i2,-3\nu2,i1,4\n")
    said = heldout("evaluate", "--qrels", "neg.csv", "--run", "a.csv", "-m", "nDCG(gain=exp2)@5")
    refused(said, "nDCG(gain=exp2)@5: gain=exp2 of a rating of -3 is below 0", "use gain=binary")


# Study files, through `heldout run`.

BAD_STUDIES: dict[str, tuple[dict[str, str | None], tuple[str, ...]]] = {
    "key": ({"metrcs": '"P@10"'}, ("study.toml: unknown key 'metrcs'; did you mean metrics?",)),
    "no data": ({"data": None}, ("study.toml: data: a study needs data", 'data = "ratings.csv"')),
    "no split": ({"split": None}, ("study.toml: split: the key is missing", "ratio(train=0.8)")),
    "no recommender": ({"recommend": None}, ("study.toml: recommend: no recommender is named", '"Popularity"')),
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
    "seed in quotes": ({"seed": '"5"'}, ("seed: the seed must be a whole number, found '5'",)),
    "title": ({"title": "5"}, ("title: expected a text, found 5",)),
    "number for a text": ({"target": "5"}, ("target: expected a text or a list, found 5", 'such as target = ["AllItems"')),
    "number in a list": ({"metrics": '["P@5", 5]'}, ("metrics: expected a text or a table, found 5",)),
    "no options": ({"metrics": "[]"}, ("metrics: the list of options is empty",)),
    "no users rule": ({"users": "[]"}, ("users: the list of options is empty",)),
    "system key": (
        {"recommend": '[{ nam = "x", model = "Random" }]'},
        ("recommend: unknown key 'nam'; did you mean name?",),
    ),
    "system without model": (
        {"recommend": '[{ name = "x" }]'},
        ("recommend: a table under recommend has 'model' or 'tuned'",),
    ),
    "two systems": ({"recommend": '["Random", "Random"]'}, ("recommend: 'Random' is named twice", "{ name = ")),
    "two names": (
        {"recommend": '["Random", { name = "Random", model = "Popularity" }]'},
        ("recommend: 'Random' is named twice", "{ name = "),
    ),
    "parameter type": ({"recommend": '"UserKNN(k=many)"'}, ("UserKNN: 'k' must be a whole number, found many",)),
    "parameter bound": ({"recommend": '"UserKNN(k=0)"'}, ("UserKNN: 'k' must be at least 1, found 0",)),
    "parameter name": ({"recommend": '"UserKNN(kk=3)"'}, ("unknown parameter of UserKNN 'kk'; did you mean k?",)),
    "split bound": ({"split": '"ratio(train=1.5)"'}, ("split: ratio: 'train' must be below 1, found 1.5",)),
    "one fold": ({"split": '"folds(1)"'}, ("split: folds: 'n' must be at least 2, found 1",)),
    "too many folds": (
        {"split": '"folds(100)"'},
        ("folds(n=100): the test set of fold 61 is empty (there are 60 ratings)",),
    ),
    "no test": ({"split": '"ratio(train=0.99, by=user)"'}, ("the test set of fold 1 is empty (60 training and 0 test",)),
    "no train": ({"split": '"ratio(train=0.01, by=user)"'}, ("the training set of fold 1 is empty (0 training and 60",)),
    "nobody": ({"users": '"with_test(99)"'}, ("users with_test(min=99): no user is left to be tested", "loosen")),
    "nobody of one chain": (
        {"users": '["with_test", "with_relevant"]', "relevance": '"threshold(9)"'},
        ("relevance: no test rating is relevant under threshold(tau=9): the highest is 5",),
    ),
    "filter leaves nothing": ({"filters": '"core(50)"'}, ("filters: core(k=50) leaves none of 60 ratings", "ask for less")),
    "second filter": (
        {"filters": '[["min_ratings(user=2)", "positive(9)"]]'},
        ("filters: positive(threshold=9) leaves none",),
    ),
    "sample too large": ({"target": '"OnePlusRandom(5000)"'}, ("target: 5000 items cannot be sampled from 10 candidates",)),
    "sample of nothing": ({"target": '"OnePlusRandom(0)"'}, ("OnePlusRandom: 'nonrelevant' must be at least 1, found 0",)),
    "no list": (
        {"target": '"OnePlusRandom(2, relevance=threshold(7))"'},
        ("relevance: no test rating is relevant under threshold(tau=7): the highest is 5", "choose another rule"),
    ),
    "data missing": ({"data": '"rating.csv"'}, ("study.toml: data: rating.csv: no such file; did you mean ratings.csv",)),
    "data number": ({"data": "7"}, ("data: expected a text", "found 7")),
    "data without path": ({"data": '{ user = "u" }'}, ("data: the table needs 'path'", "ratings.csv")),
    "data column": (
        {"data": '{ path = "ratings.csv", user = "who" }'},
        ("no column 'who' for the user; found user, item, rating",),
    ),
    "data key": (
        {"data": '{ path = "ratings.csv", usr = "user" }'},
        ("data: unknown parameter of csv 'usr'; did you mean user?",),
    ),
    "reader": ({"data": "\"moviles('x')\""}, ("data: unknown reader 'moviles'; did you mean movielens?",)),
    "given without test": ({"split": '"given()"'}, ("split: given needs 'test'", "such as given(")),
    "given in different numbers": (
        {"split": '\'given(train=["a.csv", "b.csv"], test="test.csv")\'', "data": None},
        ("split: given: 2 training and 1 test files", "one of each for every fold"),
    ),
    "given missing": ({"split": "'given(test=\"tst.csv\")'"}, ("tst.csv: no such file; did you mean test.csv?",)),
    "given overlapping": (
        {"split": '\'given(train="ratings.csv", test="test.csv")\'', "data": None},
        ("test.csv: ", "pairs are also in ratings.csv", "must be disjoint"),
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
    "not a number": (HEAD + "u1,i1,3\nu1,i2,good\n", ("data.csv, line 3, column 'rating': 'good' is not a finite number",)),
    "duplicates": (HEAD + "u1,i1,3\nu1,i1,4\n", ("data.csv: ", "user u1, item i1", "duplicates(keep=")),
    "ragged": (HEAD + "u1,i1,3\nu1\n", ("data.csv, line 3: too few fields",)),
    "graded gain of negative ratings": (RATINGS.replace(",1\n", ",-1\n"), ("gain=exp2 of a rating of -1 is below 0",)),
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
    refused(heldout("run", "folder", "-o", "out"), "folder: is a folder, not a study file")
    write(desk, "bad.toml", "data = \nsplit")
    refused(heldout("run", "bad.toml", "-o", "out"), "bad.toml: is not valid TOML", "line 1, column 8")
    write(desk, "binary.toml", bytes(range(128, 256)))
    refused(heldout("run", "binary.toml", "-o", "out"), "binary.toml: is not UTF-8 text (byte 1)")
    write(desk, "empty.toml", "")
    said = heldout("run", "empty.toml", "-o", "out")
    assert said.err.startswith("error: empty.toml: 2 things are wrong:\n- split: the key is missing")
    assert "\n- recommend: no recommender is named" in said.err
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


# The other verbs.


def test_names_that_nothing_has(desk: Path, heldout: Command) -> None:
    refused(heldout("list", "metrix"), "unknown kind 'metrix'; did you mean metrics?")
    refused(heldout("describe", "nDGC"), "unknown component 'nDGC'; did you mean nDCG?")
    refused(heldout("describe", "P("), "cannot read 'P(': expected ')', but the text ends at character 2")
    refused(heldout("describe", "HO999"), "unknown code 'HO999'", "did you mean HO509")
    refused(heldout("evalute"), "No such command 'evalute'", "heldout --help")
    refused(heldout("data", "describe", "rating.csv"), "rating.csv: no such file; did you mean ratings.csv?")
    refused(heldout("data", "describe", "ratings.csv", "-f", "coer(2)"), "unknown filter 'coer'; did you mean core?")
    refused(heldout("data", "describe", "ratings.csv", "-f", "core(50)"), "filters: core(k=50) leaves none of 60 ratings")
    refused(heldout("demo", "-o", "a.csv"), "a.csv: is a file, not a folder for results")


_EMPTY = manifest_text({})
_MANIFEST = "manifest.json: was changed after it was written"
BAD_FOLDERS: dict[str, tuple[dict[str, str], tuple[str, ...]]] = {
    "empty": ({}, ("results: no results are there (manifest.json is missing)", "--out")),
    "damaged manifest": ({"manifest.json": "{oops"}, ("manifest.json: is damaged", "line 1 column 2", "again")),
    "foreign manifest": ({"manifest.json": '{"name": "web app"}'}, ("manifest.json: this is another program's manifest",)),
    "odd manifest": ({"manifest.json": '{"heldout": "yes"}'}, ("manifest.json: this is another program's manifest",)),
    "newer": ({"manifest.json": '{"heldout": 99}'}, ("format 99, this version reads 4", "upgrade heldout")),
    "older": ({"manifest.json": '{"heldout": 1}'}, ("format 1, this version reads 4", "run the study again")),
    "deep manifest": ({"manifest.json": "[" * 100_000}, ("manifest.json: is damaged", "run the study again")),
    "no seal": ({"manifest.json": '{"heldout": 4}'}, (_MANIFEST, "delete the folder, and run the study again")),
    "wrong types": ({"manifest.json": '{"heldout": 4, "key": 3, "digest": [], "parts": 7}'}, (_MANIFEST,)),
    "another word": ({"manifest.json": _EMPTY.replace("}", ', "parts": 3}')}, (_MANIFEST,)),
    "unfinished": ({"manifest.json": _EMPTY}, ("results: the run did not finish", "goes on where it stopped")),
    "damaged facts": ({"manifest.json": _EMPTY, "facts.json": "{"}, ("results/facts.json: is damaged", "again")),
    "facts of nothing": ({"manifest.json": _EMPTY, "facts.json": "{}"}, ("facts.json: was changed after it was",)),
    "facts of another shape": ({"manifest.json": _EMPTY, "facts.json": "[]"}, ("results/facts.json: is damaged",)),
    "facts of others": (
        {"manifest.json": _EMPTY, "facts.json": sealed('{"a": 1}', "x")},
        ("facts.json is of an earlier one",),
    ),
    "facts of another version": (
        {"manifest.json": _EMPTY, "facts.json": sealed('{"a": 1}', parts_key({}))},
        ("results/facts.json: is of another version of Heldout",),
    ),
}


@pytest.mark.parametrize("case", BAD_FOLDERS)
def test_results_that_cannot_be_shown(case: str, desk: Path, heldout: Command) -> None:
    files, words = BAD_FOLDERS[case]
    (desk / "results").mkdir()
    for name, text in files.items():
        write(desk, f"results/{name}", text)
    refused(heldout("report", "results"), *words)
    assert entries(desk / "results") == set(files)


def test_no_results_at_all(desk: Path, heldout: Command) -> None:
    refused(heldout("report", "results"), "results: no such folder", "--out")
    refused(heldout("report", "a.csv"), "a.csv: cannot be read (Not a directory)")


# The real command, in a process of its own.


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ["evaluate", "--qrels", "test.csv", "--run", "a.csv", "-m", "ndgc@10"],
            "unknown metric 'ndgc'; did you mean nDCG?",
        ),
        (["run", "none.toml", "-o", "out"], "none.toml: no such study file"),
        (["run", "study.toml", "-o", "out"], "study.toml: metrics: nDCG: cut-off must be at least 1, found 0"),
    ],
)
def test_the_command_itself(arguments: list[str], words: str, desk: Path) -> None:
    write(desk, "study.toml", study_text(metrics='"nDCG@0"'))
    ended = subprocess.run(
        [sys.executable, "-c", "from heldout.cli import main; main()", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    refused(Said(ended.returncode, ended.stdout, ended.stderr), words)
    assert not (desk / "out").exists()
