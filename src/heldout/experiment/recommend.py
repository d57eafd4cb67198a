"""Recommending: the training ratings of a data set or fold, a model fitted on them, and the best items of users as a run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any, ClassVar

import numpy as np
import polars as pl

from heldout import threads
from heldout.catalogue import Component, make
from heldout.data.runs import RunFrame, frame_of
from heldout.errors import HeldoutError, InputError, NotApplicableError, SpecError
from heldout.experiment.clock import Clock
from heldout.experiment.failure import SystemFailedError, guarded_fit, ratings_for, refuse_changed
from heldout.experiment.folds import Prepared, RowsRead, filtered
from heldout.progress import Progress
from heldout.recommenders.foreign import as_recommender
from heldout.recommenders.recommender import TILE, Model, Recommender
from heldout.study.spec import Study, make_study
from heldout.study.systems import System
from heldout.tables import Interactions, Split
from heldout.tables.arrays import Int32, floats
from heldout.tables.display import Displayed, headline


def whole(study: Study) -> Interactions:
    """The study's first data set after its first chain of filters."""
    if not study.data:
        raise SpecError("no data are named", where="data", hint='such as --data "ratings.csv"')
    return filtered(study.data[0], RowsRead(study.data[0].read()), study.filters[0], study.seed, Prepared(), Clock())


def fold_of(study: Study, fold: int | None) -> Split:
    """One fold of the study's first split of its first data set; it must be named if there are several.

    Which matters when parameters are chosen: training ratings of one fold are test ratings of another.
    """
    splitter = study.split[0]
    if fold is None and splitter.folds_made > 1:
        raise NotApplicableError(
            f"{splitter} makes {splitter.folds_made} folds, and each has its own training ratings",
            where="fold",
            hint=f"name one from 1 to {splitter.folds_made}",
        )
    wanted = 1 if fold is None else fold
    data = whole(study) if splitter.needs_data else None
    split = next(islice(splitter.split(data, seed=study.seed), max(wanted - 1, 0), None), None)
    if split is None or wanted < 1:
        raise SpecError(where="fold", found=wanted, expected=f"1 to {splitter.folds_made}, the folds of {splitter}")
    if len(split.train) == 0:
        raise InputError("the training set is empty", hint="keep more ratings").within(f"split {splitter}")
    return split


def keys_of(data: Any, *, split: Any = None, filters: Any = None, seed: int | None = None) -> Mapping[str, Any]:
    """The keys of a study of one data set, without its systems; without a split, one that nobody asks for stands in."""
    keys: dict[str, Any] = {"data": data, "split": split or "ratio(train=0.8, by=user)"}
    if filters:
        keys["filters"] = [list(filters)]
    if seed is not None:
        keys["seed"] = seed
    return keys


LENGTH = 100
"""Items of a list where no number is named: deep enough for the usual cut-offs."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class FittedModel(Displayed):
    """A recommender fitted on training ratings."""

    _elsewhere: ClassVar[dict[str, str]] = {
        **dict.fromkeys(
            ("score", "predict", "predict_proba", "decision_function", "transform", "rank", "batch_predict"),
            "model.recommend(users, n) for the best items with their scores (n=train.n_items for all of them), or "
            "model.model.score(codes) for users × all items, by codes",
        ),
        **dict.fromkeys(("fit", "train_model"), "ho.fit(recommender, train), which gives a fitted model"),
        "evaluate": "ho.evaluate(test, model.recommend(n=100), metrics)",
        "save": "model.recommend(n=100).write_parquet(path) to keep its lists; models are not kept",
    }

    system: System
    train: Interactions
    model: Model
    fit_train: Interactions
    """The ratings that the recommender was fitted on: a copy for models from elsewhere, which might write to it."""
    threads_used: int | None = None

    @property
    def name(self) -> str:
        """What the recommender is called."""
        return self.system.name

    def recommend(self, users: Iterable[Any] | None = None, n: int = LENGTH) -> pl.DataFrame:
        """The `n` best items of these users, or of all: columns user_id, item_id, rank and score.

        Items that the user rated in training are left out, as is what the model cannot score: a user may have fewer than
        `n` items, or none. Of equal scores the lower id comes first.
        """
        return frame_of(self.run(users, n))

    def run(self, users: Iterable[Any] | None = None, n: int = LENGTH, *, progress: Progress | None = None) -> RunFrame:
        """The same as a run, with the model's name."""
        if n < 1:
            raise SpecError(where="n", found=n, expected="at least 1 item")
        codes = None if users is None else self._codes(users)
        with threads.using(self.threads_used), named_errors(self.name):
            ranking = partial(run_of_model, self.model, self.train, users=codes, top=n, name=self.name, progress=progress)
            run = threads.interruptible(ranking)
            refuse_changed(self.name, self.train, self.fit_train)
            return run

    def _codes(self, users: Iterable[Any]) -> Int32:
        listed = [users] if isinstance(users, str | bytes) or not hasattr(users, "__iter__") else list(users)
        if not listed:
            raise InputError("the list of users is empty", hint="leave `users` out for all of them")
        ids = pl.Series(listed, strict=False)
        codes = self.train.users.encode(ids)
        strange = [listed[k] for k in np.flatnonzero(codes < 0)]
        if strange:
            others = f" ({len(strange)} such users)" if len(strange) > 1 else ""
            raise InputError(
                f"no such user in the training ratings{others}",
                found=strange[0],
                hint=f"ids such as {self.train.users.series[0]!r}",
            )
        return np.unique(codes)

    def _headline(self) -> str:
        """The model and what it was fitted on."""
        return f"{self.name}, fitted on {headline(self.train)}"


