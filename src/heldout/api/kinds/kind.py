"""The interface of a kind of results, and the registry of kinds by the name that manifests have."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

import polars as pl

from heldout.api.results import Results, no_settings
from heldout.errors import ResultsError, SpecError, UnknownNameError, warn_component
from heldout.experiment.ledger import Ledger, kind_words, other_version, parts_key, read_manifest, read_sealed, sealed
from heldout.storage.codec import from_plain, to_plain

if TYPE_CHECKING:
    from rich.console import Group

    from heldout.analysis.choices import ProtocolFacts
    from heldout.api.tables import Frames
    from heldout.data.profile import DataSteps
    from heldout.reports.document import Builders, Chart, Charts, Document
    from heldout.review.lint.finding import Review

F = TypeVar("F")
REPORT = "report.html"
KINDS = {
    None: "heldout.api.kinds.study",
    "multiverse": "heldout.api.kinds.multiverse",
    "meta": "heldout.api.kinds.metric_quality",
    "bias": "heldout.api.kinds.bias",
    "truth": "heldout.api.kinds.truth",
    "reproduction": "heldout.papers.kind",
    "profile": "heldout.api.kinds.profile",
}
"""Name in manifests → module whose `KIND` it is; imported when results of the kind are first used."""
GROUP = "heldout.kinds"
"""Entry points of other packages: the name in manifests → a `Kind`."""


def kind_of(manifest: Mapping[str, Any]) -> Kind[Any]:
    """The kind of results that a manifest names; ResultsError if no package here declares it."""
    name = manifest.get("kind")
    if name in KINDS:
        kind: Kind[Any] = import_module(KINDS[name]).KIND
        return kind
    for point in entry_points(group=GROUP, name=str(name)):
        return _declared(point)
    raise ResultsError(f"these are the results of {kind_words(dict(manifest))}", hint="install what made them")


def known_kinds() -> list[Kind[Any]]:
    """All kinds of results, those of other packages last; warns of each that cannot be loaded."""
    kinds: list[Kind[Any]] = [import_module(module).KIND for module in KINDS.values()]
    for point in entry_points(group=GROUP):
        try:
            kinds += [_declared(point)] if point.name not in KINDS else []
        except ResultsError as error:
            warn_component(f"{error}. All other kinds of results can be used")
    return kinds


def _declared(point: EntryPoint) -> Kind[Any]:
    """The kind of an entry point; ResultsError if it cannot be loaded or is something else."""
    where, hint = f"entry point '{point.name}' of '{GROUP}' ({point.value})", "fix or remove the package that declares it"
    try:
        kind = point.load()
    except Exception as error:  # whatever the module of another package raises as it is imported
        raise ResultsError("cannot be loaded", where=where, found=error.with_traceback(None), hint=hint) from error
    if not isinstance(kind, Kind):
        raise ResultsError(where=where, found=kind, expected="an instance of Kind", hint=hint)
    return kind


@dataclass(frozen=True, kw_only=True)
class StoredFrame:
    """A table of findings, one row per object, that is stored as Parquet next to them."""

    file: str
    """The file's name without its ending."""
    name: str
    """The name in `results.tables`."""
    title: str
    attribute: str
    """The attribute of the findings that holds it."""

    def frame(self, findings: Any) -> pl.DataFrame:
        """The table of these findings."""
        frame: pl.DataFrame = getattr(findings, self.attribute)
        return frame


