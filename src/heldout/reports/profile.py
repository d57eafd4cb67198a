"""A data set as read and after each filter, in a report of its own and in the appendix of others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from heldout.data.profile import DataSteps
from heldout.reports.charts import data as data_charts
from heldout.reports.charts.data import day
from heldout.reports.columns import Column
from heldout.reports.document import Block, Builders, Section, Table, Text
from heldout.words import ABSENT, count, number, percent

_UNFILTERED = {
    "as read": "No filter: these are the ratings as read.",
    "train": "Train and test are used as given: nothing filters them.",
    "test": "The test set is used as given: nothing filters the ratings that runs are judged by.",
}
"""What to know of a data set without filters, by the label of its first step."""


def data_tables(data_sets: Sequence[DataSteps]) -> Builders:
    """The table `profile`."""
    return {"profile": partial(profile_table, data_sets)}


def data_section(data_sets: Sequence[DataSteps]) -> Section | None:
    """The data of a result for its appendix: sizes before and after each filter, and the figures."""
    table = profile_table(data_sets)
    if table is None:
        return None
    notes = list(dict.fromkeys(note for data_set in data_sets if (note := _note(data_set))))
    figures = [chart for draw in data_charts.charts(data_sets).values() if (chart := draw()) is not None]
    names = ", ".join(dict.fromkeys(data_set.name for data_set in data_sets))
    blocks: tuple[Block, ...] = (*(Text(note, note=True) for note in notes), table, *figures)
    return Section(id="data", title="Data", blocks=blocks, summary=names)


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
        caption=f"Ratings of {names} as read and after each filter. Users and items are those with a rating. "
        "The Gini coefficient is 0 if all items have the same number of ratings, and 1 if one item has all.",
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
    "Density": lambda profile: percent(profile.get("density"), 3),
    "Gini of ratings over items": lambda profile: number(profile.get("gini"), 3),
    "Ratings per user (min / median / mean / max)": lambda profile: _spread(profile, "per_user"),
    "Ratings per item (min / median / mean / max)": lambda profile: _spread(profile, "per_item"),
    "Positive ratings": positive_words,
    "Time span": lambda profile: span_words(profile.get("time_span")),
}
"""Name → the words of a profile. Measures have different units, so that the cells are text; `all-rows` has the numbers."""
