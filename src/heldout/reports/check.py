"""The document of a release check, and its JUnit XML."""

from __future__ import annotations

from xml.etree import ElementTree

from heldout.analysis.check import CheckFindings, GuardCheck, MetricCheck
from heldout.errors import visible
from heldout.reports.columns import Field
from heldout.reports.document import Document, Section, Table, Text, paragraphs, present
from heldout.text.names import metric_words
from heldout.text.numbers import counted, digits_for, number

_ANSWERS = {
    "passed": "The candidate passes.",
    "worse": "The candidate is worse than allowed.",
    "inconclusive": "Inconclusive: too few users to rule out a larger loss.",
    "suspicious": "Suspiciously good: look for leakage.",
}
_LIMITS = (
    "Each metric is tested at a one-sided error of 5 %. All must pass, so no correction for their number is needed.",
    "The 5 % hold for one check. Repeated tries on one test set, and differences between training seeds, are not covered.",
)
METRIC_FIELDS = (
    Field("Metric", "text", lambda check: metric_words(check.metric), fold=False),
    Field("Baseline", "value", lambda check: check.test.baseline),
    Field("Candidate", "value", lambda check: check.test.candidate),
    Field("Difference", "value", lambda check: check.test.difference, signed=True),
    Field("Margin", "value", lambda check: check.test.margin, "The largest loss allowed, as a difference."),
    Field(
        "Distance to margin",
        "interval",
        lambda check: (check.test.low, check.test.high),
        "Candidate − baseline + margin, so that gains are positive: one-sided 95 % ends. The candidate passes if the lower "
        "end is above 0.",
        signed=True,
    ),
    Field("Users", "count", lambda check: check.test.users),
    Field("Users that differ", "count", lambda check: check.test.differing, fold=False),
    Field("Outcome", "text", "outcome", fold=False),
)
GUARD_FIELDS = (
    Field("Guard", "text", "guard", fold=False),
    Field("Baseline", "value", "baseline"),
    Field("Candidate", "value", "candidate"),
    Field("Difference", "value", lambda guard: guard.candidate - guard.baseline, signed=True),
    Field("Limit", "value", "limit", signed=True),
    Field("Outcome", "text", lambda guard: "passed" if guard.passed else "failed", fold=False),
)


def document(check: CheckFindings) -> Document:
    """The answer, one sentence for each metric and guard, and the numbers."""
    table = Table.of_records(
        check.metrics,
        METRIC_FIELDS,
        name="metrics",
        title="Metrics",
        caption=f"Non-inferiority of {check.candidate} against {check.baseline}, margin {check.margin}, on paired users. "
        "Distance to margin: one-sided 95 % ends; above 0 passes, below 0 is worse.",
        subject="metrics",
    )
    guards = Table.of_records(
        check.guards,
        GUARD_FIELDS,
        name="guards",
        title="Guards",
        caption="Two numbers compared as they are: guards have no interval and are not part of the 5 % error.",
        subject="guards",
    )
    sections = (
        Section(id="metrics", title="Metrics", blocks=(table,)),
        Section(id="guards", title="Guards", blocks=(guards,)) if check.guards else None,
        Section(id="limits", title="What the check covers", blocks=present((paragraphs(_LIMITS),))),
    )
    return Document(
        kind="check",
        title="Release check",
        facts=(f"baseline {check.baseline}", f"candidate {check.candidate}", f"margin {check.margin}"),
        answer=_ANSWERS[check.outcome],
        numbers=tuple(Text(sentence) for sentence in sentences(check)),
        sections=present(sections),
    )


def sentences(check: CheckFindings) -> list[str]:
    """What was found by each metric and guard."""
    accepted = ["Inconclusive results are accepted here, so the check passes."] if _is_accepted(check) else []
    return [*map(metric_sentence, check.metrics), *map(guard_sentence, check.guards), *accepted]


