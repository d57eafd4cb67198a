"""A study, its keys, its file or its results are one subject; a folder of other results is refused."""

from __future__ import annotations

from pathlib import Path

from tests.refusals import refused

import heldout as ho
from heldout.api.study_or_results import folder_for, study_of
from heldout.errors import ResultsError
from heldout.study.file import study_from

RATINGS = {"user": [1, 1, 2, 2, 3, 3], "item": [1, 2, 1, 3, 2, 3], "rating": [5, 4, 5, 5, 4, 5]}
KEYS = {"data": RATINGS, "split": "leave_out(1)", "recommend": ["Popularity", "Random"], "metrics": ["P@2"]}


def test_every_form_of_a_study_is_the_same_study(tmp_path: Path) -> None:
    keys = {**KEYS, "data": str(tmp_path / "ratings.csv")}
    (tmp_path / "ratings.csv").write_text("user,item,rating\n1,1,5\n1,2,4\n2,1,5\n2,3,5\n3,2,4\n3,3,5\n")
    written = study_from(keys)
    (tmp_path / "study.toml").write_text(
        "\n".join(f"{key} = {value!r}".replace("'", '"') for key, value in keys.items()), encoding="utf-8"
    )
    results = ho.run(keys, out=tmp_path / "out", progress=False)
    for subject in (keys, written, tmp_path / "study.toml"):
        study, lender = study_of(subject, None)
        assert study.split == written.split and study.recommend == written.recommend and lender is None
    for subject in (tmp_path / "out", ho.load(tmp_path / "out")):
        study, lender = study_of(subject, None)
        assert study.split == written.split and lender is not None and lender.folder == tmp_path / "out"
    assert study_of(results, None)[1] is None  # they were not loaded from a folder


def test_a_folder_of_other_results_is_refused(tmp_path: Path) -> None:
    ho.run(KEYS, out=tmp_path / "out", progress=False)
    with refused(ResultsError, where=str(tmp_path / "out"), hint="choose another --out"):
        folder_for(tmp_path / "out", "meta")
    assert folder_for(None, "meta") is None
    fresh = folder_for(tmp_path / "new", "meta")
    assert fresh is not None and not (tmp_path / "new").exists()
