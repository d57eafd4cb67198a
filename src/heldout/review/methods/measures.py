"""The paragraphs on candidates and relevance, metrics, aggregation and coverage, comparisons and software."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from heldout import __version__
from heldout.aggregations.coverage_rule import CoverageRule
from heldout.aggregations.undefined_rule import UndefinedRule
from heldout.analysis.findings import Findings
from heldout.analysis.statistics import SKIP
from heldout.catalogue import Component, parameters
from heldout.catalogue.component import default_of
from heldout.catalogue.prose import cite, lowered, number_word
from heldout.experiment.failure import LeftOut
from heldout.experiment.guessed_relevance import judged_by_relevance
from heldout.experiment.run_sources import RunSources
from heldout.metrics.measuring import depth_of
from heldout.metrics.metric import Discount, Gain, Metric
from heldout.review.methods.data import source_name
from heldout.review.methods.parts import ListEntry, Paragraph, Section, enumerated, joined, these
from heldout.study.spec import Study
from heldout.text.numbers import counted, percent
from heldout.text.phrases import listed

_VARIANT = re.compile(r"^(\w+(?:=\w+)?): ")


def candidates_section(study: Study, findings: Findings | None) -> Section:
    """Which items competed, what counted as relevant, and how ties and unrated items were treated."""
    shared = any(target.own_relevance is None for target in study.target)
    elsewhere = "otherwise " if any(target.own_relevance is not None for target in study.target) else ""
    sentences = [
        several("candidate items were chosen", study.target),
        elsewhere + several("relevance was defined", study.relevance) if shared else "",
        _guessed(study),
        several("unrated items were treated", study.unrated) if not all(t.form.own for t in study.target) else "",
        several("items of equal score were ordered", study.ties),
    ]
    if findings is not None:
        unrated = [row.unrated for row in findings.leaderboard if row.unrated is not None]
        if unrated and max(unrated) > 0:
            low, high = percent(min(unrated), 0), percent(max(unrated), 0)
            many = low if low == high else f"between {low} and {high}, depending on system and setting,"
            sentences.append(f"of the first places of the lists {many} held unrated items")
    return Section("Candidates and relevance", (Paragraph(joined(*sentences)),))


def _guessed(study: Study) -> str:
    """That the rule of relevance is nobody's choice, where it is not."""
    if study.guess is None or not judged_by_relevance(study, study.metrics):
        return ""
    rule, because = study.guess.rule, study.guess.because
    return f"no rule of relevance was written: `{rule}` was taken from the scale of the ratings, since {because}"


def several(what: str, options: Sequence[Component]) -> str:
    """One choice as it is; several as the grid they are."""
    return in_ways(what, [option.phrase() for option in options])


def in_ways(what: str, phrases: Sequence[str]) -> str:
    """The one phrase as it is, or the number of ways and every phrase."""
    return phrases[0] if len(phrases) == 1 else f"{what} in {number_word(len(phrases))} ways: {enumerated(phrases)}"


def metrics_section(study: Study, left_out: Sequence[str] = (), *, primary: bool = True) -> Section:
    """Every metric with its definition and its cut-offs, and where it was not measured; `left_out` are the reasons."""
    families: dict[str, list[Metric]] = {}
    for metric in study.metrics:
        families.setdefault(str(metric).rsplit("@", 1)[0] if depth_of(metric) is not None else str(metric), []).append(
            metric
        )
    judged = [family for family, members in families.items() if members[0].direction != "none"]
    beside = [str(m) for m in study.metrics if m not in study.contests]
    items = tuple(_metric(families[family]) for family in judged)
    task = study.task.replace("_", " ")
    introduction = f"The task is to {TASKS.get(study.task, task)}{cite(('gunawardana2009',))}. We measured:"
    after = [f"the primary metric is `{study.contests[0]}`"] if primary and len(study.metrics) > 1 and study.contests else []
    if beside:
        does = "describes the lists and ranks" if len(beside) == 1 else "describe the lists and rank"
        after.append(f"{listed(beside)} {does} no system")
    if left_out:
        after.append(f"metrics were left out where they do not apply: {'; '.join(left_out)}")
    after.append("in these definitions R is the number of relevant test items of the user and n the cut-off")
    return Section("Metrics", (Paragraph(introduction, items), Paragraph(joined(*after))))


