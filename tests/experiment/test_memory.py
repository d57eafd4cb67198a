"""Memory held meanwhile."""

from __future__ import annotations

import gc
import sys
import time

import numpy as np
import pytest

from heldout.experiment.memory import PeakMemory, highest, in_use

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory in use is read from /proc, on Linux")


def test_a_block_that_is_held_for_a_while_is_seen() -> None:
    gc.collect()  # else what other tests left may be freed meanwhile, and hide the block
    before = in_use()
    assert before is not None
    with PeakMemory() as peak:
        block = np.ones(40_000_000 // 8)
        time.sleep(0.1)
        del block
    assert peak.bytes is not None
    assert peak.bytes > before + 35_000_000
    assert peak.bytes <= highest()


def test_it_is_told_where_the_block_raises_too() -> None:
    peak = PeakMemory()
    with pytest.raises(ValueError, match="inside"), peak:
        raise ValueError("inside")
    assert peak.bytes is not None and peak.bytes > 1_000_000
