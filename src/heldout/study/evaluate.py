"""Judging runs that any system produced: judgements and lists in, the outcome of a study out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from heldout.catalogue import make, make_all
from heldout.data.frames import is_frame, log_from_frame, run_from_frame
from heldout.data.memory import InMemory
from heldout.data.profile import profile
from heldout.data.read import reader_of
from heldout.data.runs import RunFrame, read_run
from heldout.errors import HeldoutError, InputError, SpecError
from heldout.measure.judge import judge_rankings
from heldout.measure.measuring import measure, with_diagnostics
from heldout.study.advice import about_coverage, about_users
from heldout.study.cell import scores_of
from heldout.study.outcome import DataSteps, Notice, Outcome, Part, SplitCounts
from heldout.study.provenance import machine, versions
from heldout.study.spec import DEFAULTS, Study, make_comparison
from heldout.tables import Interactions, Log, Protocol, Vocabulary
from heldout.tables.arrays import Int32
from heldout.target.all_items import AllItems
from heldout.target.runs import rank_run
from heldout.target.user_rule import UserRule


@dataclass(frozen=True, eq=False)
class Judgements:
    """The test set, and the training set where it is known, in one vocabulary with the runs."""

    test: Interactions
    train: Interactions | None
    runs: dict[str, RunFrame]


def evaluate_runs(
    qrels: Any,
    runs: Mapping[str, Any],
    metrics: Sequence[Any],
    *,
    train: Any = None,
    relevance: Any = None,
    unrated: Any = "zero",
    ties: Any = "item",
    aggregate: Any = "mean",
    undefined: Any = "zero",
    coverage: Any = "zero",
    compare: Any = None,
    seed: int = 1,
    title: str = "Evaluation of runs",
) -> tuple[Study, Outcome]:
    """Judge runs against a test set.

    `qrels`, `train` and each run are paths, frames or arrays. `relevance` is a rule; when none is given, ratings from 4
    on are relevant where the highest is above 4, and from 1 on otherwise.
    """
    if not runs:
        raise SpecError("no run is given", where="runs")
    judgements = _read(qrels, runs, train)
    test = judgements.test
    top = float(test.value.max() if judgements.train is None else max(test.value.max(), judgements.train.value.max()))
    study = _study(
        list(runs),
        metrics,
        relevance or f"threshold({4 if top > 4 else 1})",
        unrated=unrated,
        ties=ties,
        aggregate=aggregate,
        undefined=undefined,
        coverage=coverage,
        compare=compare,
        seed=seed,
        title=title,
    )
    notices: list[Notice] = []
    parts = []
    users = np.flatnonzero(test.user_counts).astype(np.int32)
    for name, run in judgements.runs.items():
        parts.append(_judged(study, judgements, name, run, users, top, notices))
    train_size = len(judgements.train) if judgements.train is not None else 0
    outcome = Outcome(
        tuple(parts),
        (DataSteps("test set", "none", (("test", profile(test)),)),),
        (SplitCounts("test set", "none", "given", 0, train_size, len(test), len(users)),),
        (),
        {"complete": True, "title": title, "seed": seed, "versions": versions(), "machine": machine()},
    )
    forgiving = any(str(c) == "forgive" for c in study.coverage)
    found = (*notices, *about_coverage(outcome, forgiving=forgiving), *about_users(outcome))
    return study, Outcome(outcome.parts, outcome.data, outcome.splits, found, outcome.manifest)


def _study(
    systems: list[str],
    metrics: Sequence[Any],
    relevance: Any,
    *,
    unrated: Any,
    ties: Any,
    aggregate: Any,
    undefined: Any,
    coverage: Any,
    compare: Any,
    seed: int,
    title: str,
) -> Study:
    def options(kind: str, value: Any) -> tuple[Any, ...]:
        listed = value if isinstance(value, list | tuple) else [value]
        return tuple(dict.fromkeys(c for text in listed for c in make_all(kind, text)))

    if not metrics:
        raise SpecError("no metric is named", where="measure", hint="such as nDCG@10")
    users: UserRule = make("users", "with_test")
    return Study(
        (InMemory(None, "test set"),),
        ((),),
        (),
        ((users,),),
        (),
        (make("fallback", "none"),),
        options("relevance", relevance),
        (AllItems(),),
        options("unrated", unrated),
        options("ties", ties),
        options("metric", metrics),
        options("aggregation", aggregate),
        options("undefined", undefined),
        options("coverage", coverage),
        make_comparison(compare or DEFAULTS["compare"], systems),
        seed=seed,
        title=title,
    )


def _read(qrels: Any, runs: Mapping[str, Any], train: Any) -> Judgements:
    test_log = _log(qrels, "test set")
    train_log = _log(train, "training set") if train is not None else None
    frames = {name: _run(source, name) for name, source in runs.items()}
    logs = [log for log in (test_log, train_log) if log is not None]
    users = Vocabulary.of(*(log.user_id for log in logs))
    items = Vocabulary.of(*(log.item_id for log in logs), *(run.item_id for run in frames.values()))
    test = test_log.interactions(users=users, items=items)
    return Judgements(test, train_log.interactions(users=users, items=items) if train_log is not None else None, frames)


def _log(source: Any, what: str) -> Log:
    if isinstance(source, Interactions):
        return InMemory(source, what).read()
    if isinstance(source, str | Path):
        return reader_of(source).read()
    if is_frame(source):
        return log_from_frame(source, name=what)
    raise InputError(f"the {what} is a {type(source).__name__}", hint="give a path, a frame or arrays")


def _run(source: Any, name: str) -> RunFrame:
    if isinstance(source, RunFrame):
        return source
    if isinstance(source, str | Path):
        return read_run(source)
    if is_frame(source):
        return run_from_frame(source, name=name)
    raise InputError(f"the run '{name}' is a {type(source).__name__}", hint="give a path, a frame or arrays")


def _judged(
    study: Study, judgements: Judgements, name: str, run: RunFrame, users: Int32, top: float, notices: list[Notice]
) -> Part:
    test, train = judgements.test, judgements.train
    metrics = with_diagnostics(study.measure)
    every = np.ones(len(users), dtype=bool)
    targets = np.full(len(users), len(test.items), np.int32)
    if train is not None:
        targets = targets - train.user_counts[users].astype(np.int32)
    scores = []
    for ties in study.ties:
        try:
            rankings, counts = rank_run(
                run.user_id,
                run.item_id,
                run.score,
                users=test.users,
                items=test.items,
                ties=ties,
                train=train,
                name=run.source,
            )
        except HeldoutError as error:
            raise error if run.source == name else error.within(name) from None
        if ties == study.ties[0]:
            if counts.training:
                notices.append(Notice("HO101", f"{name} ranks {counts.training:,} training items; they were dropped"))
            if counts.unknown_users:
                notices.append(Notice("HO104", f"{name} has lists of {counts.unknown_users:,} users who are not tested"))
        for rule in study.relevance:
            relevance = rule.judge(test, users, top)
            lists = judge_rankings(rankings, relevance, n_items=len(test.items), targets=targets)
            for unrated in study.unrated:
                protocol = Protocol(
                    "test set", "none", "given", "with_test", "none", str(rule), "AllItems", str(unrated), str(ties)
                )
                scores.append(
                    scores_of(
                        name,
                        protocol,
                        0,
                        users,
                        every,
                        measure(unrated.apply(lists), metrics),
                        tuple(str(m) for m in metrics),
                    )
                )
    return Part(tuple(scores), test.users)


def per_user(outcome: Outcome, metrics: Sequence[Any]) -> pl.DataFrame:
    """One row per system and user with the metrics asked for."""
    names = [str(m) for m in metrics]
    kept = ["system", "relevance", "unrated", "ties", "user_id", *names, "length"]
    return outcome.per_user().select(kept)
