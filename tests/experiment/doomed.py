"""A recommender that fails; imported only where it is wanted, since a declared component is known everywhere."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from typing import Any

import pytest

import heldout as ho
from heldout.catalogue import param
from heldout.catalogue.lookup import registered
from heldout.recommenders.recommender import Model, Recommender


class Doomed(Recommender):
    """Fails as it is told to.

    Assumes: nothing.

    Example: `Doomed(how=dies)` ends its process.
    """

    key = "Doomed"
    how: str = param("raises", "what it does")

    def fit(self, train: Any, *, seed: int) -> Model:
        """Fail."""
        if self.how == "dies":
            os.kill(os.getpid(), signal.SIGKILL)
        if self.how == "memory":
            raise MemoryError("no room for 80 GB")
        if self.how == "unfit":
            raise ho.InputError("the ratings have no times")
        raise ZeroDivisionError("division by zero")


@pytest.fixture(name="doomed")
def declared_doomed() -> Iterator[type[Doomed]]:
    """The recommender that fails, declared for one test and forgotten afterwards."""
    by_name = registered("recommender")
    by_name["doomed"] = Doomed
    yield Doomed
    by_name.pop("doomed", None)
