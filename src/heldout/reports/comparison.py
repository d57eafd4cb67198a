"""The report of `heldout compare`: some settings of a study, with every pair of systems under every test."""

from __future__ import annotations

from collections.abc import Sequence

from heldout.analysis.findings import Findings
from heldout.reports import protocol, study_tables
from heldout.reports.columns import Column
from heldout.reports.document import Document, Table, Text, present, section
from heldout.text.names import short_names
from heldout.text.numbers import counted


def document(findings: Findings, settings: Sequence[int]) -> Document:
    """The answer, and each of these settings: leaderboard, pairs and tests."""
    verdict = findings.verdict
    return Document(
        kind="comparison",
        title=findings.title,
        facts=(counted(len(findings.systems), "system"), _settings_words(findings, settings)),
        answer=verdict.answer,
        numbers=tuple(Text(text, note=text == verdict.note) for text in (verdict.numbers, verdict.note) if text),
        main=study_tables.pairs(findings),
        sections=present(
            section(
                f"setting-{key}",
                findings.setting(key).words,
                study_tables.leaderboard(findings, key),
                study_tables.pairs(findings, key),
                p_values(findings, key),
                study_tables.all_at_once(findings, key),
            )
            for key in settings
        ),
        notices=protocol.notices(findings.notices),
        systems=tuple(study_tables.ranked_systems(findings)),
    )


def _settings_words(findings: Findings, shown: Sequence[int]) -> str:
    """How many settings the answer is of, and how many are shown if not all."""
    every = counted(len(findings.settings), "setting")
    return every if len(shown) == len(findings.settings) else f"{every}, {len(shown)} shown"


def p_values(findings: Findings, key: int) -> Table | None:
    """The p-values of every pair under each of several tests."""
    tests = [test for test in findings.tests(key) if any(row.p is not None for row in findings.pairs(key, test))]
    if len(tests) < 2:
        return None
    by_test = [{(row.a, row.b): row for row in findings.pairs(key, test)} for test in tests]
    names = short_names(findings.systems)
    columns = [Column(name=name, kind="system", names=names) for name in ("System", "Against")]
    for test in tests:
        columns.append(Column(name=f"{test} p", kind="p", head="p", group=test))
        columns.append(Column(name=f"{test} p adjusted", kind="p", head="p adjusted", group=test))
    rows = []
    for pair in by_test[0]:
        own = [rows_of_test.get(pair) for rows_of_test in by_test]
        rows.append((*pair, *(p for row in own for p in ((row.p, row.p_adjusted) if row else (None, None)))))
    return Table(name="p-values", title="Every test", columns=tuple(columns), rows=tuple(rows), subject="pairs")
