"""The contract of aggregations: what every aggregation of the catalogue, ours or yours, must keep.

from heldout.testing import check_aggregation
check_aggregation(MyMean(power=2))
"""

from __future__ import annotations

import numpy as np

from heldout.aggregations.aggregation import Aggregation, mean_of
from heldout.aggregations.coverage.zero import UncoveredAsZero
from heldout.aggregations.tally import Tally, arrange, tally_of
from heldout.aggregations.undefined.skip import SkipUndefined
from heldout.aggregations.values import UserValues
from heldout.tables.arrays import Float64
from heldout.testing.components import check_text_form, contract

USERS = 60
SYSTEMS = ("A", "B", "C")


@contract
def check_aggregation(aggregation: Aggregation) -> None:
    """Raise AssertionError, saying what is broken, unless the aggregation keeps the contract.

    It is given values from 0 to 1 of three systems, of which A is the baseline, with the users' counts of ratings to weigh
    them by and with denominators to pool.
    """
    check_text_form(aggregation)
    strange = set(aggregation.compared_by) - {"means", "ranks"}
    assert not strange, f"{aggregation} is compared by {', '.join(strange)}, which no test compares"
    values = np.random.default_rng(7).beta(2, 4, (len(SYSTEMS), USERS))
    leaves_the_values_alone(aggregation, values)
    has_a_mean_to_compare(aggregation, values)
    gives_numbers(aggregation, values)
    does_not_depend_on_the_order(aggregation, values)
    leaves_out_undefined_values(aggregation, values)


def gives_numbers(aggregation: Aggregation, values: Float64) -> None:
    """Every system has a finite number, within its interval where there is one; the number follows the values."""
    tallies = _tallies(aggregation, values)
    for system, tally in zip(SYSTEMS, tallies, strict=True):
        assert tally.value is not None and np.isfinite(tally.value), f"{aggregation} gives {system} {tally.value}"
        if tally.low is not None and tally.high is not None:
            inside = tally.low <= tally.value <= tally.high
            assert inside, f"{aggregation}: {tally.value} lies outside its interval [{tally.low}, {tally.high}]"
    others = np.concatenate([values[:1], values[1:] ** 3])
    same = np.array_equal(_numbers(aggregation, others), _numbers(aggregation, values))
    assert not same, f"{aggregation} does not depend on the values"


def does_not_depend_on_the_order(aggregation: Aggregation, values: Float64) -> None:
    """Other orders of users change no number, and other orders of systems only the order of the numbers."""
    expected = _numbers(aggregation, values)
    users = np.random.default_rng(1).permutation(USERS)
    np.testing.assert_allclose(
        _numbers(aggregation, values, users=users), expected, rtol=1e-12, err_msg=f"{aggregation}: order of users"
    )
    systems = [2, 0, 1]
    np.testing.assert_allclose(
        _numbers(aggregation, values, systems=systems),
        expected[systems],
        rtol=1e-12,
        err_msg=f"{aggregation}: order of systems",
    )


def leaves_out_undefined_values(aggregation: Aggregation, values: Float64) -> None:
    """Users whose values are NaN for all systems count for nothing."""
    more = np.concatenate([values, np.full((len(SYSTEMS), 5), np.nan)], axis=1)
    np.testing.assert_allclose(
        _numbers(aggregation, more),
        _numbers(aggregation, values),
        rtol=1e-12,
        err_msg=f"{aggregation}: users without a value",
    )


def leaves_the_values_alone(aggregation: Aggregation, values: Float64) -> None:
    """The values are the same afterwards."""
    before = values.copy()
    _numbers(aggregation, values)
    assert np.array_equal(values, before), f"{aggregation} changed the values"


def has_a_mean_to_compare(aggregation: Aggregation, values: Float64) -> None:
    """Where tests of means answer for it, the number is inverse(mean of transform(x))."""
    prepared = _prepared(aggregation, values)
    if "means" not in prepared.by.compared_by:
        assert not aggregation.is_mean, f"{aggregation} declares is_mean, and no test of means answers for it"
        return
    for k, number in enumerate(_numbers(aggregation, values)):
        kept = prepared.kept[k]
        mean = mean_of(prepared.by.transform(prepared.values[k, kept]), prepared.weights_of(k, kept))
        back = float(prepared.by.inverse(np.asarray(mean)))
        np.testing.assert_allclose(
            back, number, rtol=1e-10, err_msg=f"{aggregation} is not inverse(mean of transform(x)), which is tested"
        )


def _prepared(
    aggregation: Aggregation, values: Float64, users: np.ndarray | None = None, systems: list[int] | None = None
) -> UserValues:
    """The values on their way to a number, users and systems in this order."""
    draw = np.random.default_rng(4)
    counts = {name: draw.integers(1, 30, USERS).astype(np.float64) for name in ("test", "relevant", "train")}
    if aggregation.user_weight is not None:
        counts.setdefault(aggregation.user_weight.column, np.ones(USERS))
    missing = values.shape[1] - USERS
    counts = {name: np.append(weights, np.ones(missing)) for name, weights in counts.items()}
    denominator = np.append(draw.integers(1, 9, USERS).astype(np.float64), np.zeros(missing))
    rows = list(range(len(SYSTEMS))) if systems is None else systems
    columns = np.arange(values.shape[1]) if users is None else users
    taken = values if users is None and systems is None else values[rows][:, columns]
    return arrange(
        taken,
        np.ones(taken.shape),
        undefined=SkipUndefined(),
        coverage=UncoveredAsZero(),
        aggregation=aggregation,
        systems=[SYSTEMS[k] for k in rows],
        counts={name: weights[columns] for name, weights in counts.items()},
        denominator=np.broadcast_to(denominator[columns], taken.shape) if aggregation.pools_ratios else None,
        pool="sum",
        baseline=SYSTEMS[0],
    )


def _tallies(
    aggregation: Aggregation, values: Float64, users: np.ndarray | None = None, systems: list[int] | None = None
) -> list[Tally]:
    prepared = _prepared(aggregation, values, users, systems)
    raw = values if users is None and systems is None else prepared.values
    return tally_of(prepared, raw, np.ones(raw.shape))


def _numbers(
    aggregation: Aggregation, values: Float64, users: np.ndarray | None = None, systems: list[int] | None = None
) -> Float64:
    values_of = [tally.value for tally in _tallies(aggregation, values, users, systems)]
    return np.array([np.nan if value is None else value for value in values_of])
