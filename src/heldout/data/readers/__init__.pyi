"""Written by `make exports`."""

from heldout.data.readers.bookcrossing import BookCrossing as BookCrossing  # bookcrossing book_crossing
from heldout.data.readers.cm100k import CM100k as CM100k  # cm100k
from heldout.data.readers.coat import Coat as Coat  # coat
from heldout.data.readers.csv import Csv as Csv  # csv tsv
from heldout.data.readers.fimi import Fimi as Fimi  # fimi baskets
from heldout.data.readers.jester import Jester as Jester  # jester
from heldout.data.readers.jsonl import Jsonl as Jsonl  # jsonl ndjson json
from heldout.data.readers.lastfm import LastFm as LastFm  # lastfm lastfm_hetrec
from heldout.data.readers.lenskit import LensKit as LensKit  # lenskit
from heldout.data.readers.movielens import MovieLens as MovieLens  # movielens
from heldout.data.readers.netflix import Netflix as Netflix  # netflix
from heldout.data.readers.parquet import Parquet as Parquet  # parquet arrow feather
from heldout.data.readers.recbole import RecBole as RecBole  # recbole inter
from heldout.data.readers.simulate import Simulate as Simulate  # simulate
from heldout.data.readers.tafeng import TaFeng as TaFeng  # tafeng ta_feng
from heldout.data.readers.trec_qrels import TrecQrels as TrecQrels  # trec_qrels qrels
