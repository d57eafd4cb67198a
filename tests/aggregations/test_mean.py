"""Means in which users weigh differently."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from heldout.aggregations import Mean
from heldout.aggregations.coverage.zero import UncoveredAsZero
from heldout.aggregations.tally import arrange, tally_of
from heldout.aggregations.undefined.zero import UndefinedAsZero
from heldout.catalogue import make
from heldout.errors import NotApplicableError
from heldout.significance import PairedT, Sign
from heldout.significance.corrections.none import NoCorrection
from heldout.significance.pairs import SettingValues, compare_pairs

RULES = {"undefined": UndefinedAsZero(), "coverage": UncoveredAsZero()}


def values_of(aggregation: object, x: np.ndarray, **more: object) -> list[float | None]:
    lengths = np.ones(x.shape)
    found = arrange(x, lengths, aggregation=aggregation, **{**RULES, **more})
    return [t.value for t in tally_of(found, x, lengths)]


def test_weights_by_hand() -> None:
    x = np.array([[0.2, 0.4, 0.9]])
    counts = {"test": np.array([1.0, 1, 2]), "train": np.array([2.0, 0, 0]), "relevant": np.array([0.0, 1, 1])}
    assert values_of(make("aggregation", "mean(weight=test)"), x, counts=counts) == pytest.approx([0.6])  # 2.4/4
    assert values_of(make("aggregation", "mean(train)"), x, counts=counts) == pytest.approx([0.2])
    assert values_of(Mean("relevant"), x, counts=counts) == pytest.approx([0.65])  # (0.4 + 0.9)/2
    assert values_of(Mean(), x, counts=counts) == pytest.approx([0.5])


def test_weighted_means_are_tested_with_the_effective_number_of_users() -> None:
    x, w = np.random.default_rng(0).random((2, 40)), np.random.default_rng(1).integers(1, 9, 40).astype(float)
    found = arrange(x, np.ones(x.shape), aggregation=Mean("test"), counts={"test": w}, **RULES)
    setting = SettingValues.of("P@10", found)
    row = compare_pairs([setting], ["a", "b"], tests=[PairedT()], correction=NoCorrection(), seed=0)[0][0]
    d, size = x[0] - x[1], w.sum() ** 2 / (w**2).sum()
    mean = np.average(d, weights=w)
    square = np.average((d - mean) ** 2, weights=w) * size / (size - 1)
    assert row.difference == pytest.approx(mean)
    assert row.p["t"] == pytest.approx(2 * stats.t.sf(abs(mean) / np.sqrt(square / size), size - 1), rel=1e-12)
    with pytest.raises(NotApplicableError, match="sign knows no weights"):
        compare_pairs([setting], ["a", "b"], tests=[Sign()], correction=NoCorrection(), seed=0)
