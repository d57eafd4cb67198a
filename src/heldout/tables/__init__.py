"""The nouns: immutable columnar tables of read-only arrays, checked once at the boundary and trusted inside."""

from heldout.tables.interactions import Interactions
from heldout.tables.judged import Judged, divide
from heldout.tables.log import Keep, Log
from heldout.tables.rankings import Rankings
from heldout.tables.relevance import Relevance
from heldout.tables.scores import Protocol, Scores
from heldout.tables.split import Dropped, Split
from heldout.tables.vocabulary import Vocabulary, id_column

__all__ = [
    "Dropped",
    "Interactions",
    "Judged",
    "Keep",
    "Log",
    "Protocol",
    "Rankings",
    "Relevance",
    "Scores",
    "Split",
    "Vocabulary",
    "divide",
    "id_column",
]
