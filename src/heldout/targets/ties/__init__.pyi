"""Written by `make exports`."""

from heldout.targets.ties.expected import Expected as Expected  # expected
from heldout.targets.ties.file import FileOrder as FileOrder  # file given
from heldout.targets.ties.item import Item as Item  # item catalogue
from heldout.targets.ties.random import RandomTies as RandomTies  # random
from heldout.targets.ties.trec import Trec as Trec  # trec
