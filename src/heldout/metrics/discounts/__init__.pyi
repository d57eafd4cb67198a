"""Components of `ho.metrics.discounts`; written by `make exports`."""

from heldout.metrics.discounts.half_life import HalfLife as _HalfLife
from heldout.metrics.discounts.jarvelin import Jarvelin as _Jarvelin
from heldout.metrics.discounts.log2 import Log2 as _Log2
from heldout.metrics.discounts.rbp import Geometric as _Geometric
from heldout.metrics.discounts.table import DiscountTable as _DiscountTable
from heldout.metrics.discounts.zipf import Zipf as _Zipf

class DiscountTable(_DiscountTable):
    """What is left at each rank is written out, such as known viewing probabilities; beyond the table nothing is.

    weights_of_ranks: weights of ranks 1, 2, …
    """
    def __init__(self, weights_of_ranks: tuple[float, ...] | list[float]) -> None: ...

class Geometric(_Geometric):
    """A user goes on from each rank to the next with probability φ.

    phi: probability of going on to the next rank
    """
    def __init__(self, phi: float = 0.8) -> None: ...

class HalfLife(_HalfLife):
    """The chance that an item is looked at halves every α − 1 ranks.

    alpha: the rank that is looked at with probability one half
    """
    def __init__(self, alpha: float = 5.0) -> None: ...

class Jarvelin(_Jarvelin):
    """An item at rank k keeps one over the logarithm of k, and all of its worth at ranks up to the base.

    base: b, the base of the logarithm: up to this rank nothing is lost
    """
    def __init__(self, base: float = 2.0) -> None: ...

class Log2(_Log2):
    """An item at rank k keeps one over the binary logarithm of k + 1."""
    def __init__(self) -> None: ...

class Zipf(_Zipf):
    """An item at rank k keeps one k-th."""
    def __init__(self) -> None: ...
