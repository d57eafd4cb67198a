"""A data profile as one HTML file: numbers of each step and its pictures; no request to anywhere."""

from __future__ import annotations

from heldout.data.profile import ProfileRecord, counts_in_words
from heldout.reports.page import data_set
from heldout.reports.page.markup import NOTEBOOK_STYLE, breakable, cell, el, join, rows, table
from heldout.reports.page.static import static_page, text_section
from heldout.reports.profile_views import data_facts
from heldout.words import count, counted, number, percent

SECTIONS = (("data", "In numbers"), ("pictures", "Pictures"), ("read", "How it was read"))


def to_html(record: ProfileRecord) -> str:
    """The whole page; the same record gives the same bytes."""
    facts = data_facts(record)
    last = record.steps[-1][1]
    filters = counted(len(record.steps) - 1, "filter") if len(record.steps) > 1 else "no filter"
    sentence = f"{counts_in_words(last)}." if len(record.steps) == 1 else f"After all filters: {counts_in_words(last)}."
    read = [record.columns_read] if record.columns_read else []
    read += [f"{counted(n, 'row')} skipped: {reason}." for reason, n in record.skipped]
    numbers = [el("p", sentence, cls="sentence"), data_set.numbers(facts, record.source)]
    body = join(
        el("section", el("h2", "In numbers"), *numbers, id="data"),
        el("section", el("h2", "Pictures"), data_set.pictures(facts), id="pictures"),
        text_section("read", "How it was read", read),
    )
    return static_page(
        body,
        title=record.source,
        eyebrow="Heldout data profile",
        meta=f"{counted(record.rows, 'row')} read · {filters}",
        sections=SECTIONS,
        beside="The same numbers stand in profile.json and in the tables beside it.",
    )


def html_fragment(record: ProfileRecord) -> str:
    """The counts of each step for notebooks: a table, no script and no style but its own."""
    names = ("Users", "Items", "Ratings", "Density", "Ratings per user", "Ratings per item", "Gini of items")
    heads = [cell("Step"), *(cell(name, "num") for name in names)]
    body = []
    for label, step in record.steps:
        spreads = [f"{s.median:g} (median), {s.mean:.4g} (mean)" for s in (step.per_user, step.per_item)]
        counts = map(count, (step.users, step.items, step.ratings))
        shown = [*counts, percent(step.density, 3), *spreads, number(step.gini, 3)]
        body.append([cell(breakable(label)), *(cell(text, "num") for text in shown)])
    read = el("p", record.columns_read) if record.columns_read else ""
    return el("div", NOTEBOOK_STYLE, read, table(heads, rows(body), caption=f"Profile of {record.source}"), cls="heldout")
