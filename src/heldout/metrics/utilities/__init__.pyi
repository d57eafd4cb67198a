"""Components of `ho.metrics.utilities`; written by `make exports`."""

from heldout.metrics.utilities.above_neutral import AboveNeutral as _AboveNeutral
from heldout.metrics.utilities.column import ColumnUtility as _ColumnUtility
from heldout.metrics.utilities.hit import Hit as _Hit
from heldout.metrics.utilities.log_inverse_popularity import LogInversePopularity as _LogInversePopularity

class AboveNeutral(_AboveNeutral):
    """How far a rating is above the neutral one; nothing for those below.

    neutral: the rating that says neither yes nor no; none: the middle of the scale
    """
    def __init__(self, neutral: float | None = None) -> None: ...

class ColumnUtility(_ColumnUtility):
    """What each rating is worth is a column of the data, such as profit times quantity."""
    def __init__(self) -> None: ...

class Hit(_Hit):
    """Every relevant item is worth 1, any other nothing."""
    def __init__(self) -> None: ...

class LogInversePopularity(_LogInversePopularity):
    """A relevant item is worth the more the fewer users rated it in training: the information it brings."""
    def __init__(self) -> None: ...
