"""Results of four systems on forty users, made up, as a run would keep them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from heldout.api.kinds.study import study_results
from heldout.experiment.ledger import Ledger
from heldout.experiment.study_scores import StudyScores, advise_again, kept_analysis
from heldout.study.file import study_from
from heldout.study.record import study_record
from heldout.tables import ProtocolKey, Scores, Vocabulary
from heldout.tables.cell_scores import CellScores

SYSTEMS = ("Best", "Good", "Twin", "Poor")
USERS = 40
PROTOCOL = ProtocolKey(
    data="made up",
    filter="none",
    split="ratio",
    users="with_test",
    fallback="none",
    relevance="threshold(tau=4)",
    target="AllItems",
    unrated="zero",
    ties="item",
)
METRICS = ("P@10", "Recall@10", "Coverage@1", "Coverage@10", "Unrated@10", "Rho@10")


def study_scores_of(*, folds: int = 1, development: int = 0, uncovered: int = 0) -> StudyScores:
    """Twin gives what Good gives; `uncovered` users have no list from Poor; the first `development` users are a group."""
    rng = np.random.default_rng(7)
    users = Vocabulary.of(pl.Series([f"u{u:02}" for u in range(USERS)]))
    ease = rng.beta(2, 3, USERS)
    parts = []
    for fold in range(folds):
        noise = {name: rng.normal(0, 0.08, USERS) for name in ("Best", "Good", "Poor")}
        noise["Twin"] = noise["Good"]
        counts = rng.integers(2, 30, USERS).astype(float)
        for name, gain in (("Best", 0.12), ("Good", 0.05), ("Twin", 0.05), ("Poor", -0.1)):
            value = np.round(np.clip(ease + gain + noise[name], 0, 1), 1)
            length = np.full(USERS, 10.0)
            if name == "Poor" and uncovered:
                length[-uncovered:] = 0
                value[-uncovered:] = 0
            covered = (length > 0).astype(float)
            beside = [value, value, covered, covered, np.full(USERS, 0.5), np.full(USERS, 0.01)]
            scores = Scores(
                system=name,
                protocol=PROTOCOL,
                fold=fold,
                users=np.arange(USERS, dtype=np.int32),
                metrics=METRICS,
                values=np.column_stack(beside),
                length=length,
                computed=length,
                lists=np.ones(USERS, np.int32),
                counts={
                    "test": counts + 3,
                    "relevant": counts,
                    "train": 5 * counts,
                    "development": (np.arange(USERS) < development).astype(float),
                    "denominator of P@10": np.full(USERS, 10.0),
                    "denominator of Recall@10": counts,
                },
            )
            parts.append(CellScores((scores,), users))
    study = {"data": "simulate", "split": "ratio(train=0.8)", "relevance": "threshold(4)", "metrics": ["P@10"]}
    study["recommend"] = [{"name": name, "model": "Popularity"} for name in SYSTEMS]
    record = study_record(study_from(study))
    kept_study = record | {
        "metrics": ["P@10", "Recall@10"],
        "aggregate": ["mean"],
        "undefined": ["zero"],
        "coverage": ["zero"],
        "compare": {**record["compare"], "tests": ["t"], "correction": "holm", "level": 0.05, "baseline": None},
    }
    return StudyScores(parts=tuple(parts), manifest={"complete": True, "title": "Made up", "seed": 1, "study": kept_study})


def facts_of(study_scores: StudyScores, **asked: Any) -> Any:
    """The facts under these choices."""
    analysis = kept_analysis(study_scores, asked)
    return advise_again(analysis, study_scores).findings(analysis, tuple)


def keep(study_scores: StudyScores, folder: Path) -> Path:
    """The study_scores as a results folder."""
    ledger = Ledger(folder)
    parts = {}
    for number, part in enumerate(study_scores.parts):
        key = f"{number:032x}"
        ledger.save(key, part)
        parts[f"{part.scores[0].system} {part.scores[0].fold}"] = key
    manifest = {**study_scores.manifest, "parts": parts}
    ledger.write_manifest(manifest)
    kept = StudyScores(parts=study_scores.parts, manifest=manifest)
    study_results(facts_of(kept), kept).save(folder)
    return folder
