"""Biases of a study as a document: what popularity gives to systems, under which protocols, and what moves the values."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from heldout.analysis.choices import ProtocolFacts
from heldout.biases.findings import BiasFindings, CurvePoint, ExpectationRow, Exposure, ProtocolEffect, ProtocolValue
from heldout.biases.protocols import ESTIMANDS, abbreviations, spelt_out
from heldout.biases.sentences import bias_answer
from heldout.errors import UnknownNameError
from heldout.reports import protocol
from heldout.reports.charts import biases as specs
from heldout.reports.columns import Column, Field, fields_of
from heldout.reports.document import (
    Builders,
    Chart,
    Charts,
    Document,
    Table,
    Terms,
    Text,
    drawn,
    paragraphs,
    present,
    section,
)
from heldout.review.lint.finding import Review
from heldout.text.names import short_names
from heldout.text.numbers import counted, digits_for, interval_text, number, percent

CITED = ("bellogin2017", "buckley2004", "yilmaz2006", "steck2011")
"""Works on these protocols, metrics for missing ratings and equations."""
ROLES = {"plain": "Plain", "neutral": "Popularity-neutral", "metric": "A metric for missing ratings"}
SWEEPS = {
    "removed": ("Fewer test ratings", "share of test ratings removed"),
    "lists": ("Longer lists", "items in a list"),
    "classes": ("More popularity classes", "number of popularity classes"),
    "head": ("Without the most popular items", "share of items removed"),
    "uniform": ("Uniform test sets of several sizes", "share of ratings in the test set"),
    "skew": ("Steeper popularity", "skew α of simulated popularity"),
}
"""Sweep → its title, and what its places are."""
SWEEP_NOTES = {
    "removed": "Test ratings are removed at random. Models and tested users stay the same. Precision under AR (all "
    "relevant) falls with the number of known ratings, precision under 1R (one relevant) hardly does.",
    "lists": "1R (one relevant) with more sampled items in each list.",
    "classes": "P1R (one relevant, within popularity percentiles) with classes of equal size. One class is 1R. The more "
    "classes, the less popularity can distinguish items.",
    "head": "The most popular items are removed from the test set and stay in training.",
    "uniform": "Every test item has equally many test ratings. Each share is a separate split with separate models.",
    "skew": "Simulated data of the same size in which users have no taste: only popularity changes with α.",
}
SHARED = ("removed", "head", "uniform")
"""Sweeps whose places are shares."""
BOUNDED = "Bands are the bounds of equation 2."


@dataclass(frozen=True, kw_only=True)
class ProtocolLine:
    """One protocol in the table of protocols."""

    effect: ProtocolEffect
    values: dict[str, ProtocolValue]
    """System → its value by the protocol's metric."""
    popularity: float
    """Popularity's precision divided by that of a random ranking; NaN if it was not measured."""

    @property
    def digits(self) -> int:
        """Decimals for its values."""
        return digits_for([row.value for row in self.values.values()])


def document(
    findings: BiasFindings, *, title: str, facts: ProtocolFacts | None = None, review: Review | None = None
) -> Document:
    """Everything that a report shows; `facts` and `review` are of the study's protocol."""
    figures, main = charts(findings), protocols(findings)
    untimed = Text("The data have no times, so drift over time is unknown.", note=True)
    sections = (
        section(
            "protocols",
            "Systems under each protocol",
            main,
            *drawn(figures, "protocols"),
            paragraphs(findings.sentences[2:]),
            _changes(findings),
        ),
        section("pairs", "Pairs of systems", _differences(findings)),
        section(
            "expected",
            f"Expected {findings.precision}",
            *drawn(figures, "expected"),
            _expected(findings),
            _expected_of_systems(findings),
        ),
        section("sweeps", "What changes the values", *drawn(figures, *SWEEPS), _sweeps(findings)),
        section(
            "drift",
            "Time and exposure",
            _popularity(findings),
            _drift(findings),
            None if findings.drift.timed else untimed,
        ),
    )
    own = section("protocol-definitions", "Protocols", _definitions(findings), summary="definitions")
    return Document(
        kind="bias",
        title=title,
        facts=_sizes(findings),
        answer=bias_answer(findings),
        numbers=tuple(protocol.emphasised(sentence) for sentence in findings.sentences[:2]),
        main=main,
        sections=present(sections),
        notices=protocol.caveats(findings.limits, findings.left_out, review),
        appendix=(*present([own]), *protocol.appendix(facts, cited=CITED, review=review)),
        files="All numbers are in bias.json and in the Parquet tables next to it.",
        systems=findings.systems,
    )


