"""Two results side by side."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.api.test_results import STUDY

import heldout as ho
from heldout.web.side_by_side import side_by_side


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("sides")
    ho.run(STUDY, out=home / "first")
    ho.run({**STUDY, "split": "ratio(train=0.5, by=user)", "recommend": ["Random", "Popularity"]}, out=home / "second")
    ho.multiverse({**STUDY, "metrics": "P@5"}, out=home / "grid")
    ho.multiverse({**STUDY, "metrics": "P@5", "seed": 2}, out=home / "other-grid")
    return home


def test_what_differs_is_told_decision_by_decision(home: Path) -> None:
    sides = side_by_side(home / "first", home / "second")
    differing = {row.key: (row.letter, row.first, row.second) for row in sides.protocol if not row.same}
    assert set(differing) == {"split", "recommend", "folds (digest)"}
    assert differing["split"] == ("A2", ("ratio(train=0.7, by=user)",), ("ratio(train=0.5, by=user)",))
    assert differing["recommend"][1:] == (("Popularity", "Random", "UserKNN(k=10)"), ("Random", "Popularity"))
    letters = [row.letter for row in sides.protocol if row.letter]
    assert letters == sorted(letters)


def test_numbers_of_both_stand_side_by_side(home: Path) -> None:
    sides = side_by_side(home / "first", home / "second")
    boards = [ho.load(home / name).tables["all-leaderboards"].frame for name in ("first", "second")]  # type: ignore[union-attr]
    assert len(sides.numbers) == 8  # two systems, two targets, two metrics
    for row in sides.numbers:
        for board, value in zip(boards, (row.first, row.second), strict=True):
            [cell] = board.filter(system=row.system, metric=row.name, target=row.of)["value"].to_list()
            assert cell == value
    assert "8 numbers stand side by side; 4 are only in the first" in sides.remark and "differ in split" in sides.remark


def test_other_data_are_another_task_and_a_single_setting_needs_no_name(home: Path) -> None:
    keys = {**STUDY, "target": "AllItems", "metrics": "P@5", "recommend": ["Popularity", "Random"]}
    ho.run(keys, out=home / "plain")
    ho.run({**keys, "split": "ratio(train=0.5, by=user)"}, out=home / "halved")
    sides = side_by_side(home / "plain", home / "halved")
    assert [row.of for row in sides.numbers] == ["", ""]
    assert sides.remark.endswith("Under other split the task is another: compare the order of systems, not their values.")
    assert "another" not in side_by_side(home / "plain", home / "plain").remark


def test_the_same_folder_twice_differs_in_nothing(home: Path) -> None:
    sides = side_by_side(home / "first", home / "first")
    assert all(row.same for row in sides.protocol) and all(row.difference == 0 for row in sides.numbers)
    assert sides.remark == "12 numbers stand side by side."


def test_multiverses_are_compared_by_their_universes(home: Path) -> None:
    sides = side_by_side(home / "grid", home / "other-grid")
    shares = ho.load(home / "grid").findings.pairs[0].shares  # type: ignore[union-attr]
    first = {row.name: row.first for row in sides.numbers if row.of == sides.numbers[0].of}
    assert list(first.values()) == [shares.universes, shares.first, shares.second, shares.neither]


def test_results_of_other_kinds_have_no_numbers_in_common(home: Path) -> None:
    sides = side_by_side(home / "first", home / "grid")
    assert sides.numbers == () and "one study and a multiverse" in sides.remark
