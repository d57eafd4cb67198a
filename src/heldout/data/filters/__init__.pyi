"""Components of `ho.filters`; written by `make exports`."""

from heldout.data.filters.binarise import Binarise as _Binarise
from heldout.data.filters.core import Core as _Core
from heldout.data.filters.drop_head import DropHead as _DropHead
from heldout.data.filters.duplicates import Duplicates as _Duplicates
from heldout.data.filters.min_ratings import MinRatings as _MinRatings
from heldout.data.filters.playcounts_to_ratings import PlaycountsToRatings as _PlaycountsToRatings
from heldout.data.filters.positive import Positive as _Positive
from heldout.data.filters.sample import Sample as _Sample
from typing import Literal

class Binarise(_Binarise):
    """Turns ratings from a threshold on into 1 and the others into 0; all are kept.

    threshold: the lowest rating that becomes 1
    """
    def __init__(self, threshold: float) -> None: ...

class Core(_Core):
    """Drops users and items with fewer than k ratings again and again, until every one left has at least k.

    k: ratings that every user and item must have
    """
    def __init__(self, k: int) -> None: ...

class DropHead(_DropHead):
    """Drops the most popular share of the items, with all their ratings.

    share: share of the items that is dropped
    """
    def __init__(self, share: float) -> None: ...

class Duplicates(_Duplicates):
    """Makes one rating of repeated (user, item) pairs: the latest, the sum, the maximum, or an error.

    keep: what is kept of a repeated pair
    time: which row's time the pair carries; none: the latest's under latest, else the first's
    """
    def __init__(self, keep: Literal['latest', 'sum', 'max', 'error'], time: Literal['first', 'latest'] | None = None) -> None: ...

class MinRatings(_MinRatings):
    """Drops users and items with fewer ratings than asked, once.

    user: ratings that a user must have
    item: ratings that an item must have
    """
    def __init__(self, user: int = 0, item: int = 0) -> None: ...

class PlaycountsToRatings(_PlaycountsToRatings):
    """Turns each user's play counts into ratings 1 to 5 by where they lie in the user's own distribution.

    levels: ratings are 1 to this
    """
    def __init__(self, levels: int = 5) -> None: ...

class Positive(_Positive):
    """Keeps ratings from a threshold on and treats the others as absent.

    threshold: the lowest rating that is kept
    """
    def __init__(self, threshold: float) -> None: ...

class Sample(_Sample):
    """Keeps a random share (below 1) or number (from 1 on) of users, items or ratings.

    ratings: share or number of ratings
    users: share or number of users
    items: share or number of items
    """
    def __init__(self, ratings: float | None = None, users: float | None = None, items: float | None = None) -> None: ...