def tables(findings: BiasFindings) -> Builders:
    """Tables by name."""
    return {
        "protocols": partial(protocols, findings),
        "changes": partial(_changes, findings),
        "differences": partial(_differences, findings),
        "expected": partial(_expected, findings),
        "expected-of-systems": partial(_expected_of_systems, findings),
        "popularity": partial(_popularity, findings),
        "drift": partial(_drift, findings),
        "sweeps": partial(_sweeps, findings),
    }


def charts(findings: BiasFindings) -> Charts:
    """Figures by name; those of sweeps have the option `protocol`."""
    return {
        "protocols": partial(_protocols_chart, findings),
        "expected": partial(_expected_chart, findings),
        **{name: partial(_sweep_chart, findings, name) for name in SWEEPS},
    }


def _sizes(findings: BiasFindings) -> tuple[str, ...]:
    protocols = len({effect.protocol for effect in findings.effects.protocols})
    sizes = [counted(len(findings.systems), "system"), counted(findings.users, "user")]
    folds = [counted(findings.folds, "fold")] if findings.folds > 1 else []
    return (*sizes, *folds, counted(protocols, "protocol"))


def protocol_lines(findings: BiasFindings) -> list[ProtocolLine]:
    """A line for each protocol by the study's metric, or by the metric that belongs to the protocol."""
    values: dict[tuple[str, str], dict[str, ProtocolValue]] = {}
    for row in findings.effects.values:
        values.setdefault((row.protocol, row.metric), {})[row.system] = row
    name = findings.baselines["Popularity"]
    lines = []
    for effect in findings.effects.protocols:
        if effect.role != "metric" and effect.metric != findings.metric:
            continue
        precise = values.get((effect.protocol, findings.precision), {}).get(name)
        lines.append(
            ProtocolLine(
                effect=effect,
                values=values[effect.protocol, effect.metric],
                popularity=precise.times_random if precise is not None else math.nan,
            )
        )
    return lines


def significant_leader(findings: BiasFindings, line: ProtocolLine) -> str:
    """The first system under a protocol if it differs significantly from all others; else nothing."""
    leader = min(line.values.values(), key=lambda row: row.place).system
    pairs = [
        pair
        for pair in findings.effects.pairs
        if (pair.protocol, pair.metric) == (line.effect.protocol, line.effect.metric) and leader in (pair.a, pair.b)
    ]
    return leader if len(pairs) == len(line.values) - 1 and all(pair.significant for pair in pairs) else ""


def _stand_for(protocols: Sequence[str]) -> str:
    """AR: all relevant; 1R: one relevant."""
    words = "; ".join(f"{name}: {meaning}" for name, meaning in abbreviations(dict.fromkeys(protocols)).items())
    return f"{words}." if words else ""


