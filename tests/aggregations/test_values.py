"""What users may be weighed by, and which weights are refused."""

from __future__ import annotations

import numpy as np
import pytest

from heldout.aggregations import Mean
from heldout.aggregations.coverage.zero import UncoveredAsZero
from heldout.aggregations.tally import arrange, tally_of
from heldout.aggregations.undefined.zero import UndefinedAsZero
from heldout.errors import InputError, NotApplicableError, SpecError, UnknownNameError

RULES = {"undefined": UndefinedAsZero(), "coverage": UncoveredAsZero()}


def values_of(aggregation: object, x: np.ndarray, **more: object) -> list[float | None]:
    lengths = np.ones(x.shape)
    found = arrange(x, lengths, aggregation=aggregation, **{**RULES, **more})
    return [t.value for t in tally_of(found, x, lengths)]


def test_bad_weights_say_what_is_wrong() -> None:
    x = np.ones((1, 2))
    with pytest.raises(InputError, match="the weight of user 1 is -1"):
        values_of(Mean("test"), x, counts={"test": np.array([1.0, -1])})
    with pytest.raises(NotApplicableError, match="no user has any weight"):
        values_of(Mean("test"), x, counts={"test": np.zeros(2)})
    with pytest.raises(InputError, match="1 users have no 'train'"):
        values_of(Mean("train"), x, counts={"train": np.array([1.0, np.nan])})
    with pytest.raises(UnknownNameError, match="unknown weight 'test'"):
        values_of(Mean("test"), x)
    with pytest.raises(NotApplicableError, match="averaged by rating"):
        values_of(Mean("test"), x, counts={"test": np.ones(2)}, weights=np.ones(2))
    with pytest.raises(SpecError, match="'income' is none of test, relevant, train"):
        Mean("income")
    with pytest.raises(SpecError, match="a table is read for the column"):
        Mean("test", "users.csv")
    with pytest.raises(NotApplicableError, match="needs the users' weights"):
        Mean("test").aggregate(x.T)
