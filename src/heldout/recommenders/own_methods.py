"""Scores of a model from outside by whichever method it has: `score`, `predict` or `recommend`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from heldout.errors import InputError
from heldout.tables.arrays import Float64, Ints

Scorer = Callable[[Ints], Any]
"""Takes user codes and gives users × all items."""
_PAIRWISE = 2
_WITH_SCORES = 2


def scores_by(name: str, model: Any, n_items: int) -> Scorer | None:
    """The scores that a fitted model gives; None where it has none of the three methods."""
    if callable(getattr(model, "score", None)):
        score: Scorer = model.score
        return score
    if callable(getattr(model, "predict", None)):
        predict: Scorer = model.predict
        return _of_pairs(name, model.predict, n_items) if _required(model.predict) >= _PAIRWISE else predict
    if callable(getattr(model, "recommend", None)):
        return _of_lists(name, model.recommend, n_items)
    return None


def _required(method: Callable[..., Any]) -> int:
    """How many arguments a method cannot do without."""
    try:
        parameters = inspect.signature(method).parameters.values()
    except ValueError:  # compiled functions may not tell
        return 1
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(p.kind in positional and p.default is inspect.Parameter.empty for p in parameters)


def _of_pairs(name: str, predict: Callable[[Ints, Ints], Any], n_items: int) -> Scorer:
    """Scores of a model that predicts pairs: arrays of users and items of one length."""

    def score(users: Ints) -> Any:
        items = np.tile(np.arange(n_items, dtype=users.dtype), len(users))
        predicted = np.asarray(predict(np.repeat(users, n_items), items))
        if predicted.shape != items.shape:
            raise InputError(
                file=name,
                found=predicted.shape,
                expected=f"predictions of {len(items)} pairs",
                hint="return one number for each user and item; or take only users and return users × items",
            )
        return predicted.reshape(len(users), n_items)

    return score


def _of_lists(name: str, recommend: Callable[[Ints, int], Any], n_items: int) -> Scorer:
    """Scores of a model that gives lists: it is asked for all items, and what it does not list cannot be scored."""

    def score(users: Ints) -> Float64:
        returned = recommend(users, n_items)
        if hasattr(returned, "columns"):
            raise InputError(
                file=name,
                found=type(returned).__name__,
                expected="a list of item codes for each user, best first, or a dict by user code",
                hint="lists as a table are a run: pass it to ho.evaluate",
            )
        if isinstance(returned, Mapping):
            returned = _by_user(returned, users)
        lists, scores = returned if isinstance(returned, tuple) and len(returned) == _WITH_SCORES else (returned, None)
        if len(lists) != len(users) or (scores is not None and len(scores) != len(users)):
            raise InputError(
                file=name,
                found=len(lists) if scores is None or len(lists) != len(users) else len(scores),
                expected=f"a list for each of {len(users)} users",
                hint="return a list of item codes for each user, best first, or such lists and their scores",
            )
        table = np.full((len(users), n_items), np.nan)
        for row, (user, listed) in enumerate(zip(users, lists, strict=True)):
            items = _codes(name, user, listed, n_items)
            numbers = -np.arange(1, len(listed) + 1, dtype=np.float64) if scores is None else np.asarray(scores[row])
            if numbers.shape != items.shape:
                raise InputError(
                    f"the list of user {user} (a code) has other numbers of items and scores",
                    file=name,
                    found=int(numbers.size),
                    expected=f"{len(items)} scores",
                )
            table[row, items[items >= 0]] = numbers[items >= 0]
        return table

    return score


def _by_user(returned: Mapping[int, Any], users: Ints) -> tuple[list[Any], list[Any]] | list[Any]:
    """Lists in the order of the users from a dict by user; where it holds scores by item, lists and their scores."""
    lists = [returned.get(int(user), ()) for user in users]
    if any(isinstance(listed, Mapping) for listed in lists):
        scored = [listed if isinstance(listed, Mapping) else dict.fromkeys(listed, np.nan) for listed in lists]
        return [list(listed) for listed in scored], [list(listed.values()) for listed in scored]
    return lists


def _codes(name: str, user: int, listed: Sequence[Any], n_items: int) -> Ints:
    """The items of one list; negative codes are padding."""
    items = np.asarray(listed)
    if items.size == 0:
        return np.empty(0, dtype=np.int64)
    if items.ndim != 1 or items.dtype.kind not in "iu":
        raise InputError(
            f"the list of user {user} (a code) has no item codes",
            file=name,
            found=f"{items.dtype} of shape {items.shape}",
            expected="whole numbers from 0, as in train.item",
            hint="train.items.encode(ids) gives the codes of ids",
        )
    if items.max() >= n_items:
        raise InputError(
            f"the list of user {user} (a code) has an unknown item",
            file=name,
            found=int(items.max()),
            expected=f"item codes below {n_items:,}, as in train.item, not ids",
            hint="train.items.encode(ids) gives the codes of ids",
        )
    real = items[items >= 0]
    if len(np.unique(real)) < len(real):
        twice, times = np.unique(real, return_counts=True)
        raise InputError(f"the list of user {user} (a code) has an item twice", file=name, found=int(twice[times.argmax()]))
    return items
