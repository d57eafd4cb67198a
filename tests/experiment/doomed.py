"""A recommender that fails. Only the fixture `doomed` imports it: a declared component is known to every test."""

from __future__ import annotations

import os
import signal
from typing import Any

import heldout as ho
from heldout.catalogue import param
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
