"""The report of a multiverse: whether conclusions hold over all universes, what moves them, and every universe."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

import numpy as np

from heldout.analysis.choices import ProtocolFacts
from heldout.analysis.explored import relative_margin
from heldout.analysis.rows import NoticeRow
from heldout.catalogue.references import reference
from heldout.catalogue.spelled import spelled
from heldout.data.profile import DataSteps
from heldout.errors import NotApplicableError, SpecError
from heldout.reports import protocol
from heldout.reports.charts import data as data_charts
from heldout.reports.charts import multiverse as drawn
from heldout.reports.charts.study import CHOSEN, margin_curve_of
from heldout.reports.columns import Column
from heldout.reports.document import (
    Block,
    Builders,
    Chart,
    Document,
    Figure,
    Layout,
    Listing,
    PackedExplorer,
    Section,
    Span,
    Spec,
    Switch,
    Table,
    Text,
    code,
    strong,
)
from heldout.reports.profile import data_section, data_tables
from heldout.review.lint.finding import Review
from heldout.tables.arrays import Float64
from heldout.universes.explored import ExploredUniverses
from heldout.universes.findings import AgreementBy, MultiverseFindings, PairFindings
from heldout.universes.grid.decisions import KIND_OF
from heldout.universes.sentences import answer, failed_systems, grid_words, lacking, outcome, together
from heldout.universes.variance import movers
from heldout.words import count, counted, digits_for, listed, number, percent

OPEN, DETAILED = 3, 10
"""Pairs of systems, most disputed first, that have a section of their own, and those that have tables and a chart."""
FEW_REASONS = 2
"""Reasons for options without a universe that are told at the top."""
OF_PAPERS = 3
"""Pairs in the table of papers."""
MATRICES, LEVELS = 3, 12
"""Decisions with a matrix of agreement between options, and options that it has at most."""
CITED = ("gunawardana2009", "bellogin2011", "bellogin2017", "valcarce2018", "canamares2020")
"""The papers whose choices are marked."""
RULE = (
    "A universe is one combination of options. A winner is named if it is significantly better in more than half of the "
    "universes and the other in fewer than 5%. If both are in 5% or more, it depends on the choices; otherwise neither is "
    "named."
)


@dataclass(frozen=True, kw_only=True)
class MultiverseReport:
    """Findings of a multiverse with everything else that its report shows."""

    findings: MultiverseFindings
    title: str = ""
    failed: Mapping[str, str] = field(default_factory=dict)
    """Failed cells, with the reason."""
    left_out: Sequence[str] = ()
    """Options that do not apply somewhere, with the reason."""
    notices: Sequence[NoticeRow] = ()
    facts: ProtocolFacts | None = None
    """What every option means, and the manifest."""
    review: Review | None = None
    """What lint finds."""
    data: Sequence[DataSteps] = ()
    explore: Callable[[], ExploredUniverses] | None = None
    """Reads the universes, one by one; None if only the findings are in memory."""

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """Short names, the system that is significantly better most often first."""
        wins = dict.fromkeys(self.findings.names, 0.0)
        for pair in self.findings.pairs:
            wins[pair.first] += pair.shares.share(pair.shares.first)
            wins[pair.second] += pair.shares.share(pair.shares.second)
        return tuple(sorted(wins, key=lambda name: -wins[name]))

    @cached_property
    def pairs(self) -> list[PairFindings]:
        """The pairs with tables and a chart, most disputed first."""
        return self.findings.contested[:DETAILED]

    @cached_property
    def focus(self) -> int:
        """The pair that the answer rests on: the most disputed one, or else the first system and its strongest rival."""
        if any(pair.stability.kind == "depends" for pair in self.pairs):
            return 0
        mine = [k for k, pair in enumerate(self.pairs) if self.systems[0] in (pair.first, pair.second)]
        return min(mine, key=lambda k: self.pairs[k].shares.share(self.wins(self.pairs[k])), default=0)

    def wins(self, pair: PairFindings) -> int:
        """Universes in which the first system is significantly better than the other of its pair."""
        return pair.shares.first if pair.first == self.systems[0] else pair.shares.second

    @cached_property
    def slugs(self) -> list[str]:
        """What names of tables and figures call the pairs: userknn-wrmf."""
        texts = [re.sub(r"[^a-z0-9]+", "-", f"{pair.first} {pair.second}".lower()).strip("-") for pair in self.pairs]
        return [text if text not in texts[:k] else f"{text}-{k + 1}" for k, text in enumerate(texts)]

    @cached_property
    def explored(self) -> ExploredUniverses | None:
        """The universes, one by one."""
        return None if self.explore is None else self.explore()


def document(report: MultiverseReport) -> Document:
    """Everything that a page shows."""
    findings = report.findings
    evidence = [_holds(report), _explore(report), *_pair_sections(report), _rankings(report), _papers(findings)]
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
        sections=tuple(section for section in (*evidence, _failed(report)) if section is not None),
        notices=protocol.notices(report.notices, report.review),
        appendix=tuple(_appendix(report)),
        files="multiverse.json has all findings, universes.parquet every universe.",
        systems=report.systems,
    )


def _main(report: MultiverseReport) -> Table | None:
    """How often which system is better; of a single pair, which is in the numbers, what moves it."""
    if len(report.findings.pairs) > 1:
        return pairs_table(report.findings).without("First ahead", "Second ahead")
    decisions = _decisions(report, 0)
    return decisions and decisions.without("Within", "Universes paired", "Reversed, adjacent")


def tables(report: MultiverseReport) -> Builders:
    """The tables of the report by name, except those of the protocol and those that need the universes one by one."""
    findings = report.findings
    of_pairs = {f"decisions-{slug}": partial(_decisions, report, k) for k, slug in enumerate(report.slugs)}
    matrices = {
        f"agreement-of-{by.decision}": partial(_matrix, findings, by) for by in findings.agreement.by_decision[:MATRICES]
    }
    return {
        "pairs": partial(pairs_table, findings),
        **of_pairs,
        "agreement": partial(_agreement, findings),
        **matrices,
        "rankings": partial(_common, findings),
        "papers": partial(_of_papers, findings),
        "grid": partial(_grid, findings),
        "systems": partial(_systems, report),
        **data_tables(report.data),
    }


def universe_tables(report: MultiverseReport) -> Builders:
    """The leaderboard of the first universe."""

    def leaderboard() -> Table | None:
        explorer = _explorer(report)
        return None if explorer is None else explorer.table(explorer.start)

    return {"leaderboard": leaderboard}


def charts(report: MultiverseReport) -> dict[str, Callable[..., Chart | None]]:
    """The figures of the report by name."""

    def speccurve(*, pair: int | tuple[str, str] | None = None) -> Chart | None:
        """The specification curve of a pair of systems, by its number or their names."""
        if not any(one.curve.sizes for one in report.findings.pairs):
            return None
        return specification_chart(report, _chosen(report, pair))

    return {
        "speccurve": speccurve,
        "map": lambda: _map(report),
        "margin-curve": lambda: _margins(report),
        **data_charts.charts(report.data),
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


def _holds(report: MultiverseReport) -> Section:
    return Section(id="holds", title="Does it hold?", blocks=(pairs_table(report.findings), Text(RULE, note=True)))


def pairs_table(findings: MultiverseFindings) -> Table:
    """In how many universes which of two systems is better."""
    words = {"holds": "", "depends": "depends on the choices", "undecided": "undecided"}
    rows = []
    for pair in findings.contested:
        s = pair.shares
        verdict = f"{pair.stability.winner} wins" if pair.stability.winner else words[pair.stability.kind]
        shares = (s.share(n) if s.universes else None for n in (s.first, s.undecided, s.second, s.ahead, s.behind))
        rows.append((f"{pair.first} – {pair.second}", verdict if s.universes else "no value", *shares, s.universes))
    better, ahead = "significantly better", "has the better value, significantly or not"
    return Table(
        name="pairs",
        title="Pairs of systems",
        caption=f"Shares of universes in which the first or the second system of a pair is significantly better (p < "
        f"{findings.level:g}, corrected within each universe) or ahead. Pairs on which universes disagree most come first. "
        "Universes: those with a value of both, of which the shares are.",
        columns=(
            Column(name="Pair", kind="text"),
            Column(name="Verdict", kind="text", fold=False),
            Column(name="First better", kind="share", bar=True, fold=False, means=f"The first system is {better}"),
            Column(name="Neither", kind="share", fold=False, means=f"Neither system is {better}"),
            Column(name="Second better", kind="share", bar=True, fold=False, means=f"The second system is {better}"),
            Column(name="First ahead", kind="share", fold=False, means=f"The first system {ahead}"),
            Column(name="Second ahead", kind="share", fold=False, means=f"The second system {ahead}"),
            Column(name="Universes", kind="count", means="With a value of both systems"),
        ),
        rows=tuple(rows),
        subject="pairs",
        most=12,
    )


def _explore(report: MultiverseReport) -> Section | None:
    explorer = _explorer(report)
    if explorer is None:
        return None
    several = len(explorer.codes) > 1
    chart = _margins(report)
    explored = report.explored
    left_out = Text(explored.left_out, note=True) if explored is not None and explored.left_out else None
    blocks = (explorer, left_out, chart)
    return Section(
        id="explore",
        title="Every universe" if several else "Leaderboard",
        blocks=tuple(block for block in blocks if block is not None),
    )


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


def _pair_sections(report: MultiverseReport) -> list[Section]:
    """A section for each of the most disputed pairs."""
    return [
        Section(id=f"pair-{report.slugs[k]}", title=_against(pair), blocks=tuple(_pair_blocks(report, k)))
        for k, pair in enumerate(report.pairs[:OPEN])
    ]


def _against(pair: PairFindings) -> str:
    return f"{pair.first} against {pair.second}"


def _pair_blocks(report: MultiverseReport, k: int) -> list[Block]:
    """What is said and shown of one pair; of the only one, the sentence is at the top of the page.

    Tables of all pairs are read alike, so that only those of the first pair have their captions here.
    """
    pair, findings = report.pairs[k], report.findings
    blocks: list[Block] = []
    if len(findings.pairs) > 1:
        verdict, caveats = _parts(pair.stability.sentence)
        blocks += [verdict, *([Text(caveats, note=True)] if caveats else [])]
    if pair.curve.sizes:
        chart = specification_chart(report, pair)
        blocks.append(replace(chart, caption=f"{_against(pair)}, read as the first curve.") if k else chart)
    decisions = _decisions(report, k)
    if decisions is not None:
        without = decisions.without("Within")
        blocks += [replace(without, caption="") if k else without, Text(together(findings, pair), note=True)]
    if pair.minimal:
        blocks.append(Text("One choice, the other winner:"))
        blocks.append(Listing(tuple(Text(minimal.sentence) for minimal in pair.minimal)))
    elif decisions is not None:
        blocks.append(Text("No single decision turns a significant winner into the other."))
    return blocks


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
        title=f"Specification curve of {_against(pair)}",
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


def _decisions(report: MultiverseReport, k: int) -> Table | None:
    """What each decision explains of one pair, and what changes if only it changes."""
    pair, findings = report.pairs[k], report.findings
    rows = []
    for mover in movers(findings, pair):
        every = mover.flips.all if mover.flips else None
        near = mover.flips.adjacent if mover.flips else None
        rows.append(
            (
                *(findings.words(mover.name), mover.effect, mover.explained, mover.joint, mover.verdict),
                *(*mover.changes, near.share(near.reversed) if near else None, every.pairs if every else None),
                listed([findings.words(decision) for decision in mover.within]),
            )
        )
    if not rows:
        return None
    alone, paired = "Share of the variance that the decision explains by itself", "Share of the universes paired in which"
    joint = "What it adds together with one other decision, beyond both, summed over the others"
    return Table(
        name=f"decisions-{report.slugs[k]}",
        title=f"What moves {_against(pair)}",
        caption="Effect and verdict (−1, 0, 1): share of their variance that a decision explains by itself. Joint: what it "
        "adds to the effect together with one other decision. Then, of pairs of universes that differ in the decision only, "
        "the share in which the other system is ahead (leader), the other is the significant winner (reversed), and only "
        "one of the two universes has a significant winner (gained/lost). Adjacent: reversed, between neighbouring amounts.",
        columns=(
            Column(name="Decision", kind="text"),
            Column(name="Effect", kind="share", fold=False, means=alone),
            Column(name="Both", kind="share", bar=True, fold=False, means="Effect and joint; decisions are sorted by it"),
            Column(name="With one other", kind="share", head="Joint", fold=False, means=joint),
            Column(name="Verdict", kind="share", fold=False, means=alone),
            Column(name="Leader changes", kind="share", head="Leader", fold=False, means=f"{paired} the leader changes"),
            Column(name="Reversed", kind="share", fold=False, means=f"{paired} the significant winners are opposite"),
            Column(
                name="Significance gained or lost",
                kind="share",
                head="Gained/lost",
                fold=False,
                means=f"{paired} only one has a significant winner",
            ),
            Column(
                name="Reversed, adjacent",
                kind="share",
                head="Adjacent",
                means=f"{paired} the significant winners are opposite, of neighbouring amounts only",
            ),
            Column(
                name="Universes paired",
                kind="count",
                head="Pairs",
                means="Pairs of universes that differ in this decision only",
            ),
            Column(name="Within", kind="text", lines=True, means="Decisions on which its options depend"),
        ),
        rows=tuple(rows),
        subject="decisions",
    )


def _rankings(report: MultiverseReport) -> Section:
    findings, agreement = report.findings, report.findings.agreement
    mean = Text(
        "Two universes rank the systems with a mean Kendall τ of ",
        strong(number(agreement.mean, 2)),
        " (1: the same order, −1: the reverse). There are ",
        strong(counted(agreement.distinct, "different ranking")),
        ".",
    )
    matrices = [_matrix(findings, by) for by in agreement.by_decision[:MATRICES]]
    blocks = [mean, _agreement(findings), *matrices, _map(report), _common(findings)]
    title = "Do universes rank alike?"
    return Section(id="rankings", title=title, blocks=tuple(block for block in blocks if block is not None))


def _agreement(findings: MultiverseFindings) -> Table | None:
    """How alike universes rank that differ in one decision only."""
    by_decision = findings.agreement.by_decision
    if not by_decision:
        return None
    rows = []
    for by in by_decision:
        first, second, tau = by.least_alike or ("", "", None)
        between = f"{first} and {second}" if by.least_alike else "no two universes differ in it only"
        rows.append((findings.words(by.decision), by.mean, between, tau))
    return Table(
        name="agreement",
        title="Agreement by decision",
        caption=f"Mean Kendall τ between the rankings of {len(findings.systems)} systems by universes that differ in one "
        "decision only, and the two options between which it is lowest.",
        columns=(
            Column(name="Decision", kind="text"),
            Column(name="Mean τ", kind="value", digits=3),
            Column(name="Least alike", kind="text", fold=False, lines=True),
            Column(name="Lowest τ", kind="value", digits=3),
        ),
        rows=tuple(rows),
        subject="decisions",
    )


def _matrix(findings: MultiverseFindings, by: AgreementBy) -> Table | None:
    """Mean τ between the options of a decision; the lowest stands out."""
    if len(findings.systems) < 3 or not 2 < len(by.levels) <= LEVELS:
        return None
    words = findings.words(by.decision)
    lowest = min((tau for line in by.between for tau in line if tau == tau), default=None)
    low = {
        (i, level)
        for i, line in enumerate(by.between)
        for level, tau in zip(by.levels, line, strict=True)
        if tau == lowest and tau < 1
    }
    return Table(
        name=f"agreement-of-{by.decision}",
        title=f"Agreement between options: {words}",
        caption=f"Mean Kendall τ between the rankings of universes that differ in the {words} only. The lowest is set bold.",
        columns=(
            Column(name=words, kind="text"),
            *(Column(name=level, kind="value", digits=2) for level in by.levels),
        ),
        rows=tuple((level, *line) for level, line in zip(by.levels, by.between, strict=True)),
        strong=frozenset(low),
        subject="options",
    )


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


def _common(findings: MultiverseFindings) -> Table | None:
    """The most frequent rankings."""
    if len(findings.systems) < 3:
        return None
    rows, distinct = findings.common_rankings, findings.agreement.distinct
    listed_of = f"The {len(rows)} most frequent of {count(distinct)} rankings" if len(rows) < distinct else "All rankings"
    return Table(
        name="rankings",
        title="The most frequent rankings",
        caption=f"{listed_of} of the systems in {counted(findings.universes, 'universe')}; = means tied.",
        columns=(
            Column(name="Ranking", kind="text", fold=False, lines=True),
            Column(name="Universes", kind="count", fold=False),
            Column(name="Share", kind="share", fold=False),
        ),
        rows=tuple(rows),
        subject="rankings",
        half=True,
    )


def _papers(findings: MultiverseFindings) -> Section:
    title = f"What {len(findings.papers)} papers would have chosen"
    table = _of_papers(findings)
    missing = [(paper.paper, lacking(paper, findings)) for paper in findings.papers if not paper.exact]
    blocks: list[Block] = [table.without(table.columns[-1].name)]
    if missing:
        blocks.append(Text("What the grid lacks of them:", note=True))
        blocks.append(Listing(tuple(Text(f"{paper}: {options}", note=True) for paper, options in missing)))
    return Section(id="papers", title=title, blocks=tuple(blocks))


def _of_papers(findings: MultiverseFindings) -> Table:
    """What the universes of each paper say."""
    compared = findings.pairs[:OF_PAPERS]
    rows = [
        (
            marked.paper,
            marked.universes,
            *(outcome(marked, k, findings) for k in range(len(compared))),
            lacking(marked, findings) or "nothing",
        )
        for marked in findings.papers
    ]
    return Table(
        name="papers",
        title="Universes of papers",
        caption="Universes that the authors would have chosen, of any seed, and in how many which system is significantly "
        "better. If the grid lacks an option of theirs, the universes are those that come nearest.",
        columns=(
            Column(name="Paper", kind="text"),
            Column(name="Universes", kind="count", fold=False),
            *(Column(name=f"{p.first} – {p.second}", kind="text", fold=False) for p in compared),
            Column(name="What the grid lacks of it", kind="text", fold=False, lines=True),
        ),
        rows=tuple(rows),
        subject="papers",
    )


def _failed(report: MultiverseReport) -> Section | None:
    sentences = [Text(system.sentence) for system in failed_systems(report.findings, report.failed)]
    return Section(id="failed", title="Failed", blocks=(Listing(tuple(sentences)),)) if sentences else None


def _appendix(report: MultiverseReport) -> list[Section]:
    """Further pairs, the grid, and the protocol."""
    findings = report.findings
    sections = []
    rest = [Text(pair.stability.sentence) for pair in findings.contested[DETAILED:]]
    more = [block for k in range(OPEN, len(report.pairs)) for block in _pair_blocks(report, k)]
    if more:
        blocks = (*more, *([Listing(tuple(rest))] if rest else []))
        summary = counted(len(findings.pairs) - OPEN, "pair")
        sections.append(Section(id="other-pairs", title="Other pairs", blocks=blocks, summary=summary))
    varying = counted(len(findings.varying), "decision")
    sections.append(Section(id="grid", title="Grid", blocks=(_grid(findings),), summary=f"{varying} with several options"))
    if report.left_out:
        reasons = Listing(tuple(map(Text, report.left_out)))
        note = Text("Options that do not apply somewhere, and combinations that would repeat another universe.", note=True)
        summary = counted(len(report.left_out), "reason")
        sections.append(Section(id="none", title="No universe", blocks=(note, reasons), summary=summary))
    systems = Section(
        id="systems", title="Systems", blocks=(_systems(report),), summary=counted(len(findings.systems), "system")
    )
    data = data_section(report.data)
    if report.facts is None:
        return [*sections, systems, *([data] if data else [])]
    cited = {key: reference(key) for key in CITED}
    facts = replace(report.facts, references=cited | dict(report.facts.references))
    closed = protocol.appendix(facts, systems=systems, data=[data] if data else [], review=report.review)
    return [*sections, *closed]


def _grid(findings: MultiverseFindings) -> Table:
    """Every decision with its options and their universes."""
    rows = []
    for decision in findings.decisions:
        spans: list[Span | str] = []
        for level, n in zip(spelled(KIND_OF[decision.name], decision.levels), decision.counts, strict=True):
            spans += [", " if spans else "", code(level), f" {count(n)}"]
        spans += [f", not applicable {count(decision.without)}"] if decision.without else []
        rows.append((decision.words, decision.letter, Text(*spans)))
    return Table(
        name="grid",
        title="Grid",
        caption="Decisions with their options and the number of universes that have each; letters as in the protocol.",
        columns=(
            Column(name="Decision", kind="text"),
            Column(name="Letter", kind="text", fold=False),
            Column(name="Options and their universes", kind="text", lines=True, fold=False),
        ),
        rows=tuple(rows),
        subject="decisions",
    )


def _systems(report: MultiverseReport) -> Table:
    """Every system in full."""
    findings = report.findings
    gone = {system.name for system in failed_systems(findings, report.failed) if not system.compared}
    rows = [
        (name, full, "no universe compares it" if name in gone else "")
        for name, full in zip(findings.names, findings.systems, strict=True)
    ]
    return Table(
        name="systems",
        title="Systems",
        columns=(
            Column(name="System", kind="system"),
            Column(name="In full", kind="text", fold=False),
            Column(name="Failed", kind="text"),
        ),
        rows=tuple(rows),
        subject="systems",
    )