TOLD_APART = ("gain", "discount", "features", "table")
"""Parameters that have words of their own."""
ALWAYS_TOLD = ("rel", "phi", "beta", "gamma", "half_life")
"""Parameters without a value that a formula takes for granted."""
GREEK = {"phi": "φ", "beta": "β", "gamma": "γ"}
TASKS = {
    "predict_ratings": "predict ratings",
    "some_good_items": "recommend some good items",
    "all_good_items": "recommend all good items",
    "utility": "recommend items of high utility",
    "fixed_list": "fill a list of fixed length with good items",
}


def _metric(members: Sequence[Metric]) -> ListEntry:
    metric = members[0]
    depths = [d for m in members if (d := depth_of(m)) is not None]
    head = metric.key + (f" at {these([str(d) for d in depths])}" if depths else "")
    summary = lowered(metric.summary())
    name, _, meaning = summary.partition(": ")
    # What stands before the colon is the metric's name, unless it says already how the value comes about.
    text = summary if not meaning or re.search(r" (by|over|of|divided) ", name) else meaning
    # The first reference defines the metric; the others are of variants and comparisons.
    text += cite(metric.references if metric.weighs_items else metric.references[:1])
    gain, discount = getattr(metric, "gain", None), getattr(metric, "discount", None)
    formulas = [_chosen(metric)]
    if isinstance(gain, Gain):
        text += f", with {gain.word} gain"
        formulas.append(type(gain).formula)
    if isinstance(discount, Discount) and not any("D(k) =" in f for f in formulas):
        formulas.append(type(discount).formula)
    elif isinstance(discount, Discount) and discount != _usual(metric, "discount"):
        formulas[0] = formulas[0].replace("D(k) = 1/log2(k + 1)", type(discount).formula)
    text += _alike(metric) + _set(metric)
    if not metric.undefined.startswith("never"):
        said = metric.undefined
        text += f"; undefined {said if said.startswith(('when', 'where', 'for', 'if')) else f'where {said}'}"
    if not metric.per_user:
        text += "; one value for a whole system, so that no test of users is made on it"
    return ListEntry(head, f"{text.rstrip('.')}.", ";  ".join(f for f in formulas if f))


def _usual(metric: Metric, name: str) -> Any:
    """The default of a parameter, which the formula takes for granted."""
    return next(default_of(type(metric), field) for field in parameters(type(metric)) if field.name == name)


def _alike(metric: Metric) -> str:
    """By what items are alike, for metrics of the distance between items."""
    if not hasattr(metric, "features") or getattr(metric, "against", "profile") != "profile":
        return ""
    if metric.features is None:
        return ", items being compared by the cosine of their training ratings"
    table = getattr(metric, "table", None)
    where = f" in `{table}`" if table is not None else ""
    return f", items being compared by the cosine of their features (`{metric.features}`{where})"


def _set(metric: Metric) -> str:
    """Parameters that differ from what the formula takes for granted."""
    settings = []
    for field in parameters(type(metric)):
        name, value = field.name, getattr(metric, field.name)
        if field.metadata["cutoff"] or name in TOLD_APART or value is None:
            continue
        if name in ALWAYS_TOLD or value != field.default:
            word = GREEK.get(name, name.replace("_", " "))
            shown = str(value).lower() if isinstance(value, bool) else f"{value:g}" if isinstance(value, float) else value
            settings.append(f"{word} = {shown}")
    return f" ({', '.join(settings)})" if settings else ""