def protocols(findings: BiasFindings) -> Table:
    """Every system under every protocol."""
    lines = protocol_lines(findings)
    digits = [line.digits for line in lines]
    order = f"with the order of systems under {findings.effects.reference}"
    ratio = f"{findings.precision} of Popularity divided by that of a random ranking"

    def value(line: ProtocolLine, system: str) -> float | None:
        return line.values[system].value if system in line.values else None

    leaders = [significant_leader(findings, line) for line in lines]
    has_own = any(line.effect.role == "metric" for line in lines)
    metric = f"{findings.metric}, or the metric that a protocol is named after" if has_own else findings.metric
    return Table.of_records(
        lines,
        (
            Field("Protocol", "text", lambda line: line.effect.protocol),
            *fields_of(findings.systems, value, digits=digits),
            Field(
                "Popularity ÷ random",
                "value",
                "popularity",
                ratio,
                head="Pop. ratio",
                need=2,
                digits=[0 if line.popularity >= 10 else 1 for line in lines],
            ),
            Field("τ", "value", lambda line: line.effect.tau, order, digits=2, need=1),
        ),
        name="protocols",
        title="Systems under each protocol",
        caption=f"{metric}: means over up to {counted(findings.users, 'user')}. "
        f"{_stand_for([line.effect.protocol for line in lines])} "
        f"Bold: the first system, if it differs significantly from all others (adjusted p < {findings.level:g}). "
        f"Pop. ratio: {ratio}. τ: Kendall's τ-b {order}. Systems: {', '.join(findings.systems)}.",
        strong=frozenset((k, leader) for k, leader in enumerate(leaders) if leader),
        subject="protocols",
    )


def _pairs_text(names: Mapping[str, str], pairs: Sequence[tuple[str, str]], marked: Sequence[tuple[str, str]] = ()) -> str:
    """A over B; C over D*: short names of systems, and a star at marked pairs."""
    return "; ".join(f"{names[a]} over {names[b]}{'*' if (a, b) in marked else ''}" for a, b in pairs) or "none"


def _changes(findings: BiasFindings) -> Table | None:
    reference = findings.effects.reference
    effects = [line.effect for line in protocol_lines(findings) if line.effect.protocol != reference]
    if not effects:
        return None
    names = short_names(findings.systems)
    return Table.of_records(
        effects,
        (
            Field("Protocol", "text", "protocol"),
            Field("τ", "value", "tau", digits=2),
            Field("Pairs that turn round", "text", lambda row: _pairs_text(names, row.reversed, row.overturned), lines=True),
            Field("Pairs that lose significance", "text", lambda row: _pairs_text(names, row.lost), lines=True),
        ),
        name="changes",
        title="What each protocol changes",
        caption=f"Compared with {spelt_out(reference)}, the study's own protocol. Pairs are in the order that they have "
        "there: A over B turns round if B is ahead, * if significantly. A pair loses significance if it is significant "
        f"there (adjusted p < {findings.level:g}) and not here. τ: Kendall's τ-b between both orders of systems.",
        subject="protocols",
        folding=False,
    )


def _differences(findings: BiasFindings) -> Table | None:
    """Differences of every pair under the study's own and the neutral protocols."""
    lines = [line for line in protocol_lines(findings) if line.effect.role != "metric"]
    pairs = {(p.a, p.b, p.protocol): p for p in findings.effects.pairs if p.metric == findings.metric}
    compared = [(a, b) for a, b, protocol in pairs if protocol == findings.effects.reference]
    if not compared:
        return None
    names, rows, marked = short_names(findings.systems), [], set()
    for k, (a, b) in enumerate(compared):
        row: list[Any] = [f"{names[a]} − {names[b]}"]
        for line in lines:
            pair = pairs.get((a, b, line.effect.protocol))
            row.append(pair.difference if pair is not None else None)
            if pair is not None and pair.significant:
                marked.add((k, line.effect.protocol))
        rows.append(row)
    return Table(
        name="differences",
        title="Differences under each protocol",
        caption=f"Difference in {findings.metric} between two systems. Bold: significant (p < {findings.level:g}, adjusted "
        "for all pairs under a protocol). Intervals and p-values are in the table all-pairs.",
        columns=(
            Column(name="Pair", kind="text"),
            *(Column(name=line.effect.protocol, kind="value", digits=line.digits, signed=True) for line in lines),
        ),
        rows=rows,
        strong=frozenset(marked),
        subject="pairs",
    )


