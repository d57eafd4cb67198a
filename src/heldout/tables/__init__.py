"""The nouns: immutable columnar tables of read-only arrays, checked once at the boundary and trusted inside."""

from heldout.tables.background import Background, item_counts
from heldout.tables.interactions import Interactions
from heldout.tables.judged import Judged, Running, divide
from heldout.tables.log import Keep, Log, MergedTime, Skipped, concat_logs
from heldout.tables.rankings import Rankings
from heldout.tables.relevance import Levels, Relevance
from heldout.tables.score_counts import ScoreCounts
from heldout.tables.scores import ProtocolKey, Scores
from heldout.tables.side import Features, Side
from heldout.tables.split import Dropped, Split
from heldout.tables.vocabulary import Vocabulary, id_column

__all__ = [
    "Background",
    "Dropped",
    "Features",
    "Interactions",
    "Judged",
    "Keep",
    "Levels",
    "Log",
    "MergedTime",
    "ProtocolKey",
    "Rankings",
    "Relevance",
    "Running",
    "ScoreCounts",
    "Scores",
    "Side",
    "Skipped",
    "Split",
    "Vocabulary",
    "concat_logs",
    "divide",
    "id_column",
    "item_counts",
]
