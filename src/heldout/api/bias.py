"""How much of a ranking of systems is popularity, and what else moves its values?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from heldout.analysis.findings import Findings
from heldout.api.analysis_call import analysing
from heldout.api.arguments import moved
from heldout.api.kinds.bias import KIND
from heldout.api.results import Results
from heldout.api.study_or_results import study_of, title_for
from heldout.biases.analysis import bias_findings
from heldout.biases.findings import BiasFindings
from heldout.biases.measured import Bench
from heldout.biases.options import SWEEPS, BiasOptions
from heldout.catalogue import make
from heldout.experiment.run import inputs_of
from heldout.reports.render.progress import ProgressOption
from heldout.storage.codec import to_plain
from heldout.study.record import study_record
from heldout.study.spec import Study

TITLE = "Biases of an offline evaluation"
"""Of a study without a title."""


PLACES = {
    "removed": "removed",
    "lists": "lists",
    "classes": "class_counts",
    "head": "heads",
    "uniform": "shares",
    "skew": "alphas",
}
"""Sweep → the option that holds its places."""


@moved(**{name: f'sweeps={{"{sweep}": …}}' for sweep, name in PLACES.items()})
def bias(
    study: str | Path | Mapping[str, Any] | Study | Results[Findings],
    *,
    metric: str | None = None,
    sampled: int = 99,
    classes: int = 10,
    head: float = 0.1,
    keep: float = 0.2,
    share: float | None = None,
    gamma: float = 1.0,
    sweeps: Sequence[str] | Mapping[str, Sequence[float] | None] = SWEEPS,
    models: Mapping[str, Any] | None = None,
    out: str | Path | None = None,
    threads: int | None = None,
    block: int = 4096,
    progress: ProgressOption = None,
) -> Results[BiasFindings]:
    """Measure the systems of a study under plain and popularity-neutral protocols, beside what is to be expected.

    `study` is a TOML file, its keys, a Study, Results or the folder of a run; Random and Popularity are added to its
    systems. `metric` is the first of the study's unless named; precision at its depth stands beside it. `sampled` items
    compete with one relevant item in 1R, P1R (with `classes` popularity classes) and U1R; `head` is the share of items that
    leaves the test, `share` that of the ratings in a uniform test set, of whose items `keep` of the ratings train; `gamma`
    is that of stratified recall. `sweeps` are "removed" (test ratings), "lists" (their size), "classes", "head", "uniform"
    (test sets of several sizes) and "skew" (simulated popularity); `{"head": [0.05, 0.1]}` names the places of a sweep too.
    With `out`, everything is kept there, and what was stopped goes on.
    """
    places = sweeps if isinstance(sweeps, Mapping) else {}
    options = BiasOptions(
        metric=make("metric", metric) if metric is not None else None,
        sampled=sampled,
        classes=classes,
        head=head,
        keep=keep,
        share=share,
        gamma=gamma,
        sweeps=tuple(sweeps),  # type: ignore[arg-type]
        **{PLACES[sweep]: tuple(values) for sweep, values in places.items() if values is not None and sweep in PLACES},  # type: ignore[arg-type]
    )
    with analysing(KIND, out=out, threads=threads, progress=progress) as call:
        subject, lender = study_of(study, models)
        call.announce(
            title=title_for(subject, TITLE),
            seed=subject.seed,
            study=study_record(subject),
            bias=to_plain({**asdict(options), "metric": str(options.metric or "")}),
            inputs=inputs_of(subject),
        )
        bench = Bench(ledger=call.ledger, store=lender, stages=call.stages, block=block)
        return call.results(bias_findings(subject, options, bench, call.progress))
