"""Search for the parameters of a model."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heldout.errors import SpecError
from heldout.study.spec import Study

if TYPE_CHECKING:
    from heldout.study.tuned import Tuned


USUAL_SPLIT = "ratio(train=0.8, by=user)"
"""The split whose training part is tuned on where the study names none."""


def tune(
    study: str | Path | Mapping[str, Any] | Study,
    model: Any,
    *,
    instead: Mapping[str, Any] | None = None,
    threads: int | None = None,
    **options: Any,
) -> Tuned:
    """Search for the parameters of a model under a study's protocol, on validation ratings carved out of train.

    `tune({"data": "ratings.csv", "split": "ratio(train=0.8)"}, "SLIM", metric="Recall@10", trials=30, out="tuned/slim")`.
    `instead` holds keys that replace the study's. Options: metric, trials, ranges, validation, fold, out, progress; see
    `heldout.experiment.tune.tune`.
    """
    from heldout.experiment.tune import tune as search
    from heldout.study.file import read_keys, study_from

    if isinstance(study, Study) and instead:
        raise SpecError("the keys of a Study cannot be replaced", where="instead", hint="give the study's keys or file")
    if not isinstance(study, Study):
        folder = None if isinstance(study, Mapping) else Path(study).parent
        keys = dict(study) if isinstance(study, Mapping) else read_keys(study)
        # What the study compares is not what is tuned: its systems are left aside.
        aside = {"recommend": ["Random"], "compare": None}
        study = study_from({"split": USUAL_SPLIT, **keys, **(instead or {}), **aside}, folder=folder)
    return search(study, model, threads_used=threads, **options)
