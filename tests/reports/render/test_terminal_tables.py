"""Columns that fit a width: alike cells become notes, long forms give way, the least needed go below."""

from __future__ import annotations

from heldout.reports.render.screen import printed
from heldout.reports.render.terminal_tables import Column, bands, fit, table


def columns() -> list[Column]:
    names = ["Popularity", "EASE"]
    return [
        Column(head="system", forms=[names, ["Pop…", "EASE"]], right=False),
        Column(head="value", forms=[["0.4000", "0.5000"]]),
        Column(head="users", forms=[["1,000", "1,000"]], need=2, note="{} users each"),
        Column(head="d", forms=[["+0.10", "+0.20"]], need=1),
    ]


def test_names_are_shortened_before_a_column_goes_and_the_least_needed_goes_first() -> None:
    """Widths 10, 6, 5, 5 and three gaps of 2: 32. Shortened names take 6, so 28; without users 21; without d 14."""
    heads = {
        width: ([c.head for c in kept], [c.head for c in left])
        for width in (32, 28, 27, 20)
        for kept, left in [fit(columns(), width)]
    }
    assert heads[32] == heads[28] == (["system", "value", "users", "d"], [])
    assert heads[27] == (["system", "value", "d"], ["users"])
    assert heads[20] == (["system", "value"], ["users", "d"])
    assert fit(columns(), 32)[0][0].cells[0] == "Popularity" and fit(columns(), 28)[0][0].cells[0] == "Pop…"


def test_what_must_stay_stays_though_it_does_not_fit() -> None:
    kept, _ = fit(columns(), 5)
    assert [c.head for c in kept] == ["system", "value"]


def test_a_table_is_as_wide_as_its_columns() -> None:
    lines = printed(table(columns()), 80).splitlines()
    assert lines[0].split() == ["system", "value", "users", "d"]
    assert max(len(line.rstrip()) for line in lines) == 32


def test_columns_that_do_not_fit_go_below_with_the_first_one_before_them() -> None:
    """28 cells are enough for short names; in 20, the whole names (10), a value (6) and a gap (2) take 18."""
    heads = {width: [[c.head for c in band] for band in bands(columns(), width)] for width in (32, 28, 27, 20, 5)}
    assert heads[32] == heads[28] == [["system", "value", "users", "d"]]
    assert heads[27] == [["system", "value", "d"], ["system", "users"]]  # d is needed more than users
    assert heads[20] == [["system", "value"], ["system", "users", "d"]]
    assert heads[5] == [["system", "value"], ["system", "users"], ["system", "d"]]
    assert bands(columns(), 28)[0][0].cells[0] == "Pop…" and bands(columns(), 20)[0][0].cells[0] == "Popularity"


def test_what_goes_below_begins_with_every_name_and_without_empty_rows_and_pictures() -> None:
    given = [
        Column(head="#", forms=[["1", "2"]]),
        Column(head="protocol", forms=[["AR", "1R"]], lead=True, right=False),
        Column(head="system", forms=[["Random", "Random"]], lead=True, right=False),
        Column(head="value", forms=[["0.4000", "0.5000"]]),
        Column(head="", forms=[["████", "█████"]], need=2),
        Column(head="bounds", forms=[["", "[0.1, 0.2]"]], need=1),
    ]
    first, second = bands(given, 28)
    assert [c.head for c in first] == ["#", "protocol", "system", "value"]
    assert [(c.head, c.cells) for c in second] == [
        ("protocol", ["1R"]),
        ("system", ["Random"]),
        ("bounds", ["[0.1, 0.2]"]),
    ]


def test_a_column_that_has_no_room_next_to_the_names_of_rows_is_below_them() -> None:
    """10 + 2 + 8 cells are too many for 15, and so are the names with any other column."""
    columns = [Column(head="a" * 10, forms=[["x"]], lead=True), Column(head="b" * 8, forms=[["1"]], need=4)]
    assert [[column.head[0] for column in band] for band in bands(columns, 15)] == [["a", "b"]]
