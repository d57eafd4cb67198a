"""Warnings about scores and how they were aggregated and compared: users, coverage, ties, tests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from heldout.analysis.alignment import AlignedScores
from heldout.analysis.rows import LeaderRow, Setting, place
from heldout.analysis.selection_bias import Selected
from heldout.analysis.settings import AggregatedSetting
from heldout.catalogue import make
from heldout.catalogue.notices import Concern, Notice
from heldout.study.notices import DevelopmentCompared, FoldsPooled
from heldout.text.numbers import counted
from heldout.text.phrases import listed

MANY_TIED = 0.05
"""The share of the rated items in lists from which on ties are many."""
UNEQUAL_WEIGHTS = 0.5
"""The share of the users that a weighted average must stand on."""


class TestWithoutAnswer(Concern):
    """A test does not answer for an aggregation of the study.

    Assumes: other tests of the study do.

    Example: t beside a median: the cell stays blank.
    """

    key = "HO403"
    title = "A test that does not answer for an aggregation"
    severity = "warning"
    stage = "compare"
    references = ("smucker2007",)
    change = 'study each aggregation with a test that answers for it: "t" for means, "wilcoxon" or "sign" for a median'
    from_results = "whether every aggregation is tested"
    explanation = """
Tests of means (t, permutation, bootstrap, tukey) say nothing of a median or a trimmed mean; tests of ranks (wilcoxon, sign,
friedman, bayes) know no weights; no test is known for trisk, zrisk and georisk. Where a study asks for several tests and
aggregations, each aggregation is tested by those that answer for it, and the others stay blank. Choose a test for each
aggregation you report: t or permutation for means, on logarithms for gmean, sign or wilcoxon for a median."""


class EqualSystems(Concern):
    """Two systems have the same value for every user.

    Assumes: values are compared exactly.

    Example: Popularity under two names.
    """

    key = "HO405"
    title = "Two systems with equal values"
    severity = "warning"
    stage = "recommend"
    change = "drop one of the two, or choose a metric or cut-off that tells them apart"
    from_results = "whether any two systems give the same values"
    explanation = """
No user's value differs between two systems, so their difference is exactly 0 and p is 1. Either they recommend the same
(one model under two names, parameters that change nothing), or the metric cannot see the difference, as at a cut-off that
all test items fit in. Where that is so in some settings only, they are named."""


class FewUsersHoldTheWeight(Concern):
    """Few users hold most of the weight of a weighted average.

    Assumes: (Σw)² / Σw² is under half of the users.

    Example: one user with 97 test ratings and three with 1 weigh like 1.1 equal users.
    """

    key = "HO407"
    title = "Few users hold most of the weight"
    severity = "warning"
    stage = "aggregate"
    references = ("kish1965",)
    change = 'report "mean" beside the weighted mean, or instead of it'
    from_results = "how unequally users weigh"
    explanation = """
Weighted by the volume of their ratings, users count so differently that the average stands on far fewer of them than are
tested: (Σw)² / Σw² is the number of equal users that would tell as much (Kish 1965). Intervals and tests use it. Read the
plain mean beside the weighted one."""


class LeftOutMetric(Concern):
    """A metric was left out where it does not apply.

    Assumes: it does not apply to a system, under a target or by an aggregation; everything else was measured.

    Example: RMSE of Popularity, whose scores are no ratings.
    """

    key = "HO108"
    title = "Left out because it does not apply"
    severity = "warning"
    stage = "metrics"
    change = "say that it was left out, or measure it only where it applies"
    from_results = "whether every metric applies to every system"
    explanation = """
