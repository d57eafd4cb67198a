"""Components of `ho.targets.relevance`; written by `make exports`."""

from heldout.targets.relevance.by_scale import ByScale as _ByScale
from heldout.targets.relevance.more_than import MoreThan as _MoreThan
from heldout.targets.relevance.threshold import Threshold as _Threshold
from heldout.targets.relevance.user_mean import UserMean as _UserMean
from heldout.targets.relevance.user_top import UserTop as _UserTop

class ByScale(_ByScale):
    """The rule that fits the scale of the ratings: the upper two fifths of a rating scale, every count or click."""
    def __init__(self) -> None: ...

class MoreThan(_MoreThan):
    """A test rating counts as relevant when it is above a count: plays, clicks, purchases.

    count: the count that must be exceeded
    """
    def __init__(self, count: float) -> None: ...

class Threshold(_Threshold):
    """A test rating counts as relevant when it is at least τ.

    tau: the least rating that is relevant
    """
    def __init__(self, tau: float) -> None: ...

class UserMean(_UserMean):
    """A test rating counts as relevant when it is at least the mean of the user's ratings."""
    def __init__(self) -> None: ...

class UserTop(_UserTop):
    """A test rating counts as relevant when it is among the highest share of the user's ratings.

    share: share of a user's ratings
    """
    def __init__(self, share: float) -> None: ...
