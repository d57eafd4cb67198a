"""Reports on the quality of metrics: which metric separates the systems, and how far its order of them can be trusted."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Literal

from heldout.analysis.choices import ProtocolFacts
from heldout.errors import SpecError, UnknownNameError
from heldout.metric_quality.findings import (
    KEEPS,
    AgreementMatrix,
    MetaFindings,
    MetricFindings,
    SweepPoint,
    unbeaten,
)
from heldout.metric_quality.sentences import metric_answer, metric_numbers
from heldout.reports import protocol
from heldout.reports.charts import metric_quality as specs
from heldout.reports.columns import Field, meanings
from heldout.reports.document import (
    Block,
    Builders,
    Chart,
    Charts,
    Document,
    Section,
    Table,
    Text,
    paragraphs,
    present,
    section,
    strong,
)
from heldout.reports.metric_quality_tables import (
    BETTER,
    BRIEF,
    FRONT,
    SWAPS,
    SWEEPS,
    TrialTables,
    at_depth,
    quality_fields,
    rule_words,
)
from heldout.review.lint.finding import Review
from heldout.text.numbers import counted, number
from heldout.text.phrases import listed

NOT_TRUSTED = (
    "Figures belong to these systems, these users and this protocol. They show which metric tells these systems apart and "
    "keeps their order, not which metric measures what users want: a metric that always prefers popular items may do both."
)
COEFFICIENTS: dict[str, tuple[str, Callable[[AgreementMatrix], Sequence[Sequence[float]]]]] = {
    "agreement": ("Kendall’s τ", lambda matrix: matrix.tau),
    "agreement-ap": ("τ_AP", lambda matrix: matrix.tau_ap),
    "agreement-overlap": ("Rank-biased overlap", lambda matrix: matrix.overlap),
}
"""Name of a figure → how alike metrics order systems: in words, and the numbers."""
POWER = "p-values of all pairs of systems"
CITED = ("valcarce2018", "sakai2006", "lu2016", "kendall1945", "yilmaz2008", "webber2010")
"""Works on how metrics are judged, and on the correlations."""


def document(
    findings: MetaFindings, *, title: str, facts: ProtocolFacts | None = None, review: Review | None = None
) -> Document:
    """Everything that a report shows, one trial after the other; `facts` and `review` are of the study's protocol."""
    parts = _trials(findings)
    first = parts[0]
    return Document(
        kind="meta",
        title=title,
        facts=tuple(first.sizes.split(", ")),
        answer=_answer(findings),
        numbers=(*(_numbers_words(part) for part in parts), Text(_set_up(findings), note=True)),
        main=_main(parts),
        sections=tuple(section for part in parts for section in _sections(part)),
        notices=protocol.caveats(_once(findings, "limits"), _once(findings, "left_out"), review),
        unchecked=(Text(NOT_TRUSTED),),
        appendix=(*protocol.appendix(facts, cited=CITED, review=review),),
        files="All figures are in meta.json and in the tables next to it.",
        systems=tuple(first.trial.names),
    )


def tables(findings: MetaFindings) -> Builders:
    """The tables by name; those of a second protocol have its label in their names."""
    return {name: table for part in _trials(findings) for name, table in part.tables().items()}


def charts(findings: MetaFindings) -> Charts:
    """The figures by name, as functions of their options.

    `trial` is the number of the protocol. `at` is a depth, or the name of a metric, which is then shown at all its depths.
    """

    def of(name: str) -> Callable[..., Chart | None]:
        def chart(*, at: int | str | None = None, trial: int = 0) -> Chart | None:
            return _chart(_trial(findings, trial), name, at)

        return chart

    return {name: of(name) for name in FIGURES}


def _trials(findings: MetaFindings) -> list[TrialTables]:
    return [
        TrialTables(trial=trial, label=label, first=k == 0)
        for k, (label, trial) in enumerate(zip(findings.labels, findings.trials, strict=True))
    ]


def _answer(findings: MetaFindings) -> str:
    answers = {metric_answer(trial.rows) for trial in findings.trials}
    return answers.pop() if len(answers) == 1 else "Which metrics separate these systems depends on the protocol."


