"""`heldout bias` as a user gives it."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Command

import heldout as ho

STUDY = """
data = "simulate(users=90, items=60, ratings=1800)"
split = "ratio(train=0.7)"
relevance = "threshold(4)"
recommend = ["Popularity", "ItemKNN(k=10)"]
metrics = "P@5"
"""
QUICK = ("--sampled", "9", "--classes", "3")


def test_a_study_is_measured_and_reported_again(heldout: Command, desk: Path) -> None:
    (desk / "study.toml").write_text(STUDY)
    said = heldout("bias", "study.toml", "--out", "bias", "--sweep", "head", *QUICK)
    assert said.code == 0, said
    text = " ".join(said.out.split())
    assert ho.load(desk / "bias").verdict in text and "AI-AR: all items, all relevant" in text
    assert "Report: bias/report.html" in said.err
    assert heldout("report", "bias").out == said.out
    assert heldout("verify", "bias").code == 0
    rows = json.loads(heldout("bias", "study.toml", "--no-sweeps", "--json", "-q", *QUICK).out)
    assert {row["system"] for row in rows} == {"Popularity", "ItemKNN(k=10)", "Random"}


def test_what_cannot_be_measured_is_a_sentence(heldout: Command, desk: Path) -> None:
    (desk / "study.toml").write_text(STUDY)
    flat = "\n".join(f"{u},{i},5" for u in range(12) for i in range(6) if (u + i) % 2)
    (desk / "flat.csv").write_text(f"user,item,rating\n{flat}\n")
    (desk / "study.toml").write_text(STUDY.replace("simulate(users=90, items=60, ratings=1800)", "flat.csv"))
    said = heldout("bias", "study.toml", *QUICK)
    assert said.code == 2 and "found '6 ratings of every item'" in " ".join(said.err.split()), said
