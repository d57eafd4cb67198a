"""Review the method of a study or of results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from heldout.api.kept_results import over_results
from heldout.api.kinds.metric_quality import KIND as TRIALS
from heldout.api.load import load_kind
from heldout.api.results import Results
from heldout.api.study_or_results import StudyOrResults, subject_of
from heldout.errors import ResultsError, SpecError
from heldout.experiment.run import inputs_of
from heldout.metric_quality.findings import MetaFindings, MetricFindings
from heldout.review.lint.finding import Review
from heldout.review.lint.review import lint_facts, lint_study
from heldout.study.record import study_record


@over_results
def lint(
    subject: StudyOrResults, *, ignore: Sequence[str] = (), meta: str | Path | Results[MetaFindings] | None = None
) -> Review:
    """The methodological review of a study (file, keys or Study) or of results (folder or Results): coded findings.

    Each finding has a severity, the key it stands under and what to change; `review.unchecked` says what could not be looked
    at. `ignore` leaves codes out. `meta` is a trial of metrics on the same data, or its folder: findings about depth and
    weak metrics cite it. Without it, such a trial is looked for in the results folder, and in folders beside it or beside
    the study file.
    """
    reviewed = subject_of(subject)
    if isinstance(reviewed, Results):
        name = str(subject) if isinstance(subject, str | Path) else reviewed.findings.title
        folder, manifest = reviewed.folder, reviewed.findings.manifest
        places = [] if folder is None else [folder, folder.resolve().parent]
        return lint_facts(reviewed.findings, name, _trials(meta, places, lambda: manifest)).without(ignore)
    study = reviewed.study
    places = [Path(subject).resolve().parent] if isinstance(subject, str | Path) and Path(subject).exists() else []
    trials = _trials(meta, places, lambda: {"study": study_record(study), "inputs": inputs_of(study)})
    return lint_study(study, reviewed.keys, reviewed.name, reviewed.seeds, reviewed.left_out, trials).without(ignore)


def _trials(
    meta: str | Path | Results[MetaFindings] | None, places: Sequence[Path], manifest: Callable[[], Mapping[str, Any]]
) -> tuple[MetricFindings, ...]:
    """The trials that are named, or else the first on the same data among the folders of some places, in their order.

    SpecError where those that are named are of other data than the manifest tells of.
    """
    if meta is not None:
        named = load_kind(meta, MetaFindings)
        same = _on_same_data(named, manifest())
        if not same:
            raise SpecError("the trial of metrics was run on other data, or on another split", where="meta")
        return same
    for folder in [path.parent for place in places for path in sorted(place.glob(f"*/{TRIALS.file}"))]:
        try:
            nearby = load_kind(folder, MetaFindings)
        except ResultsError:
            continue  # it did not finish, or another version wrote it: there is nothing in it to cite
        if same := _on_same_data(nearby, manifest()):
            return same
    return ()


def _on_same_data(results: Results[MetaFindings], manifest: Mapping[str, Any]) -> tuple[MetricFindings, ...]:
    """The trials that were run on the data, and on the split, that a manifest tells of."""
    folds = set(dict(manifest.get("folds", {})).values())
    if folds:
        return tuple(trial for trial in results.findings.trials if set(trial.fold_digests) <= folds)
    if "study" not in results.manifest or not results.manifest["inputs"] or _ratings(manifest) != _ratings(results.manifest):
        return ()
    return results.findings.trials


def _ratings(manifest: Mapping[str, Any]) -> list[Any]:
    """What tells the ratings of a study's folds: its choices, and the digests of the files."""
    record, inputs = manifest["study"], manifest["inputs"]
    read = [inputs.get(text) for stage in ("data", "split") for text in record[stage]]
    return [*(record[stage] for stage in ("data", "filters", "split", "seed")), read]