def _main(parts: Sequence[TrialTables]) -> Table:
    """Each metric at its first-ranked depth, of all protocols if there are several."""
    table = parts[0].first_depths()
    if len(parts) == 1:
        return table
    rows = [row for part in parts for row in part.trial.first_depths]
    fields = quality_fields(parts[0].trial, rows, BRIEF)
    sizes = "; ".join(part.of_sizes for part in parts)
    return replace(
        table,
        title="Each metric at its first-ranked depth",
        caption=f"{sizes}. Ranked by {rule_words(parts[0].trial.rule)}. {meanings(fields)} {BETTER}",
        columns=(Field("Protocol", "text", "label").column, table.columns[0], *(field.column for field in fields)),
        rows=tuple((part.label, *row) for part in parts for row in part.first_depths().rows),
        strong=frozenset(),
        marked=frozenset(),
    )


def _trial(findings: MetaFindings, number: int) -> TrialTables:
    parts = _trials(findings)
    if number not in range(len(parts)):
        raise SpecError(f"there is no trial {number}", where="trial", hint=f"it is a number from 0 to {len(parts) - 1}")
    return parts[number]


def _set_up(findings: MetaFindings) -> str:
    """The systems, and the choices that all trials share."""
    first = findings.trials[0]
    shared = {
        stage: option
        for stage, option in first.protocol.items()
        if all(trial.protocol[stage] == option for trial in findings.trials)
    }
    return f"Systems: {', '.join(first.systems)}. {_protocol_words(shared)}"


def _protocol_words(protocol: Mapping[str, str]) -> str:
    return f"Protocol: {'; '.join(f'{stage} {option}' for stage, option in protocol.items() if option != 'none')}."


def _once(findings: MetaFindings, part: Literal["limits", "left_out"]) -> list[str]:
    """Sentences of the trials, with the label of those that it is true of unless it is true of all."""
    labels: dict[str, list[str]] = {}
    for label, trial in zip(findings.labels, findings.trials, strict=True):
        for text in getattr(trial, part):
            labels.setdefault(text, []).append(label)
    every = len(findings.trials)
    return [text if len(own) == every else f"{listed(own)}: {text}" for text, own in labels.items()]


def _numbers_words(part: TrialTables) -> Text:
    parts = metric_numbers(part.trial.rows, part.trial.pairs)
    label = [strong(f"{part.label}: ")] if part.label else []
    return Text(*label, *(strong(part) if k % 2 else part for k, part in enumerate(parts)))


def _chart(part: TrialTables, name: str, at: int | str | None = None) -> Chart | None:
    """The figure of a name; None if the trial lacks what it shows."""
    if at is not None and at not in (part.trial.names if isinstance(at, str) else part.trial.depths):
        raise _unknown_place(part.trial, at)
    chart = FIGURES[name](part, at)
    return None if chart is None else replace(chart, name=name + part.suffix, title=part.title(chart.title))


def _panels(part: TrialTables, at: int | str | None) -> list[specs.Panel]:
    """Metrics at a depth, or a metric at all its depths."""
    if isinstance(at, str):
        return [(row.metric, row) for row in part.trial.of_name(at)]
    rows = part.trial.at_depth(part.trial.main_depth if at is None else at)
    return [(row.name, row) for row in rows]


def _of(part: TrialTables, at: int | str | None) -> str:
    """What a figure shows, in words."""
    return f"{at} at all depths" if isinstance(at, str) else f"metrics {at_depth(at or part.trial.main_depth)}"


def _front(part: TrialTables, at: int | str | None) -> Chart | None:
    trial = part.trial
    places = [row for row in trial.rows if not (math.isnan(row.mean_p) or math.isnan(row.missing_tau))]
    rows = places if at is None else [row for row in places if at in (row.name, row.depth)]
    if not rows:
        return None
    first = {row.name: row.metric for row in reversed(rows)}
    labelled = [row.metric for row in rows if row.metric in {*unbeaten(rows, FRONT), *first.values()}]
    return Chart(
        name="front",
        title="Robustness against power",
        caption="Each point is a metric at one depth: its mean p-value over all pairs of systems ± one standard error "
        "over systems, and its mean Kendall’s τ with the order of systems on all test ratings. Named are each metric at "
        "its first-ranked depth, and metrics that no other one beats in both.",
        draw=partial(specs.front, rows, trial.names, labelled),
        table="metrics" + part.suffix,
    )


