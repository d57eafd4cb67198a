"""Papers use what everybody can use: the inner names that they still need are listed, and nothing imports papers."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2] / "src"
PAPERS = SOURCE / "heldout" / "papers"
INNER = {
    "heldout.analysis.choices": {"ProtocolFacts"},
    "heldout.api.analysis_call": {"analysing"},
    "heldout.api.arguments": {"EngineName"},
    "heldout.aggregations.moments": {"t_quantile"},
    "heldout.api.kinds.kind": {"Kind", "StoredFrame"},
    "heldout.biases.sweeps": {"thinned_values", "without_tastes"},
    "heldout.data.memory": {"InMemory"},
    "heldout.data.profile": {"DataSteps", "ProfiledFindings", "gini"},
    "heldout.data.simulation_fit": {"fitted"},
    "heldout.data.world": {"popularity_law"},
    "heldout.experiment.folds": {"profiled_data"},
    "heldout.experiment.kept_stages": {"Stages"},
    "heldout.experiment.ledger": {"Ledger"},
    "heldout.progress": {"Progress", "WorkBar"},
    "heldout.reports": {"protocol"},
    "heldout.reports.charts.encodings": {"FADED", "FOCUS", "plot_height", "sized", "text_width", "tooltips", "upright"},
    "heldout.reports.charts.theme": {"DASHES", "MOST_SERIES", "SYMBOLS", "text_size"},
    "heldout.reports.columns": {"Field"},
    "heldout.reports.document": {
        *("Block", "Builders", "Chart", "Charts", "Document", "Layout", "Section", "Spec", "Table", "Text", "Verbatim"),
        *("code", "link", "paragraphs", "present", "section"),
    },
    "heldout.reports.experiments": {"TITLE"},
    "heldout.reports.render": {"markdown"},
    "heldout.reports.render.progress": {"ProgressOption"},
    "heldout.review.lint.finding": {"Finding"},
    "heldout.review.lint.review": {"lint_study"},
    "heldout.rng": {"stream"},
    "heldout.storage.deferred": {"Deferred"},
    "heldout.storage.files": {"write_text"},
    "heldout.study.file": {"study_from"},
    "heldout.study.record": {"recorded_study", "study_record"},
    "heldout.text.numbers": {
        *("count", "counted", "digits_for", "exact", "exact_p", "number", "p_number", "percent", "signed"),
    },
    "heldout.text.phrases": {"listed"},
    "heldout.universes.published_choices": {"published_protocol"},
}
"""Module → names. Those of reports and api are of the document and the kind of results; take one out rather than add one."""


def _imports(path: Path) -> Iterator[tuple[str, str]]:
    """Module and name of everything that a file imports from Heldout."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module is not None and node.module.split(".")[0] == "heldout":
            yield from ((node.module, alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names if alias.name.split(".")[0] == "heldout")


def test_papers_import_the_inner_names_that_are_listed() -> None:
    inner: dict[str, set[str]] = {}
    for path in PAPERS.rglob("*.py"):
        for module, name in _imports(path):
            if module not in ("heldout", "heldout.papers") and not module.startswith("heldout.papers."):
                inner.setdefault(module, set()).add(name)
    assert inner == INNER


def test_nothing_else_imports_papers() -> None:
    others = [path for path in (SOURCE / "heldout").rglob("*.py") if not path.is_relative_to(PAPERS)]
    importing = {path.name: module for path in others for module, _ in _imports(path) if "papers" in module.split(".")[1:2]}
    assert importing == {}
