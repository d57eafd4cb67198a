"""A data set as read and after each filter, in a report of its own and in the appendix of others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from heldout.data.profile import DataSteps, ProfileRecord, counts_in_words
from heldout.reports.charts import data as data_charts
from heldout.reports.charts.data import bin_counts, bin_words, day
from heldout.reports.columns import Column, Field
from heldout.reports.document import Builders, Chart, Charts, Document, Section, Table, Text, present, section
from heldout.text.numbers import ABSENT, count, counted, number, percent, percent_digits
from heldout.text.phrases import listed

_UNFILTERED = {
    "as read": "No filter: these are the ratings as read.",
    "train": "Train and test are used as given: nothing filters them.",
    "test": "The test set is used as given: nothing filters the ratings that runs are judged by.",
}
"""What to know of a data set without filters, by the label of its first step."""


def document(record: ProfileRecord) -> Document:
    """All that the report of a data set by itself shows."""
    filters = counted(len(record.steps) - 1, "step") if len(record.steps) > 1 else ""
    table_by_name = {name: table for name, build in tables(record).items() if (table := build()) is not None}
    profile, repeats = table_by_name.pop("profile"), table_by_name.pop("repeated-pairs", None)
    figures = (_own(chart, record) for chart in present(draw() for draw in charts(record).values()))
    sections = (
        section("data", "In numbers", profile),
        section("repeats", "Repeated pairs", Text(_REPEATS), repeats) if repeats else None,
        section("figures", "Figures", *figures, *table_by_name.values()),
    )
    read = [record.columns_read] if record.columns_read else []
    read += [f"{counted(n, 'row')} skipped: {reason}." for reason, n in record.skipped]
    return Document(
        kind="data profile",
        title=record.source,
        facts=tuple(filter(None, (f"{counted(record.rows, 'row')} read", filters))),
        answer=answer(record),
        numbers=(*map(Text, numbers(record)), *(Text(sentence, note=True) for sentence in read)),
        main=profile,
        sections=present(sections),
        files="All numbers are in profile.json, table.parquet and curves.parquet.",
    )


def _own(chart: Chart, record: ProfileRecord) -> Chart:
    """A figure in a report whose title is the name of the data set."""
    caption = chart.caption.removeprefix(f"{record.source}: ")
    return replace(chart, caption=f"{caption[:1].upper()}{caption[1:]}")


_GINI = (
    "Users and items are those with a rating. The Gini coefficient is 0 if all items have the same number of ratings, and 1 "
    "if one item has all."
)
_REPEATS = "What one rating of each pair would hold, by the filter that makes it. A study needs one of these filters."


def answer(record: ProfileRecord) -> str:
    """How many ratings there are, or how many the filters leave."""
    last = record.last
    if len(record.steps) > 1 or last.ratings < record.rows:
        return f"{count(last.ratings)} of {counted(record.rows, 'row')} are left after filtering."
    noun = "row" if record.repeats else "rating"
    return f"{counted(last.ratings, noun)} of {counted(last.users, 'user')} and {counted(last.items, 'item')}."


def numbers(record: ProfileRecord) -> list[str]:
    """The figures that a reader of a data set asks for first."""
    last = record.last
    users, items = last.per_user, last.per_item
    filtered = f"{counts_in_words(last)}. " if len(record.steps) > 1 else ""
    density = "" if filtered else f"{percent(last.density, percent_digits(last.density))} of all pairs have a rating. "
    sentences = [
        f"{filtered}{density}Half of the users have at most {users.median:g} ratings, half of the items at most "
        f"{items.median:g}."
    ]
    if record.repeats:
        share = percent(record.repeats / record.rows)
        verb = "repeats" if record.repeats == 1 else "repeat"
        sentences.append(
            f"{counted(record.repeats, 'row')} ({share}) {verb} a pair of user and item; as read, each is a rating."
        )
    if record.merged:
        means = listed([f"{number(own.mean)} after {own.filter}" for own in record.merged])
        chosen = " The filters here follow duplicates(keep=latest)." if len(record.steps) > 1 else ""
        sentences.append(
            f"One rating per pair would leave {count(record.merged[0].ratings)}, with a mean of {means}.{chosen}"
        )
    return sentences


def tables(record: ProfileRecord) -> Builders:
    """Tables by name: the profile, repeated pairs, and the numbers of histograms."""
    return {
        "profile": lambda: profile_table([data_steps(record)]),
        "repeated-pairs": partial(repeats_table, record),
        **{name: partial(figure_table, record, part) for part, name in TABLES.items()},
    }


def charts(record: ProfileRecord) -> Charts:
    """Figures by name."""
    return data_charts.charts([data_steps(record)], TABLES)


TABLES = {
    "values": "ratings-by-value",
    "popularity": "popularity",
    "ratings_per_user": "users-by-ratings",
    "ratings_per_item": "items-by-ratings",
    "positive_by_popularity": "positive-by-popularity",
    "popularity_by_rating": "popularity-by-rating",
    "activity": "ratings-over-time",
}
"""Part of a profile → the table with the numbers of its figure."""
MOST_POINTS = 20
"""Rows of the table of a curve."""


def figure_table(record: ProfileRecord, part: str) -> Table | None:
    """The numbers of a figure; None if the data lack it."""
    if not data_charts.has_part(data_steps(record).steps[-1], part):
        return None
    columns, rows = _curve(record, part) if part in data_charts.CURVES else _histogram(record, part)
    title = data_charts.TITLES[part]
    caption = f"{title}: {record.source}."
    return Table(name=TABLES[part], title=title, caption=caption, charted=True, columns=columns, rows=rows, subject="bins")


def _histogram(record: ProfileRecord, part: str) -> tuple[tuple[Column, ...], list[tuple[Any, ...]]]:
    """Number in each bin, as read and after the filters, and share after them; after them only if the bins differ."""
    every = data_steps(record).steps
    steps = every if len(every) < 2 else (every[0], every[-1])
    if part == "activity" and steps[0].profile[part]["edges"] != steps[-1].profile[part]["edges"]:
        steps = steps[-1:]
    whole = data_charts.is_logarithmic(part, steps)
    bins = [{(low, high): n for low, high, n in bin_counts(step.profile[part]) if n} for step in steps]
    columns = [Column(name={"values": "Value", "activity": "Time"}.get(part, "Ratings"), kind="text", fold=False)]
    columns += [Column(name=step.label, kind="count", fold=False) for step in steps]
    columns.append(Column(name="share", kind="share", bar=True, fold=False))
    total = sum(bins[-1].values())
    rows = []
    for low, high in sorted({place for own in bins for place in own}):
        counts = [own.get((low, high), 0) for own in bins]
        rows.append((bin_words(low, high, whole=whole, time=part == "activity"), *counts, counts[-1] / total))
    return tuple(columns), rows


def _curve(record: ProfileRecord, part: str) -> tuple[tuple[Column, ...], list[tuple[Any, ...]]]:
    """Some points of a curve, of the data after the filters."""
    points = data_steps(record).steps[-1].profile[part]
    every = list(zip(points["x"], points["y"], strict=True))
    across, up = data_charts.CURVES[part][1:3]
    shares = part != "popularity_by_rating"
    columns = (
        Column(name=across, kind="share" if shares else "value", fold=False),
        Column(name=up, kind="share" if shares else "value", bar=shares, digits=None if shares else 1, fold=False),
    )
    return columns, every[:: -(-len(every) // MOST_POINTS)]


def repeats_table(record: ProfileRecord) -> Table | None:
    """What filters would make of repeated pairs; None if none repeats or a filter was chosen."""
    if not record.merged:
        return None
    figures: dict[str, Any] = {"digits": [None] * len(record.merged), "fold": False}
    return Table.of_records(
        record.merged,
        (
            Field("Filter", "text", "filter"),
            Field("Ratings", "count", "ratings"),
            Field("Mean value", "value", "mean", fold=False),
            Field("Least", "value", "least", **figures),
            Field("Greatest", "value", "greatest", **figures),
        ),
        name="repeated-pairs",
        title="Repeated pairs by filter",
        caption=f"Ratings of {record.source} if one is made of each pair of user and item.",
        subject="filters",
    )


def data_steps(record: ProfileRecord) -> DataSteps:
    """A profile by itself in the form in which studies keep those of their data."""
    return DataSteps.of(record.source, "", record.steps)


def data_section(data_sets: Sequence[DataSteps]) -> Section | None:
    """The data of a result for its appendix: sizes before and after each filter, and the figures."""
    table = profile_table(data_sets)
    if table is None:
        return None
    notes = list(dict.fromkeys(note for data_set in data_sets if (note := _note(data_set))))
    figures = present(draw() for draw in data_charts.charts(data_sets).values())
    names = ", ".join(dict.fromkeys(data_set.name for data_set in data_sets))
    return section("data", "Data", *(Text(note, note=True) for note in notes), table, *figures, summary=names)


def _note(data_set: DataSteps) -> str:
    if data_set.filter not in ("", "none") or not data_set.steps:
        return ""
    return _UNFILTERED.get(data_set.steps[0].label, "")


def profile_table(data_sets: Sequence[DataSteps]) -> Table | None:
    """Each measure as read and after each filter; None if the result keeps no profile."""
    profiles = _profiles(data_sets)
    if not profiles:
        return None
    several = len({name for name, _, _ in profiles}) > 1
    columns = [Column(name="Measure", kind="text")]
    for name, label, _ in profiles:
        own = f"{name}: {label}" if several else label
        columns.append(Column(name=own, kind="text", head=label, group=name if several else "", fold=False))
    rows = []
    for measure, words in MEASURES.items():
        texts = [words(profile) for _, _, profile in profiles]
        if any(text != ABSENT for text in texts):
            rows.append((measure, *texts))
    names = " and ".join(dict.fromkeys(name for name, _, _ in profiles))
    return Table(
        name="profile",
        title=f"Profile of {names}",
        caption=f"As read and after each filter. {_GINI}",
        columns=tuple(columns),
        rows=rows,
        subject="measures",
    )


def _profiles(data_sets: Sequence[DataSteps]) -> list[tuple[str, str, Mapping[str, Any]]]:
    """Data set, label and profile of each step, without those that chains of filters of a data set share."""
    profile_by_step: dict[tuple[str, str], Mapping[str, Any]] = {}
    for data_set in data_sets:
        chain = data_set.filter if data_set.filter not in ("", "none") else ""
        for step in data_set.steps:
            key = (data_set.name, step.label)
            if profile_by_step.setdefault(key, step.profile) != step.profile:
                profile_by_step[data_set.name, f"{step.label} of {chain}"] = step.profile
    return [(name, label, profile) for (name, label), profile in profile_by_step.items()]


def span_words(span: Sequence[Any] | None) -> str:
    """First and last day of the ratings; a dash if there are none."""
    if not span or any(end is None for end in span):
        return ABSENT
    return " to ".join(day(end) if isinstance(end, int | float) else str(end) for end in span)


def positive_words(profile: Mapping[str, Any]) -> str:
    """57.5% (from 4 on)."""
    share, level = profile.get("positive_share"), profile.get("positive")
    return percent(share) if share is None or level is None else f"{percent(share)} (from {level:g} on)"


def _spread(profile: Mapping[str, Any], part: str) -> str:
    spread = profile.get(part)
    if not isinstance(spread, Mapping):
        return ABSENT
    sizes = [spread.get(size) for size in ("min", "median", "mean", "max")]
    return " / ".join(number(size, 0 if float(size or 0).is_integer() else 1) for size in sizes)


MEASURES: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "Users": lambda profile: count(profile.get("users")),
    "Items": lambda profile: count(profile.get("items")),
    "Ratings": lambda profile: count(profile.get("ratings")),
    "Density": lambda profile: percent(profile.get("density"), percent_digits(profile.get("density") or 0.0)),
    "Gini of ratings over items": lambda profile: number(profile.get("gini"), 3),
    "Ratings per user (min / median / mean / max)": lambda profile: _spread(profile, "per_user"),
    "Ratings per item (min / median / mean / max)": lambda profile: _spread(profile, "per_item"),
    "Positive ratings": positive_words,
    "Time span": lambda profile: span_words(profile.get("time_span")),
}
"""Name → the words of a profile. Measures have different units, so that the cells are text; `all-rows` has the numbers."""
