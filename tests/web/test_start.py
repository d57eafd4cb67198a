"""Starting studies from the page, and what is never started."""

from __future__ import annotations

import time
from dataclasses import asdict
from urllib.parse import urlencode

import pytest
from tests.web.conftest import STUDY as SMALL

import heldout as ho
from heldout.experiment.ledger import Ledger
from heldout.web.catalogue_study import catalogue_study

pytest.importorskip("starlette", reason="the extra web is not installed")

from heldout.web import form
from heldout.web.start import LARGEST

FORM = {
    "title": "From the page",
    "data": "simulate(users=60, items=40, ratings=1200)",
    "split": "ratio(train=0.7, by=user)",
    "recommend": "Popularity\nRandom",
    "relevance": "threshold(4)",
    "metrics": "nDCG(gain=binary)@5",
    "compare.tests": "t",
}


def send(client, path, **fields):
    return client.post(path, content=urlencode({**FORM, **fields}))


def test_the_form_is_filled_from_a_study_file_or_from_results(client, home):
    (home / "mine.toml").write_text('title = "Mine"\nsplit = "folds(5)"\n')
    text = client.get("/new?file=mine.toml").text
    assert 'value="Mine"' in text and "folds(5)</textarea>" in text and 'name="name" value="mine"' in text
    assert 'value="run" checked' in text and "`" not in text
    text = client.get("/new?like=universes").text
    assert 'value="multiverse" checked' in text and 'value="run" checked' not in text
    text = client.get("/new?like=inner/other").text
    assert "ratio(train=0.5, by=user)</textarea>" in text and 'name="name" value="other-2"' in text


@pytest.mark.parametrize("file", ["../outside.toml", "/etc/passwd", "link.toml", "nothing.toml"])
def test_files_outside_the_folder_do_not_fill_it(client, home, tmp_path, file):
    (tmp_path / "outside.toml").write_text('title = "secret"')
    (home / "link.toml").symlink_to(tmp_path / "outside.toml")
    answer = client.get("/new", params={"file": file})
    assert answer.status_code in (404, 409) and "secret" not in answer.text


def test_the_study_is_reviewed_as_it_is_filled_in(client):
    answer = send(client, "/new/review")
    expected = ho.lint({"title": "x", **{k: v for k, v in FORM.items() if k not in ("compare.tests", "title", "recommend")},
                        "recommend": ["Popularity", "Random"], "compare": {"tests": "t"}})  # fmt: skip
    assert expected.findings and all(finding.code in answer.text for finding in expected.findings)
    assert "The study file" in answer.text and "title = &#34;From the page&#34;" in answer.text


def test_what_is_wrong_with_the_study_is_told_in_words(client):
    answer = send(client, "/new/review", split="raito")
    assert answer.status_code == 200 and "did you mean ratio" in answer.text
    answer = send(client, "/new/review", seed="<b>")
    assert "expected a whole number" in answer.text and "<b>'" not in answer.text


def test_choices_are_explained_and_added(client):
    card = client.get("/card/split", params={"choice:split": "ratio(train=0.8)"}).text
    assert "ratio (split" in card and "Assumes" in card
    answer = client.post("/new/add/target", content=urlencode({"target": "AllItems", "choice:target": "P1R(n)"}))
    assert "AllItems\nP1R(n)</textarea>" in answer.text and answer.headers["hx-trigger"] == "filled"
    assert client.get("/card/split", params={"choice:split": "nonsense"}).status_code == 409


def test_the_cost_is_that_of_the_dry_run(client):
    text = send(client, "/new/cost").text
    assert "2 fits, about" in text and "trying" not in text and "Popularity" in text


def test_a_multiverse_is_reviewed_and_costed_as_one(client, monkeypatch):
    """Options may go together in some combinations only."""

    def plan_here(keys, folder):
        plan = catalogue_study(keys, folder).plan()
        return {**asdict(plan), "seconds": plan.seconds}

    monkeypatch.setattr("heldout.web.start.plan_apart", plan_here)
    options = {"verb": "multiverse", "target": "AllItems\nTestRatings", "aggregate": "mean\nmedian", "compare.tests": "t"}
    assert "[multiverse]" in send(client, "/new/review", **options).text
    assert "universes, 2 fits" in send(client, "/new/cost", **options).text
    assert "aggregate" in send(client, "/new/review", **{**options, "verb": "run"}).text


def test_a_study_is_started_and_its_results_are_those_of_the_command(client, home):
    for name in ("numpy", "heldout", "json", "sitecustomize"):  # modules that lie in the folder are not run
        (home / f"{name}.py").write_text(f"open({str(home / 'ran')!r}, 'w')\n")
    answer = send(client, "/new/start", name="started")
    assert answer.status_code == 204 and answer.headers["hx-redirect"] == "/study/started"
    assert "started" in client.get("/study/started").text
    until = time.monotonic() + 60
    while 'hx-trigger="every 2s"' in client.get("/study/started").text and time.monotonic() < until:
        time.sleep(0.2)
    text = client.get("/study/started").text
    assert "started: finished." in text and "Report:" in text
    here = ho.run({**STUDY_KEYS})
    assert ho.load(home / "started").verdict == here.verdict
    assert ho.read_study(home / "started.toml").title == "From the page"
    assert not (home / "ran").exists()
    again = send(client, "/new/start", name="started")
    assert again.status_code == 200 and "choose another name" in again.text


