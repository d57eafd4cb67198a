"""Data sets by themselves: look at them, write them, simulate and fetch them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heldout.errors import SpecError

if TYPE_CHECKING:
    from heldout.data.published import Published
    from heldout.data.readers.simulate import Simulate
    from heldout.data.world import World
    from heldout.experiment.folds import DataProfile
    from heldout.tables import Interactions


def profile(source: Any, filters: Sequence[Any] = (), *, seed: int = 1, on_bad_rows: str = "error") -> DataProfile:
    """A data set in numbers, as read and after each filter: `profile("ratings.csv", ["core(5)"]).last.users`.

    `source` is anything that `read` takes. The result also has the ratings that are left (`data`), the columns that were
    taken for user, item and so on, and the bad rows that were skipped.
    """
    from heldout.experiment.folds import look

    return look(source, filters, seed=seed, on_bad_rows=on_bad_rows)


def convert(
    source: Any, target: str | Path, *, duplicates: str = "error", filters: Sequence[Any] = (), on_bad_rows: str = "error"
) -> DataProfile:
    """Read a data set of any format and write it in another, one row for each user and item, after `filters`.

    The ending of `target` says the format: .parquet, .csv, .tsv, .jsonl, .arrow, .inter (RecBole) or .qrels (TREC).
    `duplicates` says what repeated pairs become: error, latest, sum or max.
    """
    refuse_format(target)
    converted = profile(source, [f"duplicates(keep={duplicates})", *filters], on_bad_rows=on_bad_rows)
    write(converted.data, target)
    return converted


def refuse_format(path: str | Path) -> None:
    """SpecError where the ending of a name says no format of ratings."""
    from heldout.data.write import format_of

    format_of(path)


def write(ratings: Interactions, path: str | Path) -> None:
    """Write ratings in the format that the ending of the name says."""
    from heldout.data.write import write_ratings

    write_ratings(ratings, path)


def simulator(spec: str = "simulate", *, like: str | None = None, seed: int | None = None) -> Simulate:
    """What simulates ratings: as a text form says, or fitted to a data set."""
    from heldout.catalogue import make
    from heldout.data.read import read
    from heldout.data.simulation_fit import fitted

    reader: Simulate = fitted(read(like)) if like is not None else make("reader", spec)
    if not reader.simulated:
        raise SpecError(f"'{spec}' simulates nothing", where="--spec", hint='such as "simulate(users=500)"')
    return reader if seed is None else reader.replace(seed=seed)


def write_truth(world: World, path: str | Path) -> None:
    """What every user would say of every item, as rows of a Parquet file."""
    _write_matrix(path, world.truth, "rating", world)


def write_propensities(world: World, path: str | Path) -> None:
    """How likely every user was to rate every item, as rows of a Parquet file."""
    _write_matrix(path, world.propensity, "propensity", world)


def _write_matrix(path: str | Path, of_users: Callable[..., Any], name: str, world: World) -> None:
    """Users × items as rows of a Parquet file, some users at a time."""
    import numpy as np
    import polars as pl

    from heldout.writing import write_file

    items, block = np.arange(1, world.n_items + 1), max(1, (1 << 22) // world.n_items)
    frames = []
    for low in range(0, world.n_users, block):
        users = np.arange(low, min(low + block, world.n_users))
        frames.append(
            pl.DataFrame(
                {
                    "user_id": np.repeat(users + 1, world.n_items).astype(np.int32),
                    "item_id": np.tile(items, len(users)).astype(np.int32),
                    name: of_users(users).ravel().astype(np.float32),
                }
            )
        )
    matrix = pl.concat(frames)
    write_file(path, lambda temporary: matrix.write_parquet(temporary))


def fetchable(name: str) -> Published:
    """The data set of this name that its publisher lets anyone download; UnknownNameError suggests near ones."""
    from heldout.data.published import published

    return published(name)


def all_fetchable() -> list[Published]:
    """Every data set that `fetch` knows."""
    from heldout.data.published import PUBLISHED

    return list(PUBLISHED.values())


def fetch(
    name: str,
    folder: str | Path = "data",
    *,
    mirror: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> str:
    """Download a data set into a folder of its own, check it, and return the text form that reads it."""
    from heldout.data.fetch import fetch as download

    data_set = fetchable(name)
    return data_set.reader.format(download(data_set, folder, mirror=mirror, progress=progress))


def reference(data_set: Published) -> str:
    """The publication to cite for a data set."""
    from heldout.catalogue.references import reference as cited

    return cited(data_set.reference)
