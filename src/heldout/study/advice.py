"""What a careful reviewer would say at once: coded notices about the method of a study."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from heldout.catalogue import make
from heldout.study.outcome import Notice, Outcome
from heldout.study.spec import Study
from heldout.target.target import Target

SMALL_TEST = 1000
MANY_USERS = 2000
FEW_USERS = 50


def advise(study: Study, outcome: Outcome) -> Iterator[Notice]:
    """Notices that the choices and the results call for."""
    yield from _about_targets(study.target, [str(m) for m in study.measure])
    yield from about_coverage(outcome, forgiving=any(str(c) == "forgive" for c in study.coverage))
    yield from about_users(outcome)
    for counts in outcome.splits:
        if counts.test < SMALL_TEST:
            yield Notice("HO501", f"the test part of {counts.split} holds {counts.test:,} ratings")
            break


def _about_targets(targets: tuple[Target, ...], metrics: list[str]) -> Iterator[Notice]:
    for target in targets:
        if target.competition == "sample":
            yield Notice("HO201", f"{target} ranks each relevant item among {target.sample_size} sampled ones")
        if target.competition == "own":
            yield Notice("HO202", f"under {target} only the user's own test items compete")
        if target.single and any(make("metric", m).key == "bpref" for m in metrics):
            yield Notice("HO301", f"bpref is constant under {target}")


def about_coverage(outcome: Outcome, *, forgiving: bool) -> Iterator[Notice]:
    """Notices about users without recommendations."""
    uncovered: dict[str, int] = {}
    covered: dict[str, set[bytes]] = {}
    for part in outcome.parts:
        for scores in part.scores:
            none = int(np.count_nonzero(scores.length == 0))
            if none:
                uncovered[scores.system] = max(uncovered.get(scores.system, 0), none)
            covered.setdefault(f"{scores.protocol} {scores.fold}", set()).add((scores.length > 0).tobytes())
    for system, none in uncovered.items():
        yield Notice("HO103", f"{system} recommends nothing to {none:,} tested users")
    if forgiving and any(len(masks) > 1 for masks in covered.values()):
        yield Notice("HO102", "coverage = forgive averages different users in different systems")


def about_users(outcome: Outcome) -> Iterator[Notice]:
    """Notices about the number of users tested."""
    sizes = [len(scores.users) for part in outcome.parts for scores in part.scores]
    if sizes and max(sizes) >= MANY_USERS:
        yield Notice("HO401", f"{max(sizes):,} users are tested")
    if sizes and min(sizes) < FEW_USERS:
        yield Notice("HO402", f"only {min(sizes):,} users are tested")
