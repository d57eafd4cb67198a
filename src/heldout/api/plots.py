"""`results.plot`: the figures of results, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from heldout.api.page_view import PageView

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from heldout.reports.figures import FigureEntry

DataFigure = Literal[
    "data-values",
    "data-popularity",
    "data-ratings-per-user",
    "data-ratings-per-item",
    "data-positive-by-popularity",
    "data-popularity-by-rating",
    "data-activity",
]
"""Of the first data set; of a second, the name ends in -2."""
StudyFigure = Literal[
    "leaderboard",
    "differences",
    "margins",
    "margin-curve",
    "settings",
    "critical-difference",
    "pairwise-matrix",
    "curve",
    "user-differences",
    "user-activity",
    "warm-users",
    "user-columns",
    "item-popularity",
    "item-columns",
    "precision-recall",
    "roc",
    "accuracy-beyond",
    "recommended-popularity",
    "cost-quality",
    DataFigure,
]
MultiverseFigure = Literal["speccurve", "map", "margin-curve", DataFigure]


class Plots:
    """Figures by name: `results.plot("speccurve")` or `results.plot.speccurve()`; iterating gives the names there are.

    `width` is in inches: 3.4 is one column of a paper of two columns, 7 are both.
    """

    def __init__(self, entries: tuple[FigureEntry[Any], ...], source: Any, page: Callable[[], str]) -> None:
        self._entries, self._source, self._page = entries, source, page

    def draw(self, kind: str, *, width: float | None = None, **options: Any) -> Figure:
        """The figure of a name with options of its own; SpecError for those that it does not have."""
        from heldout.reports.figures import draw_figure

        return draw_figure(self._entries, self._source, kind, width=width, **options)

    def interactive(self, kind: str, *, height: int = 460) -> PageView:
        """The figure of a name as the page draws it, for a notebook: it answers to the pointer and to switches."""
        return PageView.of_figure(self._page(), kind, height)

    def save(self, path: str | Path, kind: str, *, width: float | None = None, **options: Any) -> None:
        """Write the figure of a name to a file (.pdf, .svg, .png), with fonts that publishers take."""
        save_figure(self.draw(kind, width=width, **options), path)

    @property
    def titles(self) -> dict[str, str]:
        """Name → title of each figure that these results have."""
        from heldout.reports.figures import available

        return {entry.name: entry.title for entry in available(self._entries, self._source)}

    def __iter__(self) -> Iterator[str]:
        return iter(self.titles)

    def __getattr__(self, name: str) -> Callable[..., Figure]:
        names = [] if name.startswith("_") else [entry.name.replace("-", "_") for entry in self._entries]
        if name in names:
            return partial(self.draw, name)
        near = get_close_matches(name, names, n=1)
        raise AttributeError(f"no figure is called {name}" + (f"; did you mean {near[0]}?" if near else ""))

    def __dir__(self) -> list[str]:
        return sorted([*super().__dir__(), *(name.replace("-", "_") for name in self if "/" not in name)])


def save_figure(figure: Figure, path: str | Path) -> None:
    """Write a figure to a file (.pdf, .svg, .png), with fonts that publishers take."""
    from heldout.reports.plots.study import save

    save(figure, path)


class StudyPlots(Plots):
    """Figures of a run, an evaluation or a comparison."""

    def __call__(
        self,
        kind: StudyFigure = "leaderboard",
        *,
        setting: int | None = None,
        test: str | None = None,
        width: float | None = None,
    ) -> Figure:
        """The figure of a name as a matplotlib figure.

        `setting` is the number of the setting that is drawn, the primary one if not given; `test` names the test whose
        p-values are drawn ("differences", "critical-difference").
        """
        return self.draw(kind, width=width, setting=setting, test=test)


class MultiversePlots(Plots):
    """Figures of a multiverse."""

    def __call__(
        self, kind: MultiverseFigure = "speccurve", *, pair: int | tuple[str, str] | None = None, width: float | None = None
    ) -> Figure:
        """The figure of a name as a matplotlib figure; `pair` says of which two systems the specification curve is."""
        return self.draw(kind, width=width, pair=pair)


class MetricPlots(Plots):
    """Figures of metrics on trial."""

    def __call__(
        self, kind: str = "front", at: int | str | None = None, *, trial: int = 0, width: float | None = None
    ) -> Figure:
        """The figure of a name as a matplotlib figure.

        `at` is the depth at which metrics are drawn, or the metric that is drawn at all its depths; `trial` is the place of
        the protocol.
        """
        return self.draw(kind, width=width, at=at, trial=trial)

    def draw(self, kind: str, *, width: float | None = None, trial: int = 0, **options: Any) -> Figure:
        """The figure of a name, of the trial at this place."""
        return Plots(self._entries, self._source.trials[trial], self._page).draw(kind, width=width, **options)

    @property
    def titles(self) -> dict[str, str]:
        """Name → title of each figure that the first trial has."""
        return Plots(self._entries, self._source.trials[0], self._page).titles


class BiasPlots(Plots):
    """Figures of a study of biases."""

    def __call__(self, kind: str = "protocols", *, protocol: str | None = None, width: float | None = None) -> Figure:
        """The figure of a name as a matplotlib figure.

        `protocol` is the one that a sweep is drawn of; the first it has, unless named.
        """
        return self.draw(kind, width=width, protocol=protocol)


class TruthPlots(Plots):
    """Figures of protocols held against the truth."""

    def __call__(self, kind: str = "right", *, width: float | None = None) -> Figure:
        """The figure of a name as a matplotlib figure."""
        return self.draw(kind, width=width)


class DataPlots(Plots):
    """Figures of a data profile."""

    def __call__(self, kind: str = "data-popularity", *, width: float | None = None) -> Figure:
        """The figure of a name as a matplotlib figure."""
        return self.draw(kind, width=width)


class PaperPlots(Plots):
    """Figures of papers that were run again, in the paper's form."""

    def __call__(self, kind: str, *, width: float | None = None) -> Figure:
        """A figure as a matplotlib figure: "fig-2", or "canamares-2020/fig-2" where several papers have one."""
        return self.draw(kind, width=width)

    def draw(self, kind: str, *, width: float | None = None, **options: Any) -> Figure:
        """The figure of a name, with the paper before it or without."""
        names = [entry.name for entry in self._entries if kind == entry.name.partition("/")[2]]
        return super().draw(names[0] if len(names) == 1 else kind, width=width, **options)