def _chosen(metric: Metric) -> str:
    """The parts of the formula that hold with these parameters: variants that were not chosen are left out."""
    own = {str(getattr(metric, name, "")) for name in ("estimate", "value", "pool", "share")}
    kept = []
    for part in type(metric).formula.split(";  "):
        variant = _VARIANT.match(part)
        if variant is None:
            kept.append(part)
        elif variant[1].rpartition("=")[2] in own:
            kept = [part[variant.end() :]]
    return ";  ".join(kept)


def measured_metrics(study: Study, findings: Findings | None) -> list[Metric]:
    """Metrics of a study without those that were left out everywhere, as far as there are findings."""
    measured = {setting.metric for setting in findings.settings} if findings is not None else set(map(str, study.metrics))
    return [metric for metric in study.metrics if str(metric) in measured]


def never_zero(study: Study, findings: Findings | None) -> list[str]:
    """The metrics in which nobody without a value counts as 0, whatever the rules for such users."""
    return [str(m) for m in measured_metrics(study, findings) if m.skips_undefined or m in study.descriptive]


def _without_value(study: Study, findings: Findings | None) -> Iterator[str]:
    """What became of users without a value, and of those without a list."""
    metrics = never_zero(study, findings)

    def phrase(rule: UndefinedRule | CoverageRule, left_out: str, of_all_metrics: str) -> str:
        if not rule.as_zero or not metrics:
            return rule.phrase()
        if len(metrics) == len(measured_metrics(study, findings)):
            return of_all_metrics
        return f"{rule.phrase()}, except in {listed(metrics)}, where {left_out}"

    skipped, unserved = SKIP.phrase(), "users to whom a system recommended nothing were left out if they had no value"
    undefined = [phrase(rule, "they were left out", skipped) for rule in study.undefined]
    coverage = [phrase(rule, "those without a value were left out", unserved) for rule in study.coverage]
    yield in_ways("undefined values were treated", list(dict.fromkeys(undefined)))
    yield in_ways("users without recommendations were treated", coverage)


def aggregation_section(study: Study, findings: Findings | None, *, primary: bool = True) -> Section:
    """How users became one number, and what became of users without a value or a list; a multiverse has no `primary`."""
    ways = [option.phrase() for option in study.aggregate]
    sentences = [f"values of users were summarised by {listed(ways)}"]
    if primary and len(ways) > 1:
        sentences[0] += ", of which the first is the primary one"
    for metric, own in study.own_aggregate:
        sentences.append(f"values of {metric} were summarised by {listed([option.phrase() for option in own])}")
    sentences += _without_value(study, findings)
    if findings is not None and findings.leaderboard:
        lowest: dict[str, float] = {}
        for row in findings.leaderboard:
            lowest[row.system] = min(lowest.get(row.system, 1.0), row.user_coverage)
        short = {system: value for system, value in lowest.items() if value < 1}
        if short:
            listed_ = listed([f"{system} {percent(value)}" for system, value in short.items()])
            sentences.append(f"user coverage before any fallback was 100% except for {listed_}")
        else:
            sentences.append("every system recommended something to every tested user")
        undefined = max((row.undefined for row in findings.leaderboard), default=0)
        if undefined:
            sentences.append(f"a metric was undefined for up to {counted(undefined, 'user')}")
    return Section("Aggregation and coverage", (Paragraph(joined(*sentences)),))


