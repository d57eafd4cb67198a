"""The training ratings that a model is fitted or tuned on: of a whole data set, or of one fold of its split."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any

from heldout.errors import InputError, NotApplicableError, SpecError
from heldout.experiment.clock import Clock
from heldout.experiment.folds import Prepared, RowsRead, filtered
from heldout.study.spec import Study
from heldout.tables import Interactions, Split


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
