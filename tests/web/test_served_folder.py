"""The folder that is served: found anew, whatever happens to it."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess

import pytest
from tests.refusals import refused

from heldout.errors import InputError
from heldout.experiment.ledger.manifest import manifest_text
from heldout.web import served_folder
from heldout.web.served_folder import NotThereError, ServedFolder, StudyQuery


def names(served, **query):
    return {row.name for row in served.listing(StudyQuery(**query)).rows}


def test_all_results_are_listed_with_their_verdicts(home):
    listing = ServedFolder(home).listing(StudyQuery())
    assert {row.name for row in listing.rows} == {"small", "inner/other", "universes"}
    assert listing.unread == 0 and all(row.summary.verdict for row in listing.rows)
    assert {row.summary.kind for row in listing.rows} == {"study", "multiverse"}


def test_a_results_folder_itself_can_be_served(home):
    assert names(ServedFolder(home / "small")) == {"."}
    assert ServedFolder(home / "small").place(".") == home / "small"


def test_rows_are_searched_filtered_and_sorted(home):
    served = ServedFolder(home)
    assert names(served, words="OTHER split") == {"inner/other"}
    assert names(served, words="split nothing") == set()
    assert names(served, kind="multiverse") == {"universes"}
    assert names(served, state="running") == set()
    titles = [row.summary.title for row in served.listing(StudyQuery(sort="title")).rows]
    assert titles == sorted(titles, key=str.casefold)
    backwards = [row.summary.title for row in served.listing(StudyQuery(sort="title", backwards=True)).rows]
    assert backwards == titles[::-1]


@pytest.mark.parametrize(
    "name",
    ["..", "../results", "small/../..", "/etc", "/", "small/..", "sm\0all", "a\\b", "nothing", "small/scores", "x" * 5000],
)
def test_names_lead_nowhere_else(home, name):
    with pytest.raises(NotThereError):
        ServedFolder(home).place(name)


def test_links_are_not_followed(home, tmp_path):
    outside = tmp_path / "outside"
    shutil.copytree(home / "small", outside)
    (home / "linked").symlink_to(outside)
    (home / "loop").symlink_to(home)
    served = ServedFolder(home)
    assert names(served) == {"small", "inner/other", "universes"}
    for name in ("linked", "loop", "loop/small"):
        with pytest.raises(NotThereError):
            served.place(name)


def test_a_link_inside_results_that_leads_out_is_told(home, tmp_path):
    secret = tmp_path / "secret.html"
    secret.write_text("secret")
    (home / "small" / "report.html").unlink()
    (home / "small" / "report.html").symlink_to(secret)
    served = ServedFolder(home)
    [row] = [row for row in served.listing(StudyQuery()).rows if row.name == "small"]
    assert row.summary.state == "damaged" and "report.html" in row.summary.problem
    with pytest.raises(NotThereError):
        served.place("small")


@pytest.mark.parametrize(
    ("file", "content", "words"),
    [
        ("manifest.json", b"{", "damaged"),
        ("manifest.json", b"", "damaged"),
        ("manifest.json", b"[" * 100_000, "damaged"),
        ("manifest.json", b'{"heldout": 6, "complete": true}', "changed after it was written"),
        ("manifest.json", b'{"heldout": 99}', "format 99"),
        ("facts.json", b'{"key": "x"}', "changed after it was written"),
        ("facts.json", None, "missing"),
    ],
)
def test_spoilt_results_are_told_in_their_row(home, file, content, words):
    path = home / "small" / file
    served = ServedFolder(home)
    served.listing(StudyQuery())
    path.unlink() if content is None else path.write_bytes(content)
    rows = {row.name: row.summary for row in served.listing(StudyQuery()).rows}
    assert rows["small"].state == "damaged" and words in rows["small"].problem and file in rows["small"].problem
    assert rows["inner/other"].state == "finished"


def test_results_that_go_away_leave_the_list(home):
    served = ServedFolder(home)
    assert "small" in names(served)
    shutil.rmtree(home / "small")
    assert "small" not in names(served)
    shutil.rmtree(home)
    assert names(served) == set()


def test_what_is_not_read_in_time_is_read_by_the_next_request(home, monkeypatch):
    monkeypatch.setattr(served_folder, "PATIENCE", -1.0)
    served = ServedFolder(home)
    listing = served.listing(StudyQuery(sort="title"))
    assert listing.rows == [] and listing.unread == 3 and listing.studies == 3
    monkeypatch.setattr(served_folder, "PATIENCE", 5.0)
    assert served.listing(StudyQuery(sort="title")).unread == 0
    monkeypatch.setattr(served_folder, "PATIENCE", -1.0)  # they are known now
    assert served.listing(StudyQuery(sort="title")).unread == 0


def test_pages_of_many(home, monkeypatch):
    monkeypatch.setattr(served_folder, "SHOWN", 2)
    served = ServedFolder(home)
    first, second = (served.listing(StudyQuery(page=page)) for page in (1, 2))
    assert len(first.rows) == 2 and len(second.rows) == 1 and first.total == second.total == 3
    assert not {row.name for row in first.rows} & {row.name for row in second.rows}


def test_a_folder_must_be_there(tmp_path):
    with refused(InputError, where="nothing", hint="name a folder of results, or make it"):
        ServedFolder(tmp_path / "nothing")


def test_links_far_inside_pipes_and_names_that_are_no_text_are_told(home, tmp_path):
    """A pipe would keep whoever reads it waiting; a name of bytes that are no UTF-8 cannot stand in an address."""
    scores = next((home / "small" / "scores").iterdir())
    shutil.copy(scores, tmp_path / "elsewhere.parquet")
    scores.unlink()
    scores.symlink_to(tmp_path / "elsewhere.parquet")
    os.mkfifo(home / "universes" / "facts.json")
    (home / "inner" / "other").rename(home / os.fsdecode(b"\xff"))
    problems = {row.name: row.summary.problem for row in ServedFolder(home).listing(StudyQuery()).rows}
    assert f"leads out of the folder that is served: {scores.name}" in problems["small"]
    assert "neither a file nor a folder: facts.json" in problems["universes"]
    assert "is no UTF-8 text: rename it" in problems[os.fsdecode(b"\xff")]
    for name in problems:
        with pytest.raises(NotThereError):
            ServedFolder(home).place(name)


# Folders that anybody may have left


def lock(folder, text):
    (folder / ".lock").write_text(text)


def working(folder, **progress):
    """A run is at work, and says how far it is."""
    about = {"pid": os.getpid(), "host": os.uname().nodename, "since": "0001-01-01"}
    lock(folder, json.dumps(about))
    (folder / ".work").mkdir()
    (folder / ".work" / "progress.json").write_text(json.dumps(progress))


def nested(folder, depth):
    """Folders in folders; each is made from inside the last, since no path may be that long."""
    (folder / "manifest.json").touch()
    here = os.open(folder, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("d", dir_fd=here)
        inner = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(here)


def endless(folder):
    """An index whose failures never end."""
    lock(folder, "{}")
    with sqlite3.connect(folder / "index.sqlite") as connection:
        rows = "WITH RECURSIVE n(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n) SELECT k AS cell, k AS reason FROM n"
        connection.execute(f"CREATE VIEW failures AS {rows}")


SPOILT = {
    "infinite pid": lambda folder: lock(folder, '{"pid": Infinity, "host": "x", "since": "y"}'),
    "huge pid": lambda folder: lock(folder, json.dumps({"pid": 4194304000, "host": os.uname().nodename, "since": "y"})),
    "deep lock": lambda folder: lock(folder, "[" * 100_000),
    "pipe for a lock": lambda folder: os.mkfifo(folder / ".lock"),
    "no time left": lambda folder: working(folder, seconds_left=10**30, done=10**400, total=10**400, at="0001-01-01"),
    "a total alone": lambda folder: working(folder, total=3, seconds_left=True, stages=[{}, None]),
    "infinite seconds": lambda folder: (folder / "manifest.json").write_text(
        manifest_text({"complete": False, "seconds": {"fit": float("inf")}})
    ),
    "1,500 folders": lambda folder: nested(folder, 1500),
    "5,000 folders": lambda folder: nested(folder, 5000),
    "endless failures": endless,
    "end of time": lambda folder: (folder / "tuned.json").touch() or os.utime(folder / "tuned.json", (2**62 / 1e9, 1e17)),
}
"""What is done to a folder so that it cannot be read."""


@pytest.fixture
def bad(home):
    """A folder that is removed after the test: pytest's own clean-up fails on thousands of nested folders."""
    (home / "bad").mkdir()
    yield home / "bad"
    subprocess.run(["rm", "-rf", str(home / "bad")], check=True)


