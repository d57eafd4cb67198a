"""Documents and tables as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from heldout.reports.columns import Column
from heldout.reports.document import (
    Block,
    Chart,
    Document,
    Explorer,
    Listing,
    Notice,
    PackedExplorer,
    Section,
    Span,
    Table,
    Terms,
    Text,
    Verbatim,
)


def document(source: Document, images: Mapping[str, str] | None = None) -> str:
    """The whole report, with drawings if `images` names their files."""
    lines = [f"# {escape(source.title)}", "", f"**{escape(source.answer)}**", ""]
    for text in source.numbers:
        lines += [paragraph(text), ""]
    lines += [line for section in source.sections for line in _section(section, images or {})]
    if source.notices:
        lines += ["## Notices", "", *(_notice(notice) for notice in source.notices), ""]
    lines += [line for section in source.appendix for line in _section(section, images or {})]
    return "\n".join(lines).rstrip() + "\n"


def table(source: Table) -> str:
    """The table as people see it, below its title and above its caption."""
    shown, folded = source.folded()
    columns = [column for column in shown.columns if column.kind != "letters"]
    lines = [[escape(_head(column)) for column in columns], ["---:" if column.numeric else "---" for column in columns]]
    lines += [[_cell(shown, column, number) for column in columns] for number in range(len(shown.rows))]
    said = " ".join(filter(None, (source.caption, folded)))
    return "".join("| " + " | ".join(line) + " |\n" for line in lines) + (f"\n{escape(said)}\n" if said else "")


def paragraph(text: Text) -> str:
    """A paragraph with its styles."""
    return "".join(map(_span, text.spans))


def escape(text: str) -> str:
    """Text with the characters of markup escaped."""
    for char in "\\*_<`[|":
        text = text.replace(char, f"\\{char}")
    return " ".join(text.split())


def _head(column: Column) -> str:
    return f"{column.group} {column.title}".strip()


def _cell(source: Table, column: Column, number: int) -> str:
    place = source.columns.index(column)
    text = escape(column.text(source.rows[number][place], number))
    text = f"**{text}**" if (number, column.name) in source.strong and text else text
    after = source.columns[place + 1] if place + 1 < len(source.columns) else None
    if after is not None and after.kind == "letters" and source.rows[number][place + 1]:
        text += f" {escape(source.rows[number][place + 1])}"
    return text


def _span(span: Span) -> str:
    if span.style == "code":
        return f"`{span.text}`"
    leading, text, trailing = _spaces(span.text)
    if span.style == "strong":
        text = f"**{text}**"
    return f"{leading}{f'[{text}]({span.link})' if span.link and not span.link.startswith('#') else text}{trailing}"


def _spaces(text: str) -> tuple[str, str, str]:
    """Blanks before the text, the escaped text, and blanks behind it."""
    inner = text.strip()
    start = text.index(inner) if inner else len(text)
    return text[:start], escape(inner), text[start + len(inner) :]


def _section(section: Section, images: Mapping[str, str]) -> Iterator[str]:
    yield from (f"{'#' * (section.level + 1)} {escape(section.title)}", "")
    yield from _blocks(section.blocks, images, section.level + 2, section.title)


def _blocks(blocks: Iterable[Block], images: Mapping[str, str], level: int, title: str) -> Iterator[str]:
    for block in blocks:
        match block:
            case Text():
                yield from (paragraph(block), "")
            case Listing():
                yield from (*(f"- {paragraph(text)}" for text in block.items), "")
            case Terms():
                for term, texts in block.entries:
                    yield from (f"**{escape(term)}**: {' '.join(map(paragraph, texts))}", "")
            case Verbatim():
                yield from ("```text", block.text.rstrip(), "```", "")
            case Table():
                yield from () if block.title == title else (f"{'#' * level} {escape(block.title)}", "")
                yield table(replace(block, caption=block.explanation))
            case Explorer() | PackedExplorer():
                yield from _blocks(block.blocks(block.start), images, level, title)
            case Chart():
                if block.name in images:
                    yield from (f"![{escape(block.title)}]({images[block.name]})", "")


def _notice(notice: Notice) -> str:
    change = f"\n\n  ```diff\n{_indented(notice.change)}\n  ```" if notice.change else ""
    return f"- **{notice.code}** {escape(notice.title)} {paragraph(notice.text)}{change}"


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines())
