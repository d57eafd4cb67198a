"""Components of `ho.aggregations.coverage`; written by `make exports`."""

from heldout.aggregations.coverage.forgive import Forgive as _Forgive
from heldout.aggregations.coverage.intersection import Intersection as _Intersection
from heldout.aggregations.coverage.zero import UncoveredAsZero as _UncoveredAsZero

class Forgive(_Forgive):
    """Each system is averaged over the users it recommends something to."""
    def __init__(self) -> None: ...

class Intersection(_Intersection):
    """All systems are averaged over the users that every compared system recommends something to."""
    def __init__(self) -> None: ...

class UncoveredAsZero(_UncoveredAsZero):
    """All users are averaged; one who was recommended nothing keeps what the metric gives an empty list, mostly 0."""
    def __init__(self) -> None: ...
