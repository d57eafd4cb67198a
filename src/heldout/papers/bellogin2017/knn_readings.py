"""The claims that look at kNN, with three readings of it: the paper gives no parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from heldout.papers.bellogin2017.bias_claims import CLAIMS
from heldout.papers.paper import Claim, ClaimFinding, MeasuredTables

READINGS: dict[str, str] = {
    "sum of cosines": "UserKNN",
    "mean by Pearson": "UserKNN(similarity=pearson, normalise=true)",
    "NNCosNgbr-UB": "NNCosNgbr-UB",
}
"""The first is the kNN of all other experiments."""
MARKS: Mapping[bool | None, str] = {True: "✓", False: "✗", None: "?"}


def _under_each(claim: Claim) -> Callable[[MeasuredTables], ClaimFinding]:
    def check(measured: MeasuredTables) -> ClaimFinding:
        findings = {reading: claim.check(measured.of(reading)) for reading in READINGS}
        figures = ", ".join(f"{MARKS[finding.holds]} {reading}" for reading, finding in findings.items())
        return ClaimFinding(all(finding.holds for finding in findings.values()), figures)

    return check


READING_CLAIMS: tuple[Claim, ...] = tuple(
    replace(claim, rule=f"with each kNN: {claim.rule}", check=_under_each(claim)) for claim in CLAIMS
)