def expectation_lines(findings: BiasFindings, systems: Sequence[str]) -> list[ExpectationRow]:
    """What is expected of these systems, each under every protocol in the order of protocols."""
    order = [effect.protocol for effect in findings.effects.protocols]
    rows = [row for row in findings.expectations if row.system in systems]
    return sorted(rows, key=lambda row: (systems.index(row.system), order.index(row.protocol)))


def _baselines(findings: BiasFindings) -> list[str]:
    return [findings.baselines["Random"], findings.baselines["Popularity"]]


def _expected_table(name: str, title: str, caption: str, lines: Sequence[ExpectationRow], systems: Sequence[str]) -> Table:
    digits = [digits_for([row.measured, *([row.expected] if row.formula else [])]) for row in lines]
    value, interval = partial(Field, kind="value", digits=digits), partial(Field, kind="interval", digits=digits)
    fields = (
        Field("Protocol", "text", "protocol"),
        Field("System", "system", "system", names=short_names(systems)),
        value("Closed form, over splits", source=lambda row: row.expected if row.formula else None, head="Closed form"),
        Field("Formula", "text", lambda row: row.formula or None, fold=False),
        interval("Bounds", source=("lower", "upper")),
        value("Given the split", source=lambda row: None if math.isnan(row.exact) else row.exact, head="Given split"),
        value("Measured", source="measured"),
        interval("Interval", source=("low", "high"), head="95% interval"),
    )
    return Table.of_records(lines, fields, name=name, title=title, caption=caption)


def _expected(findings: BiasFindings) -> Table | None:
    lines = expectation_lines(findings, _baselines(findings))
    if not lines:
        return None
    caption = (
        f"{findings.precision} of Random and Popularity. Closed form: the expectation over splits by equations 3 to 5 and "
        "section 6.2 of Bellogín, Castells and Cantador (2017); equation 3 ignores that popular items are more often in "
        "training. Given the split: the exact mean over all samples (hypergeometric), or over all orders of a random "
        "ranking. Bounds: equation 2, from lists of all relevant items with the same sample."
    )
    return _expected_table("expected", "Expected and measured precision", caption, lines, findings.systems)


def _expected_of_systems(findings: BiasFindings) -> Table | None:
    systems = [system for system in findings.systems if system not in _baselines(findings)]
    lines = [row for row in expectation_lines(findings, systems) if not math.isnan(row.exact)]
    if not lines:
        return None
    caption = (
        f"{findings.precision} of the study's systems. Given the split: the exact mean over all samples (hypergeometric). "
        "Bounds: equation 2 of Bellogín, Castells and Cantador (2017)."
    )
    title = "Expected and measured precision of the study's systems"
    table = _expected_table("expected-of-systems", title, caption, lines, findings.systems)
    return table.without("Closed form, over splits", "Formula")


def _popularity(findings: BiasFindings) -> Table:
    drift = findings.drift
    facts = [
        ("Correlation of popularity in training and in test (Spearman's ρ)", number(drift.correlation, 3)),
        ("Share of ratings that would have to move to make both equal", percent(drift.distance)),
        ("The same for a random test set", percent(drift.distance_by_chance)),
        ("Test items without a training rating", percent(drift.unseen_items)),
        ("Test ratings of these items", percent(drift.unseen_ratings)),
        ("Relevant test ratings of these items", percent(drift.unseen_relevant)),
    ]
    if drift.exposure is not None:
        facts += _exposure(drift.exposure)
    if not math.isnan(drift.repeated):
        facts.append(("Rows of the data that repeat an earlier pair of user and item", percent(drift.repeated)))
        facts.append(("Users with such a row", percent(drift.repeating_users)))
    return Table.of_records(
        facts,
        (Field("Measure", "text", 0), Field("Value", "text", 1)),
        name="popularity",
        title="Popularity in training and in test",
        caption="How the popularity of items differs between the training and the test set.",
        folding=False,
    )


