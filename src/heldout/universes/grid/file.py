"""Multiverses from study files: the stages' options, and seeds, cut-offs and gain maps that multiply them.

Users who name no study get a grid of choices that papers of the field make, as far as the data allow them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from heldout.catalogue import Component, find, make, make_all, parameters
from heldout.catalogue.text import Call, parse
from heldout.data.read import read_log
from heldout.errors import HeldoutError, InputError, NotApplicableError, SpecError, all_of
from heldout.study.analysis import entry_of
from heldout.study.applicability import about_systems, refusal_of
from heldout.study.compatibility import refuse_unfit
from heldout.study.file import read_keys, refuse_misshapen, settled, study_from
from heldout.study.keys import listed
from heldout.study.spec import DEFAULTS, Study
from heldout.tables import Log
from heldout.targets.relevance.by_scale import WIDEST, guess_relevance
from heldout.universes.grid.grid import Multiverse

TABLE = "multiverse"


SEEDS = (1, 2, 3)
CUTOFFS = (5, 10, 20, 50, 100)
METRICS = ("P", "Recall", "nDCG", "AP", "RR", "HitRate")
SAMPLED = 100
"""Items that one relevant item competes with, where a catalogue holds more than twice as many."""


def read_multiverse(
    path: str | Path, *, models: Mapping[str, Any] | None = None, instead: Mapping[str, Any] | None = None
) -> Multiverse:
    """A multiverse from a study file; paths in it are relative to the file. Keys `instead` replace the file's."""
    keys = {**read_keys(path), **(instead or {})}
    try:
        return multiverse_from(keys, folder=Path(path).parent, models=models)
    except (SpecError, InputError) as error:
        raise error.within(str(path)) from None


def multiverse_from(
    keys: Mapping[str, Any], *, folder: Path | None = None, models: Mapping[str, Any] | None = None
) -> Multiverse:
    """A multiverse from the keys of a study file, whose table `multiverse` may name seeds, cutoffs and gains."""
    keys = settled(keys)
    try:
        refuse_misshapen(keys)
        table = _table(keys)
        expanded = _expanded(keys, table)
    except HeldoutError as error:
        try:
            study_from(keys, folder=folder, models=models, partial=True)
        except HeldoutError as others:
            raise all_of([error, others]) from None
        raise
    study = study_from(expanded, folder=folder, models=models, partial=True)
    refuse(study)
    if not study.contests:
        raise SpecError(
            "no universe has a winner",
            where="metrics",
            found=[str(metric) for metric in study.metrics],
            expected="a metric by which systems are compared",
            hint=f'add a metric such as nDCG@10, or declare objectives = ["{study.metrics[0]}"]',
        )
    bounds = [str(rule) for rule in study.unrated if rule.bound]
    if len(bounds) == len(study.unrated):
        refuse_unfit(study.metrics, study)
        raise SpecError(
            "no universe has a winner",
            where="unrated",
            found=bounds,
            expected="a rule that gives values, not their bounds",
            hint='use "zero" or "condense"',
        )
    study = replace(study, unrated=tuple(rule for rule in study.unrated if not rule.bound))
    seeds = tuple(dict.fromkeys(table.get("seeds") or [study.seed]))
    reasons = [reason for metric in study.metrics for reason in about_systems(study, metric)]
    reasons += [f"unrated = {text}: its ends bound values and are no contest" for text in bounds]
    apply = tuple(m for m in study.metrics if not any(refusal_of(m, s.recommender) for s in study.recommend))
    multiverse = Multiverse(replace(study, metrics=apply), seeds, tuple(reasons))
    if not len(multiverse):
        if reasons and not apply:
            raise NotApplicableError(f"nothing is left to measure: {'; '.join(reasons)}", where="metrics")
        refuse_unfit(study.metrics, study)
        raise NotApplicableError(
            f"no metric ({', '.join(str(m) for m in study.metrics)}) goes with any of these targets and aggregations",
            where="metrics",
            hint="heldout describe METRIC says what it needs",
        )
    return multiverse


def _expanded(keys: Mapping[str, Any], table: Mapping[str, Any]) -> dict[str, Any]:
    """The keys with metrics at every cut-off and with every gain map."""
    try:
        expanded = {**keys, "metrics": list(_metrics(keys, table))}
    except HeldoutError as error:
        raise error.within("metrics") from None
    if keys.get("objectives"):
        expanded["objectives"] = [text for text, _ in _spread(keys["objectives"], table)]
    return expanded


def _table(keys: Mapping[str, Any]) -> Mapping[str, Any]:
    """The table `multiverse`, whose entries are lists; what they hold is checked with the study."""
    table = keys.get(TABLE) or {}
    if not isinstance(table, Mapping):
        raise SpecError(where=TABLE, found=table, expected="a table", hint="such as [multiverse] seeds = [1, 2]")
    for name, values in table.items():
        if not isinstance(values, list | tuple):
            raise SpecError(where=f"{TABLE}, {name}", found=values, expected="a list")
    return table


def refuse(study: Study) -> None:
    """SpecError where no winner could be called."""
    if len(study.recommend) < 2:
        raise SpecError(where="recommend", found=len(study.recommend), expected="at least two systems")
    if not study.compare.tests:
        raise SpecError("a multiverse calls winners by p-values", where="compare", expected="a test", hint="such as t")
    silent = next((t for t in study.compare.tests if not t.has_p), None)
    if silent is not None:
        raise SpecError(
            "a multiverse calls winners by p-values",
            where="compare",
            found=str(silent),
            expected="a test that gives p-values",
            hint="use t, permutation, wilcoxon or sign",
        )
    if study.compare.group != "evaluation":
        raise SpecError(
            "systems are chosen on these users",
            where="compare.group",
            found=study.compare.group,
            expected="evaluation",
            hint="leave it out: evaluation users are compared",
        )


