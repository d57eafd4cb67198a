"""Components of `ho.metrics.unrated`; written by `make exports`."""

from heldout.metrics.unrated.condense import Condense as _Condense
from heldout.metrics.unrated.interval import Interval as _Interval
from heldout.metrics.unrated.zero import Zero as _Zero
from typing import Literal

class Condense(_Condense):
    """Unrated items are taken out of the list and the rated ones move up."""
    def __init__(self) -> None: ...

class Interval(_Interval):
    """The value with every unrated item at gain 0, and the value with every one at full gain.

    end: both ends, or one of them
    """
    def __init__(self, end: Literal['both', 'low', 'high'] = 'both') -> None: ...

class Zero(_Zero):
    """Unrated items keep their ranks and gain 0: neither relevant nor judged non-relevant."""
    def __init__(self) -> None: ...
