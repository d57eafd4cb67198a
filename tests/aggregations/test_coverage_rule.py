"""What every coverage rule asks for."""

from __future__ import annotations

import numpy as np
import pytest

from heldout.aggregations.coverage.forgive import Forgive
from heldout.aggregations.coverage.zero import UncoveredAsZero
from heldout.aggregations.undefined.zero import UndefinedAsZero
from heldout.catalogue import make
from heldout.errors import InputError


def test_systems_must_be_aligned() -> None:
    with pytest.raises(InputError, match="2 and 3 users"):
        Forgive().included([np.ones(3), np.ones(2)])


def test_the_same_word_names_two_kinds() -> None:
    assert isinstance(make("undefined", "zero"), UndefinedAsZero)
    assert isinstance(make("coverage", "zero"), UncoveredAsZero)
