"""Bring your own model: any object with `fit` and `score`, `predict` or `recommend`, or any function, as a recommender."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

import numpy as np

from heldout.catalogue import REQUIRED, param
from heldout.catalogue.text import write_value
from heldout.data.frames import is_frame
from heldout.errors import InputError, NotApplicableError, SpecError, brief
from heldout.recommenders.adapters.implicit import FromImplicit, is_implicit
from heldout.recommenders.adapters.lenskit import FromLensKit, is_lenskit
from heldout.recommenders.own_methods import scores_by
from heldout.recommenders.recommender import TILE, Model, Recommender
from heldout.tables import Interactions
from heldout.tables.arrays import Float64, Floats, Ints

_USERS_ARE_CODES = (
    f"`users` are codes from 0 on, {TILE} at a time, the last one repeated where there are fewer; "
    "train.users.ids[users] are their ids, and rows of train.to_csr() are in the order of codes"
)


def as_recommender(
    name: str,
    model: Any,
    *,
    version: str = "",
    predicts_ratings: bool = False,
    comparable_scores: bool = False,
    thread_safe: bool = False,
) -> Foreign:
    """A recommender from a model of your own, known by `name` in results.

    `model` is one of
    - an object with `fit(train)` and `score(users)`; it is copied for each fit, so folds do not share state. Instead of
      `score` it may have `predict(users)`, or `predict(users, items)` of pairs, or `recommend(users, n)` of lists;
    - a class of such objects, made anew without arguments for each fit;
    - a function `scores(train, users)`;
    - a model of `implicit`, or a pipeline or scorer of LensKit, as it is.

    `train` is an `Interactions` (see its `to_polars` and `to_csr`), `users` an array of user codes,
    always 64 of them: where fewer users are left the last one is repeated, since only products of one shape give the same
    bytes for any number of users. Scores are an array of users × all items of the vocabulary, NaN where there is none, and
    are ranked at the precision that they have. `fit` is given `seed=` if it takes
    one; if it returns something with `score`, that is asked for scores, else the object itself is. Change `version`
    whenever the model changes: stored results are told apart by name and version alone, and a model without
    one is fitted anew in every run. One thread at a time asks for
    scores unless the model is `thread_safe`. Rating metrics ask for scores that are ratings (`predicts_ratings`), global
    curves for scores that mean the same for all users (`comparable_scores`).
    """
    if not isinstance(name, str):
        raise SpecError(
            where="name",
            found=type(name).__name__,
            expected="the name of a model as text",
            hint='the name comes first, then the model: ho.as_recommender("mine", model)',
        )
    if not name.strip() or any(not c.isprintable() for c in name):
        raise SpecError(where="name", found=name, expected="printable characters")
    model = _adapted(model)
    if isinstance(model, Interactions) or is_frame(model):
        raise SpecError(
            where=name,
            found=type(model).__name__,
            expected="a model",
            hint='the model comes first, then the ratings, as in ho.fit("EASE", train)',
        )
    if not callable(getattr(model, "fit", None)) and not callable(model):
        raise SpecError(
            where=name,
            found=type(model).__name__,
            expected="an object with fit(train) and score(users), predict(users) or recommend(users, n), its class, or a "
            "function (train, users)",
        )
    own = OwnModel(model, thread_safe=thread_safe, predicts_ratings=predicts_ratings, comparable_scores=comparable_scores)
    return Foreign(name, version, own=own)


def _adapted(model: Any) -> Any:
    """A model of a library that is known here, with `fit` and `score` as they are meant here; any other as it is."""
    if is_implicit(model):
        return FromImplicit(model)
    return FromLensKit(model) if is_lenskit(model) else model


@dataclass(frozen=True, eq=False, kw_only=True)
class OwnModel:
    """A model from outside, and what its owner says of its scores."""

    model: Any = field(default=None, kw_only=False)
    """None where only its results are at hand."""
    thread_safe: bool = False
    predicts_ratings: bool = False
    comparable_scores: bool = False


class Foreign(Recommender):
    """A model from outside the catalogue; made by `as_recommender`.

    Assumes: what the model returns is what it means: shape, type and infinities are checked, the values are not.

    Example: `as_recommender("constant", lambda train, users: np.ones((len(users), train.n_items)))` ties all items.
    """

    name: str = param(REQUIRED, "what the model is called in results")
    version: str = param("", "tells states of the same model apart")

    own: OwnModel = field(default=OwnModel(), kw_only=True, compare=False)

    @property
    def reusable(self) -> bool:
        """Whether a version tells states of the model apart."""
        return bool(self.version)

    @property
    def fittable(self) -> bool:
        """Whether the object is at hand."""
        return self.own.model is not None

    @property
    def predicts_ratings(self) -> bool:
        return self.own.predicts_ratings

    @property
    def comparable_scores(self) -> bool:
        return self.own.comparable_scores

    def _text(self, *, full: bool) -> str:
        return f"foreign(name={write_value(self.name)}, version={write_value(self.version)})" if full else self.name

    def fit(self, train: Interactions, *, seed: int) -> Model:
        """Fit a copy of the model."""
        model = self.own.model
        if model is None:
            raise NotApplicableError("only the results of this model were saved, not the model", where=self.name)
        if not callable(getattr(model, "fit", None)):
            return _Checked(self, lambda users: model(train, users), train.n_items)
        own = model() if isinstance(model, type) else self._copied()
        fitted = own.fit(train, seed=seed) if _takes_seed(own.fit) else own.fit(train)
        for candidate in (fitted, own):
            score = scores_by(self.name, candidate, train.n_items)
            if score is not None:
                return _Checked(self, score, train.n_items)
        raise SpecError(
            where=self.name,
            found=type(fitted).__name__,
            expected="`score`, `predict` or `recommend` on the model or on what `fit` returns",
            hint="give the model score(users), returning users × items",
        )

    def _copied(self) -> Any:
        try:
            return copy.deepcopy(self.own.model)
        except Exception as error:
            raise NotApplicableError(
                f"the model cannot be copied for a fit ({error})",
                where=self.name,
                hint="give its class, or a class whose objects make it in `fit`",
            ) from error


def _takes_seed(fit: Callable[..., Any]) -> bool:
    try:
        return "seed" in inspect.signature(fit).parameters
    except ValueError:  # compiled functions may not tell
        return False


def _unmasked(scores: Any) -> Any:
    """Scores with NaN where they are masked: what is masked cannot be scored."""
    if not np.ma.is_masked(scores) or scores.dtype.kind not in "fiu":
        return scores
    if scores.dtype.kind in "iu":  # long doubles hold what float64 cannot
        exact = scores.data.min(initial=0) >= -(2**53) and scores.data.max(initial=0) <= 2**53
        scores = scores.astype(np.float64 if exact else np.longdouble)
    return np.ma.filled(scores, np.nan)


class _Checked(Model):
    """Scores of a foreign model, held to what every model promises."""

    def __init__(self, owner: Foreign, score: Callable[[Ints], Any], n_items: int) -> None:
        self._name, self._score, self._n = owner.name, score, n_items
        self._by_value = owner.predicts_ratings or owner.comparable_scores
        self._lock = None if owner.own.thread_safe else Lock()

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_lock": self._lock is not None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """With a lock of its own: one cannot be sent to another process, where nobody else has this copy."""
        vars(self).update(state, _lock=Lock() if state["_lock"] else None)

    def score(self, users: Ints) -> Floats:
        with self._lock or nullcontext():
            try:
                returned = self._score(users.copy())
            except LookupError as error:  # most often: users are looked up by their ids
                raise InputError(
                    f"raised {type(error).__name__}: {brief(str(error))}", file=self._name, hint=_USERS_ARE_CODES
                ) from error
            return self._check(returned, users)

    def _check(self, returned: Any, users: Ints) -> Floats:
        array = np.asarray(_unmasked(returned))
        expected = (len(users), self._n)
        if array.shape != expected or array.dtype.kind not in "fiu":
            raise InputError(
                file=self._name,
                found=f"{type(returned).__name__} of {array.dtype} and shape {array.shape}",
                expected=f"numbers of shape {expected} for {len(users)} users",
                hint="return a dense array of users × all items of the vocabulary, NaN where there is no score; models are "
                f"asked for {TILE} users at a time, the last one repeated where there are fewer",
            )
        out = self._floats(array)
        if np.isinf(out).any():
            row, item = np.argwhere(np.isinf(out))[0]
            raise InputError(
                f"the score of user {users[row]} and item {item} (codes) is infinite",
                file=self._name,
                found=float(array[row, item]),
                hint="use NaN for items that it cannot score",
            )
        return out

    def _floats(self, scores: Any) -> Floats:
        """Scores as floats in the same order.

        Wider numbers (int64 beyond 2**53, long double) of one user that are distinct but equal as float64 become their
        places among his scores.
        """
        if scores.dtype.kind == "f" and scores.dtype.itemsize <= 4:
            return np.asarray(scores, np.float32)
        with np.errstate(over="ignore"):
            out: Float64 = scores.astype(np.float64)
        whole = scores.dtype.kind in "iu" and scores.min(initial=0) >= -(2**53) and scores.max(initial=0) <= 2**53
        if scores.dtype != np.float64 and not whole:
            for row, exact in zip(out, scores, strict=True):
                values, place = np.unique(exact, return_inverse=True)
                if len(np.unique(row)) < len(values):
                    self._refuse_places(exact)
                    row[:] = np.where(np.isnan(row), np.nan, place)
        return out

    def _refuse_places(self, exact: Any) -> None:
        if self._by_value:
            raise InputError(
                "some scores are equal in double precision, and metrics need their values",
                file=self._name,
                found=f"{exact.dtype} up to {np.nanmax(exact)}",
                hint="give scores on a smaller scale",
            )
