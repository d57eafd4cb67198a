"""`heldout data`: describe, filter, convert, simulate, fetch."""

from __future__ import annotations

import hashlib
import json
import threading
from dataclasses import replace
from functools import partial
from http.server import HTTPServer, SimpleHTTPRequestHandler
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.cli.conftest import Command
from tests.cli.refusing import refused
from tests.cli.saying import fine

import heldout as ho
from heldout import read
from heldout.data.published import PUBLISHED
from heldout.reports.charts.data import TITLES
from heldout.web.summaries import study_summary

RATINGS = "simulate(users=120, items=60, ratings=2000)"


def test_describe_prints_the_profile_and_on_demand_all_that_it_knows(heldout: Command) -> None:
    said = heldout("data", "describe", RATINGS, "-f", "core(3)")
    assert said.code == 0, said
    assert "core(k=3)" in said.out and "Gini of ratings over items" in said.out and "█" not in said.out
    said = heldout("data", "describe", RATINGS, "-f", "core(3)", "--full")
    for title in TITLES.values():
        assert title in said.out
    assert "█" in said.out


def test_repeated_pairs_are_counted_and_need_no_decision(heldout: Command, desk: Path) -> None:
    """Three rows of (a, x) and one of (b, y): two repeat. The latest value of (a, x) is 3, the sum 6."""
    (desk / "twice.csv").write_text("user,item,rating\na,x,1\na,x,2\na,x,3\nb,y,3\n")
    said = " ".join(heldout("data", "describe", "twice.csv").out.split())
    assert "2 rows (50.0%) repeat a pair of user and item" in said
    assert "3.000 after duplicates(keep=latest), 4.500 after duplicates(keep=sum)" in said
    (step,) = json.loads(heldout("data", "describe", "twice.csv", "--json").out)
    assert (step["label"], step["ratings"], step["users"], step["density"]) == ("as read", 4, 2, 0.5)
    refused(heldout("data", "convert", "twice.csv", "new.csv"), "twice.csv", "expected each pair once")
    refused(heldout("data", "filter", "twice.csv", "new.csv", "-f", "positive(3)"), "twice.csv", "expected each pair once")


def test_a_profile_that_is_kept_is_reported_like_other_results(heldout: Command, tmp_path: Path) -> None:
    folder = tmp_path / "profile"
    said = heldout("data", "describe", RATINGS, "-f", "core(3)", "--out", str(folder))
    assert said.code == 0 and "report.html" in said.err and (folder / "report.html").exists()
    listed = json.loads(heldout("report", str(folder), "--list", "--json").out)
    assert set(listed["figures"]) == set(ho.load(folder).figures) and {"profile", "all-rows"} <= set(listed["tables"])
    drawn = heldout("report", str(folder), "--figure", "data-popularity", "--out", str(tmp_path / "drawn.svg"))
    assert drawn.code == 0 and "<svg" in (tmp_path / "drawn.svg").read_text(encoding="utf-8")
    table = heldout("report", str(folder), "--table", "profile", "--format", "csv").out
    assert table.splitlines()[1] == "Users,120,120"
    assert "Gini of ratings over items" in heldout("report", str(folder)).out
    kept = study_summary(folder)
    assert (kept.kind, kept.state) == ("profile", "finished") and "2,000 ratings of 120 users" in kept.verdict


def test_describe_as_json(heldout: Command) -> None:
    said = heldout("data", "describe", RATINGS, "--json")
    found = json.loads(said.out)
    assert [step["label"] for step in found] == ["as read"]
    assert found[0]["ratings"] == 2000


def test_filter_writes_what_is_left(heldout: Command, desk: Path) -> None:
    said = heldout("data", "filter", RATINGS, "left.csv", "-f", "sample(ratings=0.5)", "-f", "positive(4)")
    assert said.code == 0, said
    left = read(desk / "left.csv")
    assert set(left.value.tolist()) == {4.0, 5.0} and f"{len(left):,} ratings: left.csv" in said.out


