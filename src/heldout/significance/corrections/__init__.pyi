"""Components of `ho.significance.corrections`; written by `make exports`."""

from heldout.significance.corrections.benjamini_hochberg import BenjaminiHochberg as _BenjaminiHochberg
from heldout.significance.corrections.bonferroni import Bonferroni as _Bonferroni
from heldout.significance.corrections.holm import Holm as _Holm
from heldout.significance.corrections.none import NoCorrection as _NoCorrection
from heldout.significance.corrections.sidak import Sidak as _Sidak

class BenjaminiHochberg(_BenjaminiHochberg):
    """Holds the expected share of false rejections among the rejections, not the chance of any, below the level."""
    def __init__(self) -> None: ...

class Bonferroni(_Bonferroni):
    """Each p times the number of comparisons: the chance of any false rejection stays below the level."""
    def __init__(self) -> None: ...

class Holm(_Holm):
    """Bonferroni step by step: the least p times N, the next times N − 1, …, never below the one before."""
    def __init__(self) -> None: ...

class NoCorrection(_NoCorrection):
    """p-values as they are."""
    def __init__(self) -> None: ...

class Sidak(_Sidak):
    """The chance that the least of N independent p-values is this small; the level becomes 1 − (1 − α)^(1/N)."""
    def __init__(self) -> None: ...
