"""The table and the section of data sets in reports."""

import heldout as ho
from heldout.data.profile import DataStep, DataSteps
from heldout.reports.document import Chart, Table
from heldout.reports.profile import data_section, data_tables, span_words

RATINGS = {"user": ["a", "a", "a", "b"], "item": ["x", "y", "z", "x"], "rating": [5, 3, 4, 5]}


def data_steps(name: str, chain: str = "none", filters: tuple[str, ...] = ()) -> DataSteps:
    steps = ho.profile(RATINGS, filters).findings.steps
    return DataSteps(name, chain, tuple(DataStep(label, profile.to_dict()) for label, profile in steps))


def profile_of(*data_sets: DataSteps) -> Table:
    table = data_tables(data_sets)["profile"]()
    assert table is not None
    return table


def test_a_column_for_each_step_of_a_data_set() -> None:
    """Without b there are 3 ratings of 1 user; measures that no step has are left out."""
    table = profile_of(data_steps("made up", "min_ratings(user=2)", ("min_ratings(user=2)",)))
    assert [column.name for column in table.columns] == ["Measure", "as read", "min_ratings(user=2)"]
    cells = {row[0]: row[1:] for row in table.rows}
    assert cells["Users"] == ("2", "1") and cells["Ratings"] == ("4", "3") and cells["Density"] == ("66.667%", "100%")
    assert cells["Ratings per user (min / median / mean / max)"] == ("1 / 2 / 2 / 3", "3 / 3 / 3 / 3")
    assert cells["Positive ratings"] == ("75.0% (from 4 on)", "66.7% (from 4 on)")
    assert "Time span" not in cells


def test_several_data_sets_share_one_table_and_shared_steps_are_told_once() -> None:
    plain, filtered = data_steps("one"), data_steps("one", "min_ratings(user=2)", ("min_ratings(user=2)",))
    assert [column.name for column in profile_of(plain, filtered).columns] == ["Measure", "as read", "min_ratings(user=2)"]
    two = profile_of(plain, data_steps("two"))
    assert [(column.name, column.head, column.group) for column in two.columns[1:]] == [
        ("one: as read", "as read", "one"),
        ("two: as read", "as read", "two"),
    ]


def test_the_section_has_the_table_and_the_figures() -> None:
    section = data_section([data_steps("made up")])
    assert section is not None and section.id == "data" and section.summary == "made up"
    assert [block.name for block in section.blocks if isinstance(block, Table)] == ["profile"]
    assert "data-values" in [block.name for block in section.blocks if isinstance(block, Chart)]
    assert data_section([]) is None


def test_spans_of_time() -> None:
    assert span_words((978_300_000, 1_046_450_000)) == "2000-12-31 to 2003-02-28"
    assert span_words((1, 5)) == "1 to 5" and span_words(None) == "–"
