"""`heldout truth` as a user gives it."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Command

STUDY = """
title = "A small world"
data = "simulate(users=70, items=40, ratings=1100, missing=by_value)"
split = "ratio(train=0.7)"
relevance = "threshold(4)"
recommend = ["Popularity", "Random", "ItemKNN(k=5)"]
"""
QUICK = ("-m", "P@5", "--draws", "2", "--protocol", "AI-AR", "--protocol", "IPS (known)", "--protocol", "1R")


def test_a_study_is_held_against_the_truth_and_reported_again(heldout: Command, desk: Path) -> None:
    (desk / "study.toml").write_text(STUDY)
    said = heldout("truth", "study.toml", "--out", "held", *QUICK)
    assert said.code == 0, said
    assert "2 redrawn worlds: too few" in said.out
    assert "Too few draws to say which protocol is right most often." in said.out
    assert "Report: held/report.html" in said.err
    page = (desk / "held" / "report.html").read_text()
    assert "Which protocol finds the truly better system?" in page and "Bias and variance" in page
    assert {p.name for p in (desk / "held").glob("*.parquet")} == {"table.parquet", "pairs.parquet", "values.parquet"}
    assert len(list((desk / "held" / "stages").glob("draw-*.json"))) == 2
    assert heldout("report", "held").out == said.out
    assert heldout("verify", "held").code == 0
    rows = json.loads(heldout("truth", "study.toml", "--out", "held", "--json", "-q", *QUICK).out)
    assert {row["protocol"] for row in rows} == {"AI-AR", "IPS (known)", "1R"}


def test_a_changed_draw_is_found(heldout: Command, desk: Path) -> None:
    (desk / "study.toml").write_text(STUDY)
    assert heldout("truth", "study.toml", "--out", "held", "-q", *QUICK).code == 0
    stage = next((desk / "held" / "stages").glob("draw-*.json"))
    stage.write_text(stage.read_text().replace('"train": ', '"train": 1'))
    assert heldout("verify", "held").code == 1
    said = heldout("truth", "study.toml", "--out", "held", "-q", *QUICK)
    assert said.code != 0 and "delete this file" in said.err, said


def test_what_cannot_be_held_against_a_truth_is_a_sentence(heldout: Command, desk: Path) -> None:
    (desk / "ratings.csv").write_text(
        "user,item,rating\n" + "".join(f"{u},{i},{1 + (u * i) % 5}\n" for u in range(20) for i in range(9))
    )
    (desk / "study.toml").write_text(
        STUDY.replace('"simulate(users=70, items=40, ratings=1100, missing=by_value)"', '"ratings.csv"')
    )
    (desk / "random.csv").write_text("user,item,rating\n" + "".join(f"x{u},{u % 9},4\n" for u in range(20)))
    said = heldout("truth", "study.toml", "--truth", "random.csv", *QUICK)
    assert said.code == 2 and "the truth has no users of the data" in " ".join(said.err.split()), said
    said = heldout("truth", "study.toml", "--protocol", "P1S")
    assert said.code == 2, said


def test_a_sample_that_holds_the_ratings_is_halved_unless_the_whole_is_asked_for(heldout: Command, desk: Path) -> None:
    rows = [(u, i, 1 + (u * u + i * u) % 5) for u in range(40) for i in range(30) if (7 * u + 3 * i * i) % 5 < 3]
    for name, step in (("ratings", 2), ("random", 1)):
        (desk / f"{name}.csv").write_text("user,item,rating\n" + "".join(f"{u},{i},{r}\n" for u, i, r in rows[::step]))
    study = STUDY.replace('"simulate(users=70, items=40, ratings=1100, missing=by_value)"', '"ratings.csv"')
    (desk / "study.toml").write_text(study)
    (desk / "whole.toml").write_text(study + 'truth_design = "whole"\n')
    quick = ("--truth", "random.csv", *QUICK[:-4])
    assert "halves the sample of every user" in " ".join(heldout("truth", "study.toml", *quick).out.split())
    whole = heldout("truth", "study.toml", "--design", "whole", *quick)
    assert whole.code == 0 and whole.out == heldout("truth", "whole.toml", *quick).out
    assert "would not be tested weighs 1" in " ".join(whole.out.split())
