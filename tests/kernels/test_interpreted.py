"""Kernels give the same bytes interpreted and compiled: each call of some analyses is made both ways."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.golden.cases import record_of
from tests.kernels.test_jit import all_kernels, reorders

from heldout.kernels import jit
from heldout.kernels.distances import distances_within
from heldout.kernels.expectation import expected_precisions
from heldout.kernels.flips import count_flips
from heldout.kernels.item_pairs import co_counts, gathered
from heldout.kernels.lists import count_cells
from heldout.kernels.neighbours import weighted_rows
from heldout.kernels.products import gram_upper
from heldout.kernels.ranks import leave_out, rank_candidates
from heldout.kernels.raters import nearest_raters
from heldout.kernels.short_lists import rank_lists
from heldout.kernels.topn import top_items

CALLS = 4
"""Calls of each kernel that are made both ways in one test."""
STEPS = 30_000
"""Work of a call up to which it is made both ways."""


class BothWays:
    """Stands in for `Kernel.__call__`: compiles every kernel, and interprets its first calls too."""

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()

    def __call__(self, kernel: jit.Kernel, *arguments: Any) -> Any:
        if getattr(jit._interpreter, "running", False):
            return kernel._small(*arguments)
        name = f"{kernel.__module__}.{kernel.__name__}"
        once_more = kernel.interpreted and self.calls[name] < CALLS and kernel.steps(*arguments) <= STEPS
        copies = all_copied(arguments) if once_more else []
        result = kernel.compiled(*[jit._unlocked(argument) for argument in arguments])
        if once_more:
            self.calls[name] += 1
            assert_same(kernel.interpret(*copies), result, name)
            for copy, argument in zip(copies, arguments, strict=True):
                assert_same(copy, argument, name)
        return result


def all_copied(arguments: tuple[Any, ...]) -> list[Any]:
    """Copies of arguments; an array that is another one seen as a different type stays that in the copies."""
    copies: list[Any] = []
    for k, argument in enumerate(arguments):
        same = [
            copy.view(argument.dtype)
            for earlier, copy in zip(arguments[:k], copies, strict=True)
            if isinstance(earlier, np.ndarray) and isinstance(argument, np.ndarray) and argument.size
            if earlier.ctypes.data == argument.ctypes.data and earlier.nbytes == argument.nbytes
        ]
        copies.append(same[0] if same else copied(argument))
    return copies


def copied(argument: Any) -> Any:
    if isinstance(argument, tuple):
        return tuple(map(copied, argument))
    return argument.copy(order="K") if isinstance(argument, np.ndarray) else argument


def assert_same(interpreted: Any, compiled: Any, name: str) -> None:
    """Equal bytes; of NaN, which has several, equal places."""
    if isinstance(compiled, tuple):
        assert len(interpreted) == len(compiled), name
        for one, other in zip(interpreted, compiled, strict=True):
            assert_same(one, other, name)
    elif compiled is not None:
        one, other = np.asarray(interpreted), np.asarray(compiled)
        assert one.shape == other.shape, name
        if isinstance(compiled, np.ndarray):
            assert one.dtype == other.dtype, name
        np.testing.assert_array_equal(one, other, err_msg=name)
        if other.dtype.kind == "f":
            np.testing.assert_array_equal(np.signbit(one) & (one == 0), np.signbit(other) & (other == 0), err_msg=name)


@pytest.mark.parametrize(
    "case", ["every_metric", "every_recommender", "every_split", "evaluate_files", "folds_and_single_items"]
)
def test_analyses_make_every_call_alike(case: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    both = BothWays()
    monkeypatch.setattr(jit.Kernel, "__call__", lambda kernel, *arguments: both(kernel, *arguments))
    for kernel in all_kernels():  # other tests may have made it hot
        monkeypatch.setattr(kernel, "interpreted", kernel.interpretable)
    record_of(case, tmp_path)
    assert len(both.calls) > 10


def test_what_reorders_sums_is_never_interpreted() -> None:
    assert not [kernel.__name__ for kernel in all_kernels() if reorders(kernel) and kernel.interpretable]


@pytest.mark.parametrize("width", [np.float32, np.float64])
def test_the_first_items_are_the_same_in_numpy(width: type) -> None:
    draw = np.random.default_rng(1)
    for n, values in [(5, draw.integers(0, 4, 40)), (3, draw.normal(size=9)), (8, np.repeat([np.inf, -np.inf, 0.0], 3))]:
        scores = values.astype(width)
        scores[draw.random(len(scores)) < 0.2] = np.nan
        places = np.full((2, n), -1, np.int32)
        packed, room = np.empty(len(scores), np.uint64), np.empty(1, np.float32)
        counts = [
            top(scores, n, np.uint32(0), places[k], packed, room)[0]
            for k, top in enumerate((top_items.interpret, top_items.compiled))
        ]  # type: ignore[attr-defined]
        assert counts[0] == counts[1]
        np.testing.assert_array_equal(places[0], places[1])


SMALL = """
import sys
import heldout as ho
results = ho.run({
    "data": "simulate(users=60, items=150, ratings=1000)", "split": "ratio(train=0.8, by=user)",
    "recommend": ["Popularity", "ItemKNN"], "metrics": "nDCG@10",
}, out="results")
print("numba" in sys.modules, results.manifest["seconds"].get("compile", 0))
"""


def test_a_small_study_compiles_nothing(tmp_path: Path) -> None:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "compiled")}
    study = subprocess.run(
        [sys.executable, "-c", SMALL], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    assert study.stdout.split() == ["False", "0"]


def test_a_kernel_is_compiled_once_it_has_done_some_work() -> None:
    @jit.kernel(steps=lambda *, n: n)
    def count(n: int) -> int:
        """The steps that it says it takes."""
        return n

    for steps, interpreted in ((jit.STEPS_BEFORE_COMPILING - 1, True), (1, True), (1, False), (0, False)):
        assert count(steps) == steps
        assert count.interpreted is interpreted


def test_numbers_are_returned_as_those_of_python() -> None:
    """As compiled code returns them: numpy would go on in 32 bits, or mix a number without a sign with others as floats."""

    @jit.kernel
    def first_of(*numbers: Any) -> Any:
        return numbers if len(numbers) > 1 else numbers[0]

    kinds = [type(number) for number in first_of(np.uint64(3), np.float32(0.5), np.bool_(True))]
    assert kinds == [int, float, bool]
    assert type(first_of(np.int32(3))) is int


MANY = 2000
"""Entries of one row, as many as all the other rows have together."""
EACH = np.arange(MANY, dtype=np.int32)
PTR = np.concatenate([[0], MANY + np.arange(MANY + 1)]).astype(np.int64)
IDX = np.concatenate([EACH, EACH])
BY_COLUMN = 2 * np.arange(MANY + 1)
OF_COLUMNS = np.stack([np.zeros(MANY, np.int32), EACH + 1], axis=1).ravel()
NONE = np.empty(0)


@pytest.mark.parametrize(
    ("kernel", "arguments"),
    [
        (co_counts, (0, MANY, PTR, IDX, BY_COLUMN, OF_COLUMNS, NONE)),
        (gram_upper, (0, MANY, PTR, IDX, NONE, BY_COLUMN, OF_COLUMNS, NONE, NONE)),
        (gathered, (np.array([0]), PTR, IDX, np.empty((0, MANY), np.float32), True)),
        (weighted_rows, (np.array([0]), PTR, np.zeros_like(IDX), NONE, PTR, IDX, NONE, MANY, 0, 1)),
        (nearest_raters, (np.zeros(MANY, np.int32), NONE, PTR, IDX, NONE, 3, NONE, NONE, NONE)),
        (leave_out, (NONE, PTR, IDX, IDX, IDX, NONE, NONE, NONE, NONE)),
        (
            rank_lists,
            (NONE, EACH, NONE, 0, PTR[: MANY + 1], IDX, PTR, IDX, NONE, NONE, np.empty((1, 0)), 0, *[NONE] * 4),
        ),
        (count_cells, (np.empty((1, MANY)), NONE, NONE, np.array([0, MANY]), EACH, *[NONE] * 4)),
        (distances_within, (PTR, IDX, MANY, BY_COLUMN, OF_COLUMNS, NONE, NONE, NONE)),
        (expected_precisions, (np.array([0, MANY]), NONE, np.full(MANY, MANY, np.int32), NONE, MANY, NONE)),
        (
            rank_candidates,
            (np.empty((1, MANY)), NONE, (NONE, np.zeros(2)), NONE, NONE, NONE, EACH, NONE, np.empty((1, 0)), False, 7)
            + (NONE,) * 5,
        ),
    ],
    ids=lambda given: given.function.__name__ if isinstance(given, jit.Kernel) else "",
)
def test_estimates_of_work_count_the_longest_rows_in(kernel: jit.Kernel, arguments: tuple[Any, ...]) -> None:
    """By the mean length of rows they would be a hundredth of the work, which would be interpreted for minutes."""
    assert kernel.steps(*arguments) >= MANY**2


def test_estimates_of_work_count_the_columns_that_fallbacks_pass_over() -> None:
    """Of two users the first has a row without a score: both further fallbacks go over all columns."""
    scores = np.zeros((2, MANY))
    scores[0, 5] = np.nan
    row_item, row_order, row_indptr = np.array([4, 5, 5]), np.array([1, 0, 2]), np.array([0, 2, 3])

    def steps(fallbacks: int) -> int:
        columns, fallback = (NONE, np.zeros(2)), np.zeros((fallbacks, MANY))
        arguments = (scores, EACH[:2], columns, NONE, NONE, row_indptr, row_item, row_order, fallback, False, np.uint64(0))
        return rank_candidates.steps(*arguments, *[NONE] * 5)

    assert steps(3) == 3 * steps(1) + 2 * MANY // 4


def test_estimates_of_work_count_the_users_of_flips() -> None:
    rows, signs = np.zeros((2, MANY)), np.ones((1, MANY), np.int8)
    assert count_flips.steps(rows, signs, EACH, np.array([[0, 1]]), NONE, np.empty((2, 2)), NONE) >= MANY
