"""Components of `ho.aggregations.undefined`; written by `make exports`."""

from heldout.aggregations.undefined.skip import SkipUndefined as _SkipUndefined
from heldout.aggregations.undefined.zero import UndefinedAsZero as _UndefinedAsZero

class SkipUndefined(_SkipUndefined):
    """A user whose value is undefined leaves the average and the tests, and is counted."""
    def __init__(self) -> None: ...

class UndefinedAsZero(_UndefinedAsZero):
    """An undefined value counts as 0, as in trec_eval when it averages over all topics."""
    def __init__(self) -> None: ...
