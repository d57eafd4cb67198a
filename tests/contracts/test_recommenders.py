"""Every recommender of the catalogue keeps the contract; and the contract can be broken."""

from __future__ import annotations

import numpy as np
import pytest
from tests.refusals import failing_check

from heldout import as_recommender
from heldout.catalogue import REQUIRED, classes, make, parameters
from heldout.recommenders.recommender import Model, Recommender
from heldout.tables import Interactions
from heldout.tables.arrays import Floats, Ints
from heldout.testing import check_recommender
from heldout.testing import recommenders as kit
from heldout.testing.components import some_ratings

NAMES = [cls.key for cls in classes("recommender") if all(p.default is not REQUIRED for p in parameters(cls))]


FEWER_STEPS = {"LDA": "LDA(iterations=10)", "PLSA": "PLSA(iterations=10)"}
"""Recommenders whose usual number of steps takes seconds a fit; the contract fits each a dozen times."""


def test_the_catalogue_is_tried() -> None:
    assert {"Random", "Popularity", "AverageRating", "UserKNN", "ItemKNN", "EASE", "WRMF"} <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_contract(name: str) -> None:
    check_recommender(make("recommender", FEWER_STEPS.get(name, name)))


def test_a_model_from_elsewhere_keeps_the_contract_too() -> None:
    class Counts:
        def fit(self, train: Interactions) -> None:
            self.counts = np.where(train.item_counts, train.item_counts, np.nan)

        def score(self, users: Ints) -> Floats:
            return np.tile(self.counts, (len(users), 1))

    check_recommender(as_recommender("counts", Counts))


class _Broken(Model):
    """Scores of a table, broken in one way."""

    def __init__(self, way: str, train: Interactions, seed: int) -> None:
        self.way = way
        counts = train.item_counts.astype(np.float64)
        if way == "ids":
            counts = counts + [len(str(k)) for k in train.items.ids]
        if way == "seed":
            counts = counts + np.random.default_rng().random(train.n_items)
        if way == "largest":
            counts = counts / train.value.max()
        if way == "data":
            train.value.flags.writeable = True
            train.value[0] += 1
        self.kept = np.tile(counts, (64, 1))
        self.table = counts
        self.cold = train.user_counts == 0

    def score(self, users: Ints) -> Floats:
        if self.way == "array":
            return self.kept
        scores = np.tile(self.table, (len(users), 1))
        if self.way == "integers":
            return scores.astype(np.int64)
        if self.way == "shape":
            return scores[:, 1:]
        if self.way == "infinite":
            scores[0, 0] = np.inf
        if self.way == "place":
            scores += np.arange(len(users))[:, None]
        if self.way == "company":
            scores += users.sum()
        if self.way == "zeros":
            scores[self.cold[users]] = 0.0
        return scores


def test_each_fault_is_found_by_its_own_check() -> None:
    faults = (
        ("integers", kit.gives_floats),
        ("shape", kit.gives_floats),
        ("infinite", kit.gives_floats),
        ("array", kit.gives_a_new_array),
        ("seed", kit.is_fixed_by_the_seed),
        ("seed", kit.does_not_depend_on_threads),
        ("place", kit.does_not_depend_on_the_tile),
        ("company", kit.does_not_depend_on_the_tile),
        ("ids", kit.does_not_depend_on_ids),
        ("data", kit.leaves_the_data_alone),
        ("zeros", kit.tells_what_it_cannot_score),
        ("infinite", kit.takes_no_ratings_at_all),
        ("largest", kit.takes_no_ratings_at_all),
    )
    train = some_ratings().select(np.ones(len(some_ratings()), dtype=np.bool_))
    places = [failing_check(check, _broken(fault), train) for fault, check in faults]
    assert [name for name, _ in places] == [check.__name__ for _, check in faults]
    assert len(set(places)) == len(faults) - 1  # the place among users and the other users are one check


def _broken(way: str) -> Recommender:
    class Broken(Recommender):
        """Broken."""

        def fit(self, train: Interactions, *, seed: int) -> Model:
            return _Broken(way, train, seed)

    return Broken()


def test_a_recommender_without_a_name_has_no_text_form() -> None:
    from heldout.testing.components import check_text_form

    with pytest.raises(AssertionError):
        check_text_form(as_recommender("mine", lambda train, users: np.ones((len(users), train.n_items))))
