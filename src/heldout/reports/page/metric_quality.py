"""Metrics on trial as one HTML file: which can be trusted, every figure, and the drawings; no script, no request."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from heldout.metric_quality.findings import MetricFindings, MetricRow, SweepPoint, unbeaten
from heldout.reports.metric_quality_figures import figures, rule_words
from heldout.reports.metric_quality_views import (
    AGREEMENT_FORMS,
    FRONT,
    NOT_TRUSTED,
    MetricTrialReport,
    at_depth,
    best_of_each,
    depth_words,
    depths,
    depths_agreement,
    main_depth,
    matrix_title,
    metrics_agreement,
    names,
    of_name,
    sizes_words,
    sweep_by_metric,
)
from heldout.reports.page import protocol
from heldout.reports.page.markup import FEW_ROWS, NOTEBOOK_STYLE, Cell, cell, el, join, rows, table
from heldout.reports.page.metric_quality_svg import (
    colour,
    front_chart,
    heat_map,
    power_chart,
    reliability_chart,
    swap_chart,
    sweep_chart,
)
from heldout.reports.page.static import static_page, text_section
from heldout.review.reviewed_protocol import ReviewedProtocol
from heldout.words import ABSENT, counted, number, percent

SECTIONS = (
    ("answer", "The answer"),
    ("figures", "All figures"),
    ("missing", "Missing ratings"),
    ("popularity", "Popular items"),
    ("power", "Power"),
    ("between-metrics", "Between metrics"),
    ("between-depths", "Between depths"),
    ("swaps", "Swaps"),
    ("reliability", "Reliability"),
    ("unknown", "What is not known"),
    ("definitions", "Definitions"),
)
CITED = ("valcarce2018", "sakai2006", "lu2016", "kendall1945", "yilmaz2008", "webber2010")
"""Whose ways to judge metrics, and whose correlations, these are."""
BRIEF = ("rank", "dp", "mean_p", "missing_tau", "missing_low", "popularity_tau", "swap_rate", "reliability")
"""Figures of the short table below the answer."""

Chart = Callable[[Sequence[MetricRow], str], Markup]
"""Draws some metrics under a title."""


def to_html(report: MetricTrialReport, reviewed: ReviewedProtocol | None = None) -> str:
    """The whole page; the same report gives the same bytes. `reviewed` is the protocol of the trial, explained."""
    parts = [_Sections(trial=trial, label=label, at=k).all() for k, (label, trial) in enumerate(report.labelled)]
    others = [(f"answer-{k + 1}", label) for k, label in enumerate(report.labels) if k]
    return static_page(
        join(*parts, _definitions(report.trials[0]), protocol.reviewed(reviewed, CITED)),
        title=report.title,
        eyebrow="Heldout: metrics on trial",
        meta=sizes_words(report.trials[0]),
        sections=[*SECTIONS, *others, *protocol.REVIEWED],
        style="metric_quality",
        beside="All figures stand in meta.json and in the tables beside it.",
    )


def html_fragment(report: MetricTrialReport) -> str:
    """The answer for notebooks: a sentence and the short table of each protocol, no style but its own."""
    parts = []
    for label, trial in report.labelled:
        parts += [el("p", el("strong", f"{label}: " if label else "", trial.sentence)), _short_table(trial)]
    return el("div", NOTEBOOK_STYLE, *parts, cls="heldout")


@dataclass(frozen=True, kw_only=True)
class _Sections:
    """The sections of one trial; ids of a second are numbered, and its heads say which protocol it is of."""

    trial: MetricFindings
    label: str
    at: int

    def all(self) -> Markup:
        """All that the trial has."""
        trial = self.trial
        missing, popularity = sweep_by_metric(trial.missing), sweep_by_metric(trial.popularity)
        return join(
            self._answer(),
            self._figures(),
            self._sweep("missing", "When test ratings are missing", missing, "test ratings kept", _MISSING),
            self._sweep("popularity", "Without the most popular items", popularity, "items kept, least popular", _POPULAR),
            self._charts("power", "How many systems are told apart", self._power, _POWER),
            self._between_metrics(),
            self._between_depths(),
            self._section("swaps", "Would other users say the same?", self._swaps()),
            self._section("reliability", "How much of it is the systems?", self._reliability()),
            text_section(
                self._key("unknown"), self._head("What is not known"), [*trial.limits, *trial.left_out, NOT_TRUSTED]
            ),
        )

    def _key(self, key: str) -> str:
        return f"{key}-{self.at + 1}" if self.at else key

    def _head(self, head: str) -> str:
        return f"{head}\u00a0· {self.label}" if self.label else head

    def _section(self, key: str, head: str, parts: Sequence[Markup]) -> Markup:
        return el("section", el("h2", self._head(head)), *parts, id=self._key(key)) if any(parts) else Markup()

    def _answer(self) -> Markup:
        trial = self.trial
        stages = [el("div", el("dt", stage), el("dd", text)) for stage, text in trial.protocol.items() if text != "none"]
        drawn = front_chart(trial)
        keys = [el("span", el("i", cls=colour(trial, name)), name, cls="key") for name in names(trial)]
        note = (
            "Each point is a metric at one depth, and a line joins the depths of a metric. Large: no other metric "
            "is better in both power and robustness. Named are these, and each metric at its best depth, as in the table."
        )
        figure = _wide("front", drawn, note, el("p", *keys, cls="legend"))
        rule = f"Ranked by {rule_words(trial.rule)}."
        parts = [el("p", trial.sentence, cls="sentence")]
        parts += [figure, el("h3", "Each metric at its best depth"), _short_table(trial), el("p", rule, cls="note")]
        return self._section("answer", "Which metric can be trusted?", [*parts, el("dl", *stages, cls="protocol")])

    def _figures(self) -> Markup:
        trial = self.trial
        shown, best = figures(trial), unbeaten(trial.rows, FRONT)
        heads = [cell("Metric"), *(cell(figure.head, "num", figure.meaning) for figure in shown)]
        body: list[list[Cell]] = [
            [cell(row.metric, "name"), *(cell(figure.text(row), "num", figure.exact(row)) for figure in shown)]
            for row in trial.rows
        ]
        classes = ["unbeaten" if row.metric in best else "" for row in trial.rows]
        note = f"Ranked by {rule_words(trial.rule)}. Bold: no other metric beats it in both power and robustness."
        return self._section(
            "figures",
            "All figures",
            [
                table(heads, rows(body, classes), caption="Metrics with all figures", name="metrics", most=FEW_ROWS),
                el("p", note, cls="note"),
            ],
        )

    def _sweep(self, key: str, head: str, sweeps: Mapping[str, Sequence[SweepPoint]], kept: str, note: str) -> Markup:
        def chart(of: Sequence[MetricRow], title: str) -> Markup:
            return sweep_chart(self.trial, of, sweeps, kept=kept, title=title)

        return self._charts(key, head, chart, note)

    def _power(self, of: Sequence[MetricRow], title: str) -> Markup:
        return power_chart(self.trial, of, title=title)

    def _charts(self, key: str, head: str, chart: Chart, note: str) -> Markup:
        """All metrics at one depth, each metric at all depths, and all metrics at every other depth."""
        trial, main = self.trial, main_depth(self.trial)
        drawn = chart(at_depth(trial, main), f"{head}: metrics {depth_words(main)}")
        if not drawn:
            return Markup()
        figure = _wide(key, drawn, f"All metrics {depth_words(main)}. {note}")
        several = [name for name in names(trial) if len(of_name(trial, name)) > 1]
        panels = [_panel(key, name, chart(of_name(trial, name), f"{head}: {name} at all depths")) for name in several]
        others = [depth for depth in depths(trial) if depth != main]
        more = [_panel(key, f"All metrics {depth_words(d)}", chart(at_depth(trial, d), f"{head}: {d}")) for d in others]
        parts = [figure]
        if any(panels):
            parts += [
                el("h3", "Each metric at all its depths, the fuller the colour the deeper"),
                el("div", *panels, cls="panels"),
            ]
        if any(more):
            parts.append(el("details", el("summary", el("b", "Metrics at other depths")), *more))
        return self._section(key, head, parts)

    def _between_metrics(self) -> Markup:
        trial, title = self.trial, matrix_title(main_depth(self.trial))
        parts = []
        for matrix in trial.between_metrics:
            if matrix.title == title:
                maps = [
                    _panel(
                        name,
                        f"{words}, metrics {matrix.title}",
                        heat_map(matrix, values(matrix), title=words, tree=name == "agreement"),
                    )
                    for name, (words, values) in AGREEMENT_FORMS.items()
                ]
                parts.append(el("div", *maps, cls="heats"))
        others = [matrix for matrix in trial.between_metrics if matrix.title != title]
        if others:
            maps = [_panel("agreement", f"Kendall τ, {m.title}", heat_map(m, m.tau, title=f"τ {m.title}")) for m in others]
            inside = el("div", *maps, cls="heats")
            parts.append(el("details", el("summary", el("b", "Metrics at other depths")), inside))
        if parts:
            sentences = [el("p", sentence) for sentence in metrics_agreement(trial)]
            parts = [*sentences, *parts, el("p", _HEAT, cls="note")]
        return self._section("between-metrics", "Which metrics say the same?", parts)

    def _between_depths(self) -> Markup:
        maps = [
            _panel("depths", m.title, heat_map(m, m.tau, title=f"τ between depths of {m.title}"))
            for m in self.trial.between_depths
        ]
        sentences = [el("p", sentence) for sentence in depths_agreement(self.trial)]
        parts = [*sentences, el("div", *maps, cls="panels maps"), el("p", _DEPTHS, cls="note")] if maps else []
        return self._section("between-depths", "Do depths say the same?", parts)

    def _swaps(self) -> list[Markup]:
        trial, main = self.trial, main_depth(self.trial)
        rates = {(swap.metric, swap.users): swap for swap in trial.swaps}
        of = at_depth(trial, main)
        sizes = sorted({swap.users for swap in trial.swaps})
        if not rates:
            return []
        needed = {figure.key: figure for figure in figures(trial)}.get("swap_users")
        heads = [cell("Metric"), *(cell(counted(n, "user"), "num") for n in sizes)]
        heads += [cell(needed.head, "num", needed.meaning)] if needed else []
        body = []
        for row in of:
            cells = [(rates[row.metric, n].rate if (row.metric, n) in rates else None) for n in sizes]
            line = [cell(row.metric, "name"), *(cell(percent(rate), "num") for rate in cells)]
            body.append(line + ([cell(needed.text(row), "num")] if needed else []))
        title = f"Swap rates by the size of the difference, metrics {depth_words(main)}"
        figure = _wide("swaps", swap_chart(trial, of, title=title), f"{title}. {_SWAPS}")
        return [table(heads, rows(body), caption=f"Swap rates, metrics {depth_words(main)}", name="swaps"), figure]

    def _reliability(self) -> list[Markup]:
        trial, main = self.trial, main_depth(self.trial)
        of = at_depth(trial, main)
        components = {row.metric: row for row in trial.reliability}
        heads = [cell("Metric"), *(cell(words, "num") for words in ("Systems", "Users", "Rest")), cell("Shares")]
        heads += [cell("Eρ²", "num"), cell("Φ", "num")]
        body = []
        for row in of:
            part = components[row.metric]
            shares = (part.of_systems, part.of_users, part.of_rest)
            line = [cell(row.metric, "name"), *(cell(percent(share), "num") for share in shares), cell(_stacked(shares))]
            body.append([*line, cell(number(part.relative, 4), "num"), cell(number(part.absolute, 4), "num")])
        drawn = reliability_chart(trial, of, title=f"Eρ² by number of users, metrics {depth_words(main)}")
        figure = _wide("reliability", drawn, _RELIABILITY)
        parts = [("of-systems", "systems"), ("of-users", "users"), ("of-rest", "what is left")]
        legend = el("p", *(el("span", el("i", cls=cls), words, cls="key") for cls, words in parts), cls="legend")
        return [legend, table(heads, rows(body), caption="Variance components", name="variance"), figure]


def _wide(name: str, drawn: Markup, caption: str, legend: Markup | str = "") -> Markup:
    """A drawing as wide as the page; `name` is that of the figure."""
    return el("figure", drawn, legend, el("figcaption", caption), data_figure=name) if drawn else Markup()


def _panel(name: str, words: str, drawn: Markup) -> Markup:
    return el("figure", el("figcaption", words), drawn, data_figure=name) if drawn else Markup()


def _short_table(trial: MetricFindings) -> Markup:
    """Each metric at its best depth, with the figures that matter most."""
    shown = [figure for figure in figures(trial) if figure.key in BRIEF]
    heads = [cell("Metric"), *(cell(figure.head, "num", figure.meaning) for figure in shown)]
    body = [
        [cell(row.metric, "name"), *(cell(figure.text(row), "num", figure.exact(row)) for figure in shown)]
        for row in best_of_each(trial)
    ]
    return table(heads, rows(body), caption="Each metric at its best depth", name="best-depths")


def _stacked(shares: Sequence[float]) -> Markup:
    """One bar of three parts."""
    if any(percent(share) == ABSENT for share in shares):
        return Markup()
    at, parts = 0.0, []
    for share, cls in zip(shares, ("of-systems", "of-users", "of-rest"), strict=True):
        parts.append(el("rect", cls=cls, x=f"{at:.2f}", y="0", width=f"{100 * share:.2f}", height="10"))
        at += 100 * share
    return el("svg", *parts, viewBox="0 0 100 10", cls="shares", preserveAspectRatio="none", aria_hidden="true")


def _definitions(trial: MetricFindings) -> Markup:
    entries = [
        part
        for figure in figures(trial)
        for part in (
            el("dt", figure.head),
            el("dd", f"{figure.meaning}{f' {figure.better.capitalize()} is better.' * bool(figure.better)}"),
        )
    ]
    return el("section", el("h2", "How each figure is defined"), el("dl", *entries, cls="definitions"), id="definitions")


_MISSING = (
    "The order of systems on samples of the test ratings, compared with that on all of them: the mean τ over samples, and "
    "the band that holds 95% of them. Users whose test ratings vanish follow the study's rule of who is tested."
)
_POPULAR = "The order of systems when only test ratings of the least popular items are kept, compared with that on all."
_POWER = "The p-values of all pairs of systems in ascending order: the lower and the longer near 0, the more are told apart."
_HEAT = (
    "The fuller the colour of a cell, the less alike two metrics order the systems. Metrics stand as leaves of the tree, "
    "average linkage on 1 − τ: the further right two branches meet, the less alike they are."
)
_DEPTHS = "The fuller the colour of a cell, the less alike two depths of the metric order the systems."
_SWAPS = "How often two systems that differ on one half of the users differ the other way round on the other half."
_RELIABILITY = (
    "Variance of a metric's values over systems and users: what is due to systems, to users, and what is left, in which the "
    "interaction and the error cannot be told apart. Eρ² grows with the number of users."
)
