"""`results.tables`: tables by name."""

from __future__ import annotations

import pytest
from tests.refusals import refused
from tests.reports.every_kind import KINDS, results_of

from heldout.errors import SpecError, UnknownNameError


@pytest.mark.parametrize("kind", KINDS)
def test_results_of_every_kind_have_tables_in_every_format(kind: str) -> None:
    tables = results_of(kind).tables
    assert len(tables) == len(list(tables)) == len(tables.titles) > 2
    for name in tables:
        for form in ("csv", "json", "latex", "markdown", "html"):
            assert tables[name].to(form), (name, form)


def test_names_that_there_are_not() -> None:
    tables = results_of("study").tables
    with refused(UnknownNameError, where="tables", found="pair", hint="did you mean pairs?"):
        _ = tables["pair"]
    assert "pair" not in tables and "pairs" in tables and "all-comparisons" in tables
    assert "leaderboard: Leaderboard" in repr(tables)


def test_frames_are_whole() -> None:
    results = results_of("study")
    frame = results.tables["all-leaderboards"].frame
    assert frame["value"].to_list() == [row.value for row in results.findings.leaderboard]


def test_another_setting() -> None:
    results = results_of("study")
    other = results.at(1)
    first, second = (found.tables["leaderboard"].columns[1].name for found in (results, other))
    assert (first, second) == (results.findings.settings[0].metric, results.findings.settings[1].metric)
    with refused(SpecError, hint="its settings: 0, 1"):
        results.at(99)
