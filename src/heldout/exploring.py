"""The Python interface to multiverses: every combination of choices, and whether the conclusion survives them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any

import polars as pl

from heldout.catalogue.notices import PAGES
from heldout.catalogue.text import parse
from heldout.data.read import is_text_form, reader_of
from heldout.errors import ResultsError, SpecError, UnknownNameError
from heldout.experiment.failure import SystemsFailedError
from heldout.experiment.guessed_relevance import about_kept_guess
from heldout.experiment.ledger import Ledger, other_version, parts_key, read_manifest, read_sealed, sealed
from heldout.experiment.run import Progress
from heldout.review.written import study_kept
from heldout.universes.compute.explore import explore
from heldout.universes.findings.findings import Findings, findings
from heldout.universes.findings.papers import with_papers
from heldout.universes.grid.default_grid import default_keys
from heldout.universes.grid.file import multiverse_from, read_multiverse
from heldout.universes.grid.grid import Multiverse
from heldout.universes.grid.plan import Plan, plan

TABLE, FOUND, REPORT = "universes.parquet", "multiverse.json", "report.html"


@dataclass(frozen=True, eq=False)
class MultiverseResults:
    """What a multiverse found: sentences to read, the table of universes to work with, and the report."""

    findings: Findings
    title: str
    manifest: dict[str, Any]
    table: pl.DataFrame | None = None
    folder: Path | None = None
    """Where they were loaded from."""
    left_out: tuple[str, ...] = field(default=())
    """Options that did not apply somewhere, and so made no universe there."""

    @classmethod
    def load(cls, folder: str | Path) -> MultiverseResults:
        """The results that a multiverse left in a folder."""
        manifest = read_manifest(folder)
        if manifest.get("kind") != "multiverse":
            raise ResultsError(
                "these are the results of a plain study", where=str(folder), hint="use Results.load or heldout report"
            )
        path = Path(folder) / FOUND
        try:
            findings_read, key = read_sealed(path)
        except FileNotFoundError:
            raise _unfinished(folder) from None
        if not manifest.get("complete") or key != parts_key(manifest):
            raise _unfinished(folder)
        try:
            found = Findings.from_dict(findings_read)
        except (KeyError, ValueError, TypeError, AttributeError) as error:
            raise other_version(path, error) from None
        left_out = tuple(manifest.get("left_out", ()))
        return cls(found, str(manifest.get("title", "")), manifest, folder=Path(folder), left_out=left_out)

    @cached_property
    def universes(self) -> pl.DataFrame:
        """One row per universe and pair of systems: what was chosen, the values, difference, effect, p and winner."""
        if self.table is not None:
            return self.table
        if self.folder is None:
            raise ResultsError("these results hold no table of universes", hint="load them from the folder of a run")
        return Ledger(self.folder).load_table(TABLE, parts_key(self.manifest))

    @property
    def sentences(self) -> list[str]:
        """For every pair of systems, whether its conclusion survives."""
        return [pair.stability.sentence for pair in self.findings.pairs]

    @property
    def failed(self) -> dict[str, str]:
        """Cells of systems that failed, with the reason; their universes have no value of them."""
        return dict(self.manifest.get("failed", {}))

    @property
    def notices(self) -> list[str]:
        """Coded warnings about method, such as that the relevance rule was guessed."""
        notices = about_kept_guess(study_kept(self.manifest)) if "guessed" in self.manifest else ()
        return [f"{n.code} {PAGES[n.code].title}: {n.message}" for n in notices]

    def to_html(self) -> str:
        """The report as one self-contained page."""
        from heldout.reports.page.multiverse import to_html

        return to_html(self.findings, self.title, failed=self.failed, left_out=self.left_out, notices=self.notices)

    def to_markdown(self) -> str:
        """The findings as Markdown."""
        from heldout.reports.markdown.multiverse import to_markdown

        return to_markdown(self.findings, self.title, failed=self.failed, left_out=self.left_out, notices=self.notices)

    def plot(self, kind: str = "curve", **options: Any) -> Any:
        """A matplotlib figure: "curve" (the specification curve; `pair` says of which two systems) or "map" of rankings."""
        from heldout.reports.plots import multiverse as plots

        kinds = {"curve": plots.specification_plot, "map": plots.map_plot}
        if kind not in kinds:
            raise UnknownNameError("plot", kind, kinds)
        return kinds[kind](self.findings, **options)

    def save(self, folder: str | Path) -> None:
        """Write multiverse.json and report.html into the results folder."""
        ledger = Ledger(folder)
        with ledger.writing():
            ledger.save_text(FOUND, sealed(self.findings.to_json(), parts_key(self.manifest)))
            ledger.save_text(REPORT, self.to_html())

    def _repr_html_(self) -> str:
        return "".join(f"<p>{escape(sentence)}</p>" for sentence in self.sentences)

    def __repr__(self) -> str:
        from heldout.reports.terminal.multiverse import render
        from heldout.reports.terminal.screen import printed

        return printed(
            render(self.findings, self.title, 100, failed=self.failed, left_out=self.left_out, notices=self.notices), 100
        )


def _unfinished(folder: str | Path) -> ResultsError:
    return ResultsError(
        "the run did not finish", where=str(folder), hint="run the same multiverse again: it goes on where it stopped"
    )


Grid = str | Path | Mapping[str, Any] | Multiverse


def grid_of(
    study: Grid | None, data: Any, systems: str | Sequence[str] | None, models: Mapping[str, Any] | None
) -> Multiverse:
    """The grid of a study file or its keys, whose data and systems may be replaced; or else one of usual choices."""
    asked = _named(systems) if isinstance(systems, str) else list(systems or ())
    if isinstance(study, Multiverse):
        if data is not None or asked:
            raise SpecError("a grid that is made has its data and systems", hint="give the study's keys instead")
        return study
    if study is None:
        if data is None or (not asked and not models):
            raise SpecError(
                "a multiverse needs a study, or data and systems",
                hint="heldout multiverse study.toml --out DIR, or --data ratings.csv --systems UserKNN,WRMF",
            )
        return multiverse_from(default_keys(_here(data), asked), models=models)
    instead: dict[str, Any] = {"data": _here(data)} if data is not None else {}
    instead |= {"recommend": asked} if asked else {}
    if isinstance(study, Mapping):
        return multiverse_from({**study, **instead}, models=models)
    return read_multiverse(study, models=models, instead=instead)


def _named(systems: str) -> list[str]:
    """The systems of a text: UserKNN(k=3, q=2),WRMF are two."""
    found = parse(f"systems({systems.strip().strip(',')})")
    if found.kwargs:
        raise SpecError(f"{next(iter(found.kwargs))} = … is no system", where="systems", hint="such as UserKNN(k=50),WRMF")
    return [str(one) for one in found.args]


def _here(data: Any) -> Any:
    """Data as they are meant from the working folder, wherever the study file lies; tables in memory as they are."""
    if not isinstance(data, str | Path):
        return data
    if Path(data).expanduser().exists() or not is_text_form(str(data)):
        return str(Path(data).expanduser().absolute())
    reader = reader_of(str(data))
    path = getattr(reader, "path", None)
    return reader.replace(path=str(Path(path).expanduser().absolute())) if isinstance(path, str) else reader


def multiverse(
    study: Grid | None = None,
    *,
    data: Any = None,
    systems: str | Sequence[str] | None = None,
    models: Mapping[str, Any] | None = None,
    out: str | Path | None = None,
    threads: int | None = None,
    block: int = 4096,
    progress: Progress | None = None,
    engine: str | None = None,
    workers: int | None = None,
) -> MultiverseResults:
    """Try every combination of a study's options: does "A beats B" survive the other choices?

    `study` is a TOML file or its keys as a dictionary; any stage may list options, and its table `multiverse` may name
    seeds, cutoffs and gains. `data` (a path, a text form or a frame) and `systems` replace the study's; without a study,
    they are compared over a grid of usual choices. With `out`, everything is kept there, and a run that was stopped goes on.
    """
    grid = grid_of(study, data, systems, models)
    with Ledger(out).writing() if out is not None else nullcontext():
        options: dict[str, Any] = {"block": block, "progress": progress, "engine": engine, "workers": workers}
        found = explore(grid, out=out, threads_used=threads, **options)
        if progress is not None:
            progress("what moves the outcome", 0, 0)
        compared = found.universes.compared()
        if not len(compared.pairs):
            reasons = "; ".join(dict.fromkeys(f"{one.system}: {one.reason}" for one in found.failures))
            raise SystemsFailedError(f"no two systems could be compared ({reasons})", where="recommend")
        made = MultiverseResults(
            findings(compared, level=grid.study.compare.level),
            grid.study.title,
            found.manifest,
            with_papers(found.universes) if out is None else None,
            Path(out) if out is not None else None,
            found.left_out,
        )
        if out is not None:
            made.save(out)
    return made


def planned(
    study: Grid | None = None,
    *,
    data: Any = None,
    systems: str | Sequence[str] | None = None,
    models: Mapping[str, Any] | None = None,
    out: str | Path | None = None,
) -> Plan:
    """What `multiverse` would take: stages, fits, and about how much time and disk."""
    return plan(grid_of(study, data, systems, models), out=out)
