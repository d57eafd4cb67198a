"""The paragraphs on candidates and relevance, on metrics, and on aggregation and coverage."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from heldout.aggregations.coverage_rule import CoverageRule
from heldout.aggregations.undefined_rule import UndefinedRule
from heldout.analysis.findings import Findings
from heldout.analysis.statistics import SKIP
from heldout.catalogue import Component, parameters
from heldout.catalogue.component import default_of
from heldout.catalogue.prose import cite, lowered, number_word
from heldout.experiment.guessed_relevance import judged_by_relevance
from heldout.metrics.measuring import depth_of
from heldout.metrics.metric import Discount, Gain, Metric
from heldout.review.methods.parts import ListEntry, Paragraph, Section, enumerated, joined, these
from heldout.study.spec import Study
from heldout.words import counted, listed, percent

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