def comparison_section(
    study: Study, findings: Findings | None, universes: int = 0, failed: Sequence[LeftOut] = ()
) -> Section:
    """Tests, correction, level, and what was reported beside p-values; `study` holds the systems that were compared."""
    compare, n = study.compare, len(study.recommend)
    if n < 2:
        left = "One system was evaluated" if n else "No system was evaluated"
        return Section("Statistical comparison", (Paragraph(f"{left}, so nothing was compared."),))
    pairs = n - 1 if compare.baseline is not None else n * (n - 1) // 2
    if not compare.tests:
        return Section("Statistical comparison", (Paragraph(_untested(study, pairs)),))
    tests = [f"{test.phrase()}{cite(test.references[:1])}" for test in compare.tests]
    sentences = [f"the values of users were compared by {listed(tests)}"]
    if len(tests) > 1:
        rests = "conclusions rest on the first of them that answers for the aggregation"
        sentences[0] += "; each of them makes universes of its own" if universes else f"; {rests}"
    whom = f"every system was compared with {compare.baseline}" if compare.baseline else "all pairs of systems were compared"
    sentences.append(f"{whom}, {counted(pairs, 'comparison')} in each setting")
    partly = [failure.system for failure in failed if not failure.everywhere]
    if partly:
        sentences.append(f"there are fewer comparisons on the splits where {listed(partly)} failed")
    if pairs > 1:
        sentences.append(f"the p-values {compare.correction.phrase()}{cite(compare.correction.references[:1])}")
    sentences.append(f"differences are called significant at the level {compare.level:g}")
    if any(split.folds_made > 1 for split in study.split):
        if compare.folds == "average":
            sentences.append("a user's values were averaged over folds before testing, so that each user counts once")
        else:
            sentences.append("each fold of a user was tested as another user, which overstates significance [@bengio2004]")
    if study.development is not None:
        sentences.append(f"the users compared are the {compare.group} group")
    beside = "its confidence interval, the paired effect size (Cohen's d) and the numbers of users for whom either is better"
    if universes:
        beside = "that difference as a share of the mean of both values, and the paired effect size (Cohen's d)"
    sentences.append(f"beside each p-value we report the difference, {beside}")
    settings = len(findings.settings) if findings is not None else 0
    if settings > 1:
        others = len(findings.verdict.on_other_users) if findings is not None else 0
        users = f", {others} of which {'rests' if others == 1 else 'rest'} on other users than the first" if others else ""
        sentences.append(f"the study has {settings} settings{users}; corrections hold within each")
    if universes:
        sentences.append(
            f"all combinations of the options above that go together were evaluated, {universes:,} distinct universes, and "
            "we report in how many of them each system wins significantly"
        )
    return Section("Statistical comparison", (Paragraph(joined(*sentences)),))


def _untested(study: Study, pairs: int) -> str:
    """What is reported of pairs where no test was made."""
    whom = f"every system with {study.compare.baseline}" if study.compare.baseline else "all pairs of systems"
    return joined(
        "no significance test was made",
        f"for {whom}, {counted(pairs, 'comparison')} in each setting, we report the difference, its confidence interval, "
        "the paired effect size (Cohen's d) and the numbers of users for whom either is better",
    )


def software_section(
    study: Study, manifest: Mapping[str, Any] | None, seeds: Sequence[int] = (), sources: RunSources | None = None
) -> Section:
    """Version, seed, digests and machine, as the manifest of what was run tells them."""
    versions = dict((manifest or {}).get("versions", {}))
    own = versions.pop("heldout", __version__)
    sentences = [
        f"the study is written for Heldout {own}" if manifest is None else f"the experiment was run with Heldout {own}"
    ]
    if versions:
        sentences[0] += f" ({', '.join(f'{name} {text}' for name, text in versions.items())})"
    drawn = f"everything random derives from seed {study.seed}"
    if len(seeds) > 1:
        drawn = f"everything random was drawn anew under each of the seeds {these([str(seed) for seed in seeds])}"
    sentences.append(f"{drawn}, and results are the same bytes on any number of threads")
    repeats = "the study file below repeats it" if study.split else "the choices are written out below"
    sentences.append(f"{repeats}; the table lists every decision that was taken, also those left to their defaults")
    inputs = dict((manifest or {}).get("inputs", {}))
    if not inputs:
        return Section("Software and reproducibility", (Paragraph(joined(*sentences)),))
    names = {source.full_text: source_name(source) for source in study.data}
    if sources is not None:
        names |= sources.names
    items = tuple(ListEntry(names.get(text, f"`{text}`"), f"`{digest}`") for text, digest in inputs.items())
    return Section(
        "Software and reproducibility",
        (Paragraph(joined(*sentences)), Paragraph("The input files have these SHA-256 digests:", items)),
    )
