"""Data sets by themselves: look at them, write them, simulate and fetch them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from heldout.api.arguments import several
from heldout.api.input_files import refuse_overwriting
from heldout.errors import SpecError
from heldout.reports.render.progress import shown

if TYPE_CHECKING:
    from heldout.api.arguments import BadRows, Spec, Specs
    from heldout.api.results import Results
    from heldout.data.profile import ProfileRecord
    from heldout.data.published import Published
    from heldout.data.readers.simulate import Simulate
    from heldout.data.world import World
    from heldout.experiment.divide import ProfiledRatings
    from heldout.reports.render.progress import ProgressOption
    from heldout.tables import Interactions, Keep


def profile(
    source: Any, filters: Specs = (), *, seed: int = 1, on_bad_rows: BadRows = "error", out: str | Path | None = None
) -> Results[ProfileRecord]:
    """A data set in numbers, as read and after each filter: `profile("ratings.csv", ["core(5)"]).findings.last.users`.

    `source` is anything that `read` takes. The findings also have the columns that were taken for user, item and so on, and
    the bad rows that were skipped; the table `ratings` has the ratings that the filters left. With `out`, a folder, all but
    the ratings is kept there: `load(out)` shows it again.

    If pairs of user and item repeat, every row counts as read, and the findings say what each `duplicates` filter would make
    of them. Other filters then follow `duplicates(keep=latest)`, unless the chain has another one.
    """
    from heldout.api.kinds.profile import KIND
    from heldout.api.study_or_results import folder_for
    from heldout.experiment.divide import look

    ledger = folder_for(out, KIND.name)
    results = _profiled(look(source, several(filters), seed=seed, on_bad_rows=on_bad_rows, repeats="count"), seed)
    if ledger is None:
        return results
    kept = replace(results, folder=ledger.folder)
    kept.save(ledger.folder)
    return kept


def _profiled(looked: ProfiledRatings, seed: int) -> Results[ProfileRecord]:
    from heldout.api.analysis_call import announced, finished
    from heldout.api.kinds.profile import KIND
    from heldout.api.results import Results

    manifest = finished(announced(KIND, title=looked.record.source, seed=seed), looked.record)
    return Results(findings=looked.record, manifest=manifest, _source=looked.data)


def convert(
    source: Any,
    target: str | Path,
    *,
    duplicates: Keep = "error",
    filters: Specs = (),
    seed: int = 1,
    on_bad_rows: BadRows = "error",
) -> Results[ProfileRecord]:
    """Read a data set, or take one in memory, and write it to a file, one row for each user and item, after `filters`.

    The ending of `target` says the format: .parquet, .csv, .tsv, .jsonl, .arrow, .inter (RecBole) or .qrels (TREC).
    `duplicates` says what repeated pairs become: error, latest, sum or max. `heldout data filter` and
    `heldout data convert` call this.
    """
    from heldout.experiment.divide import look

    refuse_output(target, source)
    merging = [] if duplicates == "error" else [f"duplicates(keep={duplicates})"]
    converted = _profiled(look(source, [*merging, *several(filters)], seed=seed, on_bad_rows=on_bad_rows), seed)
    write(converted._source, target)
    return converted


def refuse_output(target: str | Path, *sources: Any) -> None:
    """An error where ratings could not be written to this file: an ending of no format, no place, or a file that is read."""
    from heldout.data.write import format_of
    from heldout.storage.files import check_writable

    format_of(target)
    check_writable(target, make_folder=True)
    refuse_overwriting(target, *sources)


def write(ratings: Interactions, path: str | Path) -> None:
    """Write ratings in the format that the ending of the name says."""
    from heldout.data.write import write_ratings

    write_ratings(ratings, path)


def simulate(
    spec: Spec = "simulate",
    *,
    like: Any = None,
    seed: int | None = None,
    out: str | Path | None = None,
    truth: str | Path | None = None,
    propensities: str | Path | None = None,
) -> World:
    """Simulate ratings and keep the truth behind them: `simulate("simulate(users=500, items=200)").interactions`.

    `like` fits popularity, activity and rating shares to a data set, anything that `read` takes. `out` is a file for the
    ratings; `truth` and `propensities` are Parquet files for what every user would say of every item, and for how likely
    every user was to rate every item. The world's `truth(users)` and `propensity(users)` give the same in memory, and its
    `made_by` is the text form that simulates it again.
    """
    if like is not None and spec != "simulate":
        raise SpecError("either a text form is simulated or a data set is imitated, not both", where="like")
    if out is not None:
        refuse_output(out, like, str(spec))
    for matrix in (truth, propensities):
        _refuse_matrix(matrix, like, str(spec))
    world = _simulator(spec, like, seed).world()
    if out is not None:
        write(world.interactions, out)
    if truth is not None:
        _write_matrix(truth, world.truth, "rating", world)
    if propensities is not None:
        _write_matrix(propensities, world.propensity, "propensity", world)
    return world


def _simulator(spec: Spec, like: Any, seed: int | None) -> Simulate:
    from heldout.catalogue import make
    from heldout.data.read import read
    from heldout.data.simulation_fit import fitted

    reader: Simulate = fitted(read(like)) if like is not None else make("reader", spec)
    if not reader.simulated:
        raise SpecError(f"'{spec}' simulates nothing", where="spec", hint='such as "simulate(users=500)"')
    return reader if seed is None else reader.replace(seed=seed)


def _refuse_matrix(path: str | Path | None, *sources: Any) -> None:
    from heldout.storage.files import check_writable

    if path is None:
        return
    ending = Path(path).suffix
    if ending.lower() != ".parquet":
        raise SpecError(f"cannot write a matrix as '{ending}'", where=str(path), hint="use .parquet")
    check_writable(path)
    refuse_overwriting(path, *sources)


def _write_matrix(path: str | Path, of_users: Callable[..., Any], name: str, world: World) -> None:
    """Users × items as rows of a Parquet file, some users at a time."""
    import numpy as np
    import polars as pl

    from heldout.storage.files import write_file

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


class Fetchable(tuple["Published", ...]):
    """Data sets that `fetch` knows, which print themselves."""

    __slots__ = ()

    title: ClassVar[str] = "data sets to fetch"

    def rows(self) -> list[tuple[str, str, str]]:
        """Name, nothing, and title with terms, of each."""
        return [(data_set.name, "", f"{data_set.title}. {data_set.licence}") for data_set in self]

    def __repr__(self) -> str:
        from heldout.reports.render.screen import printed
        from heldout.reports.render.terminal_catalogue import render_list

        return printed(render_list(self.rows(), self.title), 100)

    def _repr_html_(self) -> str:
        from heldout.reports.render.catalogue_html import listing_html

        return str(listing_html(self.rows(), self.title))


def list_data_sets(name: str | None = None) -> Fetchable:
    """The data sets that `fetch` knows, or the one of this name: title, address, terms and what to cite."""
    from heldout.data.published import PUBLISHED, published

    return Fetchable(PUBLISHED.values() if name is None else [published(name)])


def fetch(name: str, out: str | Path = "data", *, mirror: str | None = None, progress: ProgressOption = None) -> str:
    """Download a data set, check it, and return the text form that reads it: `read(fetch("ml-1m"))`.

    It gets a folder of its own in `out`; one that is there already is checked and not downloaded again. `list_data_sets`
    has the names and terms. `mirror` is another address that has the file.
    """
    from heldout.data.fetch import fetch as download
    from heldout.data.published import published

    data_set = published(name)
    with shown(progress) as tell:
        megabytes = None if tell is None else lambda done, total: tell(data_set.name, done >> 20, total >> 20)
        return data_set.reader.format(download(data_set, out, mirror=mirror, progress=megabytes))
