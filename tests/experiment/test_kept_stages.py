"""Stages of a trial are kept by what they depend on, and a changed file is refused."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tests.refusals import refused

from heldout.errors import ResultsError
from heldout.experiment.kept_stages import Stages
from heldout.experiment.ledger import Ledger


@dataclass(frozen=True)
class Figure:
    name: str
    value: float


def test_a_kept_stage_is_not_computed_again(tmp_path: Path) -> None:
    computed: list[str] = []

    def compute() -> list[Figure]:
        computed.append("")
        return [Figure("P@5", 0.1 + 0.2)]

    ledger = Ledger(tmp_path / "out")
    with ledger.writing():
        ledger.announce({"complete": False, "kind": "meta"})
        stages = Stages(ledger)
        first = stages.kept("power", (1, "a"), Figure, compute)
        assert stages.kept("power", (1, "a"), Figure, compute) == first == [Figure("P@5", 0.1 + 0.2)]
        assert len(computed) == 1
        stages.kept("power", (2, "a"), Figure, compute)
        stages.kept("swaps", (1, "a"), Figure, compute)
        assert len(computed) == 3
        path = next((tmp_path / "out" / "stages").glob("swaps-*.json"))
        path.write_text(path.read_text().replace("0.3", "0.4"))
        with refused(
            ResultsError,
            where=".json",
            hint="delete this file, and run the same command again",
        ):
            stages.kept("swaps", (1, "a"), Figure, compute)


def test_without_a_folder_everything_is_computed() -> None:
    assert Stages().kept("power", (), Figure, lambda: [Figure("P", 1.0)]) == [Figure("P", 1.0)]
