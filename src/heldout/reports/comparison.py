"""The report of `heldout compare`: some settings of a study, with every pair of systems under every test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from heldout.analysis.findings import Findings
from heldout.analysis.rows import PairRow
from heldout.reports import protocol, study_tables
from heldout.reports.columns import Field
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
    fields = [Field(name, "system", place, names=names) for place, name in enumerate(("System", "Against"))]
    for test, rows in zip(tests, by_test, strict=True):
        for attribute, head in (("p", "p"), ("p_adjusted", "p adjusted")):
            fields.append(Field(f"{test} {head}", "p", partial(_of_pair, rows, attribute), head=head, group=test))
    return Table.of_records(by_test[0], fields, name="p-values", title="Every test", subject="pairs")


def _of_pair(rows: Mapping[tuple[str, str], PairRow], attribute: str, pair: tuple[str, str]) -> float | None:
    return getattr(rows.get(pair), attribute, None)
