"""Search for the parameters of a model."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heldout.study.spec import Study

if TYPE_CHECKING:
    from heldout.study.tuned import Tuned


def tune(study: str | Path | Mapping[str, Any] | Study, model: Any, *, threads: int | None = None, **options: Any) -> Tuned:
    """Search for the parameters of a model under a study's protocol, on validation ratings carved out of train.

    `tune({"data": "ratings.csv", "split": "ratio(train=0.8)"}, "SLIM", metric="Recall@10", trials=30, out="tuned/slim")`.
    Options: metric, trials, ranges, validation, fold, out, progress; see `heldout.experiment.tune.tune`.
    """
    from heldout.experiment.tune import tune as search
    from heldout.study.file import read_keys, study_from

    if not isinstance(study, Study):
        folder = None if isinstance(study, Mapping) else Path(study).parent
        keys = dict(study) if isinstance(study, Mapping) else read_keys(study)
        # What the study compares is not what is tuned: its systems are left aside.
        study = study_from({**keys, "recommend": ["Random"], "compare": None}, folder=folder)
    return search(study, model, threads_used=threads, **options)