@pytest.mark.parametrize("ending", ["parquet", "csv", "tsv", "jsonl", "arrow", "inter", "qrels"])
def test_convert(heldout: Command, desk: Path, ending: str) -> None:
    said = heldout("data", "convert", RATINGS, f"new.{ending}")
    assert said.code == 0, said
    assert "2,000 ratings of 120 users and 60 items" in said.out
    assert len(read(desk / f"new.{ending}")) == 2000


def test_converted_pairs_are_merged_if_asked_for(heldout: Command, desk: Path) -> None:
    (desk / "twice.csv").write_text("user,item,rating\na,x,1\na,x,2\n")
    assert heldout("data", "convert", "twice.csv", "new.csv").code == 2
    assert heldout("data", "convert", "twice.csv", "new.csv", "--duplicates", "sum").code == 0
    assert read(desk / "new.csv").value.tolist() == [3.0]


def test_bad_rows_are_an_error_or_counted(heldout: Command, desk: Path) -> None:
    rows = "".join(f"u{u},i{i},{u % 5 + 1}\n" for u in range(8) for i in range(6))
    (desk / "r.csv").write_text(f"user,item,rating\n{rows}u9,i1,bad\nu9,i2\n")
    said = heldout("data", "describe", "r.csv")
    assert (
        said.code == 2
        and "line 50, column 'rating': expected a finite number, found 'bad'; correct all 2 bad rows" in said.err
    )
    said = heldout("data", "describe", "r.csv", "--on-bad-rows", "skip")
    assert said.code == 0, said
    assert "skipped 1 rows: too few fields" in said.err
    assert "skipped 1 rows: column 'rating': not a finite number" in said.err


def test_simulate_keeps_truth_and_propensities(heldout: Command, desk: Path) -> None:
    spec = "simulate(users=30, items=20, ratings=200)"
    said = heldout(
        "data", "simulate", "r.parquet", "--spec", spec, "--truth", "t.parquet", "--propensities", "p.parquet", "--seed", "7"
    )
    assert said.code == 0, said
    assert "simulate(users=30, items=20, ratings=200, seed=7)" in said.out
    data = read(desk / "r.parquet")
    truth = pl.read_parquet(desk / "t.parquet")["rating"].to_numpy().reshape(30, 20)
    chance = pl.read_parquet(desk / "p.parquet")["propensity"].to_numpy().reshape(30, 20)
    assert np.array_equal(truth[data.user, data.item], data.value)
    assert chance.sum() == pytest.approx(200, rel=1e-4)
    assert heldout("data", "simulate", "x.csv", "--spec", "movielens(x)").code == 2


def test_simulate_like_another_data_set(heldout: Command, desk: Path) -> None:
    heldout("data", "convert", "simulate(users=200, items=100, ratings=4000, alpha=1.2, levels=3)", "real.csv")
    said = heldout("data", "simulate", "like.csv", "--like", "real.csv")
    assert said.code == 0, said
    assert "simulate(users=200, items=100, ratings=4000" in said.out and "levels=3" in said.out
    assert len(read(desk / "like.csv")) == 4000


def test_fetch_lists_and_downloads(heldout: Command, desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = heldout("data", "fetch")
    assert said.code == 0 and "ml-1m" in said.out and "may not be" in said.out

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            pass

    served = desk / "served"
    served.mkdir()
    content = b"1 2 3\n4 5\n"
    (served / "retail.dat").write_bytes(content)
    with HTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(served))) as http:
        thread = threading.Thread(target=http.serve_forever, daemon=True)
        thread.start()
        address = f"http://127.0.0.1:{http.server_port}"
        refusal = heldout("data", "fetch", "retail", "--from", address)
        assert refusal.code == 2 and "expected d967431b" in refusal.err and not (desk / "data").joinpath("retail").exists()
        digest = hashlib.sha256(content).hexdigest()
        known = replace(PUBLISHED["retail"], checksum=f"sha256:{digest}", members={"retail.dat": digest})
        monkeypatch.setitem(PUBLISHED, "retail", known)
        fetched = heldout("data", "fetch", "retail", "--from", address, "--out", "sets")
        http.shutdown()
        thread.join()
    assert "Terms: For research" in refusal.err and "Cite: Brijs, T." in refusal.err
    assert fetched.code == 0 and fetched.out.strip() == 'fimi("sets/retail/retail.dat")'
    assert len(read(fetched.out.strip())) == 5
    assert heldout("data", "fetch", "ml-2m").code == 2


