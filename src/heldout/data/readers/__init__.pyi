"""Components of `ho.readers`; written by `make exports`."""

from heldout.data.missingness import Missingness as _Missingness
from heldout.data.readers.bookcrossing import BookCrossing as _BookCrossing
from heldout.data.readers.cm100k import CM100k as _CM100k
from heldout.data.readers.coat import Coat as _Coat
from heldout.data.readers.csv import Csv as _Csv
from heldout.data.readers.fimi import Fimi as _Fimi
from heldout.data.readers.jester import Jester as _Jester
from heldout.data.readers.jsonl import Jsonl as _Jsonl
from heldout.data.readers.lastfm import LastFm as _LastFm
from heldout.data.readers.lenskit import LensKit as _LensKit
from heldout.data.readers.movielens import MovieLens as _MovieLens
from heldout.data.readers.netflix import Netflix as _Netflix
from heldout.data.readers.parquet import Parquet as _Parquet
from heldout.data.readers.recbole import RecBole as _RecBole
from heldout.data.readers.simulate import Simulate as _Simulate
from heldout.data.readers.tafeng import TaFeng as _TaFeng
from heldout.data.readers.trec_qrels import TrecQrels as _TrecQrels
from typing import Literal

class BookCrossing(_BookCrossing):
    """BookCrossing: ratings 1 to 10 of books by ISBN, and 0 where a reader has a book but gave it no rating.

    path: the folder or BX-Book-Ratings.csv, plain or compressed
    rows: which ratings: all, those from 1 on, or the zeros
    on_bad_rows: what becomes of a bad row: an error, or it is skipped and counted
    """
    def __init__(self, path: str, rows: Literal['all', 'explicit', 'implicit'] = 'all', on_bad_rows: Literal['error', 'skip'] = 'error') -> None: ...

class CM100k(_CM100k):
    """CM100k: ratings 1 to 4 of songs drawn at random for each user, with whether the user knew the song before.

    path: the folder or data.txt, plain or compressed
    known: rows of which songs: any, known before, not known before
    on_bad_rows: what becomes of a bad row: an error, or it is skipped and counted
    """
    def __init__(self, path: str, known: Literal['any', 'yes', 'no'] = 'any', on_bad_rows: Literal['error', 'skip'] = 'error') -> None: ...

class Coat(_Coat):
    """Coat: 290 shoppers' ratings of 24 coats they chose (train) and of 16 drawn at random (test), of 300.

    path: the folder
    part: the chosen coats, the random ones, or both
    on_bad_rows: what becomes of a bad row: an error, or it is skipped and counted
    """
    def __init__(self, path: str, part: Literal['train', 'test', 'both'] = 'train', on_bad_rows: Literal['error', 'skip'] = 'error') -> None: ...

class Csv(_Csv):
    """Ratings in delimited text: one (user, item) pair a line, with a value, a time and a utility where there are any.

    path: the file, plain or compressed (.gz, .xz, .bz2, .zst), or a pattern of many
    user: the column of users
    item: the column of items
    value: the column of ratings or counts
    time: the column of times
    utility: the column of utilities, such as profits
    separator: tab, comma, semicolon, pipe, whitespace or any text; none: found out
    header: whether the first line names the columns; none: found out
    encoding: how the text is encoded, such as latin-1
    time_format: how dates are written, such as %d.%m.%Y or %Y%m%d; none: found out
    on_bad_rows: what becomes of a bad row: an error, or it is skipped and counted
    """
    def __init__(self, path: str, user: str = 'auto', item: str = 'auto', value: str | None = 'auto', time: str | None = 'auto', utility: str | None = 'auto', separator: str | None = None, header: bool | None = None, encoding: str = 'utf-8', time_format: str | None = None, on_bad_rows: Literal['error', 'skip'] = 'error') -> None: ...

class Fimi(_Fimi):
    """Baskets: one a line, the items it holds separated by blanks; the user is the number of the line.

    path: the file, plain or compressed
    on_bad_rows: what becomes of a bad row: an error, or it is skipped and counted
    """
    def __init__(self, path: str, on_bad_rows: Literal['error', 'skip'] = 'error') -> None: ...

class Jester(_Jester):
    """Jester: continuous ratings −10 to 10 of 100 jokes; a line a user, 99 where a joke is not rated.

    path: the file, plain or compressed, or a pattern of many
    on_bad_rows: what becomes of a bad row: an error, or it is skipped and counted
    """
    def __init__(self, path: str, on_bad_rows: Literal['error', 'skip'] = 'error') -> None: ...

class Jsonl(_Jsonl):
    """Ratings as JSON lines: one object for each (user, item) pair, such as the Amazon and Yelp reviews.

    path: the file, plain or compressed, or a pattern of many
    user: the key of users
    item: the key of items
    value: the key of ratings or counts
    time: the key of times
    utility: the key of utilities, such as profits
    time_format: how dates are written, such as %d.%m.%Y or %Y%m%d; none: found out
    on_bad_rows: what becomes of a bad row: an error, or it is skipped and counted
    """
    def __init__(self, path: str, user: str = 'auto', item: str = 'auto', value: str | None = 'auto', time: str | None = 'auto', utility: str | None = 'auto', time_format: str | None = None, on_bad_rows: Literal['error', 'skip'] = 'error') -> None: ...

