"""Every figure that results can be drawn as, by one name for the page, `heldout report --figure` and `results.plot`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from inspect import signature
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from heldout.analysis.explored import Switchboard, explored_settings
from heldout.analysis.findings import Findings
from heldout.analysis.overview import cost_and_quality, trade_offs
from heldout.biases.findings import BiasFindings
from heldout.biases.truth.findings import TruthFindings
from heldout.errors import SpecError, UnknownNameError
from heldout.reports.bias_views import SWEEP_HEADS, expectation_lines, sweeps_drawn
from heldout.reports.diagrams import diagrams
from heldout.reports.picture_views import GROUP_FIGURES, figure_of
from heldout.reports.plots import biases, margins, multiverse, pictures, study, truth
from heldout.reports.plots.critical_difference import critical_difference_plot
from heldout.reports.plots.curves import curve_plot
from heldout.reports.plots.study import drawn_at
from heldout.reports.truth_views import scaled
from heldout.reports.views import margins_drawn
from heldout.universes.findings import MultiverseFindings

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Source = TypeVar("Source")


@dataclass(frozen=True, kw_only=True)
class FigureEntry(Generic[Source]):
    """One figure of results of a kind."""

    name: str
    """In kebab-case. A figure of the page that shows the same bears it as `data-figure`."""
    title: str
    draw: Callable[..., Figure]
    """Draws it from what results of the kind are made of; its other parameters are the figure's options."""
    applies: Callable[[Source], bool] = lambda _: True
    """Whether these results can be drawn so, told without drawing."""


def available(entries: Sequence[FigureEntry[Source]], source: Source) -> list[FigureEntry[Source]]:
    """The figures that these results have."""
    return [entry for entry in entries if entry.applies(source)]


def draw_figure(
    entries: Sequence[FigureEntry[Source]], source: Source, name: str, *, width: float | None = None, **options: Any
) -> Figure:
    """Draw the figure of a name; `width` is in inches, and options that are None are left out."""
    by_name = {entry.name: entry for entry in entries}
    entry = by_name.get(name.replace("_", "-"))
    if entry is None:
        names = [entry.name for entry in available(entries, source)]
        raise UnknownNameError("figure", name, names, where="figure", listed=True)
    chosen = {option: value for option, value in options.items() if value is not None}
    for option in chosen:
        if option not in signature(entry.draw).parameters:
            raise SpecError(f'the figure "{entry.name}" has no option {option}', where="figure", hint="leave it out")
    with drawn_at(width):
        return entry.draw(source, **chosen)


def _compared(findings: Findings) -> bool:
    return bool(findings.tests(findings.primary))


def _groups(name: str, title: str) -> FigureEntry[Findings]:
    return FigureEntry(
        name=name,
        title=title,
        draw=lambda findings: pictures.groups_plot(findings, name),
        applies=lambda findings: any(figure_of(groups.by) == name for groups in findings.pictures.groups),
    )


def margin_curve(board: Callable[[Source], Switchboard]) -> FigureEntry[Source]:
    """All settings or universes by the margin of the leader; `board` takes them from results."""
    return FigureEntry(
        name="margin-curve",
        title="All settings or universes, by the margin of the leader",
        draw=lambda source: margins.margin_curve_plot(board(source)),
        applies=lambda source: board(source).has_curve,
    )


STUDY: tuple[FigureEntry[Findings], ...] = (
    FigureEntry(name="leaderboard", title="Value and interval of each system", draw=study.leaderboard_plot),
    FigureEntry(
        name="differences", title="The leader against each other system", draw=study.difference_plot, applies=_compared
    ),
    FigureEntry(
        name="margins",
        title="The leader's margin over its strongest rival in each setting",
        draw=margins.margins_plot,
        applies=lambda findings: margins_drawn(findings),
    ),
    margin_curve(lambda findings: explored_settings(findings, findings.contests)),
    FigureEntry(name="settings", title="Systems by settings, shaded from worst to best", draw=study.settings_plot),
    FigureEntry(
        name="critical-difference",
        title="Systems that tests do not tell apart",
        draw=critical_difference_plot,
        applies=lambda findings: bool(diagrams(findings, findings.primary)),
    ),
    FigureEntry(
        name="curve",
        title="Curves of metrics that have one",
        draw=curve_plot,
        applies=lambda findings: bool(findings.curves),
    ),
    FigureEntry(
        name="pairwise-matrix",
        title="Difference, effect and adjusted p of all pairs",
        draw=pictures.pairwise_matrix_plot,
        applies=lambda findings: findings.deciding_test(findings.primary) is not None,
    ),
    FigureEntry(
        name="user-differences",
        title="Users who gain and lose by the leader",
        draw=pictures.user_differences_plot,
        applies=lambda findings: findings.pictures.differences is not None,
    ),
    *(_groups(name, title) for name, title in GROUP_FIGURES.items()),
    FigureEntry(
        name="precision-recall",
        title="Precision against recall at each depth",
        draw=pictures.precision_recall_plot,
        applies=lambda findings: bool(findings.pictures.precision_recall),
    ),
    FigureEntry(
        name="roc", title="ROC curves", draw=pictures.roc_plot, applies=lambda findings: bool(findings.pictures.roc)
    ),
    FigureEntry(
        name="accuracy-beyond",
        title="Accuracy against novelty, diversity or coverage",
        draw=pictures.accuracy_beyond_plot,
        applies=lambda findings: bool(trade_offs(findings)),
    ),
    FigureEntry(
        name="recommended-popularity",
        title="Popularity of what is recommended",
        draw=pictures.recommended_popularity_plot,
        applies=lambda findings: findings.pictures.popularity is not None,
    ),
    FigureEntry(
        name="cost-quality",
        title="Accuracy against seconds of fitting and scoring",
        draw=pictures.cost_quality_plot,
        applies=lambda findings: cost_and_quality(findings) is not None,
    ),
)
"""Of a run, an evaluation or a comparison."""

MULTIVERSE: tuple[FigureEntry[MultiverseFindings], ...] = (
    FigureEntry(
        name="speccurve",
        title="Specification curve of two systems",
        draw=multiverse.specification_plot,
        applies=lambda findings: any(pair.curve.sizes for pair in findings.pairs),
    ),
    FigureEntry(
        name="map",
        title="Rankings that universes give, near where alike",
        draw=multiverse.map_plot,
        applies=lambda findings: len(findings.agreement.points) > 1 and len(findings.systems) > 2,
    ),
)


def _sweep(sweep: str) -> FigureEntry[BiasFindings]:
    def draw(findings: BiasFindings, protocol: str | None = None) -> Figure:
        return biases.sweep_plot(findings, sweep, protocol)

    def applies(findings: BiasFindings) -> bool:
        return any(name == sweep for name, _ in sweeps_drawn(findings))

    return FigureEntry(name=sweep, title=SWEEP_HEADS[sweep][0], draw=draw, applies=applies)


BIASES: tuple[FigureEntry[BiasFindings], ...] = (
    FigureEntry(name="protocols", title="Systems under every protocol", draw=biases.protocols_plot),
    FigureEntry(
        name="expected",
        title="Measured precision against what was expected",
        draw=biases.expected_plot,
        applies=lambda findings: bool(expectation_lines(findings)),
    ),
    *map(_sweep, SWEEP_HEADS),
)

TRUTH: tuple[FigureEntry[TruthFindings], ...] = (
    FigureEntry(name="right", title="How often each protocol was right", draw=truth.right_plot),
    FigureEntry(
        name="bias",
        title="Bias against standard error",
        draw=truth.bias_plot,
        applies=lambda findings: bool(scaled(findings)),
    ),
)
