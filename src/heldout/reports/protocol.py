"""What every kind of result shows of its protocol: choices, definitions, lint findings, works cited and the manifest."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from heldout.analysis.choices import Card, Choice, Definition, ProtocolFacts
from heldout.analysis.findings import Findings
from heldout.analysis.rows import NoticeRow
from heldout.catalogue.notices import concern
from heldout.catalogue.references import in_order, reference
from heldout.reports.columns import Field
from heldout.reports.document import Builders, Notice, Section, Table, Terms, Text, code, link, present, section, strong
from heldout.reports.profile import data_section, profile_table
from heldout.review.lint.finding import Finding, Review
from heldout.text.numbers import counted, seconds
from heldout.text.phrases import listed, sentence


def tables(facts: ProtocolFacts | None) -> Builders:
    """The tables `choices`, `manifest` and `profile`; none if nothing is known of the protocol."""
    if facts is None:
        return {}
    return {
        "choices": lambda: choices(facts.choices),
        "manifest": lambda: manifest(facts.manifest),
        "profile": lambda: profile_table(facts.data),
    }


def choices(rows: Sequence[Choice], meaning: str = "Meaning of the first") -> Table | None:
    """Every decision with the options it took; `meaning` heads what is said of them."""
    if not rows:
        return None
    fields = (
        Field("Stage", "text", "stage"),
        Field("Decision", "text", "decision"),
        Field("Options", "text", lambda row: _options(row.options), lines=True),
        Field(meaning, "text", lambda row: Text.coded(row.meaning), lines=True),
    )
    return Table.of_records(rows, fields, name="choices", title="Choices", subject="decisions", folding=False)


def _options(options: Sequence[str]) -> Text:
    pieces = [piece for option in options for piece in (", ", code(option))]
    return Text(*pieces[1:])


def manifest(entries: Mapping[str, Any]) -> Table | None:
    """Versions, digests, machine and seconds."""
    if not entries:
        return None
    rows = [row for key, value in entries.items() for row in _entries(str(key), value)]
    fields = (Field("Entry", "text", 0), Field("Value", "text", 1, lines=True))
    return Table.of_records(rows, fields, name="manifest", title="Manifest", subject="entries", folding=False)


def _entries(key: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _entries(f"{key} · {name}", inner)
    elif isinstance(value, (list, tuple)):
        for number, inner in enumerate(value, 1):
            yield from _entries(f"{key} · {number}", inner)
    else:
        timed = key.partition(" · ")[0] == "seconds" and isinstance(value, (int, float))
        yield key, seconds(float(value)) if timed else str(value)


def appendix(
    facts: Findings | ProtocolFacts | None,
    *,
    systems: Section | None = None,
    splits: Section | None = None,
    cited: Iterable[str] = (),
    review: Review | None = None,
    lint: Section | None = None,
    meaning: str = "Meaning of the first",
    note: Text | None = None,
) -> tuple[Section, ...]:
    """The closed part of a report, in the order that every kind has; sections without content are left out.

    `cited` are keys of works that the report itself cites. `lint` replaces the section on a single review, and `note` is
    read before the choices, whose meaning has the head `meaning`.
    """
    rows = facts.notices if isinstance(facts, Findings) else ()
    lint = lint or section("lint", "Lint", *_lint(review, rows), summary=review.summary if review else "")
    if facts is None:
        return present((systems, splits, lint))
    table = choices(facts.choices, meaning)
    works = {key: reference(key) for key in cited} | facts.references
    return present(
        (
            section("choices", "Choices", note, table, summary=counted(len(facts.choices), "decision")),
            systems,
            data_section(facts.data),
            splits,
            section("definitions", "Definitions", *definitions(facts), summary="options and metrics"),
            lint,
            section("references", "References", references(works), summary=str(len(works))),
            section("manifest", "Manifest", manifest(facts.manifest), summary="versions, digests, machine"),
        )
    )


def definitions(facts: Findings | ProtocolFacts) -> Iterator[Terms]:
    """What the options and the metrics mean, each once."""
    cards = [(d.name, tuple(_definition(d, facts.references))) for c in facts.choices for d in c.definitions]
    cards += [(card.name, tuple(_card(card, facts.references))) for card in facts.cards]
    if cards:
        yield Terms(tuple({name: (name, texts) for name, texts in reversed(cards)}.values())[::-1])


def _definition(definition: Definition, cited: Mapping[str, str]) -> Iterator[Text]:
    yield Text.coded(definition.summary)
    if definition.formula:
        yield Text(code(definition.formula))
    if definition.assumes:
        yield Text.coded(f"Assumes: {definition.assumes}")
    yield from _citations(definition.references, cited)


def _card(card: Card, cited: Mapping[str, str]) -> Iterator[Text]:
    yield Text(code(card.text))
    yield Text.coded(card.summary)
    if card.formula:
        yield Text(code(card.formula))
    lines = [("Assumes", card.assumes), ("Undefined if", card.undefined), ("Range", card.range)]
    lines += [(word, text) for word, text in card.facts if word not in ("Range", "Undefined")]
    yield from (Text.coded(f"{word}: {text}") for word, text in lines if text)
    yield from _citations(card.references, cited)


def _citations(keys: Sequence[str], cited: Mapping[str, str]) -> Iterator[Text]:
    if keys:
        pieces = [piece for key in keys for piece in (", ", link(key, f"#ref-{key}") if key in cited else key)]
        yield Text("References: ", *pieces[1:])


def references(cited: Mapping[str, str]) -> Terms | None:
    """The works cited; each term is the anchor that citations lead to."""
    return Terms(tuple((key, (Text(cited[key]),)) for key in in_order(cited)), anchor="ref-") if cited else None


def notices(rows: Sequence[NoticeRow], review: Review | None = None) -> tuple[Notice, ...]:
    """What a reader has to know before quoting the answer, the most consequential first.

    What lint finds in the protocol includes the notices of a run. Advice that is not among these is in the appendix.
    """
    if review is not None:
        return tuple(_finding(finding) for finding in review.findings if not _closed(finding, rows))
    return tuple(Notice(code=row.code, title=row.title, text=Text.coded(sentence(row.message))) for row in rows)


def emphasised(sentence: str) -> Text:
    """A sentence whose percentages and multiples stand out, except those within brackets."""
    pieces = re.split(r"(\([^()]*\)|[+−]?\d[\d.,]*(?:%| ×))", sentence)
    return Text(*(strong(piece) if k % 2 and piece[0] != "(" else piece for k, piece in enumerate(pieces) if piece))


def caveats(limits: Sequence[str], left_out: Sequence[str], review: Review | None) -> tuple[Notice, ...]:
    """What lint finds in the protocol, what findings do not say, and what was left out and why.

    A limit such as "HO210 Ids decide classes: …" has a code and a title, and is left out if lint finds the same.
    """
    said = list(notices((), review))
    codes = {notice.code for notice in said}
    for limit in limits:
        coded = re.match(r"(HO\d+) ([^:]+): (.+)", limit, re.DOTALL)
        code, title, text = coded.groups() if coded else ("", "", limit)
        if code not in codes or not code:
            said.append(Notice(code=code, title=title, text=Text.coded(text)))
    if left_out:
        reasons = "; ".join(merged([reason.rstrip(".") for reason in left_out]))
        said.append(Notice(code="", title="Left out", text=Text.coded(f"{reasons}.")))
    return tuple(said)


def merged(texts: Sequence[str]) -> list[str]:
    """Texts that differ in numbers only as one: "lists at 400: found 399" and "lists at 600: found 599" list both."""
    alike: dict[str, list[list[str]]] = {}
    for text in texts:
        alike.setdefault(_NUMBER.sub("\0", text), []).append(_NUMBER.findall(text))
    sentences = []
    for form, numbers in alike.items():
        words = [own[0] if len({*own}) == 1 else listed(own) for own in zip(*numbers, strict=True)]
        sentences.append("".join(map(str.__add__, form.split("\0"), [*words, ""])))
    return sentences


_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.]*\w)")


def _closed(finding: Finding, rows: Sequence[NoticeRow]) -> bool:
    """True if only the appendix shows a finding: advice on what the run had no notice of."""
    return finding.severity == "advice" and finding.code not in {row.code for row in rows}


def _finding(finding: Finding) -> Notice:
    text, change = _advice(finding)
    return Notice(code=finding.code, title=finding.title, text=text, change=change, severity=finding.severity)


def _advice(finding: Finding) -> tuple[Text, str]:
    """What was met, and what to change; advice without lines of a difference is part of the text."""
    if any(line[:2] in ("- ", "+ ") for line in finding.change.splitlines()):
        return Text.coded(finding.message), finding.change
    return Text.coded(f"{finding.message} {finding.change}".strip()), ""


def _lint(review: Review | None, rows: Sequence[NoticeRow]) -> Iterator[Terms | Text]:
    """Advice, what the codes mean, and the questions that nothing in the results answers."""
    if review is None:
        return
    yield Text(f"{counted(review.rules, 'rule')} applied: {review.summary}.")
    advice = [finding for finding in review.findings if _closed(finding, rows)]
    if advice:
        yield Terms(tuple((f"{finding.code} {finding.title}", tuple(_in_lines(finding))) for finding in advice))
        yield Text("What the codes mean:")
    explained = [(key, concern(key).explanation) for key in review.codes]
    entries = [(key, tuple(map(Text.coded, _paragraphs(text)))) for key, text in explained if text]
    if entries:
        yield Terms(tuple(entries))
    if review.unchecked:
        yield Text("Not checked:")
        yield Terms(tuple((u.code, (Text(f"Only the {u.needs} can tell {u.question}."),)) for u in review.unchecked))


def _in_lines(finding: Finding) -> Iterator[Text]:
    text, change = _advice(finding)
    yield text
    yield from (Text(code(line) if line[:2] in ("- ", "+ ", "  ") else line) for line in change.splitlines())


def _paragraphs(text: str) -> list[str]:
    return [" ".join(part.split()) for part in text.strip().split("\n\n")]
