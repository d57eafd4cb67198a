"""`results.figures`: the figures of results, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from heldout.api.results import Results
    from heldout.reports.document import Chart


@dataclass(frozen=True, repr=False, eq=False)
class Figure:
    """A figure as a Vega-Lite specification: it shows itself in a notebook, and `save` writes it to a file."""

    name: str
    _draw: Callable[[], Chart]

    @cached_property
    def _chart(self) -> Chart:
        return self._draw()

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
        """The Vega-Lite specification; `altair.Chart.from_dict(figure.spec)` continues from it."""
        from heldout.reports.render import figures

        return figures.spec_for(self._chart)

    def save(self, path: str | Path, *, width: float | None = None) -> None:
        """Write the figure to a file (.pdf, .svg, .png), with fonts that publishers accept.

        `width` is in inches: 3.4 is one column of a paper of two columns, 7 are both.
        """
        from heldout.reports.render import figures

        figures.save(self._chart, path, width=width)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        from heldout.reports.render import figures

        return figures.mimebundle(self._chart)

    def __repr__(self) -> str:
        return f"figure {self.name}: {self.title}"


class Figures(Mapping[str, Figure]):
    """Figures by name: `results.figures["speccurve"].save("curve.pdf")`; iterating gives the names there are."""

    def __init__(self, results: Results[Any]) -> None:
        self._results = results

    def options(self, name: str) -> list[str]:
        """Names of the options that `results.figure` takes for a figure."""
        return self._results._kind.figure_options(self._results, name)

    @property
    def titles(self) -> dict[str, str]:
        """Name → title of each figure that these results have."""
        return self._results._kind.figure_titles(self._results)

    def __getitem__(self, name: str) -> Figure:
        return self._results.figure(name)

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
