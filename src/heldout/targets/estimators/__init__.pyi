"""Components of `ho.targets.estimators`; written by `make exports`."""

from heldout.targets.estimators.bv import BV as _BV
from heldout.targets.estimators.cls import CLS as _CLS

class BV(_BV):
    """Values of sampled ranks that trade the bias of the corrected metric for its variance.

    gamma: what variance counts for, against squared bias
    """
    def __init__(self, gamma: float = 0.1) -> None: ...

class CLS(_CLS):
    """Values of sampled ranks, falling within the metric's range, whose expectation is nearest to the metric over all ranks."""
    def __init__(self) -> None: ...