class Kind(Generic[F]):
    """How results of one kind are read, written and described as a document, which renderers show.

    Most kinds only name their findings, the tables next to them and the module of the report.
    """

    name: ClassVar[str | None]
    """In manifests."""
    label: ClassVar[str]
    """What the pages over a folder call it."""
    file: ClassVar[str]
    """The file of findings in a results folder."""
    findings: ClassVar[type[Any]]
    stored: ClassVar[Sequence[StoredFrame]] = ()
    main: ClassVar[str]
    """The table that has a row for everything measured."""
    unfinished: ClassVar[str]
    """What is said of a folder whose work was stopped."""
    report: ClassVar[str]
    """The module of `heldout.reports` that makes the document, the tables and the figures of findings."""

    @property
    def files(self) -> tuple[str, ...]:
        """The files of a results folder that hold what was found."""
        return self.file, *(f"{frame.file}.parquet" for frame in self.stored)

    def read(self, folder: str | Path) -> Results[F]:
        """The results that are stored in a folder of this kind; ResultsError if the work was stopped."""
        manifest, content = self.read_sealed(folder)
        try:
            findings = self.decode(content, Ledger(folder), manifest)
        except (KeyError, ValueError, TypeError, AttributeError) as error:
            raise other_version(Path(folder) / self.file, error) from None
        return Results(findings=findings, manifest=manifest, folder=Path(folder))

    def read_sealed(self, folder: str | Path) -> tuple[dict[str, Any], dict[str, Any]]:
        """The manifest of a folder and the content of the file of findings."""
        manifest, why = read_manifest(folder), f"{self.file} is of an earlier one"
        try:
            content, key = read_sealed(Path(folder) / self.file)
        except FileNotFoundError:
            content, key, why = {}, "", f"{self.file} is missing"
        if not manifest.get("complete", True) or key != parts_key(manifest):
            hint = "run the same command again: it goes on where it stopped"
            raise ResultsError(f"{self.unfinished} ({why})", where=str(folder), hint=hint)
        return manifest, content

    def write(self, results: Results[F], folder: str | Path) -> None:
        """Write findings, tables and the page into a folder; costly parts that nobody has read are computed now.

        The manifest of a new folder says that it is complete once everything else is there.
        """
        ledger, manifest, key = Ledger(folder), results.manifest, parts_key(results.manifest)
        with ledger.writing():
            new = ledger.is_new_for(manifest)
            if new:
                ledger.write_manifest({**manifest, "complete": False})
            self.write_tables(results, ledger, key)
            content = json.dumps(self.encode(results.findings), ensure_ascii=False, allow_nan=False)
            ledger.save_text(self.file, sealed(content, key))
            ledger.save_text(REPORT, self.html(results))
            if new:
                ledger.write_manifest(manifest)

    def write_tables(self, results: Results[F], ledger: Ledger, key: str) -> None:
        """Write the tables next to the findings."""
        for frame in self.stored:
            ledger.save_table(f"{frame.file}.parquet", frame.frame(results.findings), key)

    def encode(self, findings: F) -> Any:
        """Findings as plain JSON values, their costly parts too."""
        return to_plain(findings)

    def decode(self, content: Any, ledger: Ledger, manifest: Mapping[str, Any]) -> F:
        """Findings from plain JSON values and from other files of their folder."""
        findings: F = from_plain(self.findings, content)
        return findings

    def title(self, results: Results[F]) -> str:
        """Title of the study, or of the data."""
        return str(results.manifest.get("title", ""))

    def verdict(self, results: Results[F]) -> str:
        """The answer in a sentence or two."""
        raise NotImplementedError

    def sentences(self, results: Results[F]) -> list[str]:
        """The answer and everything else that is said in sentences."""
        return [self.verdict(results)]

    def notices(self, results: Results[F]) -> list[str]:
        """Coded warnings about method."""
        return []

    def left_out(self, results: Results[F]) -> list[str]:
        """What does not apply somewhere, with the reason."""
        return list(results.manifest.get("left_out", ()))

    def frames(self, results: Results[F]) -> Frames:
        """Tables that the page does not show whole."""
        return {frame.name: (frame.title, partial(frame.frame, results.findings)) for frame in self.stored}

    def systems(self, results: Results[F]) -> Sequence[str]:
        """The systems of a study that judged runs from elsewhere; a study that fitted its own names them itself."""
        return ()

    def protocol(self, results: Results[F]) -> ProtocolFacts | None:
        """The protocol of the study that the manifest keeps, explained but not linted; None if it keeps no study."""
        from heldout.analysis.choices import protocol_facts
        from heldout.study.record import recorded_study

        if "study" not in results.manifest:
            return None
        study = recorded_study(results.manifest, self.systems(results))
        findings: Any = results.findings
        return protocol_facts(study, results.manifest, findings.profiles)

    def review(self, results: Results[F]) -> Review | None:
        """What lint finds in the protocol; None if the manifest keeps no study."""
        from heldout.review.study_under_review import protocol_review

        return protocol_review(results.manifest, results.title, self.systems(results))

    def document(self, results: Results[F], *, reviewed: bool = True) -> Document:
        """Everything that a report shows; `reviewed` adds what lint finds in the protocol."""
        document: Document = import_module(self.report).document(
            results.findings,
            title=results.title,
            facts=self.protocol(results),
            review=self.review(results) if reviewed else None,
        )
        return document

    def tables(self, results: Results[F]) -> Sequence[Callable[[], Builders]]:
        """Tables by name, those that need costly parts of the findings in a later mapping."""
        from heldout.reports import protocol

        return partial(import_module(self.report).tables, results.findings), lambda: protocol.tables(self.protocol(results))

    def charts(self, results: Results[F]) -> Charts:
        """Figures by name: functions of their options, which give None if the results lack the figure."""
        charts: Charts = import_module(self.report).charts(results.findings)
        return charts

    def data_sets(self, results: Results[F]) -> Sequence[DataSteps]:
        """The profiles of the data sets, which have figures of their own; computed if nobody read them before."""
        findings: Any = results.findings
        data_sets: Sequence[DataSteps] = findings.profiles.value
        return data_sets

    def all_charts(self, results: Results[F], name: str = "") -> Charts:
        """All figures by name; those of the data are left out if another one has the name that is asked for."""
        from heldout.reports.charts import data

        charts = self.charts(results)
        return charts if name in charts else {**charts, **data.charts(self.data_sets(results))}

    def chart(self, results: Results[F], name: str, **options: Any) -> Chart:
        """The figure of a name, however it is spelt."""
        wanted = self.figure_name(results, name)
        given = {option: value for option, value in options.items() if value is not None}
        for option in given:
            if option not in self.figure_options(results, wanted):
                raise SpecError(f'the figure "{wanted}" has no option {option}', where="figure", hint="leave it out")
        chart = self.all_charts(results, wanted)[wanted](**given)
        if chart is None:
            raise self._unknown_figure(results, name)
        return chart

    def figure_titles(self, results: Results[F]) -> dict[str, str]:
        """Name → title of each figure that these results have."""
        charts = {name: function() for name, function in self.all_charts(results).items()}
        return {name: chart.title for name, chart in charts.items() if chart is not None}

    def figure_options(self, results: Results[F], name: str) -> list[str]:
        """The options of a figure."""
        return list(signature(self.all_charts(results, name)[name]).parameters)

    def figure_name(self, results: Results[F], name: str) -> str:
        """The name of a figure however it is spelt; UnknownNameError if there is none."""
        wanted = name.replace("_", "-")
        if wanted not in self.all_charts(results, wanted):
            raise self._unknown_figure(results, name)
        return wanted

    def _unknown_figure(self, results: Results[F], name: str) -> UnknownNameError:
        return UnknownNameError("figure", name, list(self.figure_titles(results)), where="figure", listed=True)

    def html(self, results: Results[F]) -> str:
        """The report as one self-contained page."""
        from heldout.reports.render import html

        return html.page(self.document(results))

    def fragment(self, results: Results[F]) -> str:
        """The report as a notebook shows it, without script."""
        from heldout.reports.render import html

        return str(html.fragment(self.document(results, reviewed=False)))

    def terminal(self, results: Results[F], width: int | None = None, *, full: bool = False) -> Group:
        """The report for a terminal, of its width if none is given."""
        from heldout.reports.render import terminal

        return terminal.document(self.document(results, reviewed=False), full=full, width=width)

    def markdown(self, results: Results[F]) -> str:
        """The report as Markdown."""
        from heldout.reports.render import markdown

        return markdown.document(self.document(results))

    def per_user(self, results: Results[F]) -> pl.DataFrame:
        """Values of users; ResultsError if there are none."""
        raise ResultsError("these results have no values per user", hint="results of a run or an evaluation have them")

    def at(self, findings: F, setting: int) -> F:
        """Findings that begin with another setting."""
        raise no_settings()
