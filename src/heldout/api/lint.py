"""Review the method of a study or of results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from heldout.api.meta_results import MetaResults
from heldout.api.results import Results
from heldout.api.subject import StudyOrResults, subject_of
from heldout.errors import SpecError
from heldout.experiment.run import inputs_of
from heldout.metric_quality.quality import MetricQuality
from heldout.review.lint.finding import Review
from heldout.review.lint.review import lint_facts, lint_study
from heldout.study.record import study_record


def lint(subject: StudyOrResults, *, ignore: Sequence[str] = (), meta: str | Path | MetaResults | None = None) -> Review:
    """The methodological review of a study (file, keys or Study) or of results (folder or Results): coded findings.

    Each finding has a severity, the key it stands under and what to change; `review.unchecked` says what could not be looked
    at. `ignore` leaves codes out. `meta` is a trial of metrics on the same data, or its folder: findings about depth and
    weak metrics cite it.
    """
    reviewed = subject_of(subject)
    if isinstance(reviewed, Results):
        name = str(subject) if isinstance(subject, str | Path) else reviewed.facts.title
        return lint_facts(reviewed.facts, name, _trials(meta, reviewed.facts.manifest)).without(ignore)
    study = reviewed.study
    trials = _trials(meta, {"study": study_record(study), "inputs": inputs_of(study)}) if meta is not None else ()
    return lint_study(study, reviewed.keys, reviewed.name, reviewed.seeds, reviewed.left_out, trials).without(ignore)


def _trials(meta: str | Path | MetaResults | None, manifest: Mapping[str, Any]) -> tuple[MetricQuality, ...]:
    """The trials of a folder; SpecError where they are of other data than the manifest tells of."""
    if meta is None:
        return ()
    results = meta if isinstance(meta, MetaResults) else MetaResults.load(meta)
    folds = set(dict(manifest.get("folds", {})).values())
    if folds:
        same = [trial for trial in results.trials if set(trial.fold_digests) <= folds]
    else:
        same = list(results.trials) if _ratings(manifest) == _ratings(results.manifest) else []
    if not same:
        raise SpecError("the trial of metrics was run on other data, or on another split", where="meta")
    return tuple(same)


def _ratings(manifest: Mapping[str, Any]) -> list[Any]:
    """What tells the ratings of a study's folds: its choices, and the digests of the files."""
    record, inputs = manifest["study"], manifest["inputs"]
    read = [inputs.get(text) for stage in ("data", "split") for text in record[stage]]
    return [*(record[stage] for stage in ("data", "filters", "split", "seed")), read]


def to_markdown(review: Review) -> str:
    """A review as Markdown: for an issue, a pull request or an appendix."""
    from heldout.reports.markdown.lint import review_markdown

    return review_markdown(review)
