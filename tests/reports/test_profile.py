"""The table and the section of data sets in reports."""

import heldout as ho
from heldout.data.profile import DataStep, DataSteps
from heldout.reports.document import Chart, Table
from heldout.reports.profile import data_section, document, profile_table

RATINGS = {"user": ["a", "a", "a", "b"], "item": ["x", "y", "z", "x"], "rating": [5, 3, 4, 5]}


def data_steps(name: str, chain: str = "none", filters: tuple[str, ...] = ()) -> DataSteps:
    steps = ho.profile(RATINGS, filters).findings.steps
    return DataSteps(name, chain, tuple(DataStep(label, profile.to_dict()) for label, profile in steps))


def profile_of(*data_sets: DataSteps) -> Table:
    table = profile_table(data_sets)
    assert table is not None
    return table


def test_a_column_for_each_step_of_a_data_set() -> None:
    """Without b there are 3 ratings of 1 user; measures that no step has are left out."""
    table = profile_of(data_steps("made up", "min_ratings(user=2)", ("min_ratings(user=2)",)))
    assert [column.name for column in table.columns] == ["Measure", "as read", "min_ratings(user=2)"]
    cells = {row[0]: row[1:] for row in table.rows}
    assert cells["Users"] == ("2", "1") and cells["Ratings"] == ("4", "3") and cells["Density"] == ("66.7%", "100%")
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
    for times, words in (([978_300_000] * 3 + [1_046_450_000], "2000-12-31 to 2003-02-28"), ([1, 2, 3, 5], "1 to 5")):
        table = document(ho.profile(RATINGS | {"time": times}).findings).main
        assert table is not None and dict(table.rows)["Time span"] == words


def test_the_numbers_of_histograms_are_tables() -> None:
    """3, 4, 5, 5 as read; without b's rating 3, 4, 5, a third each."""
    record = ho.profile(RATINGS, ["min_ratings(user=2)"]).findings
    table_by_name = document(record).tables()
    table = table_by_name["ratings-by-value"]
    assert [column.name for column in table.columns] == ["Value", "as read", "min_ratings(user=2)", "share"]
    assert list(table.rows) == [("3", 1, 1, 1 / 3), ("4", 1, 1, 1 / 3), ("5", 2, 1, 1 / 3)]
    assert [row[:3] for row in table_by_name["users-by-ratings"].rows] == [("1", 1, 0), ("3", 1, 1)]
    assert "ratings-over-time" not in table_by_name


def test_curves_are_tables_of_some_points() -> None:
    """x has 2 of 4 ratings, y and z one each."""
    table = document(ho.profile(RATINGS).findings).tables()["popularity"]
    assert [tuple(row) for row in table.rows] == [(0, 0), (1 / 3, 0.5), (2 / 3, 0.75), (1, 1)]
    many = {"user": list(range(300)), "item": list(range(300)), "rating": [1.0] * 300}
    assert len(document(ho.profile(many).findings).tables()["popularity"].rows) <= 20


def test_the_answer_counts_what_is_left_and_what_repeats() -> None:
    plain, filtered = document(ho.profile(RATINGS).findings), document(ho.profile(RATINGS, ["min_ratings(user=2)"]).findings)
    assert plain.answer == "4 ratings of 2 users and 3 items." and [
        text.plain for text in plain.numbers if not text.note
    ] == ["66.7% of all pairs have a rating. Half of the users have at most 2 ratings, half of the items at most 1."]
    assert filtered.answer == "3 of 4 rows are left after filtering."
    twice = document(ho.profile({"user": ["a", "a", "b"], "item": ["x", "x", "x"], "rating": [1, 2, 3]}).findings)
    assert twice.answer == "3 rows of 2 users and 1 item."
    assert [text.plain for text in twice.numbers if not text.note][1:] == [
        "1 row (33.3%) repeats a pair of user and item; as read, each is a rating.",
        "One rating per pair would leave 2, with a mean of 2.500 after duplicates(keep=latest), 3.000 after "
        "duplicates(keep=sum) and 2.500 after duplicates(keep=max).",
    ]


def test_a_report_of_data_has_figures_each_with_a_table() -> None:
    shown = document(ho.profile(RATINGS).findings)
    assert shown.main is not None and shown.main.name == "profile"
    assert [section.id for section in shown.sections] == ["data", "figures"]
    figures = [block for block in shown.sections[1].blocks if isinstance(block, Chart)]
    assert figures and all(block.table in shown.tables() for block in figures)
    twice = document(ho.profile({"user": ["a", "a"], "item": ["x", "x"], "rating": [1, 2]}).findings)
    assert "repeated-pairs" in twice.tables()
