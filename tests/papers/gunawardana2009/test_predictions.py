"""Table 2: three readings of RMSE, the printed one counted, the claims decided by what each system predicts."""

from __future__ import annotations

import polars as pl
from tests.papers.declared import experiments

from heldout.papers.analysis import claim_row, figure_row
from heldout.papers.gunawardana2009.paper import PAPER
from heldout.papers.paper import MeasuredTables

BY_KEY = experiments(PAPER)


def _measured(each: dict[str, float], printed: dict[str, float], p: float, wins: int = 9) -> MeasuredTables:
    """Errors of what each predicts, and as the equations stand; `wins` of ten users are better off under Pearson."""
    place = {"seed": 1, "aggregate": "pooled", "metric": "RMSE"}
    values = [
        {**place, "study": study, "system": system, "value": value}
        for study, errors in (("errors", each), ("equations", printed))
        for system, value in errors.items()
    ]
    pairs = [
        {**place, "study": study, "a": "Pearson", "wins": wins, "losses": 10 - wins, "p": p}
        for study in ("errors", "equations")
    ]
    common = [{"seed": 1, "system": system, "value": value} for system, value in each.items()]
    return MeasuredTables(
        {"values": pl.DataFrame(values), "pairs": pl.DataFrame(pairs), "common errors": pl.DataFrame(common)}
    )


def test_the_printed_errors_hold() -> None:
    for key, pearson, cosine in (("table-2", 3.58, 4.5), ("table-2-netflix", 1.07, 1.90)):
        numbers = {"Pearson": pearson, "Cosine": cosine}
        printed = _measured(numbers, numbers, 1e-5)
        assert [claim_row(claim, printed, ()).verdict for claim in BY_KEY[key].claims] == ["holds", "holds"]
        rows = [figure_row(expectation, printed) for expectation in BY_KEY[key].expectations]
        assert [row.difference for row in rows] == [0] * 6
        assert [row.standing for row in rows] == ["own"] * 2 + ["reading"] * 4
    assert {expectation.standing for expectation in BY_KEY["table-2-zeros"].expectations} == {"reading"}


def test_what_each_predicts_decides_and_the_equations_stand_beside() -> None:
    turned = _measured({"Pearson": 2.0, "Cosine": 1.0}, {"Pearson": 1.0, "Cosine": 2.0}, 1e-5, wins=1)
    first, second = (claim_row(claim, turned, ()) for claim in BY_KEY["table-2"].claims)
    assert (first.verdict, second.verdict) == ("does not hold here", "does not hold here")
    assert (
        first.figures
        == "1.000 and 2.000; of ratings that both predict 1.000 and 2.000; as the equations stand 2.000 and 1.000"
    )
    assert second.figures.endswith("as the equations stand: p by RMSE: 1e-05 (cosine the better for more users)")
