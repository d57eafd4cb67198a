"""External: a run file as a recommender."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import REQUIRED, param
from heldout.data.runs import read_run
from heldout.data.sources import file_digest
from heldout.errors import InputError
from heldout.recommenders.matrix import Rows, rows
from heldout.recommenders.recommender import Model, Recommender
from heldout.tables import Interactions
from heldout.tables.arrays import Float64, Ints, pointers


class External(Recommender):
    """The scores that another system wrote to a run file.

    Assumes: the run was made from the same training ratings, which cannot be checked here; with several folds the same run
    serves all. Pairs that the run does not hold cannot be scored. Users and items that the data do not know are left out; a
    run none of whose pairs is known is an error.

    Example: of a run of one line, user 1, item a, score 0.7, user 1 scores 0.7 for a and nothing for all other items.
    """

    key = "External"
    aliases = ("run",)
    ends_early = True
    formula = "s(u, i) = the run's score of i for u, else none"

    has_file_order = True

    path: str = param(REQUIRED, "the run: TREC, CSV, TSV, Parquet or Arrow")

    def source_digest(self) -> str:
        """sha256 of the run file."""
        return file_digest(self.path)

    def fit(self, train: Interactions, *, seed: int) -> Model:
        """Read the run; nothing is learnt."""
        run = read_run(self.path)
        user, item = train.users.encode(run.user_id), train.items.encode(run.item_id)
        in_train = (user >= 0) & (item >= 0)
        if not in_train.any():
            raise InputError(
                f"none of its {len(run):,} pairs is in the data",
                file=self.path,
                found=[f"user {run.user_id[0]}", f"item {run.item_id[0]}"],
                expected="users and items of the data",
                hint="check that the run and the data use the same ids",
            )
        user, item, score = user[in_train], item[in_train], run.score[in_train]
        order = np.lexsort((-score, user))  # stable: equal scores stay in the order of the rows
        return _Listed(rows(pointers(user, train.n_users), item[order], score[order]), train.n_items)


class _Listed(Model):
    def __init__(self, listed: Rows, n_items: int) -> None:
        self._listed, self._n = listed, n_items

    def score(self, users: Ints) -> Float64:
        """What the run says of these users."""
        return self._spread(users, self._listed.values)

    def places(self, users: Ints) -> Float64:
        """Numbers that fall by score and, where scores are equal, in the order of the rows."""
        return self._spread(users, -np.arange(len(self._listed.values), dtype=np.float64))

    def _spread(self, users: Ints, of_row: Float64) -> Float64:
        out = np.full((len(users), self._n), np.nan)
        for place, user in enumerate(users):
            own = slice(*self._listed.indptr[user : user + 2])
            out[place, self._listed.indices[own]] = of_row[own]
        return out
