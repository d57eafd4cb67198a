"""`results.figures`: the figures of results, by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heldout.api.page_view import PageView

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

    from heldout.api.results import Results
    from heldout.reports.document import Chart


class ChartFigure:
    """A figure made from a chart: its specification, and files of it."""

    _chart: Chart

    @property
    def title(self) -> str:
        """What the figure is called."""
        return self._chart.title

    @property
    def caption(self) -> str:
        """What the figure shows, as a text to paste below it."""
        return self._chart.caption

    @property
    def spec(self) -> dict[str, Any]:
        """The figure as a Vega-Lite specification: `altair.Chart.from_dict(figure.spec)` goes on from it."""
        from heldout.reports.render import figures

        return figures.spec_for(self._chart)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        from heldout.reports.render import figures

        return figures.mimebundle(self._chart)

    def save(self, path: str | Path, *, width: float | None = None) -> None:
        """Write the figure to a file (.pdf, .svg, .png), so many inches wide, with fonts that publishers take."""
        from heldout.reports.render import figures

        figures.save(self._chart, path, width=width)


@dataclass(frozen=True, repr=False, eq=False)
class SplitFigure(ChartFigure):
    """A split drawn over time: `save` writes it to a file, `spec` is its Vega-Lite specification."""

    _chart: Chart

    def __repr__(self) -> str:
        return f"figure of {self.title}: .save(path) writes it, .spec is its specification"


@dataclass(frozen=True, repr=False, eq=False)
class Figure(ChartFigure):
    """A figure of results: `save` writes it to a file, `draw` gives it to matplotlib, `interactive` to a notebook."""

    name: str
    _results: Results[Any]
    _options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def options(self) -> list[str]:
        """Names of the options that `results.figure` takes for it."""
        return self._results._kind.figure_options(self._results, self.name)

    def with_options(self, options: Mapping[str, Any]) -> Figure:
        """The same figure drawn with options."""
        return replace(self, _options={**self._options, **options})

    @cached_property
    def _chart(self) -> Chart:  # type: ignore[override]
        return self._results._kind.chart(self._results, self.name, **self._options)  # type: ignore[attr-defined, no-any-return]

    def draw(self, *, width: float | None = None) -> Drawing:
        """The figure by matplotlib; `width` is in inches: 3.4 is one column of a paper of two columns, 7 are both."""
        return self._results._kind.draw(self._results, self.name, width=width, **self._options)

    def save(self, path: str | Path, *, width: float | None = None) -> None:
        """Write the figure to a file (.pdf, .svg, .png), so many inches wide, with fonts that publishers take."""
        from heldout.api.kinds.reported import ReportedKind

        if isinstance(self._results._kind, ReportedKind):
            super().save(path, width=width)
        else:
            from heldout.reports.plots.study import save

            save(self.draw(width=width), path)

    def interactive(self, *, height: int = 460) -> PageView:
        """The figure as the page draws it, for a notebook: it answers to the pointer and to switches."""
        return PageView.of_figure(self._results.to_html(), self.name, height)

    def __repr__(self) -> str:
        return f"figure {self.name}: .save(path), .draw() or .interactive() shows it"


class Figures(Mapping[str, Figure]):
    """Figures by name: `results.figures["speccurve"].save("curve.pdf")`; iterating gives the names there are."""

    def __init__(self, results: Results[Any]) -> None:
        self._results = results

    @property
    def titles(self) -> dict[str, str]:
        """Name → title of each figure that these results have."""
        return self._results._kind.figure_titles(self._results)

    def __getitem__(self, name: str) -> Figure:
        return Figure(self._results._kind.figure_name(self._results, name), self._results)

    def __contains__(self, name: object) -> bool:
        return name in self.titles

    def __iter__(self) -> Iterator[str]:
        return iter(self.titles)

    def __len__(self) -> int:
        return len(self.titles)

    def _ipython_key_completions_(self) -> list[str]:
        return list(self)

    def __repr__(self) -> str:
        return "\n".join(f"{name}: {title}" for name, title in self.titles.items())
