"""Search for the parameters of a model."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from heldout.errors import SpecError, warn_spelling
from heldout.reports.render.progress import shown
from heldout.study.spec import Study

if TYPE_CHECKING:
    from heldout.api.arguments import EngineName, Spec, StudyLike
    from heldout.reports.render.progress import ProgressOption
    from heldout.study.tuned import Tuned


USUAL_SPLIT = "ratio(train=0.8, by=user)"
"""The split whose training part is tuned on where the study names none."""


def tune(
    model: Spec,
    study: StudyLike,
    *,
    metric: Spec | None = None,
    trials: int = 30,
    ranges: Mapping[str, Any] | None = None,
    validation: Spec | None = None,
    fold: int | None = None,
    instead: Mapping[str, Any] | None = None,
    out: str | Path | None = None,
    threads: int | None = None,
    progress: ProgressOption = None,
    batch: int = 1,
    engine: EngineName | None = None,
    address: str | None = None,
) -> Tuned:
    """Search for the parameters of a model under a study's protocol, on validation ratings carved out of train.

    `tune("SLIM", {"data": "ratings.csv", "split": "ratio(train=0.8)"}, metric="Recall@10", trials=30, out="tuned/slim")`.

    - `model`: a recommender, which comes first as in `fit` and `recommend`; parameters that it names stay.
    - `study`: a study file, its keys or a Study.
    - `metric`: what is to be best; else the study's first, or `nDCG(gain=binary)@10`.
    - `trials`: how many choices of parameters are tried.
    - `ranges`: parameter → "LOW..HIGH", "LOW..HIGH:log", "A,B,C" or a range of `between` or `among`; else as declared.
    - `validation`: a split that carves validation ratings out of train; else a fifth of each user's.
    - `fold`: which fold, where the split makes several.
    - `instead`: keys that replace the study's.
    - `out`: a folder for the trials; a search that was stopped goes on there.
    - `batch`: trials that are drawn at once, before any of them is measured; what is found depends on it.
    - `engine`: "ray" makes the trials of a batch side by side, on this machine or the cluster at `address`.
    """
    from heldout.experiment.tune import tune as search
    from heldout.study.file import read_keys, settled, study_from

    if _is_study(model):
        warn_spelling("the model comes first, then the study, as in fit and recommend: ho.tune(model, study)")
        model, study = cast("tuple[Spec, StudyLike]", (study, model))
    if isinstance(study, Study) and instead:
        raise SpecError("the keys of a Study cannot be replaced", where="instead", hint="give the study's keys or file")
    if not isinstance(study, Study):
        keys = settled(study) if isinstance(study, Mapping) else read_keys(study)
        folder = None if isinstance(study, Mapping) else Path(study).parent
        # What the study compares is not what is tuned: its systems are left aside.
        aside = {"recommend": ["Random"], "compare": None}
        study = study_from({"split": USUAL_SPLIT, **keys, **settled(instead or {}), **aside}, folder=folder)
    with shown(progress) as tell:
        return search(
            study,
            model,
            metric=metric,
            trials=trials,
            ranges=ranges,
            validation=validation,
            fold=fold,
            out=out,
            threads_used=threads,
            progress=tell,
            batch=batch,
            engine=engine,
            address=address,
        )


def _is_study(value: object) -> bool:
    """Whether a study stands in the place of the model: keys, a Study, or a file."""
    return isinstance(value, Mapping | Study | Path) or (isinstance(value, str) and value.endswith(".toml"))
