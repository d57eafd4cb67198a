"""Components of `ho.targets.ties`; written by `make exports`."""

from heldout.targets.ties.expected import Expected as _Expected
from heldout.targets.ties.file import FileOrder as _FileOrder
from heldout.targets.ties.item import Item as _Item
from heldout.targets.ties.random import RandomTies as _RandomTies
from heldout.targets.ties.trec import Trec as _Trec

class Expected(_Expected):
    """Values are means over all orders of the tied items, in closed form."""
    def __init__(self) -> None: ...

class FileOrder(_FileOrder):
    """Of equal scores, the item that comes first in the user's rows of the run ranks first."""
    def __init__(self) -> None: ...

class Item(_Item):
    """Of equal scores, the item that comes first in the catalogue (the lower id) ranks first."""
    def __init__(self) -> None: ...

class RandomTies(_RandomTies):
    """Equal scores stand in an order drawn at random for each user, the same for all systems.

    seed: fixes the orders; another seed gives others
    """
    def __init__(self, seed: int = 1) -> None: ...

class Trec(_Trec):
    """Of equal scores, the item whose id is higher as a string of bytes ranks first, as in trec_eval."""
    def __init__(self) -> None: ...