@contextmanager
def named_errors(system: str) -> Iterator[None]:
    """Say in errors which system they are of."""
    try:
        yield
    except SystemFailedError as error:
        raise error.raised() from error.error
    except HeldoutError as error:
        raise error.within(system) from None


def fit_system(system: System, train: Interactions, *, seed: int, threads_used: int | None = None) -> FittedModel:
    """Fit a system; what goes wrong names it."""
    with threads.using(threads_used), named_errors(system.name):
        own_train = ratings_for(system.recommender, train)
        fit = partial(system.recommender.fit, own_train, seed=seed)
        model = guarded_fit(system.name, lambda: threads.interruptible(fit))
        refuse_changed(system.name, train, own_train)
        return FittedModel(system=system, train=train, model=model, fit_train=own_train, threads_used=threads_used)


def system_of(model: Any) -> System:
    """A text form, a recommender or a model of one's own as a system with a name."""
    if isinstance(model, str | Component) or (isinstance(model, type) and issubclass(model, Component)):
        recommender = model if isinstance(model, Recommender) else make("recommender", model)
        return System(str(recommender), recommender)
    name = getattr(model, "__name__", type(model).__name__)
    return System(name, as_recommender("model" if name == "<lambda>" else name, model))


def recommend(
    model: Any,
    data: Any,
    *,
    split: Any = None,
    filters: Sequence[Any] = (),
    fold: int | None = None,
    top: int = LENGTH,
    seed: int = 1,
    threads_used: int | None = None,
    progress: Progress | None = None,
) -> RunFrame:
    """The `top` best items of every user by a model: fitted on all the data, or on the training part of a split.

    Items that the user rated in training are left out, as is what the model cannot score; of equal scores the lower id
    comes first. `model` is a text form, a recommender, or a model of one's own.
    """
    if top < 1:
        raise SpecError(where="n", found=top, expected="at least 1 item")
    keys: dict[str, Any] = {**keys_of(data, split=split, filters=filters, seed=seed)}
    own = not isinstance(model, str | Component)
    study = make_study(keys | ({} if own else {"recommend": [model]}), models={"model": model} if own else None)
    system = study.recommend[0]
    with threads.using(threads_used):
        if progress is not None:
            progress("reading and splitting", 0, 0)
        train = whole(study) if split is None else fold_of(study, fold).train
        if progress is not None:
            progress(f"fitting {system.name}", 0, 0)
        fitted = fit_system(system, train, seed=study.seed)
        return fitted.run(n=top, progress=progress)


def run_of_model(
    model: Model,
    train: Interactions,
    *,
    top: int,
    users: Int32 | None = None,
    name: str = "model",
    progress: Progress | None = None,
) -> RunFrame:
    """The `top` best items of these users (codes, ascending), or of all, by a fitted model: by user, best first."""
    from heldout.kernels.topn import best_items

    ranked_users = np.arange(train.n_users, dtype=np.int32) if users is None else users
    n, depth = len(ranked_users), min(top, train.n_items)

    def work(first: int) -> tuple[Any, Any, Int32]:
        # The last tile is padded: products of a fixed shape give the same bytes for any number of users.
        tile = ranked_users[np.minimum(np.arange(first, first + TILE), n - 1)]
        real = min(TILE, n - first)
        item, score, kept = best_items(floats(model.score(tile)[:real]), tile[:real], train.user_indptr, train.item, depth)
        full = np.arange(depth)[None, :] < kept[:, None]
        return item[full], score[full], kept

    items, scores, counts = [], [], []
    for item, score, kept in threads.run_all(work, range(0, n, TILE)):
        items.append(item)
        scores.append(score)
        counts.append(kept)
        if progress is not None:
            progress(f"ranking with {name}", min(n, TILE * len(items)), n)
    if not items or not sum(len(i) for i in items):
        raise InputError("no user has an item that could be recommended", hint="give more ratings, or another model")
    row_users = np.repeat(ranked_users, np.concatenate(counts))
    return RunFrame.of(
        train.users.decode(row_users),
        train.items.decode(np.concatenate(items)),
        np.concatenate(scores),
        name,
    )
