"""Run the experiments of papers again, published beside measured."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import polars as pl

from heldout import Results, SpecError
from heldout import threads as thread_count
from heldout.api.arguments import EngineName
from heldout.api.study_or_results import folder_for
from heldout.experiment.provenance import machine, versions
from heldout.papers.analysis import PAPERS, experiments_of, paper_findings, paper_of, work_bar
from heldout.papers.bench import PaperBench
from heldout.papers.data_sets import SIMULATED
from heldout.papers.findings import ReproductionFindings
from heldout.papers.kind import KIND, write_page
from heldout.reports.render.progress import ProgressOption, shown
from heldout.storage.codec import to_plain
from heldout.tables.arrays import digest_of


def reproduce(
    paper: str | Sequence[str] | None = None,
    experiments: str | Sequence[str] = (),
    *,
    data: str | Path,
    out: str | Path | None = None,
    page: str | Path | None = None,
    threads: int | None = None,
    block: int = 4096,
    engine: EngineName | None = None,
    address: str | None = None,
    progress: ProgressOption = None,
) -> Results[ReproductionFindings]:
    """Run a paper's own experiments and put what is measured beside what it published.

    `paper` is a key such as "canamares-2020", several, or None for all; `experiments` are tables and figures of it such as
    "table-2", all unless named. `data` is the folder of the data sets ("ml-1m/ratings.dat" and so on; `list_experiments`
    has names and layouts), or "simulated", where small simulated data stand in. What the folder lacks is not run, and the
    results say what is missing. With `out`, fits and figures are kept there and shared by all papers, and what was stopped
    goes on. `page` is a Markdown file for *Published beside measured*, with its figures as SVG in a folder next to it.
    """
    experiments = (experiments,) if isinstance(experiments, str) else experiments
    keys = _keys_of(paper)
    papers = [paper_of(key) for key in keys]
    for each in papers:
        experiments_of(each, experiments)
    _refuse_no_folder(data)
    with ExitStack() as open_things:
        open_things.enter_context(thread_count.using(threads))
        ledger = folder_for(out, KIND.name)
        if ledger is not None:
            open_things.enter_context(ledger.writing())
        tell = open_things.enter_context(shown(progress, ledger))
        manifest: dict[str, Any] = {
            "complete": False,
            "kind": KIND.name,
            "title": "Published beside measured",
            "papers": keys,
            "experiments": list(experiments),
            "versions": versions(),
            "machine": machine(),
            "parts": {},
        }
        if ledger is not None:
            ledger.announce(manifest)
            ledger.begin()
        bench = PaperBench(
            data=data,
            out=None if ledger is None else ledger.folder,
            engine=engine,
            address=address,
            block=block,
        )
        bench.bar = work_bar(papers, experiments, bench, tell)
        record = ReproductionFindings(
            papers=tuple(paper_findings(each, experiments, bench) for each in papers),
            simulated=bench.simulated,
            command=_command(paper, experiments, simulated=bench.simulated),
        )
        bench.bar.end()
        manifest |= {
            "complete": True,
            "inputs": bench.inputs,
            "studies": bench.studies,
            "data": [to_plain(facts) for facts in bench.data_read.values()],
            "parts": {"record": digest_of(json.dumps(to_plain(record)))[:32]},
        }
        results = Results(findings=record, manifest=manifest, folder=None if ledger is None else ledger.folder)
        if ledger is not None:
            ledger.write_manifest(manifest)
            results.save(ledger.folder)
    if page is not None:
        write_page(results, page)
    return results


def _keys_of(paper: str | Sequence[str] | None) -> list[str]:
    if paper is None:
        return [each.key for each in PAPERS]
    keys = list(paper) if isinstance(paper, Sequence) and not isinstance(paper, str) else [paper]
    if not all(isinstance(key, str) for key in keys):
        found = next(key for key in keys if not isinstance(key, str))
        raise SpecError(where="paper", found=found, expected=f"one of {', '.join(p.key for p in PAPERS)}")
    return keys


def _refuse_no_folder(data: object) -> None:
    """SpecError where the data sets are neither in a folder nor simulated."""
    if str(data) == SIMULATED or (isinstance(data, str | Path) and Path(data).is_dir()):
        return
    hint = "name the folder of the data sets, or simulated"
    if isinstance(data, str | Path):
        raise SpecError("no such folder", where=f"data: {data}", hint=hint)
    raise SpecError(where="data", found=type(data).__name__, expected="the path of a folder", hint=hint)


def _command(paper: str | Sequence[str] | None, experiments: Sequence[str], *, simulated: bool) -> str:
    names = ["--all"] if paper is None else [paper] if isinstance(paper, str) else list(paper)
    return " ".join(["heldout reproduce", *names, *experiments, "--data", SIMULATED if simulated else "FOLDER", "--out DIR"])


def list_experiments(data: str | Path | None = None) -> pl.DataFrame:
    """The papers and their tables and figures: the data each needs, about how long it takes, how much it compares.

    With `data`, the column `missing` lists the files that this folder lacks.
    """
    if data is not None:
        _refuse_no_folder(data)
    rows = []
    for paper in PAPERS:
        for experiment in paper.experiments:
            needed = experiment.data
            lacking = None if data is None else [] if str(data) == SIMULATED else list(needed.missing(Path(data)))
            rows.append(
                {
                    "paper": paper.key,
                    "name": paper.name,
                    "experiment": experiment.key,
                    "title": experiment.title,
                    "did": experiment.did,
                    "needs": needed.key,
                    "data": needed.title,
                    "files": list(needed.all_files),
                    "layout": needed.layout,
                    "minutes": experiment.minutes,
                    "numbers": len(experiment.expectations),
                    "claims": len(experiment.claims),
                    "missing": lacking,
                }
            )
    return pl.DataFrame(rows, infer_schema_length=None)
