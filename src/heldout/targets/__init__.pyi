"""Components of `ho.targets`; written by `make exports`."""

from heldout.targets import estimators as estimators
from heldout.targets import relevance as relevance
from heldout.targets import ties as ties
from heldout.targets import users as users
from heldout.targets.all_items import AllItems as _AllItems
from heldout.targets.estimator import Estimator as _Estimator
from heldout.targets.items_in_test import TestItems as _TestItems
from heldout.targets.one_plus_random import OnePlusRandom as _OnePlusRandom
from heldout.targets.ratings_in_test import TestRatings as _TestRatings
from heldout.targets.relevance_rule import RelevanceRule as _RelevanceRule
from heldout.targets.targets import Targets as _Targets
from heldout.targets.training_items import TrainingItems as _TrainingItems
from heldout.targets.uniform import P1R as _P1R
from heldout.targets.uniform import U1R as _U1R
from heldout.targets.uniform import UAR as _UAR
from typing import Literal

class AllItems(_AllItems):
    """All items of the catalogue compete, but for the user's training items: the full ranking."""
    def __init__(self) -> None: ...

class OnePlusRandom(_OnePlusRandom):
    """Each relevant test item is ranked alone among N sampled items that the user rated nowhere (TI-1R-NN).

    nonrelevant: N, sampled items in each list
    relevance: a rule of its own for which test ratings get a list, instead of the study's
    average: lists are averaged per user first, or each counts the same
    corrected: estimates values of the full ranking: cls or bv(gamma=0.1)
    """
    def __init__(self, nonrelevant: int, relevance: _RelevanceRule | str | None = None, average: Literal['user', 'rating'] = 'user', corrected: _Estimator | str | None = None) -> None: ...

class P1R(_P1R):
    """Each relevant item competes with N sampled items of its own popularity class.

    nonrelevant: N, sampled items in each list
    percentiles: m, popularity classes of equal size
    """
    def __init__(self, nonrelevant: int, percentiles: int = 10) -> None: ...

class Targets(_Targets):
    """Any protocol, by its choices: who may compete, with how many relevant items in a list, among how many others.

    candidates: C: all items, those with a test rating by someone, or with a training rating
    relevant: one list with all relevant items, or one list for each
    nonrelevant: all others compete, or N sampled ones
    percentiles: popularity classes of equal size; the items of a list are of one class
    pool: others are all that is not relevant, or what the user rated nowhere
    head: share of the most popular items that leaves the test
    relevance: a rule of its own instead of the study's
    average: lists of one relevant item: users count the same (default), or ratings (default within classes)
    corrected: estimates values of the full ranking: cls or bv(gamma=0.1)
    """
    def __init__(self, candidates: Literal['all', 'test', 'training'] = 'all', relevant: Literal['all', 'one'] = 'all', nonrelevant: int | Literal['all'] = 'all', percentiles: int = 1, pool: Literal['nonrelevant', 'unrated'] = 'nonrelevant', head: float = 0.0, relevance: _RelevanceRule | str | None = None, average: Literal['user', 'rating'] | None = None, corrected: _Estimator | str | None = None) -> None: ...

class TestItems(_TestItems):
    """Items with a test rating by some user compete, but for the user's training items (TI-AR-AN)."""
    def __init__(self) -> None: ...

class TestRatings(_TestRatings):
    """Only the items that the user rated in test compete: the condensed ranking."""
    def __init__(self) -> None: ...

class TrainingItems(_TrainingItems):
    """Items with a training rating by some other user compete, but for the user's own training items (TrI-AR-AN)."""
    def __init__(self) -> None: ...

class U1R(_U1R):
    """Each relevant item competes with N sampled test items, under a split that tests every item equally often.

    nonrelevant: N, sampled items in each list
    average: each list counts the same, or lists are averaged per user first
    """
    def __init__(self, nonrelevant: int, average: Literal['user', 'rating'] = 'rating') -> None: ...

class UAR(_UAR):
    """The test items compete, all relevant ones in one list, under a split that tests every item equally often."""
    def __init__(self) -> None: ...
