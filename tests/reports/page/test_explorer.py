"""What the page holds for the explorer: packed arrays, cells and the places that the script fills."""

from __future__ import annotations

import base64
import json
import re
import struct
import zlib
from dataclasses import replace

import numpy as np
from tests.reports.page.test_comparison import cells
from tests.reports.sample import facts
from tests.universes.grids import made

from heldout.analysis.explored import explored_settings
from heldout.reports.page.explorer import (
    NO_INTERVAL,
    packed,
    packed_universes,
    record_of,
    smallest,
    track,
    universe_section,
)
from heldout.universes.explored import explored_universes
from heldout.words import interval, number


def unpacked(element: str) -> tuple[dict, dict[str, np.ndarray]]:
    raw = zlib.decompress(base64.b64decode(re.search(r">([^<]*)<", element)[1]))
    (size,) = struct.unpack("<I", raw[:4])
    record = json.loads(raw[4 : 4 + size])
    assert (4 + size) % 8 == 0
    kinds = {"Int8Array": "i1", "Uint8Array": "u1", "Int16Array": "i2", "Uint16Array": "u2", "Int32Array": "i4"}
    kinds["Float64Array"] = "f8"
    arrays = {}
    for name, (kind, at, length) in record["arrays"].items():
        assert at % 8 == 0
        arrays[name] = np.frombuffer(raw, f"<{kinds[kind]}", length, 4 + size + at)
    return record, arrays


def test_what_is_packed_comes_out_again() -> None:
    sample = facts()
    explored = explored_settings(sample, sample.settings)
    record, arrays = unpacked(packed(*record_of(explored)))
    assert record["sentences"] == list(explored.sentences) and record["systems"] == list(sample.systems)
    np.testing.assert_array_equal(arrays["codes"].reshape(explored.codes.shape), explored.codes)
    np.testing.assert_array_equal(arrays["margin"], explored.margin)


def test_values_are_packed_as_they_are_printed() -> None:
    universes = made({"cutoff": ["1", "5"], "metric": ["P", "nDCG"]}, lambda row: 0.01 * int(row["cutoff"]), noise=0.003)
    shown = explored_universes(universes, level=0.05)
    _, arrays = unpacked(packed_universes(shown))
    values = arrays["values"].reshape(shown.values.shape)
    for line, digits, exact in zip(values.tolist(), arrays["digits"].tolist(), shown.values.tolist(), strict=True):
        assert [number(v / 10**digits, digits) for v in line] == [number(v, digits) for v in exact]


def test_intervals_are_packed_as_they_are_printed() -> None:
    universes = made({"cutoff": ["1", "5"], "metric": ["P", "nDCG"]}, lambda row: 0.01 * int(row["cutoff"]), noise=0.003)
    low, high = universes.low.copy(), universes.high.copy()
    low[1], high[1] = np.nan, np.nan
    shown = explored_universes(replace(universes, low=low, high=high), level=0.05)
    _, arrays = unpacked(packed_universes(shown))
    values, below, skew = (arrays[name].reshape(shown.values.shape).astype(int) for name in ("values", "below", "skew"))
    for way, digits in enumerate(arrays["digits"].tolist()):
        for k in range(2):
            if way == 1:
                assert below[way, k] == NO_INTERVAL
                continue
            ends = [values[way, k] - below[way, k], values[way, k] + below[way, k] + skew[way, k]]
            printed = interval(low[way, k], high[way, k], digits)
            assert interval(*(end / 10**digits for end in ends), digits) == printed


def test_whole_numbers_take_the_smallest_type() -> None:
    assert [smallest(np.array(v)).dtype.name for v in ([-1, 5], [0, 200], [-1, 300], [0, 60_000], [-1, 70_000])] == [
        *("int8", "uint8", "int16", "uint16", "int32")
    ]
    assert smallest(np.array([2**40])).dtype == np.float64


def test_a_value_is_drawn_where_it_lies() -> None:
    drawn = track((0.5, 0.25, 0.75), (0.0, 1.0))[0]
    assert "left:50.00%" in drawn and "left:25.00%;right:25.00%" in drawn
    assert "dot" not in track((None, None, None), (0.0, 1.0))[0]


def test_the_first_universe_stands_in_the_page_as_written() -> None:
    shown = explored_universes(made({"cutoff": ["1", "5"]}, lambda row: 0.05), level=0.05)
    page = universe_section(shown)
    table = cells(page)
    assert table[0] == ["#", "System", "0.3800 to 0.4300", "P@1", "Interval", "p adjusted"]
    assert table[1] == ["1", "A", "", "0.4100", "[0.4000, 0.4300]", ""]
    assert table[2] == ["2", "B", "", "0.3900", "[0.3800, 0.4100]", "< 0.001"]
    assert "A wins: 0.4100" in page and 'aria-live="polite"' in page


def test_one_universe_has_no_switches() -> None:
    page = universe_section(explored_universes(made({}, lambda row: 0.05), level=0.05))
    assert 'id="switches"' not in page and "Leaderboard" in page and 'id="flips"' not in page
