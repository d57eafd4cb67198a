"""A review cites a trial of metrics that was run on the same data, and refuses one of other data."""

from __future__ import annotations

from pathlib import Path
from shutil import rmtree

from tests.api.test_meta import QUICK
from tests.metric_quality.studies import KEYS
from tests.refusals import refused

import heldout as ho
from heldout.errors import SpecError

STUDY = KEYS | {"metrics": ["RR@5", "P@5"]}
TRIED = QUICK | {"metrics": ["RR", "P"]}


def test_findings_cite_the_trial(tmp_path: Path) -> None:
    trial = ho.meta(STUDY, out=tmp_path / "trial", **TRIED)
    rows = {row["metric"]: row for row in trial.findings.table.iter_rows(named=True)}
    ho.run(STUDY, out=tmp_path / "elsewhere" / "run")
    for subject in (STUDY, tmp_path / "elsewhere" / "run"):
        said = {finding.code: finding.message for finding in ho.lint(subject, meta=tmp_path / "trial").findings}
        weak, shallow = said["HO309"], said["HO308"]
        place = trial.findings.table["metric"].to_list().index("RR@5") + 1
        assert f"in a trial on the same data (τ with test ratings missing): RR@5 place {place} of 4, mean p" in weak
        assert f"RR@5 mean p {rows['RR@5']['mean_p']:.3f}, τ {rows['RR@5']['missing_tau']:.2f}; RR@20 mean p" in shallow
        plain = {finding.code: finding.message for finding in ho.lint(subject).findings}
        assert weak.startswith(plain["HO309"].removesuffix(".")) and weak != plain["HO309"]
        assert shallow.startswith(plain["HO308"].removesuffix(".")) and shallow != plain["HO308"]


def test_a_trial_of_other_data_is_refused(tmp_path: Path) -> None:
    trial = ho.meta(STUDY, **TRIED)
    ho.run(STUDY | {"seed": 2}, out=tmp_path / "run")
    for subject in (STUDY | {"seed": 2}, STUDY | {"data": "simulate(users=90, items=60, ratings=1500)"}, tmp_path / "run"):
        with refused(SpecError, where="meta"):
            ho.lint(subject, meta=trial)


def cites(subject: Path) -> bool:
    """Whether the review of a folder or study file cites a trial."""
    return any("in a trial on the same data" in finding.message for finding in ho.lint(subject).findings)


def test_a_trial_nearby_is_cited_where_it_is_of_the_same_data(tmp_path: Path) -> None:
    run, file = tmp_path / "run", tmp_path / "study.toml"
    ho.run(STUDY, out=run)
    file.write_text("\n".join(f"{key} = {value!r}" for key, value in STUDY.items()), encoding="utf-8")
    assert not cites(run) and not cites(file)
    ho.meta(STUDY | {"seed": 2}, out=tmp_path / "a trial of another split", **TRIED)
    unfinished = tmp_path / "an unfinished trial"
    unfinished.mkdir()
    (unfinished / "meta.json").write_text("{", encoding="utf-8")
    assert not cites(run) and not cites(file)
    ho.meta(run, out=run / "trial", **TRIED)
    assert cites(run) and not cites(file)  # the one is in the folder of the run
    ho.meta(run, out=tmp_path / "a trial of P", **(TRIED | {"metrics": ["P"]}))
    assert cites(run)  # what lies in the folder comes before what lies beside it
    rmtree(tmp_path / "a trial of P")
    (run / "trial").rename(tmp_path / "trial")
    assert cites(run) and cites(file)
