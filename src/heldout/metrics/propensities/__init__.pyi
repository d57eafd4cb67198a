"""Components of `ho.metrics.propensities`; written by `make exports`."""

from heldout.metrics.propensities.column import ColumnPropensity as _ColumnPropensity
from heldout.metrics.propensities.popularity import PopularityPropensity as _PopularityPropensity
from typing import Literal

class ColumnPropensity(_ColumnPropensity):
    """Propensities are a column of a table of items, or of ratings: measured in an experiment, or estimated elsewhere.

    column: name of the column
    table: file with item_id (user_id too, or not) and this column; none: the data set's table of items
    scale: whether they are probabilities
    """
    def __init__(self, column: str = 'propensity', table: str | None = None, scale: Literal['absolute', 'proportional'] = 'absolute') -> None: ...

class PopularityPropensity(_PopularityPropensity):
    """Popular items are rated more readily: a power of the number of ratings an item has in train and test.

    gamma: how strongly being shown follows popularity
    """
    def __init__(self, gamma: float = 1.5) -> None: ...
