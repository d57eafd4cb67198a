"""Figures of a trial of metrics for papers, by matplotlib: agreement with its tree, robustness, power, and both together."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from heldout.errors import NotApplicableError, SpecError, UnknownNameError
from heldout.metric_quality.findings import AgreementMatrix, MetricFindings, MetricRow, SweepPoint, unbeaten
from heldout.reports.label_places import label_places
from heldout.reports.metric_quality_views import (
    AGREEMENT_FORMS,
    FRONT,
    at_depth,
    depth_words,
    depths,
    drawn_on_front,
    main_depth,
    matrix_title,
    named_on_front,
    names,
    of_name,
    pairs_words,
    sweep_by_metric,
    undecided_from,
    user_sizes,
)
from heldout.reports.plots.multiverse import PALETTE
from heldout.reports.plots.study import INK, SOFT, labelled, new_figure, titled
from heldout.words import count, number, percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MARKS = "osD^vP*Xph"
"""Beside its colour, each metric has a mark of its own."""


def front_plot(trial: MetricFindings, at: int | str | None = None) -> Figure:
    """Robustness against power, a point for each metric and depth; a ring marks those that no other beats in both.

    These are named, and so is each metric at its best depth.
    """
    rows = drawn_on_front(trial.rows)
    rows = rows if at is None else [row for row in rows if row in _rows(trial, at)]
    if not rows:
        raise NotApplicableError("no metric has both a mean p and a τ with ratings missing", where="figure")
    best = unbeaten(rows, FRONT)
    figure, axes = new_figure(6.4, 4.2)
    for k, name in enumerate(names(trial)):
        of = [row for row in of_name(trial, name) if row in rows]
        if of:
            x, y = [row.mean_p for row in of], [row.missing_tau for row in of]
            axes.plot(x, y, color=_colour(k), linewidth=0.6, alpha=0.5)
            axes.scatter(x, y, s=16, color=_colour(k), marker=MARKS[k % len(MARKS)], alpha=0.8, linewidths=0)
    fronts = [row for row in rows if row.metric in best]
    axes.scatter([r.mean_p for r in fronts], [r.missing_tau for r in fronts], s=60, facecolors="none", edgecolors=INK)
    axes.margins(0.05)
    axes.invert_xaxis()
    labelled(axes, "mean p of all pairs of systems, better to the right")
    axes.set_ylabel("mean τ with test ratings missing")
    axes.grid(visible=True, axis="both")
    titled(axes, "Robustness against power (ringed: unbeaten)")
    _name_points(axes, trial, named_on_front(rows), best)
    return figure


def _name_points(axes: Axes, trial: MetricFindings, rows: Sequence[MetricRow], best: Sequence[str]) -> None:
    """Names in a column at the right, from the highest point down, each joined with its point."""
    low, high = axes.get_ylim()
    below_top = [(high - row.missing_tau) / (high - low) for row in rows]
    for row, below in zip(rows, label_places(below_top, 0.042, 0.0, 1.0), strict=True):
        colour = _colour(names(trial).index(row.name))
        axes.annotate(
            row.metric,
            (row.mean_p, row.missing_tau),
            (1.03, 1 - below),
            textcoords="axes fraction",
            fontsize=7,
            va="center",
            color=INK if row.metric in best else colour,
            weight="bold" if row.metric in best else "normal",
            arrowprops={"arrowstyle": "-", "color": SOFT, "linewidth": 0.4, "alpha": 0.6, "shrinkB": 2},
        )


def missing_plot(trial: MetricFindings, at: int | str | None = None) -> Figure:
    """τ with the whole test set's order against the share of the test ratings that is kept, with a 95 % band."""
    return _sweep_plot(trial, sweep_by_metric(trial.missing), at, "test ratings kept")


def popularity_plot(trial: MetricFindings, at: int | str | None = None) -> Figure:
    """The same when only test ratings of the least popular items are kept."""
    return _sweep_plot(trial, sweep_by_metric(trial.popularity), at, "items kept, the least popular")


