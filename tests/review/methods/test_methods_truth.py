"""Sentences of the experimental section that must be true of the data, the options and the parameters."""

from __future__ import annotations

import re
from pathlib import Path

from tests.review.methods.sections import FILTERED, text_of
from typer.testing import CliRunner

import heldout as ho
from heldout.cli.app import whole_app


def test_the_highest_value_is_the_true_one_however_many_there_are(tmp_path: Path) -> None:
    table = tmp_path / "purchases.csv"
    values = [*range(1, 60), 1331]
    rows = [f"u{k % 6},i{k // 6},{value}" for k, value in enumerate(values)]
    table.write_text("\n".join(["user,item,rating", *rows]) + "\n")
    asked = {**FILTERED, "data": str(table), "filters": [[]], "relevance": "threshold(1)"}
    assert "with values from 1 to 1,331" in text_of(ho.methods(ho.run(asked)), "Data")
    screen = CliRunner().invoke(whole_app(), ["data", "describe", str(table), "--full"]).stdout
    assert re.search(r"^ *1,056 to 1,331 +1 ", screen, re.M), screen


def test_of_parameters_only_what_is_recorded_is_said(filtered: ho.Results) -> None:
    said = text_of(ho.methods(filtered), "Systems")
    assert "beforehand" not in said
    assert (
        "No search for the parameters of UserKNN(k=7) and ItemKNN was recorded: the study sets k = 7 of UserKNN(k=7), "
        "and all their others have their default values."
    ) in said
    plain = text_of(ho.methods({**FILTERED, "recommend": ["Popularity", "ItemKNN"]}), "Systems")
    assert "No search for the parameters of ItemKNN was recorded: all of them have their default values." in plain
