"""What a rule of the review is and what it looks at: a study, the keys as they were written, and results if there are any.

Warnings that a run gives by itself need no rule: the review shows them as they are.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from heldout.catalogue import make
from heldout.catalogue.notices import Concern, Notice, Severity
from heldout.data.filter import leaves_counts
from heldout.experiment.failure import LeftOut
from heldout.review.lint.evidence import Evidence
from heldout.review.lint.finding import Finding
from heldout.splits.splitter import Splitter
from heldout.study.analysis import PRIMARY_METRIC
from heldout.study.choices import Choices

if TYPE_CHECKING:  # a review without a trial of metrics does not load that room
    from heldout.metric_quality.findings import MetricFindings, MetricRow


@dataclass(frozen=True, kw_only=True)
class Subject(Choices):
    """A study under review."""

    evidence: Evidence | None = None
    """What results tell; None if there are none."""
    seeds: tuple[int, ...] = ()
    """The seeds of a multiverse; empty if the study is not one."""
    left_out: tuple[LeftOut, ...] | None = None
    """Systems that failed; None if nothing was run."""
    trials: tuple[MetricFindings, ...] = ()
    """What a trial of metrics on the same data says; empty if none was run."""
    written: tuple[str, ...] | None = None
    """The keys that somebody wrote, as results keep them; None if they do not."""

    @cached_property
    def names_no_metric(self) -> bool:
        """True if the metric is the default and nobody wrote it: rules about the choice of metrics have nothing to judge."""
        if [metric.full_text for metric in self.study.metrics] != [make("metric", PRIMARY_METRIC).full_text]:
            return False
        return not self.keys.get("metrics") if self.keys is not None else "metrics" not in (self.written or ())

    def tried(self, metric: str) -> MetricRow | None:
        """What a trial of metrics on the same data says of one; None if none tells."""
        return next((row for trial in self.trials for row in trial.rows if row.metric == metric), None)

    def tried_deepest(self, name: str) -> MetricRow | None:
        """The row of the greatest depth at which a metric was tried."""
        rows = [row for trial in self.trials[:1] for row in trial.rows if row.name == name and row.depth is not None]
        return max(rows, key=lambda row: row.depth or 0, default=None)

    @cached_property
    def counts_source(self) -> str:
        """The first data set that is known to be counts after some chain of filters; empty if there is none."""
        chains = self.study.filters or ((),)
        return next((str(source) for source in self.study.data if any(leaves_counts(source, c) for c in chains)), "")

    @cached_property
    def random_splits(self) -> tuple[Splitter, ...]:
        """The splits that draw test ratings at random, whatever their time."""
        return tuple(s for s in self.study.split if not s.follows_time and not s.predefined)

    @cached_property
    def list_length(self) -> int | None:
        """Items in the longest list of the run whose lists are shortest; None if systems are run, or nothing is known."""
        lists = self.evidence.lists.values() if self.evidence is not None else ()
        return min((int(facts["longest"]) for facts in lists), default=None)

    def within_lists(self, depth: int) -> int:
        """A cut-off to recommend, no deeper than the runs' lists."""
        return depth if self.list_length is None else min(depth, self.list_length)

    def noticed(self, code: str) -> Iterator[Notice]:
        """What the run itself said under a code; nothing if there was none."""
        return (n for n in (self.evidence.notices if self.evidence is not None else ()) if n.code == code)

    def deeper(self, cutoffs: Sequence[int]) -> str:
        """How a multiverse looks at these cut-offs; empty if no table of cut-offs multiplies its metrics."""
        table = (self.keys or {}).get("multiverse")
        if not self.seeds or (self.keys is not None and not (isinstance(table, Mapping) and table.get("cutoffs"))):
            return ""
        return f"write cutoffs = {list(cutoffs)} in the table multiverse"


class Rule(Concern):
    """A concern that the review itself looks for."""

    @abstractmethod
    def review(self, subject: Subject) -> Iterator[Finding]:
        """The findings, none where all is well."""

    def unanswered(self, subject: Subject) -> bool:
        """True if what only results can tell is not known here."""
        return bool(self.from_results) and subject.evidence is None

    def finding(self, message: str, change: str = "", *, severity: Severity | None = None) -> Finding:
        """A finding of this rule."""
        return Finding.of(self.notice(message, change, severity=severity))