def metric_sentence(check: MetricCheck) -> str:
    """The numbers of one metric, and what follows from them."""
    test = check.test
    digits = digits_for([test.baseline, test.candidate, test.margin])
    values = (
        f"{metric_words(check.metric)} is {number(test.candidate, digits)}, against {number(test.baseline, digits)} for the "
        f"baseline ({counted(test.users, 'user')}, {test.differing:,} with different values)"
    )
    margin = f"the margin of {number(test.margin, digits)}"
    if check.identical:
        return f"{values}: the lists are identical."
    if check.outcome == "passed" and test.exact:
        assert test.largest_loss is not None
        return f"{values}: few users differ, and the loss is at most {number(test.largest_loss, digits)}, below {margin}."
    if check.outcome == "passed":
        return f"{values}: the loss is below {margin}."
    if check.outcome == "worse":
        return f"{values}: the loss is above {margin}."
    if check.outcome == "suspicious":
        return f"{values}: the gain is larger than is plausible."
    return f"{values}: {_why_inconclusive(check, margin)} {_users_needed(check)}"


def guard_sentence(guard: GuardCheck) -> str:
    """What a guard found."""
    digits = digits_for([guard.baseline, guard.candidate])
    change = f"{metric_words(guard.metric)} is {number(guard.candidate, digits)}, against {number(guard.baseline, digits)}"
    return f"{change}: the guard {guard.guard} {'holds' if guard.passed else 'fails'}."


def _why_inconclusive(check: MetricCheck, margin: str) -> str:
    if not check.test.exact:
        return f"a loss above {margin} cannot be ruled out."
    if check.test.largest_loss is None:
        return "too few users differ for an interval, and the metric has no range that would bound the loss."
    return f"too few users differ for an interval, and a loss up to {number(check.test.largest_loss)} cannot be ruled out."


def _users_needed(check: MetricCheck) -> str:
    """How many users a check with a power of 80 % needs."""
    equal, observed = check.test.users_if_equal, check.test.users_if_as_observed
    if not check.test.differing:
        return "No number of users would be enough, because no user's value differs."
    if equal is None and observed is None:
        return "No number of users would be enough: neither equal systems nor the observed difference are on the safe side."
    if equal is None:
        return f"For a power of 80 % it needs {counted(observed or 0, 'user')} if the difference is the observed one."
    if equal == observed:
        return f"For a power of 80 % it needs {counted(equal, 'user')}."
    needed = f"For a power of 80 % it needs {counted(equal, 'user')} if both systems are equally good"
    if observed is None:
        return f"{needed}. If the difference is the observed one, no number of users is enough."
    return f"{needed}, and {counted(observed, 'user')} if the difference is the observed one."


def _is_accepted(check: CheckFindings) -> bool:
    return check.outcome == "inconclusive" and check.accept_inconclusive


def junit(check: CheckFindings) -> str:
    """The check as JUnit XML: one test case for each metric and guard."""
    cases = [
        *((f"metric {own.metric}", own.outcome, metric_sentence(own)) for own in check.metrics),
        *((f"guard {own.guard}", "passed" if own.passed else "worse", guard_sentence(own)) for own in check.guards),
    ]
    failures = [outcome for _, outcome, _ in cases if not _is_good(outcome, check)]
    suite = ElementTree.Element("testsuite", name="heldout check", tests=str(len(cases)), failures=str(len(failures)))
    for name, outcome, sentence in cases:
        case = ElementTree.SubElement(suite, "testcase", classname="heldout.check", name=visible(name))
        if not _is_good(outcome, check):
            ElementTree.SubElement(case, "failure", type=outcome, message=visible(sentence))
        else:
            ElementTree.SubElement(case, "system-out").text = visible(sentence)
    ElementTree.indent(suite)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(suite, encoding="unicode") + "\n"


def _is_good(outcome: str, check: CheckFindings) -> bool:
    return outcome == "passed" or (outcome == "inconclusive" and check.accept_inconclusive)
