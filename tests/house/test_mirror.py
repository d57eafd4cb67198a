"""Every module of 30 lines or more has a test file of its name, or stands here with the tests that hold it."""

from __future__ import annotations

from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE, TESTS = ROOT / "src" / "heldout", ROOT / "tests"
SHORTEST = 30
"""Lines from which on a module needs tests of its own."""

HELD_BY: dict[str, str] = {
    "_components.py": "tests/house/test_house.py",  # generated
    "_exports.py": "tests/house/test_house.py",  # generated
    "_groups.py": "tests/test_namespaces.py",  # generated
    "__init__.py": "tests/house/test_house.py",
    "api/compare.py": "tests/cli/test_compare.py",
    "api/data.py": "tests/cli/test_data.py",
    "api/describe.py": "tests/cli/test_verbs.py",
    "api/evaluate.py": "tests/api/test_sources_agree.py",
    "api/input_files.py": "tests/cli/test_writable.py",
    "api/lint.py": "tests/cli/test_lint_and_methods.py",
    "analysis/paired_scores.py": "tests/api/test_verbs.py",
    "api/measure.py": "tests/api/test_verbs.py",
    "api/multiverse*.py": "tests/cli/test_multiverse.py",
    "api/power.py": "tests/cli/test_compare.py",
    "api/progress.py": "tests/reports/test_progress.py",
    "api/recommend.py": "tests/experiment/test_recommend.py",
    "api/run.py": "tests/api/test_results.py",
    "api/split.py": "tests/cli/test_split.py",
    "api/tune.py": "tests/cli/test_models.py",
    "api/verify.py": "tests/cli/test_verify.py",
    "cli/app.py": "tests/cli/test_verbs.py",
    "cli/console.py": "tests/cli/test_verbs.py",
    "cli/demo.py": "tests/cli/test_verbs.py",
    "cli/evaluate.py": "tests/cli/test_verbs.py",
    "cli/lint.py": "tests/cli/test_lint_and_methods.py",
    "cli/methods.py": "tests/cli/test_lint_and_methods.py",
    "cli/power.py": "tests/cli/test_compare.py",
    "cli/recommend.py": "tests/cli/test_models.py",
    "cli/report.py": "tests/cli/test_verbs.py",
    "cli/run.py": "tests/cli/test_verbs.py",
    "cli/tune.py": "tests/cli/test_models.py",
    "experiment/divide.py": "tests/api/test_verbs.py",
    "tables/display.py": "tests/api/test_verbs.py",
    "engine/engine.py": "tests/engine/test_processes.py",
    "engine/worker.py": "tests/engine/test_processes.py",
    "review/lint/rules/*.py": "tests/review/lint/test_rules.py",  # a case of cases.py for each
    "review/methods/checklist.py": "tests/review/methods/test_section.py",  # parts of one text
    "review/methods/comparison.py": "tests/review/methods/test_section.py",
    "review/methods/data.py": "tests/review/methods/test_methods_truth.py",
    "review/methods/measures.py": "tests/review/methods/test_methods_truth.py",
    "review/methods/parts.py": "tests/review/methods/test_section.py",
    "review/methods/study_file.py": "tests/review/methods/test_section.py",
    "review/methods/systems.py": "tests/review/methods/test_methods_failed.py",
}
"""Modules, by pattern, whose tests stand in a file of another name: components of one family are tested together."""

UNFINISHED = {
    "aggregations", "analysis", "catalogue", "data", "errors.py", "experiment",
    "kernels", "metrics", "recommenders", "rng.py", "sealed_json.py",
    "significance", "splits", "tables", "targets", "testing", "threads.py", "universes",
}  # fmt: skip
"""Rooms that still have modules without such a file; the list only shrinks."""


def _bare() -> dict[str, list[str]]:
    """By room, the modules that neither have a test file of their name nor stand in `HELD_BY`."""
    bare: dict[str, list[str]] = {}
    for path in sorted(SOURCE.rglob("*.py")):
        name = path.relative_to(SOURCE)
        if "vendor" in path.parts or len(path.read_text(encoding="utf-8").splitlines()) < SHORTEST:
            continue
        if any(fnmatch(name.as_posix(), pattern) for pattern in HELD_BY):
            continue
        folder = TESTS / name.parts[0] if len(name.parts) > 1 else TESTS
        tests = folder.rglob(f"test_{path.stem}.py") if len(name.parts) > 1 else folder.glob(f"test_{path.stem}.py")
        if not any(tests):
            bare.setdefault(name.parts[0], []).append(name.as_posix())
    return bare


def test_every_module_has_a_test_file_of_its_name() -> None:
    assert not {room: names for room, names in _bare().items() if room not in UNFINISHED}


def test_what_holds_a_module_is_there() -> None:
    """A pattern names modules that exist, none of which has a file of its own, and tests that exist."""
    missing = [name for name in HELD_BY.values() if not (ROOT / name).exists()]
    assert not missing
    modules = [p.relative_to(SOURCE).as_posix() for p in SOURCE.rglob("*.py")]
    assert not [pattern for pattern in HELD_BY if not any(fnmatch(name, pattern) for name in modules)]
