"""Results of `run`, `evaluate`, `compare` and `demo`: the findings of a study, and its scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from heldout.analysis import rows as stored_rows
from heldout.analysis.findings import Findings
from heldout.analysis.rows import PAIRS, pair_frame, pair_rows
from heldout.api.kinds.kind import Kind
from heldout.api.results import Results
from heldout.errors import ResultsError
from heldout.experiment.ledger import Ledger, parts_key
from heldout.experiment.provenance import system_costs
from heldout.experiment.study_scores import StudyScores

if TYPE_CHECKING:
    from heldout.api.tables import Frames
    from heldout.data.profile import DataSteps
    from heldout.reports.document import Builders, Document

_MEASURED = {
    "users": "users_averaged",
    "undefined": "users_undefined",
    "coverage": "coverage_at_n",
    "coverage_ranked": "coverage_ranked_at_n",
    "unrated": "unrated_at_n",
    "rho": "rho_at_n",
    "tied": "tied_at_n",
}
"""Columns of numbers whose own names are those of choices, or whose depth is that of the metric."""


def study_results(
    findings: Findings, study_scores: StudyScores | None = None, folder: Path | None = None
) -> Results[Findings]:
    """Results of findings and, if they are in memory, the scores that they were made from."""
    measured = study_scores.manifest if study_scores is not None else {}
    return Results(findings=findings, manifest={**measured, **findings.manifest}, folder=folder, _source=study_scores)


def study_scores_of(results: Results[Findings]) -> StudyScores:
    """The scores behind results, from memory or from their folder."""
    if results._source is not None:
        study_scores: StudyScores = results._source
        return study_scores
    if results.folder is None:
        raise ResultsError("these results hold no values per user", hint="load them from the folder of a run")
    from heldout.experiment.study_scores import kept_scores

    return kept_scores(results.folder)


class StudyKind(Kind[Findings]):
    """A run, an evaluation or a comparison."""

    name = None
    label = "Study"
    file = "facts.json"
    findings = Findings
    main = "all-leaderboards"

    unfinished = "the run did not finish"
    report = "heldout.reports.study"

    def read(self, folder: str | Path) -> Results[Findings]:
        results = super().read(folder)
        return replace(results, manifest={**results.manifest, **results.findings.manifest})

    def decode(self, content: Any, ledger: Ledger, manifest: Mapping[str, Any]) -> Findings:
        """The findings; very many comparisons are in their own table, and what systems took is in the manifest."""
        if content["comparisons"] != PAIRS:
            return replace(Findings.from_dict(content), costs=system_costs(manifest))
        pairs = pair_rows(ledger.load_table(PAIRS, parts_key(manifest)))
        findings = Findings.from_dict({**content, "comparisons": []})
        return replace(findings, comparisons=pairs, costs=system_costs(manifest))

    def encode(self, findings: Findings) -> Any:
        in_table = len(findings.comparisons) > stored_rows.MOST_IN_JSON
        return findings.to_dict() if not in_table else {**replace(findings, comparisons=()).to_dict(), "comparisons": PAIRS}

    def write(self, results: Results[Findings], folder: str | Path) -> None:
        """Write findings, the page and scores that are not there yet."""
        super().write(with_parts(results), folder)

    def write_tables(self, results: Results[Findings], ledger: Ledger, key: str) -> None:
        scored = [part for part in results._source.parts if part.scores] if results._source is not None else []
        for part_key, part in zip(results.manifest["parts"].values(), scored, strict=True) if scored else ():
            if not ledger.has(part_key):
                ledger.save(part_key, part)
        if len(results.findings.comparisons) > stored_rows.MOST_IN_JSON:
            ledger.save_table(PAIRS, pair_frame(results.findings.comparisons), key)

    def title(self, results: Results[Findings]) -> str:
        return results.findings.title

    def verdict(self, results: Results[Findings]) -> str:
        return results.findings.verdict.sentence

    def notices(self, results: Results[Findings]) -> list[str]:
        return [f"{notice.code} {notice.title}: {notice.message}" for notice in results.findings.notices]

    def left_out(self, results: Results[Findings]) -> list[str]:
        return [notice.message for notice in results.findings.notices if notice.code == "HO108"]

    def frames(self, results: Results[Findings]) -> Frames:
        return {
            "all-leaderboards": ("One row per setting and system", lambda: leaderboards(results.findings)),
            "all-comparisons": ("One row per setting, test and pair of systems", lambda: comparisons(results.findings)),
        }

    def per_user(self, results: Results[Findings]) -> pl.DataFrame:
        return study_scores_of(results).per_user()

    def at(self, findings: Findings, setting: int) -> Findings:
        return replace(findings, primary=findings.setting(setting).id)

    def document(self, results: Results[Findings], *, reviewed: bool = True) -> Document:
        from heldout.reports import study
        from heldout.review.lint.review import lint_facts

        findings = results.findings
        lint = reviewed and "study" in findings.manifest
        return study.document(findings, review=lint_facts(findings, findings.title) if lint else None)

    def tables(self, results: Results[Findings]) -> Sequence[Callable[[], Builders]]:
        from heldout.reports import study

        return partial(study.tables, results.findings), partial(study.detail_tables, results.findings)

    def data_sets(self, results: Results[Findings]) -> Sequence[DataSteps]:
        return results.findings.data


def leaderboards(findings: Findings) -> pl.DataFrame:
    """One row per setting and system: system, metric, value and interval first, then the setting and all else."""
    settings = {s.id: s for s in findings.settings}
    rows = []
    for row in findings.leaderboard:
        setting = settings[row.setting]
        first = {"system": row.system, "metric": setting.metric, "value": row.value, "low": row.low, "high": row.high}
        rows.append(
            {
                **first,
                "setting": setting.label,
                **setting.choices,
                "aggregate": setting.aggregate,
                "undefined": setting.undefined,
                "coverage": setting.coverage,
                "descriptive": setting.descriptive,
                **{_MEASURED.get(k, k): v for k, v in asdict(row).items() if k != "setting" and k not in first},
            }
        )
    return pl.DataFrame(rows, infer_schema_length=None)


def comparisons(findings: Findings) -> pl.DataFrame:
    """One row per setting, test and pair of systems; tests without p-values add columns of what they give instead."""
    settings = {s.id: s for s in findings.settings}
    rows = []
    for row in findings.comparisons:
        setting = settings[row.setting]
        columns = {"setting": setting.label, "metric": setting.metric, **asdict(row), **row.figures}
        rows.append({name: value for name, value in {**columns, "setting": setting.label}.items() if name != "figures"})
    return pl.DataFrame(rows, infer_schema_length=None)


def with_parts(results: Results[Findings]) -> Results[Findings]:
    """The same results, whose manifest lists every part of the scores by name and digest."""
    findings, study_scores = results.findings, results._source
    if study_scores is None or not study_scores.parts or "parts" in findings.manifest:
        return results
    parts = {}
    for part in study_scores.parts:
        if part.scores:
            first = part.scores[0]
            cell = (first.protocol.data, first.protocol.filter, first.protocol.split, str(first.fold), first.system)
            parts[" | ".join(cell)] = part.digest[:32]
    return study_results(replace(findings, manifest={**findings.manifest, "parts": parts}), study_scores, results.folder)


KIND = StudyKind()
