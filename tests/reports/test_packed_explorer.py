"""Explorers of many states: the table of each state from the arrays."""

from __future__ import annotations

from tests.reports.render.documents import universes

from heldout.reports.document import Document, Section, Table, Text


def test_the_table_of_a_state_has_its_systems_in_order_and_its_head() -> None:
    explorer = universes()
    table = explorer.table(2)
    assert table.values("system") == [explorer.systems[k] for k in explorer.order[2]]
    assert table.column("value").title == explorer.heads["value"][2]
    assert table.column("value").digits == int(explorer.digits[2])
    k = int(explorer.order[2, 0])
    assert table.rows[0][1] == explorer.cells["value"][2, k]
    assert table.rows[0][2] == tuple(explorer.cells["interval"][2, k])


def test_absent_values_are_none() -> None:
    explorer = universes()
    state, row = next(
        (state, row) for state in range(len(explorer.codes)) for row in explorer.table(state).rows if row[1] is None
    )
    assert row[2] is None and explorer.cells["value"][state, explorer.systems.index(row[0])] != 0


def test_renderers_without_switches_write_the_start() -> None:
    explorer = universes()
    document = Document(
        kind="multiverse",
        title="Films",
        answer="It depends.",
        sections=(Section(id="explore", title="Explore", blocks=(explorer,)),),
    )
    sentence, table = document.blocks()
    assert isinstance(sentence, Text) and sentence.plain == explorer.sentences[explorer.start]
    assert isinstance(table, Table) and document.tables()["universe"].rows == explorer.table(explorer.start).rows
