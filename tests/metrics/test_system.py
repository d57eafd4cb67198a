"""Values of whole systems, by hand."""

from __future__ import annotations

from math import log2

import pytest

from heldout.testing.lists import judged_lists, values_of

# top two of three users: {0, 1}, {0, 1}, {0}; of a catalogue of 4
THREE = judged_lists([[5, None], [5, None], [5]], catalogue=4)


def test_values_of_whole_systems() -> None:
    assert values_of("ItemCoverage@2", THREE).tolist() == [2 / 4] * 3
    assert values_of("ItemCoverage@1", THREE).tolist() == [1 / 4] * 3
    # recommended 3, 2, 0, 0 times: 2 (3·2 + 4·3) / (4 · 5) − 5/4
    assert values_of("Gini@2", THREE) == pytest.approx([2 * (3 * 2 + 4 * 3) / 20 - 5 / 4] * 3)
    assert values_of("Entropy@2", THREE) == pytest.approx([-(0.6 * log2(0.6) + 0.4 * log2(0.4))] * 3)
    assert values_of("Entropy@1", THREE).tolist() == [0.0] * 3
