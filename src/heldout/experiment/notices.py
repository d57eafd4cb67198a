"""What a careful reviewer would say at once: coded notices about the method of a study."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

from heldout.catalogue.notices import Notice
from heldout.experiment.guessed_relevance import about_guess
from heldout.experiment.metric_notices import about_metrics
from heldout.experiment.outcome import Outcome
from heldout.metrics.diagnostic.tied import Tied
from heldout.review.lint.rules.bpref_of_single_lists import BprefOfSingleLists
from heldout.review.lint.rules.many_ties import FIXED_ORDERS, MANY_TIED, tied_message
from heldout.review.lint.rules.metric_against_task import MetricAgainstTask
from heldout.review.lint.rules.only_test_ratings import OnlyTestRatings
from heldout.review.lint.rules.sampled_targets import SampledTargets
from heldout.review.lint.rules.uncorrected_comparisons import UncorrectedComparisons
from heldout.review.lint.subject import Subject
from heldout.study.spec import Study
from heldout.tables import ProtocolKey, Scores, Vocabulary

MANY_USERS = 2000
FEW_USERS = 50


def advise(study: Study, outcome: Outcome) -> Iterator[Notice]:
    """Notices that the choices and the results call for."""
    yield from _about_choices(study)
    yield from about_guess(study, outcome)
    yield from about_coverage(outcome, forgiving=any(c.per_system for c in study.coverage))
    yield from about_ties(outcome)
    yield from about_users(outcome)
    yield from about_metrics(study, outcome)
    yield from _about_parts(outcome)
    for source, reasons in outcome.skipped.items():
        told = "; ".join(f"{count:,} × {reason}" for reason, count in reasons)
        yield Notice("HO502", f"{sum(count for _, count in reasons):,} rows of {source} were left out: {told}")


def _about_parts(outcome: Outcome) -> Iterator[Notice]:
    """Parts of splits that are suspiciously small, each code once for a split."""
    seen: set[tuple[str, str]] = set()
    for counts in outcome.splits:
        for code, message in counts.concerns:
            if (code, counts.split) not in seen:
                seen.add((code, counts.split))
                yield Notice(code, f"{counts.split}: {message}")


def _about_choices(study: Study) -> Iterator[Notice]:
    """What the review says of the choices themselves, where every reader of the report must know it."""
    subject = Subject(study, study.keys)
    for rule in (SampledTargets(), OnlyTestRatings(), BprefOfSingleLists(), MetricAgainstTask(), UncorrectedComparisons()):
        for finding in rule.review(subject):
            if rule.stage == "target" or finding.severity == "error":
                yield Notice(finding.code, finding.message)


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
        yield Notice("HO103", f"{system} recommends nothing to {none:,} tested user{'' if none == 1 else 's'}")
    if forgiving and any(len(masks) > 1 for masks in covered.values()):
        yield Notice("HO102", "coverage = forgive averages different users in different systems")


def about_ties(outcome: Outcome) -> Iterator[Notice]:
    """HO206 where a fixed order of equal scores, by item or by text, places many of the rated items met."""
    worst: dict[str, float] = {}
    rules: dict[str, None] = {}
    for part in outcome.parts:
        for scores in part.scores:
            if scores.protocol.ties.startswith(FIXED_ORDERS):
                for name in (m for m in scores.metrics if m.partition("@")[0] == Tied.key):
                    values = scores.column(name)[~np.isnan(scores.column(name))]
                    share = float(values.mean()) if len(values) else 0.0
                    worst[scores.system] = max(worst.get(scores.system, 0.0), share)
                    if share > MANY_TIED:
                        rules[scores.protocol.ties] = None
    tied = {system: share for system, share in worst.items() if share > MANY_TIED}
    if tied:
        yield Notice("HO206", tied_message(tied, rules))


def about_users(outcome: Outcome) -> Iterator[Notice]:
    """Notices about the number of users tested."""
    sizes = list(_users_of_protocols(outcome))
    if sizes and max(sizes) >= MANY_USERS:
        found = detectable(max(sizes))
        yield Notice("HO401", f"{max(sizes):,} users are tested: an effect of d = {found:.3f} is significant 4 times in 5")
    if sizes and min(sizes) < FEW_USERS:
        missed = detectable(min(sizes)) if min(sizes) > 2 else float("inf")
        told = f": an effect below d = {missed:.2f} mostly stays undetected" if missed < 10 else ""
        few = "user is" if min(sizes) == 1 else "users are"
        yield Notice("HO402", f"only {min(sizes):,} {few} tested{told}")


def _users_of_protocols(outcome: Outcome) -> Iterator[int]:
    """How many users every protocol tests in all its folds together; systems share them."""
    tested: dict[ProtocolKey, dict[int, tuple[Scores, Vocabulary]]] = {}
    for part in outcome.parts:
        for scores in part.scores:
            tested.setdefault(scores.protocol, {}).setdefault(scores.fold, (scores, part.users))
    for folds in tested.values():
        if len(folds) == 1:
            yield from (len(scores.users) for scores, _ in folds.values())
        else:
            ids = [users.decode(scores.users).cast(pl.String) for scores, users in folds.values()]
            yield pl.concat(ids).n_unique()


def detectable(users: int) -> float:
    """The least effect (paired Cohen d) that a t test at 0.05 finds with a power of 0.8: about 2.8 / √n."""
    from heldout.significance.power import detectable_effect

    return detectable_effect(users)