class LastFm(_LastFm):
    """Last.fm of HetRec 2011: how often 1,892 listeners played their 50 most played artists.

    path: the folder or user_artists.dat, plain or compressed
    on_bad_rows: what becomes of a bad row: an error, or it is skipped and counted
    """
    def __init__(self, path: str, on_bad_rows: Literal['error', 'skip'] = 'error') -> None: ...

class LensKit(_LensKit):
    """A folder that LensKit's `Dataset.save` wrote (2025 on): `schema.json`, `user.parquet`, `item.parquet`, interactions.

    path: the folder
    interactions: which interactions; none: the data set's own default, or the only ones
    on_bad_rows: what becomes of a bad row: an error, or it is skipped and counted
    """
    def __init__(self, path: str, interactions: str | None = None, on_bad_rows: Literal['error', 'skip'] = 'error') -> None: ...

class MovieLens(_MovieLens):
    """A MovieLens data set: `u.data` (100K), `ratings.dat` (1M, 10M) or `ratings.csv` (20M and later), or their folder.

    path: the folder or the file of ratings, plain or compressed
    on_bad_rows: what becomes of a bad row: an error, or it is skipped and counted
    """
    def __init__(self, path: str, on_bad_rows: Literal['error', 'skip'] = 'error') -> None: ...

class Netflix(_Netflix):
    """The Netflix Prize: `mv_0000001.txt` and so on, or the four `combined_data_*.txt`; a film's id, then its ratings.

    path: the folder, a file or a pattern of many, plain or compressed
    on_bad_rows: what becomes of a bad row: an error, or it is skipped and counted
    """
    def __init__(self, path: str, on_bad_rows: Literal['error', 'skip'] = 'error') -> None: ...

class Parquet(_Parquet):
    """Ratings in a Parquet or Arrow (Feather) file: one (user, item) pair a row.

    path: the file: .parquet, .pq, .arrow, .feather or .ipc, or a pattern of many
    user: the column of users
    item: the column of items
    value: the column of ratings or counts
    time: the column of times
    utility: the column of utilities, such as profits
    time_format: how dates are written, such as %d.%m.%Y or %Y%m%d; none: found out
    on_bad_rows: what becomes of a bad row: an error, or it is skipped and counted
    """
    def __init__(self, path: str, user: str = 'auto', item: str = 'auto', value: str | None = 'auto', time: str | None = 'auto', utility: str | None = 'auto', time_format: str | None = None, on_bad_rows: Literal['error', 'skip'] = 'error') -> None: ...

class RecBole(_RecBole):
    """RecBole's atomic files: `.inter` with a header of names and types, such as `user_id:token`, tab-separated.

    path: the file, plain or compressed, its folder, or a pattern of many
    user: the column of users
    item: the column of items
    value: the column of ratings or counts
    time: the column of times
    time_format: how dates are written, such as %d.%m.%Y or %Y%m%d; none: found out
    on_bad_rows: what becomes of a bad row: an error, or it is skipped and counted
    """
    def __init__(self, path: str, user: str = 'auto', item: str = 'auto', value: str | None = 'auto', time: str | None = 'auto', time_format: str | None = None, on_bad_rows: Literal['error', 'skip'] = 'error') -> None: ...

class Simulate(_Simulate):
    """Simulated ratings: item counts follow a shifted power law, and users rate what meets their taste.

    users: number of users
    items: number of items
    ratings: number of ratings; where pairs are drawn one by one, on average
    alpha: skew of popularity: 0 is uniform, 2 very steep
    c1: ratings that every item has besides
    c2: shift of places, which flattens the head
    levels: ratings are 1 to this
    prior: shares of the levels; none: those of MovieLens 1M, interpolated
    factors: number of latent genres; 0: no taste
    pull: how much taste decides what a user rates
    quality: standard deviation of item quality, where taste has 1
    noise: standard deviation of noise, where taste has 1
    missing: why the other ratings are missing, such as by_value(slope=1)
    activity: standard deviation of the logarithm of users' activity
    seed: seed of everything
    """
    def __init__(self, users: int = 2000, items: int = 1500, ratings: int = 120000, alpha: float = 1.0, c1: float = 1.0, c2: float = 40.0, levels: int = 5, prior: tuple[float, ...] | list[float] | None = None, factors: int = 8, pull: float = 1.2, quality: float = 0.6, noise: float = 0.7, missing: _Missingness | str = 'by_popularity', activity: float = 0.9, seed: int = 1) -> None: ...

class TaFeng(_TaFeng):
    """Ta-Feng: who bought what on which day; the value is the quantity, the utility the profit of the row.

    path: the folder or the file, plain or compressed
    on_bad_rows: what becomes of a bad row: an error, or it is skipped and counted
    """
    def __init__(self, path: str, on_bad_rows: Literal['error', 'skip'] = 'error') -> None: ...

class TrecQrels(_TrecQrels):
    """Judgements in the form of trec_eval: `user 0 item grade`, separated by any run of blanks and tabs.

    path: the file, plain or compressed, or a pattern of many
    on_bad_rows: what becomes of a bad row: an error, or it is skipped and counted
    """
    def __init__(self, path: str, on_bad_rows: Literal['error', 'skip'] = 'error') -> None: ...
