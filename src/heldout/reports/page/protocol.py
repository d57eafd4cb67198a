"""The page's protocol: choices, data, splits, definitions, notices, references, manifest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from markupsafe import Markup

from heldout.analysis.choices import Card, ProtocolFacts
from heldout.analysis.findings import Findings
from heldout.catalogue.references import in_order, reference
from heldout.data.profile import DataSteps
from heldout.experiment.run_sources import RunSources, recorded_sources
from heldout.reports.captions import system_entries, tuning_text
from heldout.reports.page import data_set, lint
from heldout.reports.page.markup import Cell, breakable, cell, coded, el, join, rows, table
from heldout.review.reviewed_papers import PaperReview
from heldout.review.reviewed_protocol import ReviewedProtocol
from heldout.splits.sizes import SplitCounts
from heldout.words import ABSENT, count, counted, number, percent, seconds

REVIEWED = (
    ("notices", "Lint"),
    ("choices", "Choices"),
    ("data", "Data"),
    ("metrics", "Metrics"),
    ("references", "References"),
    ("manifest", "Manifest"),
)
"""Sections of `reviewed`: ids and names."""


def reviewed(protocol: ReviewedProtocol | None, cited: Sequence[str] = ()) -> Markup:
    """What lint finds, every decision with its definition, the data, metrics, works cited and the manifest.

    Nothing where the results keep no protocol. `cited` are keys of works that the page itself cites.
    """
    if protocol is None:
        return Markup()
    findings = replace(protocol.facts, references={key: reference(key) for key in cited} | protocol.facts.references)
    parts = (choices(findings), data(findings), cards(findings), references(findings), manifest(findings))
    return join(lint.section(protocol.review), *parts)


def choices(findings: Findings | ProtocolFacts, last: str = "Meaning of the first", note: Markup | str = "") -> Markup:
    """Every decision of the study with the options it took; `last` heads what is said of them, `note` stands before."""
    if not findings.choices:
        return Markup()
    heads = [cell("Stage"), cell("Decision"), cell("Options"), cell(last)]
    body = []
    for c in findings.choices:
        options = join(*(join(" ", el("code", breakable(o))) for o in c.options))
        body.append([cell(c.stage), cell(c.decision), cell(options, "options"), cell(coded(c.meaning), "text")])
    return el(
        "section",
        el("h2", "Choices"),
        note,
        table(heads, rows(body), caption="Choices of the study", name="choices"),
        _definitions(findings),
        id="choices",
    )


def _definitions(findings: Findings | ProtocolFacts) -> Markup:
    """A card for every option that was taken, folded away; those of metrics stand below."""
    articles = []
    for choice in findings.choices:
        for definition in choice.definitions:
            cited = _cited(definition.references, findings.references)
            items = [join(el("dt", "Assumes"), el("dd", coded(definition.assumes)))] if definition.assumes else []
            items += [join(el("dt", "References"), el("dd", cited))] if definition.references else []
            articles.append(
                el(
                    "article",
                    el("h3", definition.name),
                    el("p", " · ".join(filter(None, (choice.stage, choice.decision))), cls="note"),
                    el("p", coded(definition.summary)),
                    el("p", definition.formula, cls="formula") if definition.formula else Markup(),
                    el("dl", *items) if items else Markup(),
                    cls="card",
                )
            )
    if not articles:
        return Markup()
    head = el("summary", f"What the options mean: {counted(len(articles), 'definition')}")
    return el("details", head, el("div", *articles, cls="cards"))


def _cited(keys: Sequence[str], references: Mapping[str, str]) -> Markup:
    """Citations, each a link to the work where that is listed."""
    cited = [el("a", key, href=f"#ref-{key}") if key in references else el("span", key) for key in keys]
    return join(*(join(" " if i else "", link) for i, link in enumerate(cited)))


def systems(findings: Findings) -> Markup:
    """Every system with all its parameters and what choosing them cost."""
    entries = system_entries(findings)
    if not entries and (evaluated := recorded_sources(findings.manifest)) is not None:
        return _runs(evaluated)
    if not entries:
        return Markup()
    tuned = any(entry.get("tuning") for entry in entries)
    heads = [cell("System"), cell("Model, every parameter written out")] + ([cell("How chosen")] if tuned else [])
    body = []
    for entry in entries:
        line = [cell(breakable(str(entry.get("name", "")))), cell(breakable(str(entry.get("model", ""))), "options")]
        how = tuning_text(entry["tuning"]) if entry.get("tuning") else "as given"
        body.append([*line, cell(how)] if tuned else line)
    return el(
        "section",
        el("h2", "Systems"),
        table(heads, rows(body), caption="Systems of the study", name="systems"),
        id="systems",
    )


def _runs(sources: RunSources) -> Markup:
    """The files and descriptions of runs that were made elsewhere."""
    heads = [cell("Run"), cell("File"), cell("Description")]
    body = [
        [cell(breakable(name)), cell(breakable(run.file or "a table in memory"), "options"), cell(run.description or ABSENT)]
        for name, run in sources.runs.items()
    ]
    runs = table(heads, rows(body), caption="Runs", name="systems")
    return el("section", el("h2", "Systems"), runs, id="systems")


def published(findings: ProtocolFacts | None, reviews: Sequence[PaperReview]) -> Markup:
    """What lint finds in the studies of papers, what these chose, with definitions, the data, works cited and the manifest.

    Nothing where it is not told.
    """
    if findings is None:
        return Markup()
    chosen = choices(findings, "Where the paper says so", el("p", _PUBLISHED, cls="note"))
    return join(lint.of_papers(reviews), chosen, data(findings), cards(findings), references(findings), manifest(findings))


_PUBLISHED = (
    "What each paper chose in its main experiment, and where it says so; what was done for a table or figure stands there."
)

UNFILTERED = {
    "as read": "No filter: these are the ratings as read.",
    "train": "Train and test as they were given: nothing filters them.",
    "test": "The test set as it was given: nothing filters what runs are judged by.",
}
"""What is said of a data set without filters, by the name of its first step."""


def data(findings: Findings | ProtocolFacts) -> Markup:
    """Each data set before and after its filters; where there is none, the section says so."""
    if not findings.data:
        return Markup()
    return el("section", el("h2", "Data"), *(_dataset(d, i) for i, d in enumerate(findings.data)), id="data")


def _dataset(findings: DataSteps, place: int) -> Markup:
    filtered = findings.filter not in ("", "none")
    title = f"{findings.name} · {findings.filter}" if filtered else findings.name
    note = "" if filtered or not findings.steps else UNFILTERED.get(findings.steps[0].label, "")
    said = el("p", note, cls="note") if note else Markup()
    return el("article", el("h3", title), said, data_set.numbers(findings, title), data_set.pictures(findings, place))


def splits(findings: Findings) -> Markup:
    """Each fold: sizes, tested users, and what was dropped for which reason."""
    if not findings.splits:
        return Markup()
    heads = [
        cell("Split"),
        cell("Data"),
        cell("Fold", "num"),
        cell("Train", "num"),
        cell("Test", "num"),
        cell("Test share", "num"),
        cell("Users tested"),
        cell("Dropped"),
        cell("Leaks"),
    ]
    body = []
    for s in findings.splits:
        dropped = "; ".join(f"{reason}: {count(n)}" for reason, n in s.dropped) or "none"
        body.append(
            [
                cell(breakable(s.split)),
                cell(breakable(f"{s.data} · {s.filter}" if s.filter not in ("", "none") else s.data)),
                cell(str(s.fold), "num"),
                cell(count(s.train), "num"),
                cell(count(s.test), "num"),
                cell(percent(s.test_share), "num"),
                cell(_tested(s)),
                cell(dropped),
                cell(_leaks(s)),
            ]
        )
    return el("section", el("h2", "Splits"), table(heads, rows(body), caption="Splits", name="splits"), id="splits")


def _tested(split: SplitCounts) -> str:
    """How many users are tested, and how many each rule left."""
    chains = []
    for relevance, steps in split.chosen:
        chain = " → ".join(f"{rule} {count(n)}" for rule, n in steps)
        chains.append(chain if len({r for r, _ in split.chosen}) == 1 else f"{chain} ({relevance})")
    return "; ".join(dict.fromkeys(chains)) or count(split.users)


def _leaks(split: SplitCounts) -> str:
    """What an audit of the fold found, and its further parts, in a few words."""
    parts = []
    later = split.audit.get("train_later")
    if later is not None:
        parts.append(f"train later than test with probability {number(later, 2)}")
    for key, what in (("cold_user_ratings", "by new users"), ("cold_item_ratings", "on new items")):
        if cold := split.audited_share(key):
            parts.append(f"{percent(cold)} of test {what}")
    if split.validation:
        parts.append(f"{count(split.validation)} validation ratings")
    if split.development:
        parts.append(f"{count(split.development)} development users")
    return "; ".join(parts) or ("none" if split.audit else ABSENT)


def cards(findings: Findings | ProtocolFacts) -> Markup:
    """What each metric means."""
    if not findings.cards:
        return Markup()
    articles = [_card(card, findings.references) for card in findings.cards]
    return el("section", el("h2", "Metrics"), el("div", *articles, cls="cards"), id="metrics")


def _card(card: Card, references: Mapping[str, str]) -> Markup:
    lines = [("Assumes", card.assumes), ("Undefined where", card.undefined), ("Range", card.range)]
    lines += [(word, text) for word, text in card.facts if word not in ("Range", "Undefined")]
    items = [join(el("dt", head), el("dd", coded(text))) for head, text in lines if text]
    if card.references:
        items.append(join(el("dt", "References"), el("dd", _cited(card.references, references))))
    return el(
        "article",
        el("h3", card.name),
        el("p", el("code", card.text)),
        el("p", coded(card.summary)),
        el("p", card.formula, cls="formula") if card.formula else Markup(),
        el("dl", *items),
        cls="card",
    )


def notices(findings: Findings) -> Markup:
    """Warnings about method, each with its code."""
    if not findings.notices:
        return Markup()
    items = [
        el("li", el("code", n.code), el("div", el("strong", n.title) if n.title else Markup(), el("p", n.message)))
        for n in findings.notices
    ]
    return el("section", el("h2", "Notices on method"), el("ul", *items, cls="notices"), id="notices")


def references(findings: Findings | ProtocolFacts) -> Markup:
    """The works cited."""
    if not findings.references:
        return Markup()
    cited = [(key, findings.references[key]) for key in in_order(findings.references)]
    items = [el("li", el("code", key), " ", text, id=f"ref-{key}") for key, text in cited]
    return el("section", el("h2", "References"), el("ul", *items, cls="references"), id="references")


def manifest(findings: Findings | ProtocolFacts) -> Markup:
    """Versions, digests, machine and seconds, folded away."""
    if not findings.manifest:
        return Markup()
    seconds_too = ", machine and seconds" if "seconds" in findings.manifest else " and machine"
    body = [line for key, value in findings.manifest.items() for line in _entries(str(key), value)]
    return el(
        "section",
        el("h2", "Manifest"),
        el(
            "details",
            el("summary", f"Versions, digests{seconds_too}"),
            table([cell("Entry"), cell("Value")], rows(body), caption="Manifest", name="manifest"),
        ),
        id="manifest",
    )


def _entries(key: str, value: Any) -> list[list[Cell]]:
    if isinstance(value, Mapping):
        return [line for k, v in value.items() for line in _entries(f"{key} · {k}", v)]
    if isinstance(value, (list, tuple)):
        return [line for i, v in enumerate(value, 1) for line in _entries(f"{key} · {i}", v)]
    timed = key.split(" · ", maxsplit=1)[0] == "seconds" and isinstance(value, (int, float))
    return [[cell(key), cell(seconds(float(value)) if timed else str(value), "wrap")]]
