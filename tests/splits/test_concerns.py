"""Parts of a split that are suspiciously small are warned of."""

from __future__ import annotations

from tests.splits.tiny import data

from heldout.catalogue import make
from heldout.splits.carve import with_groups
from heldout.splits.concerns import SmallValidation, concerns
from heldout.tables import Dropped, Split


def test_small_parts_are_told() -> None:
    big = data(100, 100)
    assert not list(concerns(next(iter(make("split", "ratio(train=0.8)").split(big, seed=1)))))
    small = next(iter(make("split", "leave_out(1)").split(data(), seed=1)))
    assert [notice.code for notice in concerns(small)] == ["HO501", "HO503"]
    lopsided = next(iter(make("split", "keep(2)").split(big, seed=1)))
    assert "HO504" in [notice.code for notice in concerns(lopsided)]
    empty = Split(train=small.train, test=small.test, dropped=(Dropped("why", 10_000),))
    assert "HO505" in [notice.code for notice in concerns(empty)]
    groups = with_groups(small, 3, seed=1)
    assert SmallValidation.notice("only 3 users are for development and 27 users are for evaluation") in list(
        concerns(groups)
    )
