"""The page of the documentation: whatever does not agree or hold on it says why."""

from __future__ import annotations

import re
from pathlib import Path

from heldout.papers.analysis import PAPERS

PAGE = (Path(__file__).parents[2] / "docs" / "published-beside-measured.md").read_text().replace("\N{NO-BREAK SPACE}", " ")
SECTIONS = re.split(r"^(?=###? )", PAGE, flags=re.MULTILINE)
OPEN = re.compile(r"no cause|not found|not explained|not looked|nothing else was tried", re.IGNORECASE)
TOLD = re.compile(r"\((\d+(?:, \d+)*)\)$")


def _cells(section: str) -> list[str]:
    """All cells of the tables of a section."""
    rows = [line for line in section.splitlines() if line.startswith("| ")]
    return [cell.strip() for row in rows for cell in re.split(r"(?<!\\)\|", row)[1:-1]]


def test_every_number_that_does_not_agree_and_every_claim_that_does_not_hold_has_its_reason() -> None:
    told = 0
    for section in SECTIONS:
        reasons = dict(re.findall(r"^- \((\d+)\) (.+)$", section, re.MULTILINE))
        assert all(re.search(r"\d", text) for text in reasons.values()), "a reason has the figures that showed it"
        assert not any(OPEN.search(text) for text in reasons.values()), "a cause is found, or three are ruled out"
        used = set()
        for cell in _cells(section):
            if cell == "no" or cell.startswith(("no (", "✗ does not hold here")):
                places = TOLD.search(cell)
                assert places, f"{section.splitlines()[0]}: {cell} without a reason"
                used |= set(places[1].split(", "))
                told += 1
        assert used == set(reasons), section.splitlines()[0]
    counts = re.search(r"(\d+) of (\d+) published numbers", PAGE)
    failing = sum(map(int, re.findall(r"(\d+) do not hold here", PAGE.partition("```")[0])))
    assert counts and failing and told >= int(counts[2]) - int(counts[1]) + failing  # other readings are not counted


def test_the_claims_and_numbers_that_cannot_be_tested_stand_on_the_page() -> None:
    cells = [cell for section in SECTIONS for cell in _cells(section)]
    claims, numbers = re.search(r"(\d+) cannot be tested", PAGE), re.search(r"(\d+) numbers whose data are not here", PAGE)
    assert claims and cells.count("? cannot be tested") == int(claims[1])
    assert numbers and cells.count("cannot be tested") >= int(numbers[1])  # other readings are not counted


def test_the_page_has_every_experiment_of_every_paper_and_the_command_that_made_it() -> None:
    assert "heldout reproduce --all --data FOLDER --out DIR --page published-beside-measured.md" in PAGE
    heads = [section.splitlines()[0] for section in SECTIONS]
    for paper in PAPERS:
        start = heads.index(f"## {paper.name}")
        keys = [
            head.removeprefix("### ").partition(":")[0] for head in heads[start + 1 : start + 1 + len(paper.experiments)]
        ]
        assert keys == [experiment.key for experiment in paper.experiments]


def test_the_figures_of_the_page_are_beside_it() -> None:
    images = re.findall(r"\]\((published-beside-measured/[^)]+)\)", PAGE)
    folder = Path(__file__).parents[2] / "docs"
    assert len(images) > 20 and all((folder / image).is_file() for image in images)
    assert {path.name for path in (folder / "published-beside-measured").iterdir()} == {Path(i).name for i in images}
