"""Numbers as text: the page's script writes what `heldout.words` writes, over a wide grid."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

from heldout import words

SCRIPT = (files("heldout.reports.page") / "templates" / "words.js").read_text(encoding="utf-8")
PYTHON = {
    "digitsFor": words.digits_for,
    "number": words.number,
    "signed": words.signed,
    "interval": words.interval,
    "pNumber": words.p_number,
    "exact": words.exact,
    "pExactly": words.p_exactly,
    "percent": words.percent,
    "count": words.count,
    "repr": repr,
}


def numbers() -> list[float]:
    """Powers of ten and their neighbours, ties of every depth (k ÷ 2ᵐ), the levels of tests, and random sizes."""
    rng = random.Random(5)
    powers = [10.0**e for e in range(-14, 13)]
    levels = [0.001, 0.01, 0.05, 0.5, 0.999, 1.0, 0.0005, 0.0495, 0.0505, 0.0095, 0.9995, 0.99949, 1e-4, 9999.5, 99999.5]
    near = [math.nextafter(v, side) for v in powers + levels for side in (0.0, math.inf)]
    ties = [k / 2**m for m in range(1, 14) for k in (1, 3, 5, 7, 11, 85, 2**m - 1, 2**m + 1, 1001)]
    loose = [rng.uniform(1, 10) * 10.0 ** rng.randint(-13, 11) for _ in range(1500)]
    half = [round(rng.random(), d) + 5 * 10.0 ** -(d + 1) for d in range(1, 9) for _ in range(40)]
    return [0.0, *powers, *levels, *near, *ties, *loose, *half, *(rng.random() for _ in range(500))]


def cases() -> Iterator[tuple[str, list[Any]]]:
    """Function and arguments; shares and p-values within [0, 1], and a few beside."""
    values = numbers()
    for v in values:
        yield "digitsFor", [[v, None, v / 7]]
        yield "exact", [v]
        yield "exact", [-v]
        for sign in (v, -v):
            for name in ("number", "signed"):
                yield name, [sign]
                for digits in (0, 2, 3, 4, 5, 8):
                    yield name, [sign, digits]
        yield "interval", [-v, v, 3]
        yield "repr", [v]
        if v <= 1:
            yield "pNumber", [v]
            yield "pExactly", [v]
            yield "percent", [v]
            yield "percent", [v, 0]
            yield "percent", [v, 3]
    for whole in (0, 1, 999, 1000, 1_000_209, 123_456_789):
        yield "count", [whole]
    for name in ("number", "signed", "pNumber", "exact", "pExactly", "percent", "count"):
        for nothing in (None, math.nan, math.inf, -math.inf):
            yield name, [nothing]
    yield "interval", [None, 1.0, 3]
    yield "digitsFor", [[None]]
    yield "pExactly", [1e-310]
    yield "pExactly", [0.0]


def test_the_script_and_python_write_the_same(browser: Any) -> None:
    grid = list(cases())
    assert len(grid) > 30_000 and {name for name, _ in grid} == set(PYTHON)
    expected = [PYTHON[name](*arguments) for name, arguments in grid]
    page = browser.new_page()
    # As one text: the driver takes seconds to hand over so many arguments one by one.
    script = f"(text) => {{ {SCRIPT}; return JSON.stringify(eval(text).map(([name, args]) => words[name](...args))); }}"
    written = json.loads(page.evaluate(script, json.dumps(grid)))
    page.close()
    differing = [(case, py, js) for case, py, js in zip(grid, expected, written, strict=True) if py != js]
    assert not differing, differing[:20]
