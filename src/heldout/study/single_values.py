"""Keys of a study with one value that are not stages: task, seed, validation, development, engine and truth design."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from heldout.catalogue import make
from heldout.errors import HeldoutError, SpecError, UnknownNameError
from heldout.rng import refuse_seed
from heldout.splits.carve import refuse_repeated
from heldout.splits.splitter import Splitter
from heldout.study.resources import refuse_engine

TRUTH_DESIGNS = ("halves", "whole")
"""What becomes of a random sample that the observed ratings are part of: it is halved, or used whole."""
TASKS = ("predict_ratings", "some_good_items", "all_good_items", "utility", "fixed_list")


def _validation(value: Any) -> Splitter | None:
    if value is None:
        return None
    try:
        splitter: Splitter = make("split", value)
        refuse_repeated(splitter)
    except HeldoutError as error:
        raise error.within("validation") from None
    return splitter


def _development(value: Any) -> float | None:
    if value is None:
        return None
    number = isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 2**31
    if not number or (value > 1 and value != int(value)):
        raise SpecError(where="development", found=value, expected="a share below 1 or a whole number of users")
    return float(value)


def _task(value: Any) -> str:
    task = "some_good_items" if value is None else str(value)
    if task not in TASKS:
        raise UnknownNameError("task", task, TASKS, where="task")
    return task


def _seed(value: Any) -> int:
    seed = 1 if value is None else value
    if not isinstance(seed, int) or isinstance(seed, bool):
        raise SpecError(where="seed", found=seed, expected="a whole number")
    refuse_seed(seed)
    return seed


def _engine(value: Any) -> str:
    engine = "here" if value is None else str(value)
    refuse_engine(engine)
    return engine


def _truth_design(value: Any) -> str | None:
    if value is None or str(value) in TRUTH_DESIGNS:
        return None if value is None else str(value)
    raise UnknownNameError("design of the truth", str(value), TRUTH_DESIGNS, where="truth_design")


SETTINGS: dict[str, Callable[[Any], Any]] = {
    "task": _task,
    "seed": _seed,
    "validation": _validation,
    "development": _development,
    "engine": _engine,
    "truth_design": _truth_design,
}
"""What makes the value of each key that has one value and is no stage; None where the key is not there."""