A metric has no value for this system, under this target or by this aggregation: rating errors of a system whose scores are
no ratings, the geometric mean of a correlation that may be negative, the ratio of sums of a metric that is no ratio. The
pair was left out before anything was fitted, and everything else was measured: systems that lack a metric have no row under
it, and the others are compared among themselves. A metric may name its own aggregation, beside others that are averaged:
{ metric = "HLU", aggregate = "pooled" }."""


def about_ties(settings: Sequence[Setting], leaders: Sequence[LeaderRow]) -> Iterator[Notice]:
    """HO206 where a fixed order of equal scores, by item or by text, places many of the rated items met."""
    rule_of = {setting.id: setting.choices["ties"] for setting in settings}
    fixed = {rule for rule in rule_of.values() if make("ties", rule).fixed_order}
    tied = [row for row in leaders if rule_of[row.setting] in fixed and (row.tied or 0.0) > MANY_TIED]
    if not tied:
        return
    worst: dict[str, LeaderRow] = {}
    for row in sorted(tied, key=lambda row: -(row.tied or 0.0)):
        worst.setdefault(row.system, row)
    named = list(worst.values())[:4]
    lists = ", ".join(
        f"{row.tied:.0%} {'in those of' if k else 'of the rated items in the lists of'} {row.system}"
        for k, row in enumerate(named)
    )
    metric_of = {setting.id: str(setting.metric) for setting in settings}
    metrics = {metric_of[row.setting] for row in named}
    depth = f", as deep as {metrics.pop()} looks," if len(metrics) == 1 else ""
    rules = " or ".join(f"`{rule}`" for rule in dict.fromkeys(rule_of[row.setting] for row in tied))
    decides = f"share their score with another item, and the tie rule {rules} decides their order"
    yield Notice("HO206", f"Scores tie: {lists}{depth} {decides}")


def about_selected(selected: Sequence[Mapping[str, Selected]]) -> Iterator[Notice]:
    """HO408 or HO416 for every reason why no winner may be called among some systems."""
    for code, message in {(s.code, s.notice): None for of_protocol in selected for s in of_protocol.values()}:
        yield Notice(code, message)


def about_groups(compared: Sequence[AlignedScores], group: str) -> Iterator[Notice]:
    """HO406 where users are compared on whom systems are chosen."""
    if group != "evaluation" and any(values.development.any() for values in compared):
        yield DevelopmentCompared.notice(f"{DevelopmentCompared.message(group)}; no winner is called")


def about_comparisons(
    settings: Sequence[AggregatedSetting], labels: Sequence[str], left_out: Sequence[str] = (), *, pooled: bool = False
) -> Iterator[Notice]:
    """Coded warnings about how the systems were aggregated and compared, and about what was left out.

    `labels` are those of the settings, one for each setting; `pooled` says that folds were.
    """
    for reason in left_out:
        yield LeftOutMetric.notice(reason)
    refused = {why: None for setting in settings for pair in setting.pairs[:1] for why in pair.refusals.values()}
    if refused:
        yield TestWithoutAnswer.notice("; ".join(refused))
    if pooled:
        yield FoldsPooled.notice(FoldsPooled.message)
    if named := _equal_pairs(settings, labels):
        more = f" and {counted(len(named) - 3, 'more pair')}" if len(named) > 3 else ""
        yield EqualSystems.notice(f"No user's values differ between {'; '.join(named[:3])}{more}")
    sizes = [(*spread, setting) for setting in settings if (spread := setting.weight_spread()) is not None]
    size, users, setting = min(sizes, key=lambda s: s[0] / s[1], default=(1.0, 1, None))
    if setting is not None and size / users < UNEQUAL_WEIGHTS:
        choices = {stage: getattr(setting.protocol, stage) for stage in ("target", "relevance", "split")}
        where = place(str(setting.metric), choices, str(setting.aggregation))
        yield FewUsersHoldTheWeight.notice(f"{users:,} users weigh as much as {size:,.0f} equal ones in {where}")


def _equal_pairs(settings: Sequence[AggregatedSetting], labels: Sequence[str]) -> list[str]:
    """Pairs without a user whose values differ; where that is so in some settings only, with the settings."""
    compared: dict[str, int] = {}
    equal: dict[str, list[str]] = {}
    for setting, label in zip(settings, labels, strict=True):
        for pair in setting.pairs:
            if pair.users:
                name = f"{setting.systems[pair.a]} and {setting.systems[pair.b]}"
                compared[name] = compared.get(name, 0) + 1
                if pair.ties == pair.users:
                    equal.setdefault(name, []).append(label)
    named = []
    for name, where in sorted(equal.items(), key=lambda pair: len(pair[1]) < compared[pair[0]]):
        places = listed(where) if len(where) <= 3 else f"{len(where)} of {compared[name]} settings"
        named.append(name if len(where) == compared[name] else f"{name} in {places} (elsewhere they do)")
    return named