def _sweep(part: TrialTables, at: int | str | None, *, sweep: str) -> Chart | None:
    points = _by_metric(part.trial.missing if sweep == "missing" else part.trial.popularity)
    panels = [panel for panel in _panels(part, at) if panel[1].metric in points]
    if not panels:
        return None
    missing = sweep == "missing"
    of = (
        "on random samples of the test ratings and that on all"
        if missing
        else "on the test ratings of the least popular items and that on all"
    )
    more = "mean over samples and the band that holds 95% of them; " if missing else ""
    note = " Users whose test ratings are all missing follow the study's rule on who is tested." if missing else ""
    return Chart(
        name=sweep,
        title=SWEEPS[sweep],
        caption=f"Kendall’s τ between the order of systems {of}, {_of(part, at)}: {more}dashed at τ = {KEEPS}.{note}",
        draw=partial(specs.sweep, panels, points, "Ratings kept" if missing else "Items kept", part.trial.names),
        table=sweep + part.suffix,
    )


def _power(part: TrialTables, at: int | str | None) -> Chart | None:
    powers = {power.metric: power for power in part.trial.power}
    panels = [panel for panel in _panels(part, at) if not math.isnan(panel[1].mean_p)]
    if not panels:
        return None
    return Chart(
        name="power",
        title=POWER,
        caption=f"Each tick is the p-value of one pair of systems, {_of(part, at)}, on a square-root scale. Diamonds are "
        f"their means ± one standard error over systems; dashed at p = {part.trial.level:g}. The further left, the more "
        "pairs the metric tells apart.",
        draw=partial(specs.power, panels, powers, part.trial.level, part.trial.names),
        table="metrics" + part.suffix,
    )


def _agreement(part: TrialTables, at: int | str | None, *, name: str) -> Chart | None:
    if isinstance(at, str):
        raise SpecError(f"agreement between metrics has no option at={at}", where="figure", hint="name a depth")
    depth = part.trial.main_depth if at is None else at
    matrix = part.trial.between_metrics_at(depth)
    if matrix is None:
        return None
    words, values = COEFFICIENTS[name]
    tree = " The tree joins metrics by average linkage on 1 − τ." if name == "agreement" else ""
    return Chart(
        name=name,
        title=f"{words} between metrics {at_depth(depth)}",
        caption=f"{words} between the orders of {counted(len(part.trial.systems), 'system')} by two metrics. The fuller "
        f"the colour, the less they agree.{tree}",
        draw=partial(specs.agreement, matrix, values(matrix), _least(part.trial), tree=name == "agreement"),
        table="agreement" + part.suffix,
        half=name != "agreement",
    )


def _depths(part: TrialTables, at: int | str | None) -> Chart | None:
    if isinstance(at, int):
        raise SpecError(f"agreement between depths has no option at={at}", where="figure", hint="name a metric")
    matrices = [matrix for matrix in part.trial.between_depths if at in (None, matrix.title)]
    if not matrices:
        return None
    return Chart(
        name="depths",
        title="Kendall’s τ between depths of a metric",
        caption="Kendall’s τ between the orders of systems by a metric at two depths. The fuller the "
        "colour, the less they agree.",
        draw=partial(specs.depths, matrices, _least(part.trial)),
        table="depths" + part.suffix,
    )


def _swaps(part: TrialTables, at: int | str | None) -> Chart | None:
    rates = {swap.metric: swap for swap in part.trial.swaps}
    panels = [panel for panel in _panels(part, at) if panel[1].metric in rates]
    if not panels:
        return None
    return Chart(
        name="swaps",
        title="How often two systems swap places on other users",
        caption=f"{SWAPS} {_of(part, at).capitalize()}.",
        draw=partial(specs.swaps, panels, rates),
        table="swap-sizes" + part.suffix,
    )


def _reliability(part: TrialTables, at: int | str | None) -> Chart | None:
    components = {row.metric: row for row in part.trial.reliability}
    panels = [panel for panel in _panels(part, at) if not math.isnan(panel[1].reliability)]
    if not panels or not components:
        return None
    users = part.trial.users
    return Chart(
        name="reliability",
        title="Reliability by number of users",
        caption=f"Relative reliability Eρ² (solid) and absolute reliability Φ (dashed) by number of users, "
        f"{_of(part, at)}; points and dashed rules are at the {counted(users, 'user')} of these results.",
        draw=partial(specs.reliability, panels, components, _user_sizes(users), users, part.trial.names),
        table="variance" + part.suffix,
    )


