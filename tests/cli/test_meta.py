"""`heldout meta` as a user gives it."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Command

STUDY = """
data = "simulate(users=70, items=40, ratings=1100)"
split = "ratio(train=0.7, by=user)"
relevance = "threshold(4)"
recommend = ["Popularity", "Random", "ItemKNN(k=5)"]
metrics = "P@5"
"""
QUICK = ("-m", "P", "-m", "nDCG", "--depth", "5", "--samples", "2")


def test_a_study_is_tried_and_reported_again(heldout: Command, desk: Path) -> None:
    (desk / "study.toml").write_text(STUDY)
    said = heldout("meta", "study.toml", "--out", "trial", *QUICK)
    assert said.code == 0, said
    assert "of systems" in said.out and "Kept to" in said.out and "Protocol:" in said.out
    assert "Report: trial/report.html" in said.err
    assert "Power and robustness" in (desk / "trial" / "report.html").read_text()
    assert {p.name for p in (desk / "trial").glob("*.parquet")} >= {"table.parquet", "sweeps.parquet", "power.parquet"}
    assert heldout("report", "trial").out == said.out
    assert heldout("verify", "trial").code == 0
    rows = json.loads(heldout("meta", "study.toml", "--out", "trial", "--json", "-q", *QUICK).out)
    assert {row["metric"] for row in rows} == {"P@5", "nDCG@5"}


def test_runs_are_tried(heldout: Command, desk: Path) -> None:
    (desk / "test.csv").write_text("user,item,rating\n" + "".join(f"u{u},i{u % 7},5\n" for u in range(20)))
    for name, start in (("a", 0), ("b", 6)):  # the item at rank 1, and at rank 2
        rows = (f"u{u} Q0 i{(u + start + k) % 7} {k + 1} {-k} {name}\n" for u in range(20) for k in range(3))
        (desk / f"{name}.txt").write_text("".join(rows))
    said = heldout("meta", "--qrels", "test.csv", "--run", "A=a.txt", "--run", "B=b.txt", "--json", *QUICK)
    assert said.code == 0, said
    assert {row["name"] for row in json.loads(said.out)} == {"P", "nDCG"}


def test_sampling_and_popularity_are_options_and_keys_of_a_study(heldout: Command, desk: Path) -> None:
    (desk / "study.toml").write_text(STUDY)
    (desk / "own.toml").write_text(f'{STUDY}\n[meta]\nsampling = "user"\npopularity = "train"\n')
    by_option = heldout("meta", "study.toml", "--json", "-q", "--sampling", "user", "--popularity", "train", *QUICK)
    assert by_option.code == 0, by_option
    assert by_option.out == heldout("meta", "own.toml", "--json", "-q", *QUICK).out
    assert by_option.out != heldout("meta", "study.toml", "--json", "-q", *QUICK).out
