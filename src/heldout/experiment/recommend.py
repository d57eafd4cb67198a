"""Recommending: a model fitted on training ratings, and the best items of every user as a run."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from heldout import threads
from heldout.catalogue import Component
from heldout.data.runs import RunFrame
from heldout.errors import HeldoutError, InputError, SpecError
from heldout.experiment.failure import SystemFailedError, guarded_fit, ratings_for, refuse_changed
from heldout.experiment.run import Progress
from heldout.experiment.training import fold_of, keys_of, whole
from heldout.recommenders.recommender import TILE, Model
from heldout.study.spec import make_study
from heldout.tables import Interactions
from heldout.tables.arrays import Int32, floats, frozen


def recommend(
    model: Any,
    data: Any,
    *,
    split: Any = None,
    filters: Sequence[Any] = (),
    fold: int | None = None,
    top: int = 100,
    seed: int = 1,
    threads_used: int | None = None,
    progress: Progress | None = None,
) -> RunFrame:
    """The `top` best items of every user by a model: fitted on all the data, or on the training part of a split.

    Items that the user rated in training are left out, as is what the model cannot score; of equal scores the lower id
    comes first. `model` is a text form, a recommender, or a model of one's own.
    """
    if top < 1:
        raise SpecError(f"lists hold at least 1 item, found {top}", where="top")
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
        try:
            own_train = ratings_for(system.recommender, train)
            fit = partial(system.recommender.fit, own_train, seed=study.seed)
            fitted = guarded_fit(system.name, lambda: threads.interruptible(fit))
            ranking = partial(run_of_model, fitted, train, top=top, name=system.name, progress=progress)
            run = threads.interruptible(ranking)
            refuse_changed(system.name, train, own_train)
            return run
        except SystemFailedError as error:
            raise error.raised() from error.error
        except HeldoutError as error:
            raise error.within(system.name) from None


def run_of_model(
    model: Model, train: Interactions, *, top: int, name: str = "model", progress: Progress | None = None
) -> RunFrame:
    """The `top` best items of every user by a fitted model, by user, best first."""
    from heldout.kernels.topn import best_items

    n, depth = train.n_users, min(top, train.n_items)
    everyone = np.arange(n, dtype=np.int32)

    def work(first: int) -> tuple[Any, Any, Int32]:
        # The last tile is padded: products of a fixed shape give the same bytes for any number of users.
        tile = everyone[np.minimum(np.arange(first, first + TILE), n - 1)]
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
    users = np.repeat(everyone, np.concatenate(counts))
    return RunFrame(
        train.users.decode(users),
        train.items.decode(np.concatenate(items)),
        frozen(np.concatenate(scores), np.float64),
        name,
    )
