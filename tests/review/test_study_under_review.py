"""A study without its results, from a file, keys or a value."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.refusals import refused
from tests.review.lint.cases import STUDY

from heldout.errors import UnknownNameError
from heldout.review.study_under_review import study_under_review
from heldout.study.file import study_from


def test_keys_are_known_where_somebody_wrote_them() -> None:
    reviewed = study_under_review(STUDY)
    assert reviewed.keys == STUDY
    assert reviewed.written is not None and {"target", "seed"}.isdisjoint(reviewed.written)
    assert study_under_review(study_from(STUDY)).study == reviewed.study
    assert reviewed.left_out is None  # nothing was run


def test_a_multiverse_is_counted_with_its_seeds() -> None:
    """Two metrics at two cut-offs under two seeds: 8 universes."""
    keys: dict[str, Any] = {**STUDY, "metrics": ["P", "Recall"], "multiverse": {"seeds": [1, 2], "cutoffs": [5, 10]}}
    reviewed = study_under_review(keys)
    assert (reviewed.seeds, reviewed.universes) == ((1, 2), 8)


def test_an_error_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "study.toml"
    path.write_text('data = "simulate(users=9)"\nsplit = "ratioo"\nrecommend = ["Popularity"]\n', encoding="utf-8")
    with refused(UnknownNameError, where="study.toml: split", found="ratioo", hint="did you mean ratio?"):
        study_under_review(path)