def _metrics(keys: Mapping[str, Any], table: Mapping[str, Any]) -> Iterator[Any]:
    """The metrics of a study, at every cut-off and with every gain map that is named and not fixed already."""
    unused = {name: True for name in ("cutoffs", "gains") if table.get(name)}
    for text, used in _spread(keys.get("metrics") or DEFAULTS["metrics"], table):
        for name in used:
            unused.pop(name, None)
        yield text
    for name in unused:
        what = "a cut-off" if name == "cutoffs" else "a gain map"
        raise SpecError(
            f"{name} multiply metrics that name none, and every metric here names {what} or has none",
            hint=f"leave {name} out, or write metrics without {what}, such as nDCG",
        )


def _spread(entries: Any, table: Mapping[str, Any]) -> Iterator[tuple[Any, list[str]]]:
    """Each metric, at the cut-offs and with the gain maps it does not fix; and which of the two multiplied it."""
    cutoffs, gains = table.get("cutoffs") or [], [make("gain", g) for g in table.get("gains") or []]
    for entry in listed(entries):
        metric, own = entry_of(entry)
        if not isinstance(metric, str):
            yield entry, []
            continue
        call = parse(metric)
        names = {p.name for p in parameters(find("metric", call.name))}
        depth = _depth_name(find("metric", call.name))
        graded = bool(gains) and "gain" in names and "gain" not in call.kwargs and not call.args
        for each in _with_gains(call, gains) if graded else [call]:
            cut = bool(cutoffs) and bool(depth) and not each.at and depth not in each.kwargs
            used = [name for name, multiplied in (("cutoffs", cut), ("gains", graded)) if multiplied]
            text = str(replace(each, at=tuple(_checked(cutoffs))) if cut else each)
            yield text if own is None else {"metric": text, "aggregate": own}, used


def _with_gains(call: Call, gains: Sequence[Component]) -> Iterator[Call]:
    """A metric with every gain map that it can take; SpecError where it can take none."""
    refused: HeldoutError | None = None
    taken = 0
    for gain in gains:
        with_gain = replace(call, kwargs={**call.kwargs, "gain": parse(str(gain))})
        try:
            make_all("metric", with_gain)
        except SpecError as error:
            refused = error
            continue
        taken += 1
        yield with_gain
    if refused is not None and not taken:
        raise refused


def _checked(cutoffs: Sequence[Any]) -> Sequence[int]:
    bad = next((c for c in cutoffs if isinstance(c, bool) or not isinstance(c, int) or c < 1), None)
    if bad is not None:
        raise SpecError(where="multiverse, cutoffs", found=bad, expected="a whole number of at least 1")
    return cutoffs


def _depth_name(metric: type[Component]) -> str:
    return next((p.name for p in parameters(metric) if p.metadata["cutoff"]), "")


def default_keys(data: Any, systems: Sequence[str], **columns: Any) -> dict[str, Any]:
    """The keys of a study over the usual choices: splits, targets, relevance, metrics, aggregations and tests.

    Relevance is what the scale suggests (`by_scale`), and where ratings differ the user's own mean, or the user's highest
    fifth where that was suggested. Ratings of one value only are implicit feedback, with binary gains. Values beyond 20 and
    below 0 are no gains. Splits in time need times; where one rating of each user is hidden, users with no other stay in
    training; cut-offs stay below half the catalogue.
    """
    log = read_log(data, **columns)
    values = np.unique(log.value)
    items = log.item_id.n_unique()
    graded = len(values) > 1
    guess = guess_relevance(log.value).rule
    scale = graded and float(values[-1]) <= WIDEST
    relevance = [str(guess), *(["user_top(0.2)" if guess.relative else "user_mean"] if graded else [])]
    return {
        "title": "Does the conclusion survive the other choices?",
        "data": {"path": data, **columns} if columns else data,
        "split": _splits(log),
        "users": ["with_test"],
        "recommend": list(systems),
        "fallback": ["none", "popularity"],
        "relevance": relevance,
        "target": _targets(items, relevance[0], graded=graded),
        "metrics": list(METRICS),
        "aggregate": ["mean", "mean(weight=test)", "gmean"],
        "undefined": ["zero", "skip"],
        "coverage": ["zero", "intersection"],
        "compare": ["t", "sign"],
        "multiverse": {
            "seeds": list(SEEDS),
            "cutoffs": [n for n in CUTOFFS if 2 * n <= items] or [5],
            "gains": ["binary", "linear", "exp2"] if scale and values[0] >= 0 else ["binary"],
        },
    }


def _splits(log: Log) -> list[str]:
    random = ["ratio(train=0.5)", "ratio(train=0.8)", "ratio(train=0.8, by=user)"]
    short = ", short=train" if int(np.unique(log.user_id.to_numpy(), return_counts=True)[1].min()) < 2 else ""
    if log.time is None:
        return [*random, f"leave_out(1{short})"]
    return [*random, "temporal(at=0.8)", f"temporal(by=user, last=1{short})"]


def _targets(items: int, relevance: str, *, graded: bool) -> list[str]:
    """The targets that the catalogue allows; with one grade of ratings, a user's own test items are all alike."""
    targets = ["AllItems", "TestItems", *(["TestRatings"] if graded else [])]
    if items > 2 * SAMPLED:
        targets.append(f"OnePlusRandom({SAMPLED}, relevance={relevance})")
    return targets
