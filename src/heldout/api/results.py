"""Results: what an analysis found, its tables and figures, and where it is stored."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeVar

from heldout.api.figures import Figure, Figures
from heldout.api.tables import Tables
from heldout.errors import ResultsError, SpecError

if TYPE_CHECKING:
    import polars as pl
    from rich.console import Group

    from heldout.api.kinds.kind import Kind
    from heldout.reports.document import Document

F = TypeVar("F")


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Results(Generic[F]):
    """What an analysis found: findings to read, tables and figures by name, and the report, which prints itself.

    Results of every kind have this interface. What only one kind has is on `findings`.
    """

    findings: F
    """The numbers and sentences of the analysis, as one record."""
    manifest: dict[str, Any]
    """What was asked, of which data, and how it ran: versions, seeds, digests, seconds."""
    folder: Path | None = None
    """Where they are stored; None if only in memory."""
    _source: Any = None
    """What the findings were made from, as far as it is in memory; see the kind."""

    @property
    def _kind(self) -> Kind[F]:
        from heldout.api.kinds.kind import kind_of

        return kind_of(self.manifest)

    @property
    def title(self) -> str:
        """Title of the study, or of the data."""
        return self._kind.title(self)

    @property
    def verdict(self) -> str:
        """The answer in a sentence or two."""
        return self._kind.verdict(self)

    @property
    def sentences(self) -> list[str]:
        """The answer and everything else that is said in sentences, the most important first."""
        return self._kind.sentences(self)

    @property
    def notices(self) -> list[str]:
        """Coded warnings about method."""
        return self._kind.notices(self)

    @property
    def failed(self) -> dict[str, str]:
        """Cells of systems that failed, with the reason; such systems are left out of everything else."""
        return dict(self.manifest.get("failed", {}))

    @property
    def left_out(self) -> list[str]:
        """Metrics and options that do not apply somewhere and have no value there, with the reason."""
        return self._kind.left_out(self)

    @cached_property
    def tables(self) -> Tables:
        """Tables by name: `tables["leaderboard"].to_latex()`, `tables["all-comparisons"].frame`; iterating gives names."""
        return Tables(self._kind.tables(self), self._kind.frames(self))

    @property
    def figures(self) -> Figures:
        """Figures by name: `figures["differences"].save("differences.pdf", width=3.4)`; iterating gives names."""
        return Figures(self)

    def figure(self, name: str, **options: Any) -> Figure:
        """The figure of a name with options: `figure("differences", setting=1, test="t").save("differences.pdf")`.

        Options are those that a figure has: `setting` and `test` of a study, `pair` of a specification curve, `protocol` of
        a sweep, `at` and `trial` of metrics.
        """
        kind = self._kind
        known = kind.figure_name(self, name)
        return Figure(known, lambda: kind.chart(self, known, **options))

    @property
    def document(self) -> Document:
        """Everything that the report shows, as plain data."""
        return self._kind.document(self)

    def per_user(self) -> pl.DataFrame:
        """One row per system, protocol, fold and user; ResultsError if these results have no values per user."""
        return self._kind.per_user(self)

    def at(self, setting: int) -> Results[F]:
        """The same results, whose page, tables and figures begin with the setting of this number."""
        return replace(self, findings=self._kind.at(self.findings, setting))

    def save(self, folder: str | Path) -> None:
        """Write findings, tables and report.html into a results folder."""
        self._kind.write(self, folder)

    def to_html(self) -> str:
        """The whole report as one self-contained page."""
        return self._kind.html(self)

    def to_markdown(self) -> str:
        """The report as Markdown."""
        return self._kind.markdown(self)

    def explore(self, *, height: int = 720) -> ReportFrame:
        """The whole report inside a notebook, switches and all, in a frame."""
        return ReportFrame(self.to_html(), height)

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if name not in FORMER_NAMES]

    def __rich__(self) -> Group:
        return self._kind.terminal(self)

    def __repr__(self) -> str:
        from heldout.reports.render.screen import printed

        return printed(self._kind.terminal(self, 100), 100)

    def _repr_html_(self) -> str:
        return self._kind.fragment(self)


class FormerName:
    """A name that results had. Reading it raises an AttributeError that says what to write."""

    def __init__(self, name: str, instead: str) -> None:
        self.name, self.instead = name, instead

    def __get__(self, results: Results[Any] | None, owner: type) -> NoReturn:
        text = f"'Results' has no attribute '{self.name}': write {self.instead}"
        raise AttributeError(text, name=self.name, obj=owner if results is None else results)


_ON_FINDINGS = (
    *("trials", "record", "steps", "last", "columns_read", "skipped", "rows", "curves", "table", "changes", "pairs"),
    *("expected", "sweeps", "agreement", "power", "reliability", "swaps", "labels"),
)
FORMER_NAMES = {
    **{name: f"results.findings, with its field or table {name}" for name in _ON_FINDINGS},
    "facts": "results.findings",
    "leaderboard": 'results.tables["all-leaderboards"].frame',
    "comparisons": 'results.tables["all-comparisons"].frame',
    "universes": 'results.tables["universes"].frame',
    "values": 'results.tables["all-values"].frame',
    "claims": "results.findings.claim_table",
    "data": 'results.tables["ratings"].frame',
    "to_polars": 'results.tables["all-leaderboards"].frame',
    "to_pandas": 'results.tables["all-leaderboards"].frame.to_pandas()',
    "to_csv": 'results.tables["all-leaderboards"].to_csv()',
    "comparisons_to_csv": 'results.tables["all-comparisons"].to_csv()',
    "pairs_to_latex": 'results.to_latex(table="pairs", setting=…)',
    "compare": "ho.compare(results, …)",
    "load": "ho.load(folder)",
    "outcome": "results.manifest and results.per_user()",
    "plot": "results.figures[name]",
    "save_plot": "results.figures[name].save(path)",
    "save_page": "ho.reproduce(…, page=path)",
    "sentence": "results.verdict",
}
"""Name that results had → what to write. They are set here, where type checkers do not see them; `hasattr` is False."""
for _name, _instead in FORMER_NAMES.items():
    setattr(Results, _name, FormerName(_name, _instead))


def require_kind(results: Results[Any], findings: type[F]) -> Results[F]:
    """The same results; ResultsError if their findings are not of this class."""
    if not isinstance(results.findings, findings):
        from heldout.experiment.ledger import kind_words

        words = f"these are the results of {kind_words(results.manifest)}"
        raise ResultsError(words, where=str(results.folder or "results"), hint="ho.load and heldout report show them")
    return results


def no_settings() -> SpecError:
    """The refusal of a setting by results that have none."""
    return SpecError("these results have no settings", where="setting", hint="leave it out")


SANDBOX = "allow-scripts allow-downloads"
"""What the frame may do: run the page's own script and save files. It has no origin, so it cannot reach the notebook."""


@dataclass(frozen=True, repr=False)
class ReportFrame:
    """A page that Jupyter and marimo show in a sandboxed frame; its styles and scripts stay in there."""

    html: str
    """The whole page."""
    height: int = 720
    """Pixels that the frame takes."""

    def _repr_html_(self) -> str:
        from markupsafe import escape

        style = f"width:100%;height:{self.height}px;border:1px solid rgba(127,127,127,.3);border-radius:6px"
        return f'<iframe title="Heldout report" sandbox="{SANDBOX}" style="{style}" srcdoc="{escape(self.html)}"></iframe>'

    def __repr__(self) -> str:
        return f"a page of {len(self.html):,} characters, shown where a notebook shows HTML"
