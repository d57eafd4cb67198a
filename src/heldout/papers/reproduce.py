"""Run the experiments of papers again, published beside measured."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from heldout import Results, SpecError
from heldout.api.analysis_call import analysing
from heldout.api.arguments import EngineName
from heldout.papers.analysis import PAPERS, experiments_of, paper_findings, paper_of, work_bar
from heldout.papers.bench import PaperBench
from heldout.papers.data_sets import SIMULATED
from heldout.papers.findings import ReproductionFindings
from heldout.papers.kind import KIND, write_page
from heldout.reports.render.progress import ProgressOption
from heldout.storage.deferred import Deferred


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
    with analysing(KIND, out=out, threads=threads, progress=progress) as call:
        call.announce(title="Published beside measured", papers=keys, experiments=list(experiments))
        if call.ledger is not None:
            call.ledger.begin()
        bench = PaperBench(
            data=data,
            out=None if call.ledger is None else call.ledger.folder,
            engine=engine,
            address=address,
            block=block,
        )
        bench.bar = work_bar(papers, experiments, bench, call.progress)
        findings = ReproductionFindings(
            papers=tuple(paper_findings(each, experiments, bench) for each in papers),
            simulated=bench.simulated,
            command=_command(paper, experiments, simulated=bench.simulated),
            profiles=Deferred(bench.profiles),
        )
        bench.bar.end()
        results = call.results(findings, inputs=bench.inputs, studies=bench.studies)
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