def _sweep_plot(
    trial: MetricFindings, sweeps: Mapping[str, Sequence[SweepPoint]], at: int | str | None, kept: str
) -> Figure:
    figure, axes = new_figure(5.8, 3.6)
    for row, style in _styled(trial, at):
        points = sweeps.get(row.metric)
        if not points:  # it never looks at test ratings
            continue
        shares = [point.share for point in points]
        axes.plot(shares, [point.tau for point in points], **style)
        if not isinstance(at, str):  # bands of many depths of one metric hide each other
            low, high = [point.low for point in points], [point.high for point in points]
            axes.fill_between(shares, low, high, color=style["color"], alpha=0.06, linewidth=0)
    from matplotlib.ticker import MaxNLocator

    axes.invert_xaxis()
    axes.xaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10]))
    axes.xaxis.set_major_formatter(lambda share, _: percent(share, 0))
    axes.set_xlabel(kept)
    axes.set_ylabel("Kendall τ with the order on all")
    _finish(axes, trial, at)
    return figure


def power_plot(trial: MetricFindings, at: int | str | None = None) -> Figure:
    """The sorted p-values of all pairs of systems, from the first pair that some metric does not decide."""
    figure, axes = new_figure(5.8, 3.6)
    curves = {power.metric: power.curve for power in trial.power}
    first = undecided_from(trial)
    for row, style in _styled(trial, at):
        drawn = range(first, trial.pairs + 1)
        axes.plot(drawn, curves[row.metric][first - 1 :], **style, markevery=max(1, len(drawn) // 12))
    labelled(axes, pairs_words(trial))
    axes.set_ylabel("p-value")
    _finish(axes, trial, at)
    return figure


def swaps_plot(trial: MetricFindings, at: int | str | None = None) -> Figure:
    """How often two systems swap places on other users, by tenths of the sizes of their differences."""
    bins = {swap.metric: swap.bins for swap in trial.swaps}  # by ascending users: the last is half of them
    if not bins:
        raise NotApplicableError("swap rates were not measured", where="figure")
    figure, axes = new_figure(5.8, 3.6)
    for row, style in _styled(trial, at):
        rates = [rate for _, rate, _ in bins.get(row.metric, ())]
        if rates:
            axes.plot(range(1, len(rates) + 1), rates, **style)
    axes.yaxis.set_major_formatter(lambda share, _: percent(share, 0))
    axes.set_ylabel("swapped on half of the users")
    labelled(axes, "differences between two systems, tenth by tenth")
    _finish(axes, trial, at)
    return figure


def reliability_plot(trial: MetricFindings, at: int | str | None = None) -> Figure:
    """Eρ² as the number of users grows, with a rule at the users at hand."""
    if not trial.reliability:
        raise NotApplicableError("reliability was not measured", where="figure")
    parts = {row.metric: row for row in trial.reliability}
    figure, axes = new_figure(5.8, 3.6)
    sizes = user_sizes(trial)
    for row, style in _styled(trial, at):
        if not math.isnan(row.reliability):
            axes.plot(sizes, [parts[row.metric].with_users(n)[0] for n in sizes], **style, markevery=5)
    axes.axvline(trial.users, color=SOFT, linewidth=1)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(lambda n, _: count(round(n)))
    axes.minorticks_off()
    axes.set_ylabel("Eρ²")
    labelled(axes, f"users (the rule stands at the {count(trial.users)} at hand)")
    _finish(axes, trial, at)
    return figure


def agreement_plot(trial: MetricFindings, at: int | str | None = None, form: str = "agreement") -> Figure:
    """How alike all metrics of one depth order the systems, in the order of the tree, which stands beside Kendall τ."""
    depth = main_depth(trial) if at is None else _depth(trial, at)
    title = matrix_title(depth)
    matrix = next((matrix for matrix in trial.between_metrics if matrix.title == title), None)
    if matrix is None:
        raise NotApplicableError(f"there are not two metrics {title}", where="figure")
    words, values = AGREEMENT_FORMS[form]
    side = 0.42 * len(matrix.labels) + 1.2
    treed = form == "agreement"
    figure, axes = new_figure(side + 1.4 if treed else side, side)
    if treed:
        axes.remove()
        axes, beside = figure.subplots(1, 2, width_ratios=(len(matrix.labels), 2))
        _tree(beside, matrix)
    _heat_map(axes, matrix, values(matrix))
    titled(axes, f"{words} between metrics {depth_words(depth)}")
    return figure


def _tree(axes: Axes, matrix: AgreementMatrix) -> None:
    """The tree of metrics by 1 − τ, its leaves beside the rows of the map."""
    place: dict[int, tuple[float, float]] = {leaf: (0.0, float(y)) for y, leaf in enumerate(matrix.order)}
    for step, (first, second, height, _) in enumerate(matrix.tree):
        (xa, ya), (xb, yb) = place[int(first)], place[int(second)]
        axes.plot([xa, height, height, xb], [ya, ya, yb, yb], color=SOFT, linewidth=0.9)
        place[len(matrix.labels) + step] = (height, (ya + yb) / 2)
    axes.set_ylim(len(matrix.labels) - 0.5, -0.5)
    axes.set_yticks([])
    axes.tick_params(labelsize=7, length=0)
    axes.set_xlabel("1 − τ", fontsize=8)
    axes.spines[:].set_visible(False)
    axes.grid(visible=False)


def depths_plot(trial: MetricFindings, at: int | str | None = None) -> Figure:
    """Kendall τ between the orders of systems by one metric at all its depths."""
    matrices = {matrix.title: matrix for matrix in trial.between_depths}
    if not matrices:
        raise NotApplicableError("no metric has two depths", where="figure")
    name = next(iter(matrices)) if at is None else str(at)
    if name not in matrices:
        raise UnknownNameError("metric of several depths", name, matrices, where="figure")
    side = 0.4 * len(matrices[name].labels) + 0.9
    figure, axes = new_figure(side, side)
    _heat_map(axes, matrices[name], matrices[name].tau)
    titled(axes, f"Kendall τ between depths of {name}")
    return figure


def _heat_map(axes: Axes, matrix: AgreementMatrix, values: Sequence[Sequence[float]]) -> None:
    """Values in the order of the tree."""
    order = matrix.order
    heat(axes, [matrix.labels[k] for k in order], [[values[a][b] for b in order] for a in order])


def heat(axes: Axes, labels: Sequence[str], tau: Sequence[Sequence[float]]) -> None:
    """τ as shades, the darker the less alike, with the numbers written in."""
    from matplotlib.colors import LinearSegmentedColormap

    ramp = LinearSegmentedColormap.from_list("heldout", ["#c2571a", "#eab592", "#ffffff"])
    axes.imshow(tau, cmap=ramp, vmin=0, vmax=1, aspect="auto")
    for y, row in enumerate(tau):
        for x, value in enumerate(row):
            axes.text(x, y, number(value, 2), ha="center", va="center", fontsize=7, color=INK)
    long = max(map(len, labels)) > 5
    axes.set_xticks(range(len(labels)), labels, fontsize=7, rotation=90 if long else 0)
    axes.set_yticks(range(len(labels)), labels, fontsize=7)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.grid(visible=False)


def _depth(trial: MetricFindings, at: int | str) -> int:
    if isinstance(at, str) or at not in depths(trial):
        choices = ", ".join(str(depth) for depth in depths(trial) if depth is not None)
        raise SpecError(f"no metric has the depth {at}", where="figure", hint=f"depths are {choices}")
    return at


def _rows(trial: MetricFindings, at: int | str | None) -> list[MetricRow]:
    """All metrics at a depth, or a metric at all its depths."""
    if at is None:
        return at_depth(trial, main_depth(trial))
    if isinstance(at, str):
        if at not in names(trial):
            raise UnknownNameError("metric of the trial", at, names(trial), where="figure")
        return of_name(trial, at)
    return at_depth(trial, _depth(trial, at))


def _styled(trial: MetricFindings, at: int | str | None) -> list[tuple[MetricRow, dict[str, Any]]]:
    """The rows with the style of their lines: metrics by colour and mark, depths the darker the deeper."""
    rows = _rows(trial, at)
    shade = {row.metric: 0.3 + 0.7 * k / max(1, len(rows) - 1) for k, row in enumerate(rows)}
    styled = []
    for row in rows:
        k = names(trial).index(row.name)
        style: dict[str, Any] = {"color": _colour(k), "linewidth": 1.2, "markersize": 3}
        if isinstance(at, str):
            style |= {"alpha": shade[row.metric], "label": row.metric}
        else:
            style |= {"marker": MARKS[k % len(MARKS)], "label": row.name}
        styled.append((row, style))
    return styled


def _finish(axes: Axes, trial: MetricFindings, at: int | str | None) -> None:
    axes.grid(visible=True, axis="both")
    depth = main_depth(trial) if at is None else at
    titled(axes, f"{at} at all depths" if isinstance(at, str) else f"Metrics {depth_words(depth)}")  # type: ignore[arg-type]
    _legend(axes)


def _legend(axes: Axes) -> None:
    key = axes.legend(frameon=False, fontsize=7, loc="center left")
    key.set_bbox_to_anchor((1.0, 0.5))


def _colour(k: int) -> str:
    return PALETTE[k % len(PALETTE)]
