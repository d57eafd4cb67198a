"""The claims that look at kNN, with three readings of it: the paper gives no parameters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from heldout.papers.bellogin2017 import causes
from heldout.papers.bellogin2017.bias_claims import CLAIMS
from heldout.papers.paper import Claim, ClaimFinding, MeasuredTables

READINGS: dict[str, str] = {
    "sum of cosines": "UserKNN",
    "mean by Pearson": "UserKNN(similarity=pearson, normalise=true)",
    "NNCosNgbr-UB": "NNCosNgbr-UB",
}
"""The first is the kNN of all other experiments."""
WITH_ANY = {causes.STEEP, causes.INFERRED, causes.WITHOUT_TEST, causes.REMOVED}
"""Why claims do not hold with any of the three."""


def _under_each(claim: Claim) -> Callable[[MeasuredTables], ClaimFinding]:
    def check(measured: MeasuredTables) -> ClaimFinding:
        findings = {reading: claim.check(measured.of(reading)) for reading in READINGS}
        figures = "; ".join(
            f"✓ {reading}" if finding.holds else f"✗ {reading} ({finding.figures})" for reading, finding in findings.items()
        )
        return ClaimFinding(all(finding.holds for finding in findings.values()), figures)

    return check


READING_CLAIMS: tuple[Claim, ...] = tuple(
    replace(
        claim,
        rule=f"with each kNN: {claim.rule}",
        check=_under_each(claim),
        causes=claim.causes if WITH_ANY.intersection(claim.causes) else (causes.WHICH_KNN,),
    )
    for claim in CLAIMS
)