def _exposure(exposure: Exposure) -> list[tuple[str, str]]:
    """What is known of items that users did not choose."""
    head = percent(exposure.head, 0)
    facts = [
        (f"Liked of the most popular {head} of the items, chosen or not", exposure.liked_head),
        ("Liked of the others", exposure.liked_rest),
        (f"Chance of being rated, of the most popular {head}", exposure.met_head),
        ("Chance of being rated, of the others", exposure.met_rest),
    ]
    return [(words, percent(share)) for words, share in facts if not math.isnan(share)]


def _drift(findings: BiasFindings) -> Table | None:
    periods = findings.drift.periods
    if not periods:
        return None
    return Table.of_records(
        enumerate(periods, 1),
        (
            Field("Part of the test ratings, by time", "text", lambda period: f"{period[0]} of {len(periods)}"),
            Field("Ratings", "count", lambda period: period[1].ratings),
            Field("Correlation with training", "value", lambda period: period[1].correlation, digits=3),
            Field("On unseen items", "share", lambda period: period[1].unseen),
        ),
        name="drift",
        title="Drift over time",
        caption="Test ratings in equal parts by time: Spearman's ρ between the items' popularity in training and in the "
        "part, and the share of ratings of items without a training rating.",
        folding=False,
    )


def sweeps_of(findings: BiasFindings) -> dict[str, list[str]]:
    """Sweep → the protocols that it has curves under."""
    protocols: dict[str, list[str]] = {name: [] for name in SWEEPS}
    for sweep, name in dict.fromkeys((point.sweep, point.protocol) for point in findings.curves):
        protocols[sweep].append(name)
    order = [effect.protocol for effect in findings.effects.protocols]
    return {
        sweep: sorted(names, key=lambda name: order.index(name) if name in order else -1)
        for sweep, names in protocols.items()
        if names
    }


def _points(findings: BiasFindings, sweep: str, protocols: Sequence[str]) -> list[CurvePoint]:
    """The points of a sweep, by protocol, place and system."""
    points = [p for p in findings.curves if p.sweep == sweep and p.protocol in protocols and p.system in findings.systems]
    return sorted(points, key=lambda p: (protocols.index(p.protocol), p.x, findings.systems.index(p.system)))


def _sweeps(findings: BiasFindings) -> Table | None:
    points = [point for sweep, protocols in sweeps_of(findings).items() for point in _points(findings, sweep, protocols)]
    if not points:
        return None
    digits = [digits_for([point.value]) for point in points]
    return Table.of_records(
        points,
        (
            Field("Sweep", "text", lambda point: SWEEPS[point.sweep][1]),
            Field("Place", "plain", "x"),
            Field("Protocol", "text", "protocol"),
            Field("System", "system", "system", names=short_names(findings.systems)),
            Field(findings.precision, "value", "value", digits=digits),
            Field("Interval", "interval", ("low", "high"), head="95% interval", digits=digits),
            Field("Bounds", "interval", ("lower", "upper"), digits=digits),
        ),
        name="sweeps",
        charted=True,
        title="Values along the sweeps",
        caption=f"{findings.precision} with its 95% interval over users. Bounds: equation 2 of Bellogín, Castells and "
        "Cantador (2017).",
        most=20,
    )


def _protocols_chart(findings: BiasFindings) -> Chart:
    rows = []
    for line in protocol_lines(findings):
        top = max(value.value for value in line.values.values())
        if line.effect.role == "metric" or not top > 0:
            continue
        for system in (system for system in findings.systems if system in line.values):
            of = line.values[system]
            low, high = (of.low, of.high) if not math.isnan(of.low) else (of.value, of.value)
            rows.append(
                {
                    "protocol": line.effect.protocol,
                    "system": system,
                    "at": of.value / top,
                    "low": low / top,
                    "high": high / top,
                    "value": number(of.value, line.digits),
                    "interval": interval_text((of.low, of.high), line.digits),
                    "share": percent(of.value / top),
                    "users": f"{of.users:,}",
                }
            )
    return Chart(
        name="protocols",
        title="Systems under each protocol",
        caption=f"{findings.metric} of each system under each protocol, divided by the highest value under that protocol, "
        f"with 95% intervals over up to {counted(findings.users, 'user')}.",
        draw=lambda layout: specs.protocols(rows, findings.systems, findings.metric, layout),
        table="protocols",
    )