def test_paths_of_all_kinds(heldout: Command, desk: Path) -> None:
    for k in range(3):
        (desk / f"part-{k}.csv").write_text(f"user,item,rating\nu{k},x,3\nu{k},y,4\n")
    said = heldout("data", "describe", "part-*.csv", "--json")
    assert json.loads(said.out)[0]["ratings"] == 6
    study = 'data = "part-*.csv"\nsplit = "leave_out(1)"\nrecommend = ["Random", "Popularity"]\nmetrics = "P@1"\n'
    (desk / "study.toml").write_text(study)
    assert heldout("run", "study.toml", "--out", "results", "--quiet").code == 0


def test_merged_rows_are_a_step_and_counted(heldout: Command, desk: Path) -> None:
    (desk / "twice.csv").write_text("user,item,rating\na,x,1\na,x,2\na,x,3\nb,y,3\n")  # three rows of one pair
    said = heldout("data", "describe", "twice.csv", "-f", "duplicates(keep=latest)", "-f", "positive(3)", "--json")
    steps = [(step["label"], step["ratings"]) for step in json.loads(said.out)]
    merged = ("duplicates(keep=latest): 2 of 4 rows merged", 2)
    assert steps == [("as read", 4), merged, ("positive(threshold=3)", 2)]
    said = heldout("data", "describe", "twice.csv", "-f", "positive(3)", "--json")  # needs one row for each pair
    assert [(step["label"], step["ratings"]) for step in json.loads(said.out)] == steps
    assert "2 of 4 rows" in heldout("data", "filter", "twice.csv", "new.csv", "-f", "duplicates(keep=latest)").out
    assert "2 of 4 rows merged" in heldout("data", "convert", "twice.csv", "new.csv", "--duplicates", "sum").out
    assert "merged" not in heldout("data", "convert", "new.csv", "again.csv").out


def test_unknown_columns_are_told_how_to_be_named(heldout: Command, desk: Path) -> None:
    (desk / "odd.csv").write_text("Who,What,How much\na,x,1\nb,y,2\n")
    said = heldout("data", "describe", "odd.csv")
    form = 'csv("odd.csv", user=Who, item=What, value="How much")'
    assert said.code == 2 and form in said.err, said
    assert heldout("data", "describe", form).code == 0


def test_histograms_fit_a_narrow_terminal(heldout: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "45")
    lines = heldout("data", "describe", RATINGS, "--full").out.splitlines()
    assert max(len(line.rstrip()) for line in lines) <= 45
    # a bar is followed by its share: nothing is on a line of its own
    assert all(line.rstrip().endswith("%") for line in lines if "█" in line)


def test_describe_says_which_columns_it_took(heldout: Command, tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text("userId,movieId,rating,title\n1,2,5,x\n1,3,4,y\n")
    said = heldout("data", "describe", str(tmp_path / "r.csv"))
    assert "user is userId, item is movieId, value is rating; not used: title" in " ".join(said.out.split())


def test_data_describe(desk: Path, heldout: Command) -> None:
    out = fine(heldout("data", "describe", "ratings.csv", "--filter", "positive(4)"))
    assert "60" in out
    steps = json.loads(fine(heldout("data", "describe", "ratings.csv", "--filter", "positive(4)", "--json")))
    assert [s["label"] for s in steps] == ["as read", "positive(threshold=4)"]
    assert steps[0]["ratings"] == 60
    assert steps[1]["ratings"] == sum(1 + u * i % 5 >= 4 for u in range(1, 9) for i in range(1, 11) if (u + i) % 4)