def _least(trial: MetricFindings) -> float:
    """The lower end of the one scale of shades of all agreement."""
    values = [
        value
        for matrix in (*trial.between_metrics, *trial.between_depths)
        for of in (matrix.tau, matrix.tau_ap, matrix.overlap)
        for row in of
        for value in row
        if not math.isnan(value)
    ]
    return max(0.0, math.floor(10 * min(values)) / 10)


FIGURES: Mapping[str, Callable[[TrialTables, int | str | None], Chart | None]] = {
    "front": _front,
    "missing": partial(_sweep, sweep="missing"),
    "popularity": partial(_sweep, sweep="popularity"),
    "power": _power,
    **{name: partial(_agreement, name=name) for name in COEFFICIENTS},
    "depths": _depths,
    "swaps": _swaps,
    "reliability": _reliability,
}
"""Name of a figure → the function that makes it."""


def _sections(part: TrialTables) -> Iterator[Section]:
    """The evidence of a trial."""
    trial = part.trial
    agreement = paragraphs([*_metrics_words(trial), *_depths_words(trial)])
    alike = [_chart(part, name) for name in (*COEFFICIENTS, "depths")]
    evidence: list[tuple[str, str, Sequence[Block | None]]] = [
        ("power-robustness", "Power and robustness", [_chart(part, "front"), part.first_depths()]),
        ("metrics", "All metrics", [part.metrics()]),
        ("power", POWER, [_chart(part, "power")]),
        *((sweep, title, [_chart(part, sweep), part.sweep(sweep)]) for sweep, title in SWEEPS.items()),
        (
            "agreement",
            "Which metrics and depths order systems alike",
            [agreement, *alike, part.agreement("agreement"), part.agreement("depths")],
        ),
        ("swaps", "Would other users say the same?", [part.swaps(), _chart(part, "swaps"), part.swap_sizes()]),
        ("reliability", "How reliable are the metrics?", [_chart(part, "reliability"), part.variance()]),
    ]
    yield from present(section(key + part.suffix, part.title(title), *blocks) for key, title, blocks in evidence)


def _by_metric(points: Iterable[SweepPoint]) -> dict[str, list[SweepPoint]]:
    """The points of each metric that have a τ, from the whole test set down."""
    by_metric: dict[str, list[SweepPoint]] = {}
    for point in sorted(points, key=lambda point: -point.share):
        if not math.isnan(point.tau):
            by_metric.setdefault(point.metric, []).append(point)
    return by_metric


def _user_sizes(users: int) -> list[int]:
    """From 10 users to four times those of the results, about evenly on a log scale."""
    most = math.log10(max(10, 4 * users))
    return sorted({round(10 ** (1 + (most - 1) * k / 40)) for k in range(41)})


def _unknown_place(trial: MetricFindings, at: int | str) -> Exception:
    if isinstance(at, str):
        return UnknownNameError("metric of the trial", at, trial.names, where="figure")
    choices = ", ".join(str(depth) for depth in trial.depths if depth is not None)
    return SpecError(f"no metric has the depth {at}", where="figure", hint=f"depths are {choices}")


def _metrics_words(trial: MetricFindings) -> list[str]:
    """Which metrics order the systems alike, and which agree least, at the main depth."""
    matrix = trial.between_metrics_at(trial.main_depth)
    if matrix is None:
        return []
    where = "On whole lists" if trial.main_depth is None else f"At {trial.main_depth}"
    groups = [listed(list(group)) for group in matrix.groups()]
    sentences = [f"{where}, {'; '.join(groups)} order the systems alike (mean τ ≥ {KEEPS:g})."] if groups else []
    least = matrix.least_alike
    if least and least[2] < KEEPS:
        sentences.append(f"{where}, {least[0]} and {least[1]} agree least: τ {number(least[2], 2)}.")
    return sentences


def _depths_words(trial: MetricFindings) -> list[str]:
    """Metrics that order the systems alike at every depth, and of each other one the two depths that agree least."""
    least = [(matrix.title, pair) for matrix in trial.between_depths if (pair := matrix.least_alike)]
    same = [name for name, (_, _, tau) in least if math.isclose(tau, 1)]
    lowest = [f"{name} {number(tau, 2)} ({first} and {second})" for name, (first, second, tau) in least if name not in same]
    verb = "orders" if len(same) == 1 else "order"
    return [
        *([f"{listed(same)} {verb} the systems alike at every depth."] if same else []),
        *([f"Lowest τ between two depths: {', '.join(lowest)}."] if lowest else []),
    ]
