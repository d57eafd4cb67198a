"""Figures of a look at biases by protocol, metric and system, as the claims of the paper read them."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

from heldout.errors import NotApplicableError
from heldout.papers.paper import Claim, ClaimFinding, MeasuredTables

SYSTEMS: tuple[str, ...] = ("pLSA", "Popularity", "MF", "kNN", "Random")
"""The systems of the paper, as it orders them in Figure 2 for MovieLens."""
GRADED = "nDCG(gain=binary)@10"
"""nDCG of Figure 8; above the threshold of 5 there is one grade alone."""
PLAIN: tuple[str, ...] = ("AI-AR", "AR", "AR-NN", "1R", "1R-head", "P1R", "U1R", "UAR", "AI-UAR")
"""All configurations of Figures 2 and 8."""
Verdict = tuple[bool, str]


class _Lookup(dict[tuple[str, ...], SimpleNamespace]):
    def __missing__(self, key: tuple[str, ...]) -> SimpleNamespace:
        raise NotApplicableError(f"{', '.join(key)} was not measured")


class BiasFigures:
    """Look-ups in what was measured; NotApplicableError where it was not."""

    def __init__(self, measured: MeasuredTables) -> None:
        def rows(table: str) -> list[SimpleNamespace]:
            return [SimpleNamespace(**row) for row in measured.tables[table].iter_rows(named=True)]

        self.value = _Lookup({(row.protocol, row.metric, row.system): row for row in rows("values")})
        self.expectations, self.curves, self.pairs = rows("expected"), rows("sweeps"), rows("pairs")
        self.expected = _Lookup({(row.protocol, row.system): row for row in self.expectations})
        self.ratings, self.liked = (measured.tables["items"][name].to_numpy() for name in ("ratings", "liked"))
        self._data = measured.tables["data"]

    def of_data(self, name: str) -> float:
        """A number of the data set."""
        return float(self._data[name][0])

    def precision(self, protocol: str, system: str) -> float:
        """P@10."""
        return float(self.value[protocol, "P@10", system].value)

    def order(self, protocol: str, metric: str = "P@10") -> list[str]:
        """The paper's systems, the best first."""
        return sorted(SYSTEMS, key=lambda system: -self.value[protocol, metric, system].value)

    def own_order(self, protocol: str) -> list[str]:
        """The same by the metric that a protocol has of its own."""
        metrics = [metric for name, metric, _ in self.value if name == protocol]
        return self.order(protocol, metrics[0] if metrics else "its own metric")

    def ratio(self, protocol: str) -> float:
        """Popularity's P@10 by that of a random ranking."""
        return float(self.value[protocol, "P@10", "Popularity"].times_random)

    def curve(self, sweep: str, protocol: str, system: str) -> list[SimpleNamespace]:
        """A system's points of a sweep, two or more."""
        points = [p for p in self.curves if (p.sweep, p.protocol, p.system) == (sweep, protocol, system)]
        if len(points) < 2:
            raise NotApplicableError(f"the sweep {sweep} of {system} in {protocol} was not measured")
        return sorted(points, key=lambda point: point.x)


def bias_claim(section: str, words: str, rule: str, check: Callable[[BiasFigures], Verdict], *causes: str) -> Claim:
    """A sentence of the paper, with a rule over figures of biases."""

    def judge(measured: MeasuredTables) -> ClaimFinding:
        holds, figures = check(BiasFigures(measured))
        return ClaimFinding(bool(holds), figures)

    return Claim(words=words, section=f"§{section}", rule=rule, check=judge, causes=causes)