STUDY_KEYS = {
    "title": FORM["title"],
    "data": FORM["data"],
    "split": FORM["split"],
    "recommend": ["Popularity", "Random"],
    "relevance": FORM["relevance"],
    "metrics": FORM["metrics"],
    "compare": {"tests": "t"},
}


@pytest.mark.parametrize(
    "name", ["", "..", "../x", "a/b", "-x", ".hidden", "x.toml", "x.log", "é", "a b", "x" * 99, "$(id)", "x\ny", "--out"]
)
def test_names_are_plain(client, home, name):
    before = set(home.parent.rglob("*"))
    answer = send(client, "/new/start", name=name)
    assert answer.status_code == 200 and "cannot be the name" in answer.text
    assert set(home.parent.rglob("*")) == before


@pytest.mark.parametrize(
    "fields",
    [
        {"data": "/etc/passwd"},
        {"data": "../ratings.csv"},
        {"data": "link.csv"},
        {"data": "linked/*.csv"},
        {"data": "folder"},
        {"data": "*.csv"},
        {"data": 'csv("/etc/passwd")'},
        {"data": 'csv("~/ratings.csv")'},
        {"split": 'given(test="/etc/passwd")'},
        {"split": """given(test='csv("../ratings.csv")')"""},
        {"split": 'saved("../split")'},
        {"recommend": 'run = External("../run.txt")'},
        {"recommend": 'External("/etc/passwd")'},
        {"metrics": 'ILD(features=genre, table="/etc/passwd")@5'},
        {"truth": "/etc/passwd"},
    ],
    ids=str,
)
def test_paths_of_forms_stay_in_the_folder(client, home, fields):
    outside = home.parent / "outside"
    outside.mkdir()
    for path in (home.parent / "ratings.csv", outside / "ratings.csv"):
        path.write_text("user,item,rating\n1,1,5\n")
    (home / "link.csv").symlink_to(home.parent / "ratings.csv")
    (home / "linked").symlink_to(outside)
    (home / "folder").mkdir()
    (home / "folder" / "inner.csv").symlink_to(outside / "ratings.csv")
    for path in ("/new/review", "/new/start", "/new/cost"):
        answer = send(client, path, name="stolen", **fields)
        assert answer.status_code == 200 and "leads out of the folder" in answer.text
    assert not (home / "stolen").exists() and not (home / "stolen.toml").exists()


def test_models_that_are_not_of_the_catalogue_are_not_started(client, home, doomed):
    """A class that some package or script declares is found by its name, and not started from a page."""
    answer = send(client, "/new/start", name="stolen", recommend="Popularity\ndoomed")
    assert "not of the catalogue" in answer.text and not (home / "stolen.toml").exists()
    for recommend in ("os.system(id)", "module:Class", "foreign(x)", "command(id)"):
        answer = send(client, "/new/start", name="stolen", recommend=f"Popularity\n{recommend}")
        assert answer.status_code == 200 and "box" in answer.text and not (home / "stolen.toml").exists()


def test_a_study_file_with_models_of_ones_own_is_not_started(client, home, doomed):
    (home / "theirs.toml").write_text('data = "x.csv"\nsplit = "ratio"\nrecommend = ["doomed"]\nmodels = { a = "m:C" }\n')
    assert client.get("/new?file=theirs.toml").status_code == 200
    assert "box" in send(client, "/new/start", name="stolen", recommend="doomed").text
    assert not (home / "stolen.toml").exists()


def stopped(home, study):
    """The results of a study that was stopped, beside its study file."""
    ledger = Ledger(home / "small")
    with ledger.writing():
        ledger.write_manifest({**(ledger.earlier() or {}), "complete": False})
    (home / "small.toml").write_text(study)


def test_a_study_that_was_stopped_goes_on(client, home):
    assert "Go on" not in client.get("/study/small").text
    stopped(home, form.study_text(SMALL))
    (home / "small.log").symlink_to(home.parent / "elsewhere")
    assert "Go on where it stopped" in client.get("/study/small").text
    answer = client.post("/go-on/small", content="")
    assert answer.status_code == 204 and answer.headers["hx-refresh"] == "true"
    until = time.monotonic() + 60
    while 'hx-trigger="every 2s"' in client.get("/study/small").text and time.monotonic() < until:
        time.sleep(0.2)
    assert ho.load(home / "small").verdict and not (home.parent / "elsewhere").exists()


@pytest.mark.parametrize(
    "recommend", ['["doomed"]', '[{ name = "x", model = "External(\'/etc/passwd\')" }]', '"module:Class"']
)
def test_only_studies_of_the_catalogue_go_on(client, home, doomed, recommend):
    stopped(home, f'data = "{FORM["data"]}"\nsplit = "ratio"\nrecommend = {recommend}\n')
    answer = client.post("/go-on/small", content="")
    assert answer.status_code == 200 and "box" in answer.text and client.get("/work/small").headers["hx-refresh"]


def test_what_did_not_stop_does_not_go_on(client, home):
    for name in ("small", "inner/other", "nothing", "..%2fx"):
        answer = client.post(f"/go-on/{name}", content="")
        assert answer.status_code == 200 and "box" in answer.text


def test_forms_that_are_no_studies_are_refused(client):
    answer = client.post("/new/review", content=b"title=" + b"x" * LARGEST)
    assert "larger than" in answer.text
    assert "no UTF-8" in client.post("/new/review", content=b"title=\xff").text
    assert client.post("/new/add/models", content="models=x").text.count("models: ") == 1
