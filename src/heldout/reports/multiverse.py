"""The report of a multiverse: whether conclusions hold over all universes, what moves them, and every universe."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from heldout.analysis.explored import relative_margin
from heldout.errors import NotApplicableError, SpecError
from heldout.reports import protocol
from heldout.reports.charts import multiverse as drawn
from heldout.reports.charts.study import CHOSEN, margin_curve_of
from heldout.reports.columns import Column
from heldout.reports.document import (
    Block,
    Builders,
    Chart,
    Charts,
    Document,
    Figure,
    Layout,
    PackedExplorer,
    Section,
    Span,
    Spec,
    Switch,
    Table,
    Text,
    paragraphs,
    present,
    section,
    strong,
)
from heldout.reports.multiverse_tables import (
    DETAILED,
    LACKING,
    MATRICES,
    MultiverseReport,
    against,
    agreement_table,
    decisions_table,
    grid_table,
    matrix_table,
    pairs_table,
    papers_table,
    rankings_table,
    systems_table,
)
from heldout.tables.arrays import Float64
from heldout.text.numbers import count, counted, digits_for, number, percent
from heldout.text.phrases import listed
from heldout.universes.explored import ExploredUniverses
from heldout.universes.findings import MultiverseFindings, PairFindings
from heldout.universes.sentences import answer, failed_systems, grid_words, lacking, together
from heldout.universes.variance import movers

OPEN = 3
"""Pairs of systems, most disputed first, that have a section of their own; others are in the appendix."""
FEW_REASONS = 2
"""Reasons for options without a universe that are told at the top."""
CITED = ("gunawardana2009", "bellogin2011", "bellogin2017", "valcarce2018", "canamares2020")
"""The papers whose choices are marked."""
RULE = (
    "A universe is one combination of options. A winner is named if it is significantly better in more than half of the "
    "universes and the other in fewer than 5%. If both are in 5% or more, it depends on the choices; otherwise neither is "
    "named."
)


def document(report: MultiverseReport) -> Document:
    """Everything that a page shows."""
    findings = report.findings
    failed = [system.sentence for system in failed_systems(findings, report.failed)]
    evidence = (
        section("holds", "Does it hold?", pairs_table(findings), Text(RULE, note=True)),
        _explore(report),
        *(
            section(f"pair-{report.slugs[k]}", against(pair), *_pair_blocks(report, k))
            for k, pair in enumerate(report.pairs[:OPEN])
        ),
        section("rankings", "Do universes rank alike?", *_rankings(report)),
        section("papers", f"What {len(findings.papers)} papers would have chosen", *_papers(findings)),
        section("failed", "Failed", paragraphs(failed)),
    )
    return Document(
        kind="multiverse",
        title=report.title,
        facts=(
            counted(findings.universes, "universe"),
            counted(len(findings.systems), "system"),
            f"level {findings.level:g}",
        ),
        answer=answer(findings),
        numbers=tuple(_numbers(report)),
        figures=tuple(_figures(report)),
        main=_main(report),
        sections=present(evidence),
        notices=protocol.notices(report.notices, report.review),
        appendix=_appendix(report),
        files="multiverse.json has all findings, universes.parquet every universe.",
        systems=report.systems,
    )


def _main(report: MultiverseReport) -> Table | None:
    """How often which system is better; of a single pair, which is in the numbers, what moves it."""
    if len(report.findings.pairs) > 1:
        return pairs_table(report.findings).without("First ahead", "Second ahead")
    decisions = decisions_table(report, 0)
    return decisions and decisions.without("Within", "Universes paired", "Reversed, adjacent")


def universe_tables(report: MultiverseReport) -> Builders:
    """The leaderboard of the first universe."""

    def leaderboard() -> Table | None:
        explorer = _explorer(report)
        return None if explorer is None else explorer.table(explorer.start)

    return {"leaderboard": leaderboard}


def charts(report: MultiverseReport) -> Charts:
    """The figures of the report by name."""

    def speccurve(*, pair: int | tuple[str, str] | None = None) -> Chart | None:
        """The specification curve of a pair of systems, by its number or their names."""
        if not any(one.curve.sizes for one in report.findings.pairs):
            return None
        return specification_chart(report, _chosen(report, pair))

    return {
        "speccurve": speccurve,
        "map": partial(_map, report),
        "margin-curve": partial(_margins, report),
    }


def _numbers(report: MultiverseReport) -> list[Text]:
    """The answer in figures, the size of the grid, and caveats."""
    findings = report.findings
    if len(findings.pairs) == 1:
        verdict, caveats = _parts(findings.pairs[0].stability.sentence)
    else:
        verdict, caveats = _most_wins(report), _caveats(findings)
    universes: list[Span | str] = [strong(count(findings.universes)), f" universes ({grid_words(findings)})."]
    if 0 < findings.distinct < findings.universes:
        universes += [" ", strong(count(findings.distinct)), " are distinct; the others repeat the numbers of one of these."]
    failed = [system.name for system in failed_systems(findings, report.failed)]
    if failed:
        caveats = f"{caveats} {listed(failed)} failed on some splits.".strip()
    reasons = report.left_out
    if 0 < len(reasons) <= FEW_REASONS:
        caveats = f"{caveats} No universe: {'; '.join(reasons)}.".strip()
    elif reasons:
        caveats = f"{caveats} Options have no universe for {len(reasons)} reasons, listed in the appendix.".strip()
    texts = (verdict, Text(*universes), Text(caveats, note=True))
    return [text for text in texts if text.plain]


def _parts(sentence: str) -> tuple[Text, str]:
    """The verdict on a pair, its shares set strong, and what is said of users after it."""
    first, _, caveats = sentence.partition(". ")
    pieces = re.split(r"((?:< )?\d[\d.]*%|\d+ of \d+ universes|none(?=;))", first + "." * bool(caveats))
    return Text(*(strong(piece) if k % 2 else piece for k, piece in enumerate(pieces) if piece)), caveats


def _most_wins(report: MultiverseReport) -> Text:
    """How often the first system beats each of the others."""
    first = report.systems[0] if report.systems else ""
    won = []
    for pair in report.findings.pairs:
        if first in (pair.first, pair.second) and pair.shares.universes:
            rival = pair.second if pair.first == first else pair.first
            won.append((report.wins(pair), pair.shares.universes, rival))
    if not won:
        return Text()
    won.sort(key=lambda row: -row[0] / row[1])
    listing = won if len(won) <= 3 else [won[0], won[-1]]
    totals = {universes for _, universes, _ in listing}
    spans: list[Span | str] = [f"{first} is significantly better "]
    for k, (mine, universes, rival) in enumerate(listing):
        joined = "" if not k else " and " if k == len(listing) - 1 else ", "
        spans += [f"{joined}than {rival} in ", strong(percent(mine / universes))]
        spans += [f" of {count(universes)}"] if len(totals) > 1 else []
    spans.append(f" of {count(min(totals))} universes" if len(totals) == 1 else " universes")
    spans.append(f"; its other {len(won) - 2} shares are between these." if len(won) > len(listing) else ".")
    return Text(*spans)


def _caveats(findings: MultiverseFindings) -> str:
    """What the sentence on a single pair would say of users, for the pair that it concerns most."""
    few = max((pair.shares.share(pair.shares.unserved) for pair in findings.pairs), default=0.0)
    other = max((pair.shares.share(pair.shares.other_users) for pair in findings.pairs), default=0.0)
    texts = []
    if few:
        texts.append(f"In up to {percent(few)} of the universes of a pair too few users have a list of both systems.")
    if other:
        texts.append(f"In up to {percent(other)} of them the averages rest on other users than under the first options.")
    return " ".join(texts)


def _figures(report: MultiverseReport) -> list[Figure]:
    findings = report.findings
    k = report.focus
    pair, section = report.pairs[k], f"pair-{report.slugs[k]}" if k < OPEN else "other-pairs"
    shares, of = pair.shares, f"{pair.first} against {pair.second}"
    outcomes = (shares.first, pair.first, pair.second), (shares.second, pair.second, pair.first)
    most, name, other = max(outcomes, key=lambda outcome: outcome[0])
    figures = [
        Figure(
            "How often?",
            percent(shares.share(most)),
            f"of {counted(shares.universes, 'universe')}: {name} significantly better than {other}",
            "holds",
        )
    ]
    moving = movers(findings, pair)
    if moving and moving[0].explained:
        detail = f"explains {percent(moving[0].effect)} of the effect by itself, {of}"
        figures.append(Figure("What moves it?", findings.words(moving[0].name), detail, section))
    reversing = [f.decision for f in pair.flips if f.all.reversed]
    names = listed([findings.words(decision) for decision in reversing[:2]])
    detail = f"each by itself turns a significant winner into the other, {of}" if reversing else f"{of}, all else equal"
    figures.append(
        Figure(
            "What reverses it?",
            counted(len(reversing), "decision"),
            f"{names}: {detail}" if names else detail,
            section,
        )
    )
    if len(findings.systems) > 2:
        detail = f"mean Kendall τ of two universes; {counted(findings.agreement.distinct, 'different ranking')}"
        figures.append(Figure("Same ranking?", number(findings.agreement.mean, 2), detail, "rankings"))
    return figures


def _explore(report: MultiverseReport) -> Section | None:
    explorer = _explorer(report)
    if explorer is None:
        return None
    title = "Every universe" if len(explorer.codes) > 1 else "Leaderboard"
    explored = report.explored
    left_out = Text(explored.left_out, note=True) if explored is not None and explored.left_out else None
    return section("explore", title, explorer, left_out, _margins(report))


def _explorer(report: MultiverseReport) -> PackedExplorer | None:
    """The universes between which a reader can switch, each with its leaderboard."""
    universes = report.explored
    if universes is None:
        return None
    board = universes.explored
    names = _short(report, board.systems)
    places = np.argsort(universes.order, axis=1) + 1.0
    against = ["the leader" if k < 0 else names[k] for k in universes.against.tolist()]
    metrics = [
        metric if higher else f"{metric} (lower is better)"
        for metric, higher in zip(universes.metrics, universes.higher.tolist(), strict=True)
    ]
    signals = {_place(k): _places(_effects(universes, names, pair)) for k, pair in enumerate(report.pairs)}
    return PackedExplorer(
        noun="universe",
        switches=tuple(Switch(switch.name, switch.words, switch.options) for switch in board.switches),
        codes=board.codes,
        start=board.start,
        sentences=board.sentences,
        briefs=board.briefs,
        systems=names,
        leader=board.leader,
        order=universes.order,
        name="leaderboard",
        title="Leaderboard of one universe",
        caption="Interval: confidence interval of the value of one system; means have one, medians and trimmed means have "
        "none. p: of the difference from the system that the head names, corrected for the pairs of the universe.",
        columns=(
            Column(name="#", kind="count", fold=False),
            Column(name="System", kind="system"),
            Column(name="Value", kind="value"),
            Column(name="Interval", kind="interval", track="Value"),
            Column(name="p adjusted", kind="p"),
        ),
        cells={
            "#": places,
            "Value": universes.values,
            "Interval": np.stack([universes.low, universes.high], axis=2),
            "p adjusted": universes.p,
        },
        digits=np.array([digits_for(values) for values in universes.values.tolist()], dtype=np.int32),
        heads={"Value": metrics, "p adjusted": [f"p against {name}" for name in against]},
        signals={CHOSEN: _places(board.margin), **signals},
    )


def _short(report: MultiverseReport, systems: Sequence[str]) -> tuple[str, ...]:
    """Short names of systems that are given in full."""
    short = dict(zip(report.findings.systems, report.findings.names, strict=True))
    return tuple(short.get(system, system) for system in systems)


def _place(pair: int) -> str:
    """The parameter of a specification curve that holds the place of the universe."""
    return f"chosen_{pair}"


def _effects(universes: ExploredUniverses, names: Sequence[str], pair: PairFindings) -> Float64:
    """The effect of each universe, as specification curves sort them."""
    first, second = (universes.values[:, names.index(name)] for name in (pair.first, pair.second))
    return relative_margin(first, second, universes.higher)


def _places(values: Float64) -> Float64:
    """The share of values below each, from 0 to 1; equal ones are halfway."""
    finite = np.sort(values[np.isfinite(values)])
    below = [np.searchsorted(finite, values, side=side) for side in ("left", "right")]
    return np.where(np.isfinite(values), np.round((below[0] + below[1]) / 2 / max(len(finite), 1), 4), np.nan)


def _margins(report: MultiverseReport) -> Chart | None:
    """The margin of the system that leads the first universe, over all universes."""
    if report.explored is None:
        return None
    board = report.explored.explored
    chart = margin_curve_of(board)
    if chart is None:
        return None
    finite = np.isfinite(board.margin)
    (wins, others), n = ((board.verdict_of_reference[finite] == side).sum() for side in (1, -1)), int(finite.sum())
    (name,) = _short(report, (board.systems[board.reference],))
    caption = (
        f"{chart.caption} {name} wins in {count(wins)} of {count(n)} universes, another system in {count(others)} of "
        f"{count(n)}."
    )
    missing = len(board.margin) - n
    if missing:
        caption += f" {counted(missing, 'universe')} without a value of {name} or of any other system are left out."
    return replace(chart, caption=caption, table="pairs", half=False)


def _pair_blocks(report: MultiverseReport, k: int) -> Iterator[Block | None]:
    """What is said and shown of one pair; of the only one, the sentence is at the top of the page."""
    pair, findings = report.pairs[k], report.findings
    if len(findings.pairs) > 1:
        verdict, caveats = _parts(pair.stability.sentence)
        yield verdict
        yield Text(caveats, note=True) if caveats else None
    if pair.curve.sizes:
        yield specification_chart(report, pair)
    decisions = decisions_table(report, k)
    if decisions is not None:
        yield decisions.without("Within")
        yield Text(together(findings, pair), note=True)
    if pair.minimal:
        yield Text("One choice, the other winner:")
        yield paragraphs(minimal.sentence for minimal in pair.minimal)
    elif decisions is not None:
        yield Text(f"No single decision turns a significant winner of {against(pair)} into the other.")


def specification_chart(report: MultiverseReport, pair: PairFindings) -> Chart:
    """The specification curve of a pair; NotApplicableError if no universe has a value of both."""
    findings, curve = report.findings, pair.curve
    if not curve.sizes:
        raise NotApplicableError("no universe has a value of both systems", where="figure", hint="choose another pair")
    detailed = pair in report.pairs
    k = report.pairs.index(pair) if detailed else -1
    n, columns = sum(curve.sizes), len(curve.sizes)
    each = "each column a universe" if n == columns else f"in at most {columns} columns, each at its median"
    cut = drawn.beyond(curve.effect)
    off = f" {counted(cut, 'column')} beyond the scale." if cut else ""

    def draw(layout: Layout) -> Spec:
        return drawn.specification_curve(
            curve,
            (pair.first, pair.second),
            systems=report.systems,
            words={decision.name: decision.words for decision in findings.decisions},
            exact={paper.paper for paper in findings.papers if paper.exact},
            here=_place(max(k, 0)),
            layout=layout,
        )

    return Chart(
        name="speccurve" if k <= 0 else f"speccurve-{report.slugs[k]}",
        title=f"Specification curve of {against(pair)}",
        caption=f"{counted(n, 'universe')} ({each}) from where {pair.second} is furthest ahead to where {pair.first} is. "
        f"Height: lead as a share of the mean of both. Colour: which system is significantly better (p < "
        f"{findings.level:g}, corrected within each universe) in most universes of a column. Rows: how many universes of "
        "each column chose an option; options of one decision have the same scale. Papers: columns with universes that the "
        f"authors would have chosen, fainter if the grid only comes near.{off}",
        draw=draw,
        table=f"decisions-{report.slugs[k]}" if detailed else "pairs",
    )


def _chosen(report: MultiverseReport, pair: int | tuple[str, str] | None) -> PairFindings:
    """The pair that is asked for; without one, the most disputed pair with a curve."""
    findings = report.findings
    if pair is None:
        return next((one for one in findings.contested if one.curve.sizes), findings.pairs[0])
    if isinstance(pair, int):
        if 0 <= pair < len(findings.pairs):
            return findings.pairs[pair]
        raise SpecError(f"there is no pair {pair}", where="figure", hint=f"pairs are 0 to {len(findings.pairs) - 1}")
    wanted = frozenset(_short(report, pair))
    for one in findings.pairs:
        if frozenset((one.first, one.second)) == wanted:
            return one
    hint = "pairs are " + ", ".join(f"{p.first} and {p.second}" for p in findings.pairs)
    raise SpecError(f"there is no pair of {' and '.join(pair)}", where="figure", hint=hint)


def _rankings(report: MultiverseReport) -> Iterator[Block | None]:
    findings, agreement = report.findings, report.findings.agreement
    yield Text(
        "Two universes rank the systems with a mean Kendall τ of ",
        strong(number(agreement.mean, 2)),
        " (1: the same order, −1: the reverse). There are ",
        strong(counted(agreement.distinct, "different ranking")),
        ".",
    )
    yield agreement_table(findings)
    yield from (matrix_table(findings, by) for by in agreement.by_decision[:MATRICES])
    yield _map(report)
    yield rankings_table(findings)


def _map(report: MultiverseReport) -> Chart | None:
    findings, agreement = report.findings, report.findings.agreement
    if len(agreement.points) < 2 or len(findings.systems) < 3:
        return None
    words = findings.words(agreement.decision) if agreement.decision else "option"
    out = f" {counted(agreement.left_out, 'universe')} with rarer rankings are left out." if agreement.left_out else ""
    across, up = (percent(share) for share in agreement.axes)
    return Chart(
        name="map",
        title="Map of rankings",
        caption=f"Each mark is a ranking of {len(findings.systems)} systems, as large as it is frequent in "
        f"{counted(findings.universes, 'universe')}; distances are √(2(1−τ)), and the axes show {across} and {up} of them. "
        f"Colour and shape: the {words} that most of its universes have.{out}",
        draw=lambda layout: drawn.ranking_map(agreement, findings.universes, words, layout),
        table="rankings",
        half=True,
    )


def _papers(findings: MultiverseFindings) -> Iterator[Block | None]:
    yield papers_table(findings).without(LACKING)
    inexact = [paper for paper in findings.papers if not paper.exact]
    if inexact:
        yield Text("What the grid lacks of them:", note=True)
        yield paragraphs((f"{paper.paper}: {lacking(paper, findings)}" for paper in inexact), note=True)


def _appendix(report: MultiverseReport) -> tuple[Section, ...]:
    """Further pairs, the grid, and the protocol."""
    findings = report.findings
    more = [block for k in range(OPEN, len(report.pairs)) for block in _pair_blocks(report, k)]
    if more:
        more.append(paragraphs(pair.stability.sentence for pair in findings.contested[DETAILED:]))
    repeats = "Options that do not apply somewhere, and combinations that would repeat another universe."
    systems = counted(len(findings.systems), "system")
    varying = f"{counted(len(findings.varying), 'decision')} with several options"
    own = (
        section("other-pairs", "Other pairs", *more, summary=counted(len(findings.pairs) - OPEN, "pair")),
        section("grid", "Grid", grid_table(findings), summary=varying),
        section(
            "none",
            "No universe",
            Text(repeats, note=True) if report.left_out else None,
            paragraphs(report.left_out),
            summary=counted(len(report.left_out), "reason"),
        ),
    )
    in_full = section("systems", "Systems", systems_table(report), summary=systems)
    return (*present(own), *protocol.appendix(report.facts, systems=in_full, cited=CITED, review=report.review))
