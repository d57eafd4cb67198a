"""The pages that show what is in the folder."""

from __future__ import annotations

import io
import json
import os
import shutil
import zipfile
from urllib.parse import quote

import polars as pl
import pytest

import heldout as ho
from heldout.api.load import table_csv
from heldout.experiment.ledger import Ledger
from heldout.storage.sealed import sealed

pytest.importorskip("starlette", reason="the extra web is not installed")

from heldout.web.guard import REPORTS
from heldout.web.pages import link_to, query_of
from heldout.web.served_folder import StudyQuery

EVIL = "<script>alert(1)</script>"


def test_the_list_shows_studies_and_verdicts(client, home):
    text = client.get("/").text
    assert "3 studies" in text and "Other split" in text
    verdict = ho.load(home / "inner" / "other").verdict
    assert verdict[:40].replace("<", "&lt;").replace(">", "&gt;") in text


def test_a_folder_of_too_many_folders_is_said_to_be(client, monkeypatch):
    assert "folders were looked into" not in client.get("/").text
    monkeypatch.setattr("heldout.web.summaries.MOST_FOLDERS", 2)
    assert "only the nearest 20,000 folders were looked into" in client.get("/").text


def test_names_are_text_and_no_markup(client):
    for path in ("/", "/study/small", "/compare?study=small&study=inner/other", "/new?like=small", f"/?words={EVIL}"):
        text = client.get(path).text
        assert EVIL not in text and "<b>Random" not in text, path
    assert "&lt;script&gt;alert(1)" in client.get("/study/small").text


def test_a_search_draws_only_the_rows(client):
    answer = client.get("/?words=universes&kind=multiverse", headers={"hx-target": "rows"})
    assert answer.text.lstrip().startswith("<form id=") and "All of them" in answer.text and "Other split" not in answer.text
    assert "1 of 3 studies" in answer.text


def test_a_study_has_its_verdict_protocol_and_downloads(client, home):
    text = client.get("/study/inner/other").text
    assert "ratio(train=0.5, by=user)" in text and "/report/inner/other" in text and "/zip/inner/other" in text
    assert ho.load(home / "inner" / "other").verdict.split("<")[0][:30] in text


def test_reports_are_shown_in_a_sandbox(client, home):
    answer = client.get("/report/small")
    assert answer.headers["content-security-policy"] == REPORTS
    assert REPORTS.startswith("sandbox allow-scripts allow-downloads;") and "allow-same-origin" not in REPORTS
    assert "cross-origin-opener-policy" not in answer.headers
    assert answer.content == (home / "small" / "report.html").read_bytes()


def test_a_damaged_study_offers_only_the_report_that_is_there(client, home):
    (home / "small" / "facts.json").unlink()
    text = client.get("/study/small").text
    assert "Open the report that is there" in text and "Table as CSV" not in text
    (home / "small" / "report.html").unlink()
    assert "Open the report" not in client.get("/study/small").text
    answer = client.get("/report/small")
    assert answer.status_code == 409 and "facts.json is missing" in answer.text


def test_a_missing_report_is_drawn_and_not_written(client, home):
    (home / "universes" / "report.html").unlink()
    assert client.get("/report/universes").text == ho.load(home / "universes").to_html()
    assert not (home / "universes" / "report.html").exists()


def test_downloads(client, home):
    table = client.get("/csv/small")
    assert table.text == table_csv(home / "small") and table.headers["content-type"].startswith("text/csv")
    universes = pl.read_csv(io.StringIO(client.get("/csv/universes").text))
    assert len(universes) == len(ho.load(home / "universes").tables["universes"].frame)
    archive = zipfile.ZipFile(io.BytesIO(client.get("/zip/inner/other").content))
    assert archive.read("other/manifest.json") == (home / "inner" / "other" / "manifest.json").read_bytes()


def test_names_of_downloads_break_no_header(client, home):
    name = 'b" x; é'
    (home / "small").rename(home / name)
    header = client.get(f"/csv/{quote(name)}").headers["content-disposition"]
    assert header.isascii() and header.count('"') == 2


def test_two_studies_side_by_side(client, home):
    text = client.get("/compare?study=small&study=inner/other").text
    assert "ratio(train=0.7, by=user)" in text and "ratio(train=0.5, by=user)" in text
    value = next(row.value for row in ho.load(home / "small").findings.leaderboard if row.system == "Popularity")
    assert f"{value:.4f}" in text


@pytest.mark.parametrize(
    "query", ["", "study=small", "study=small&study=small", "study=small&study=inner/other&study=universes"]
)
def test_two_are_compared_and_no_other_number(client, query):
    answer = client.get(f"/compare?{query}")
    assert answer.status_code == 400 and "Two studies are compared" in answer.text


@pytest.mark.parametrize("page", ["study", "report", "csv", "zip", "work"])
@pytest.mark.parametrize(
    "name", ["%2e%2e", "%2e%2e/%2e%2e/etc", "..%2fresults", "/etc/passwd", "%2fetc%2fpasswd", "a%00b", "small/scores"]
)
def test_no_address_leads_out_of_the_folder(client, page, name):
    answer = client.get(f"/{page}/{name}")
    if page == "work" and name == "small/scores":  # inside, and nothing works there
        assert "ended" in answer.text
    else:
        assert answer.status_code == 404
    assert "root:" not in answer.text


