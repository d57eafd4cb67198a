"""Run a study."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heldout.analysis.choices import protocol_choices
from heldout.analysis.findings import Findings
from heldout.api.kinds.study import study_results
from heldout.api.results import Results
from heldout.reports.render.progress import shown
from heldout.study.spec import Study

if TYPE_CHECKING:
    from heldout.api.arguments import EngineName, StudyLike
    from heldout.reports.render.progress import ProgressOption


def run(
    study: StudyLike,
    *,
    models: Mapping[str, Any] | None = None,
    out: str | Path | None = None,
    threads: int | None = None,
    block: int = 4096,
    progress: ProgressOption = None,
    engine: EngineName | None = None,
    address: str | None = None,
    notify: Callable[[str], None] | None = None,
) -> Results[Findings]:
    """Run a study: a TOML file, its keys as a dictionary, or a Study.

    `models` adds systems of your own: name → object with `fit(train)` and `score(users)`, or a function. With `out`, results
    and the report are kept there, and a run that was stopped goes on. `engine="ray"` fits systems side by side on this
    machine, or on the cluster at `address`. A system that fails is left out, and `Results.failed` says why; so is a metric
    where it does not apply, and `Results.left_out` says why. `notify` is told of the latter before anything is fitted.
    `progress` is True for a bar, False for none, or a function that is told (stage, done, total); if not given, there is a
    bar in terminals and notebooks.
    """
    from heldout.experiment.failure import remaining
    from heldout.experiment.ledger import Ledger
    from heldout.experiment.provenance import lasting, system_costs
    from heldout.experiment.run import run_study
    from heldout.study.file import read_study, study_from

    if isinstance(study, Mapping):
        study = study_from(study, models=models)
    elif not isinstance(study, Study):
        study = read_study(study, models=models)
    options: dict[str, Any] = {"block": block, "engine": engine, "address": address, "notify": notify}
    ledger = Ledger(out) if out is not None else None
    with ledger.writing() if ledger is not None else nullcontext(), shown(progress, ledger) as tell:
        study_scores = run_study(study, out=out, threads_used=threads, progress=tell, **options)
        if tell is not None:
            tell("comparing", 0, 0)
        left = remaining(study.with_guess(study_scores.guess), [failure.system for failure in study_scores.failures])
        lasting_scores = replace(study_scores, manifest=lasting(study_scores.manifest))
        findings = lasting_scores.findings(left, lambda: protocol_choices(left))
        results = study_results(replace(findings, costs=system_costs(study_scores.manifest)), study_scores)
        if out is not None:
            results.save(out)
    return results
