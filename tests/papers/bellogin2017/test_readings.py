"""The other reading takes the place of kNN, and leaves all else."""

from __future__ import annotations

import polars as pl
from tests.papers.bellogin2017.made_up import tables

from heldout.papers.bellogin2017.bias_claims import KNN_CLAIMS
from heldout.papers.bellogin2017.bias_figures import SYSTEMS
from heldout.papers.bellogin2017.readings import OTHER_KNN, read_otherwise, with_other_knn
from heldout.papers.reproduce import judged

VALUES = {"pLSA": 0.5, "Popularity": 0.4, "MF": 0.3, "kNN": 0.6, OTHER_KNN: 0.2, "Random": 0.1}
MEASURED = tables(
    pl.DataFrame(
        [
            {"protocol": protocol, "metric": "P@10", "system": system, "value": value}
            for protocol in ("AR", "1R")
            for system, value in VALUES.items()
        ]
    )
)


def test_the_other_reading_bears_the_name_of_knn() -> None:
    renamed = with_other_knn(MEASURED)
    assert renamed.numbers("values", "value", protocol="AR", system="kNN") == [0.2]
    assert set(renamed.tables["values"]["system"]) == set(SYSTEMS)
    assert renamed.tables["items"].equals(MEASURED.tables["items"])


def test_an_order_that_holds_by_the_other_reading_alone() -> None:
    [order] = [claim for claim in KNN_CLAIMS if claim.words.startswith("pLSA first")]
    assert order.causes and judged(order, MEASURED, ()).verdict == "does not hold here"
    other = read_otherwise(order)
    assert not other.causes and judged(other, MEASURED, ()).verdict == "holds"