@pytest.mark.parametrize("spoil", SPOILT.values(), ids=SPOILT)
def test_a_folder_that_cannot_be_read_hides_no_other(home, client, bad, spoil, monkeypatch):
    monkeypatch.setattr(served_folder, "PATIENCE", float("inf"))  # a busy machine leaves folders for the next request
    spoil(bad)
    listing = ServedFolder(home).listing(StudyQuery())  # as the server does before it starts
    assert {row.name for row in listing.rows} - {"bad"} == {"small", "inner/other", "universes"}
    page = client.get("/")
    assert page.status_code == 200 and "Other split" in page.text
    for path in ("/study/bad", "/work/bad", "/report/bad", "/csv/bad", "/zip/bad", "/compare?study=bad&study=small"):
        assert client.get(path).status_code in (200, 400, 404, 409), path


@pytest.mark.parametrize("path", ["study", "work", "report", "csv", "zip"])
@pytest.mark.parametrize("name", ["x" * 5000, "small/" + "x" * 300, "/".join(["d"] * 3000)])
def test_names_that_are_too_long_are_not_there(client, path, name):
    answer = client.get(f"/{path}/{name}")
    assert answer.status_code == 404 and "<h1>" in answer.text
    assert client.get("/new", params={"file": f"{name}.toml"}).status_code == 404
