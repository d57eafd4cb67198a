"""Whose a failed cell is."""

from __future__ import annotations

from heldout.experiment.failed_systems import system_of


def test_a_cell_ends_with_the_name_of_its_system() -> None:
    systems = ["EASE", "mine | EASE", "Random"]
    assert system_of("given | none | ratio | 0 | Random", systems) == "Random"
    assert system_of("given | none | ratio | 0 | EASE", systems) == "EASE"
    assert system_of("given | none | ratio | 0 | mine | EASE", systems) == "mine | EASE"
    assert system_of("given | none | ratio | 0 | unknown", systems) == "unknown"