def _expected_chart(findings: BiasFindings) -> Chart | None:
    rows = [row for line in expectation_lines(findings, _baselines(findings)) for row in _quantities(line)]
    if not rows:
        return None
    return Chart(
        name="expected",
        title="Expected and measured precision",
        caption=f"{findings.precision} of Random and Popularity under each protocol, as measured and as expected.",
        draw=lambda layout: specs.expected(rows, findings.precision, layout),
        table="expected",
    )


def _quantities(line: ExpectationRow) -> list[dict[str, Any]]:
    """What is known of a baseline under a protocol, a row each."""
    digits = digits_for([line.measured, *([line.expected] if line.formula else [])])
    found: list[tuple[float, float, float]] = [
        (line.measured, line.low, line.high),
        (line.exact, math.nan, math.nan),
        (line.expected if line.formula else math.nan, math.nan, math.nan),
        (math.nan, line.lower, line.upper),
    ]
    return [
        {
            "protocol": line.protocol,
            "system": line.system,
            "quantity": quantity,
            "at": None if math.isnan(at) else at,
            "low": None if math.isnan(low) else low,
            "high": None if math.isnan(high) else high,
            "value": number(at, digits),
            "interval": interval_text((low, high), digits),
        }
        for quantity, (at, low, high) in zip(specs.QUANTITIES, found, strict=True)
        if not (math.isnan(at) and math.isnan(low))
    ]


def _sweep_chart(findings: BiasFindings, name: str, *, protocol: str | None = None) -> Chart | None:
    """The curves of a sweep under one protocol, or under all that it has."""
    protocols = sweeps_of(findings).get(name)
    if protocols is None:
        return None
    if protocol is not None and protocol not in protocols:
        raise UnknownNameError(f"protocol of the sweep {name}", protocol, protocols, where="figure")
    title, places = SWEEPS[name]
    points = _points(findings, name, [protocol] if protocol else protocols)
    rows = [_point(point) for point in points]
    form = ".0%" if name in SHARED else "" if name == "skew" else ",d"
    bounded = f" {BOUNDED}" if any(row["lower"] is not None for row in rows) else ""
    return Chart(
        name=name,
        title=title,
        caption=f"{findings.precision} by {places}, with 95% intervals over users. {SWEEP_NOTES[name]}{bounded}",
        draw=lambda layout: specs.sweep(rows, findings.systems, findings.precision, places, form=form, layout=layout),
        table="sweeps",
        half=len({row["protocol"] for row in rows}) == 1,
    )


def _point(point: CurvePoint) -> dict[str, Any]:
    digits = digits_for([point.value])
    some = not math.isnan(point.low)
    bounded = not math.isnan(point.lower)
    return {
        "protocol": point.protocol,
        "panel": f"{point.metric} under {spelt_out(point.protocol)}",
        "brief": f"{point.metric} under {point.protocol}",
        "system": point.system,
        "x": point.x,
        "at": point.value,
        "low": point.low if some else point.value,
        "high": point.high if some else point.value,
        "lower": point.lower if bounded else None,
        "upper": point.upper if bounded else None,
        "place": percent(point.x) if point.sweep in SHARED else f"{point.x:,.6g}",
        "value": number(point.value, digits),
        "interval": interval_text((point.low, point.high), digits),
        "bounds": interval_text((point.lower, point.upper), digits),
    }


def _definitions(findings: BiasFindings) -> Terms:
    entries = []
    for effect in {effect.protocol: effect for effect in findings.effects.protocols}.values():
        what = f"{effect.summary[0].upper()}{effect.summary[1:]}. {ROLES[effect.role]}; "
        how = f"target `{effect.target}`, split `{effect.split}`. Estimates {ESTIMANDS[effect.estimand]}."
        entries.append((spelt_out(effect.protocol), (Text.coded(what + how),)))
    return Terms(tuple(entries))
