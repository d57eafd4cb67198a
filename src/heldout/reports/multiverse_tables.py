"""The tables of a multiverse, by name, and what its report is made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial

from heldout.analysis.choices import ProtocolFacts
from heldout.analysis.rows import NoticeRow
from heldout.catalogue.spelled import spelled
from heldout.reports.columns import Column, Field
from heldout.reports.document import Builders, Span, Table, Text, code
from heldout.reports.profile import profile_table
from heldout.review.lint.finding import Review
from heldout.text.numbers import count, counted
from heldout.text.phrases import listed, slug
from heldout.universes.explored import ExploredUniverses
from heldout.universes.findings import AgreementBy, DecisionFindings, MultiverseFindings, PairFindings
from heldout.universes.grid.decisions import KIND_OF
from heldout.universes.sentences import failed_systems, lacking, outcome
from heldout.universes.variance import Mover, movers

DETAILED = 10
"""Pairs of systems, most disputed first, that have a table and a chart."""
OF_PAPERS = 3
"""Pairs in the table of papers."""
MATRICES, LEVELS = 3, 12
"""Decisions with a matrix of agreement between options, and options that it has at most."""
LACKING = "What the grid lacks of it"
"""Column of the table of papers."""


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
        texts = [slug(f"{pair.first} {pair.second}") for pair in self.pairs]
        return [text if text not in texts[:k] else f"{text}-{k + 1}" for k, text in enumerate(texts)]

    @cached_property
    def explored(self) -> ExploredUniverses | None:
        """The universes, one by one."""
        return None if self.explore is None else self.explore()


def tables(report: MultiverseReport) -> Builders:
    """The tables of the report by name, except those of the protocol and those that need the universes one by one."""
    findings = report.findings
    of_pairs = {f"decisions-{slug}": partial(decisions_table, report, k) for k, slug in enumerate(report.slugs)}
    matrices = {
        f"agreement-of-{by.decision}": partial(matrix_table, findings, by)
        for by in findings.agreement.by_decision[:MATRICES]
    }
    return {
        "pairs": partial(pairs_table, findings),
        **of_pairs,
        "agreement": partial(agreement_table, findings),
        **matrices,
        "rankings": partial(rankings_table, findings),
        "papers": partial(papers_table, findings),
        "grid": partial(grid_table, findings),
        "systems": partial(systems_table, report),
        "profile": lambda: profile_table(findings.profiles.value),
    }


def pairs_table(findings: MultiverseFindings) -> Table:
    """In how many universes which of two systems is better."""
    better, ahead = "significantly better", "has the better value, significantly or not"

    def share(name: str, outcome: str, means: str, *, bar: bool = False) -> Field:
        def value(pair: PairFindings) -> float | None:
            return pair.shares.share(getattr(pair.shares, outcome)) if pair.shares.universes else None

        return Field(name, "share", value, means, bar=bar, fold=False)

    return Table.of_records(
        findings.contested,
        (
            Field("Pair", "text", lambda pair: f"{pair.first} – {pair.second}"),
            Field("Verdict", "text", _verdict, fold=False),
            share("First better", "first", f"The first system is {better}", bar=True),
            share("Neither", "undecided", f"Neither system is {better}"),
            share("Second better", "second", f"The second system is {better}", bar=True),
            share("First ahead", "ahead", f"The first system {ahead}"),
            share("Second ahead", "behind", f"The second system {ahead}"),
            Field("Universes", "count", lambda pair: pair.shares.universes, "With a value of both systems"),
        ),
        name="pairs",
        title="Pairs of systems",
        caption=f"Shares of universes in which the first or the second system of a pair is significantly better (p < "
        f"{findings.level:g}, corrected within each universe) or ahead. Pairs on which universes disagree most come first. "
        "Universes: those with a value of both systems, the denominator of the shares.",
        subject="pairs",
        most=12,
    )


def _verdict(pair: PairFindings) -> str:
    if not pair.shares.universes:
        return "no value"
    words = {"holds": "", "depends": "depends on the choices", "undecided": "undecided"}
    return f"{pair.stability.winner} wins" if pair.stability.winner else words[pair.stability.kind]


def decisions_table(report: MultiverseReport, k: int) -> Table | None:
    """What each decision explains of one pair, and what changes if only it changes."""
    pair, findings = report.pairs[k], report.findings
    moving = movers(findings, pair)
    if not moving:
        return None
    alone, paired = "Share of the variance that the decision explains by itself", "Share of the universes paired in which"
    joint = "What it adds together with one other decision, beyond both, summed over the others"
    opposite = f"{paired} the significant winners are opposite"
    pairs_of = "Pairs of universes that differ in this decision only"

    return Table.of_records(
        moving,
        (
            Field("Decision", "text", lambda mover: findings.words(mover.name)),
            Field("Effect", "share", "effect", alone, fold=False),
            Field("Both", "share", "explained", "Effect and joint; decisions are sorted by it", bar=True, fold=False),
            Field("With one other", "share", "joint", joint, head="Joint", fold=False),
            Field("Verdict", "share", "verdict", alone, fold=False),
            Field(
                "Leader changes",
                "share",
                lambda mover: mover.changes[0],
                f"{paired} the leader changes",
                head="Leader",
                fold=False,
            ),
            Field("Reversed", "share", lambda mover: mover.changes[1], opposite, fold=False),
            Field(
                "Significance gained or lost",
                "share",
                lambda mover: mover.changes[2],
                f"{paired} only one has a significant winner",
                head="Gained/lost",
                fold=False,
            ),
            Field(
                "Reversed, adjacent", "share", _reversed_nearby, f"{opposite}, of neighbouring amounts only", head="Adjacent"
            ),
            Field("Universes paired", "count", lambda mover: mover.flips and mover.flips.all.pairs, pairs_of, head="Pairs"),
            Field(
                "Within",
                "text",
                lambda mover: listed([findings.words(decision) for decision in mover.within]),
                "Decisions on which its options depend",
                lines=True,
            ),
        ),
        name=f"decisions-{report.slugs[k]}",
        title=f"What moves {against(pair)}",
        caption="Effect and verdict (−1, 0, 1): share of their variance that a decision explains by itself. Joint: what it "
        "adds to the effect together with one other decision. Then, of pairs of universes that differ in the decision only, "
        "the share in which the other system is ahead (leader), the other is the significant winner (reversed), and only "
        "one of the two universes has a significant winner (gained/lost). Adjacent: reversed, between neighbouring amounts.",
        subject="decisions",
    )


def _reversed_nearby(mover: Mover) -> float | None:
    near = mover.flips.adjacent if mover.flips else None
    return near.share(near.reversed) if near else None


def agreement_table(findings: MultiverseFindings) -> Table | None:
    """How alike universes rank that differ in one decision only."""
    by_decision = findings.agreement.by_decision
    if not by_decision:
        return None
    return Table.of_records(
        by_decision,
        (
            Field("Decision", "text", lambda by: findings.words(by.decision)),
            Field("Mean τ", "value", "mean", digits=3),
            Field("Least alike", "text", _least_alike, lines=True),
            Field("Lowest τ", "value", lambda by: by.least_alike[2] if by.least_alike else None, digits=3),
        ),
        name="agreement",
        title="Agreement by decision",
        caption=f"Mean Kendall τ between the rankings of {len(findings.systems)} systems by universes that differ in one "
        "decision only, and the two options between which it is lowest.",
        subject="decisions",
        folding=False,
    )


def _least_alike(by: AgreementBy) -> str:
    return " and ".join(by.least_alike[:2]) if by.least_alike else "no two universes differ in it only"


def matrix_table(findings: MultiverseFindings, by: AgreementBy) -> Table | None:
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


def rankings_table(findings: MultiverseFindings) -> Table | None:
    """The most frequent rankings."""
    if len(findings.systems) < 3:
        return None
    rows, distinct = findings.common_rankings, findings.agreement.distinct
    listed_of = f"The {len(rows)} most frequent of {count(distinct)} rankings" if len(rows) < distinct else "All rankings"
    return Table.of_records(
        rows,
        (
            Field("Ranking", "text", 0, lines=True),
            Field("Universes", "count", 1),
            Field("Share", "share", 2),
        ),
        name="rankings",
        title="The most frequent rankings",
        caption=f"{listed_of} of the systems in {counted(findings.universes, 'universe')}; = means tied.",
        subject="rankings",
        half=True,
        folding=False,
    )


def papers_table(findings: MultiverseFindings) -> Table:
    """What the universes of each paper say."""
    compared = [
        Field(f"{pair.first} – {pair.second}", "text", partial(outcome, pair=k, findings=findings))
        for k, pair in enumerate(findings.pairs[:OF_PAPERS])
    ]
    return Table.of_records(
        findings.papers,
        (
            Field("Paper", "text", "paper"),
            Field("Universes", "count", "universes"),
            *compared,
            Field(LACKING, "text", lambda paper: lacking(paper, findings) or "nothing", lines=True),
        ),
        name="papers",
        title="Universes of papers",
        caption="Universes that the authors would have chosen, of any seed, and in how many which system is significantly "
        "better. If the grid lacks an option of theirs, the universes are those that come nearest.",
        subject="papers",
        folding=False,
    )


def grid_table(findings: MultiverseFindings) -> Table:
    """Every decision with its options and their universes."""
    return Table.of_records(
        findings.decisions,
        (
            Field("Decision", "text", "words"),
            Field("Letter", "text", "letter"),
            Field("Options and their universes", "text", _options, lines=True),
        ),
        name="grid",
        title="Grid",
        caption="Decisions with their options and the number of universes that have each; letters as in the protocol.",
        subject="decisions",
        folding=False,
    )


def _options(decision: DecisionFindings) -> Text:
    spans: list[Span | str] = []
    for level, n in zip(spelled(KIND_OF[decision.name], decision.levels), decision.counts, strict=True):
        spans += [", " if spans else "", code(level), f" {count(n)}"]
    return Text(*spans, f", not applicable {count(decision.without)}") if decision.without else Text(*spans)


def systems_table(report: MultiverseReport) -> Table:
    """Every system in full."""
    findings = report.findings
    gone = {system.name for system in failed_systems(findings, report.failed) if not system.compared}
    return Table.of_records(
        zip(findings.names, findings.systems, strict=True),
        (
            Field("System", "system", 0),
            Field("In full", "text", 1, fold=False),
            Field("Failed", "text", lambda names: "no universe compares it" if names[0] in gone else ""),
        ),
        name="systems",
        title="Systems",
        subject="systems",
    )


def against(pair: PairFindings) -> str:
    """UserKNN against WRMF."""
    return f"{pair.first} against {pair.second}"
