"""The tables of a multiverse, by name, and what its report is made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial

from heldout.analysis.choices import ProtocolFacts
from heldout.analysis.rows import NoticeRow
from heldout.catalogue.spelled import spelled
from heldout.data.profile import DataSteps
from heldout.reports.columns import Column
from heldout.reports.document import Builders, Span, Table, Text, code
from heldout.reports.profile import data_tables
from heldout.review.lint.finding import Review
from heldout.universes.explored import ExploredUniverses
from heldout.universes.findings import AgreementBy, MultiverseFindings, PairFindings
from heldout.universes.grid.decisions import KIND_OF
from heldout.universes.sentences import failed_systems, lacking, outcome
from heldout.universes.variance import movers
from heldout.words import count, counted, listed, slug

DETAILED = 10
"""Pairs of systems, most disputed first, that have a table and a chart."""
OF_PAPERS = 3
"""Pairs in the table of papers."""
MATRICES, LEVELS = 3, 12
"""Decisions with a matrix of agreement between options, and options that it has at most."""


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
        **data_tables(report.data),
    }


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
        "Universes: those with a value of both systems, the denominator of the shares.",
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


def decisions_table(report: MultiverseReport, k: int) -> Table | None:
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
        title=f"What moves {against(pair)}",
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


def agreement_table(findings: MultiverseFindings) -> Table | None:
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


def papers_table(findings: MultiverseFindings) -> Table:
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


def grid_table(findings: MultiverseFindings) -> Table:
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


def systems_table(report: MultiverseReport) -> Table:
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


def against(pair: PairFindings) -> str:
    """UserKNN against WRMF."""
    return f"{pair.first} against {pair.second}"