@pytest.mark.parametrize("page", ["study", "report", "csv", "zip"])
def test_a_folder_that_goes_away_between_two_clicks_is_told(client, home, page):
    assert client.get("/study/small").status_code == 200
    shutil.rmtree(home / "small")
    answer = client.get(f"/{page}/small")
    assert answer.status_code == 404 and "no results of this name" in answer.text


@pytest.mark.parametrize("page", ["study", "csv", "compare?study=inner/other&study=", "new?like="])
def test_a_spoilt_manifest_is_told_on_every_page(client, home, page):
    (home / "small" / "manifest.json").write_bytes(b"{")
    answer = client.get(f"/{page}small" if "=" in page else f"/{page}/small")
    assert answer.status_code in (200, 409) and ("damaged" in answer.text or page.startswith("new"))
    assert client.get("/").status_code == 200


def test_a_running_study_is_watched(client, home):
    ledger = Ledger(home / "small")
    with ledger.writing():
        ledger.note_progress(
            {"stage": f"fitting {EVIL}", "done": 300, "total": 1000, "estimate": "30% about 9 s left", "seconds_left": 9,
             "stages": ["reading", EVIL], "at": "2026-01-01"}
        )  # fmt: skip
        text = client.get("/study/small").text
        assert 'hx-trigger="every 2s"' in text and "30% about 9 s left" in text and "ends about" in text
        assert 'max="1000" value="300"' in text and EVIL not in text
        work = client.get("/work/small")
        assert "2 of 2 announced" in work.text and "hx-refresh" not in work.headers
        assert "running" in client.get("/").text and "30% about 9 s left: fitting &lt;script" in client.get("/").text
    assert client.get("/work/small").headers["hx-refresh"] == "true"
    assert 'hx-trigger="every 2s"' not in client.get("/study/small").text


@pytest.mark.parametrize("progress", [b"{", b"[]", b'{"total": "x", "done": null, "stages": 3}'])
def test_notes_of_progress_that_cannot_be_read_break_nothing(client, home, progress):
    ledger = Ledger(home / "small")
    with ledger.writing():
        ledger.note_progress({})
        (home / "small" / ".work" / "progress.json").write_bytes(progress)
        assert client.get("/study/small").status_code == 200


def test_only_the_end_of_a_large_log_is_shown(client, home):
    (home / "small.log").write_bytes(b"x" * 79 + b"\n" + (b"<b>" + b"y" * 76 + b"\n") * 655_360 + b"the end\n")
    text = client.get("/study/small").text
    assert len(text) < 200_000 and "the end" in text and "bytes are left out" in text and "<b>y" not in text


def test_a_log_that_is_a_link_is_not_shown(client, home, tmp_path):
    (tmp_path / "secret").write_text("secret words")
    (home / "small.log").symlink_to(tmp_path / "secret")
    assert "secret words" not in client.get("/study/small").text


def test_addresses_say_what_the_list_shows():
    query = query_of({"words": "a b", "kind": "study", "sort": "title", "page": "3", "state": "nonsense"}.get)
    assert query == StudyQuery(words="a b", kind="study", sort="title", page=3)
    assert link_to(query, page=4) == "/?words=a+b&kind=study&sort=title&page=4"
    assert link_to(StudyQuery()) == "/" and link_to(StudyQuery(), backwards=True) == "/?backwards=1"
    assert query_of({"page": "-1"}.get).page == query_of({"page": "9" * 99}.get).page == 1


@pytest.mark.parametrize(
    "entry",
    [{"parts": [1]}, {"folds": 5}, {"kind": ["x"]}, {"study": {"recommend": 5}}, {"study": {"compare": "x"}}],
    ids=str,
)
def test_a_manifest_that_somebody_forged_is_told_on_every_page(client, home, entry):
    """Its digest is right, and what it says has another form than any run writes."""
    path = home / "small" / "manifest.json"
    manifest = json.loads(path.read_text())
    key = manifest.pop("key")
    del manifest["digest"]
    path.write_text(sealed(json.dumps(manifest | entry), key))
    two = "/compare?study=small&study=inner/other"
    for page in ("/", "/study/small", "/csv/small", "/work/small", two, "/new?like=small"):
        assert client.get(page).status_code in (200, 404, 409), page
    assert "of another" in client.get("/study/small").text


def test_names_of_no_unicode_are_shown(client, home):
    (home / "small").rename(home / os.fsdecode(b"\xff-small"))
    answer = client.get("/")
    assert answer.status_code == 200 and r"\udcff-small" in answer.text and "rename it" in answer.text


def test_a_pipe_for_a_study_file_keeps_nobody_waiting(client, home):
    os.mkfifo(home / "pipe.toml")
    answer = client.get("/new?file=pipe.toml")
    assert answer.status_code == 409 and "a pipe" in answer.text
