"""Cross-validation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np

from heldout import rng
from heldout.catalogue import param
from heldout.errors import InputError
from heldout.split.parts import divided, draws, needed
from heldout.split.splitter import Splitter
from heldout.tables import Interactions, Split
from heldout.tables.arrays import Int64


class Folds(Splitter):
    """n-fold cross-validation: the ratings fall into n disjoint test sets, and each trains on all the others.

    By rating, all ratings in a random order are dealt to the folds in turn. By user, each user's ratings are: a user's
    ratings in two folds differ by at most one.

    Assumes: fold sizes differ by at most one rating in both. By user, a user of fewer than n ratings is tested in as many
    folds as there are ratings, and trains on none in the fold that tests an only one.

    Example: 7 ratings under `folds(3)` make test sets of 3, 2 and 2.
    """

    key = "folds"
    aliases = ("cross_validation",)

    n: int = param(5, "number of folds", least=2)
    by: Literal["rating", "user"] = param("rating", "whether all ratings are dealt together or user by user")

    @property
    def folds_made(self) -> int:
        return self.n

    def split(self, data: Interactions | None, *, seed: int) -> Iterator[Split]:
        data = needed(data, self)
        if self.n > len(data):
            raise InputError(f"{self}: {len(data):,} ratings cannot fill {self.n:,} folds", hint="choose fewer folds")
        fold = self._folds(data, seed)
        for k in range(self.n):
            yield divided(data, fold == k, self, fold=k)

    def _folds(self, data: Interactions, seed: int) -> Int64:
        keys = draws(data, seed, "split folds")
        if self.by == "rating":
            order = np.lexsort((np.arange(len(data)), keys))
        else:
            # Users in a random order too, so that where a user of few ratings falls is left to chance.
            turn = rng.uniform(rng.key(seed, "split folds user"), np.arange(data.n_users))[data.user]
            order = np.lexsort((keys, data.user, turn))
        fold = np.empty(len(data), dtype=np.int64)
        fold[order] = np.arange(len(data)) % self.n
        return fold
