"""Hold every protocol, metric and estimator against what users would truly say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Literal

from heldout.api.analysis_call import analysing
from heldout.api.arguments import EngineName
from heldout.api.kinds.truth import KIND
from heldout.api.results import Results
from heldout.api.study_or_results import study_of, title_for
from heldout.biases.truth.analysis import TruthOptions, truth_findings
from heldout.biases.truth.findings import TruthFindings
from heldout.experiment.run import inputs_of
from heldout.reports.render.progress import ProgressOption
from heldout.storage.codec import to_plain
from heldout.study.record import study_record
from heldout.study.relative_paths import sources
from heldout.study.spec import Study, read_truth_design

TITLE = "Protocols held against the truth"
"""Of a study without a title."""


def truth(
    study: str | Path | Mapping[str, Any] | Study,
    *,
    truth: Any = None,
    design: Literal["halves", "whole"] | None = None,
    metrics: str | Sequence[Any] | None = None,
    protocols: Sequence[str] | None = None,
    draws: int = 20,
    samples: int = 100,
    sampled: int | None = None,
    level: float = 0.05,
    models: Mapping[str, Any] | None = None,
    out: str | Path | None = None,
    threads: int | None = None,
    block: int = 4096,
    progress: ProgressOption = None,
    engine: EngineName | None = None,
    address: str | None = None,
) -> Results[TruthFindings]:
    """How near does each protocol come to what users would say of all items, and would it choose the truly better system?

    The data of the study are simulated, or come with a random sample of what users think (`cm100k(…, known=yes)`, `coat`),
    or `truth` names such a table: ratings of items drawn at random, by the same users. Systems are fitted once in each of
    `draws` redrawn worlds or splits, measured by every protocol, or those that `protocols` names, with each of `metrics`,
    and held against the truth. `samples` of users are drawn for intervals on real data, `sampled` items compete with one
    relevant item in sampled lists. `design` decides what to do if the ratings are part of the random sample: "halves" takes
    train and test from one half of each user's sample and the truth from the other, "whole" uses all of it for both, with
    weights. By default the sample is halved, unless a predefined split rules that out.

    With `out`, every draw is kept there, and what was stopped goes on. With
    `engine="ray"`, draws are computed side by side on this machine, or on the cluster at `address`.
    """
    names = None if metrics is None else tuple([metrics] if isinstance(metrics, str) else map(str, metrics))
    chosen = None if protocols is None else tuple(protocols)
    options = TruthOptions(draws=draws, samples=samples, metrics=names, protocols=chosen, level=level, sampled=sampled)
    subject, _ = study_of(study, models)
    if truth is not None:
        [source] = sources([truth], None)
        subject = replace(subject, truth=source)
    if design is not None:
        subject = replace(subject, truth_design=read_truth_design(design))
    where = engine or subject.engine
    with analysing(KIND, out=out, threads=threads, progress=progress, engine=where, address=address) as call:
        call.announce(
            title=title_for(subject, TITLE),
            seed=subject.seed,
            study=study_record(subject),
            options=to_plain(asdict(options)),
            inputs=inputs_of(subject),
        )
        return call.results(
            truth_findings(subject, options=options, stages=call.stages, block=block, progress=call.progress)
        )
