"""Numbers, p-values, shares, counts and durations as short text, the same in every form of report."""

from __future__ import annotations

import math
from collections.abc import Iterable

ABSENT = "–"
"""Text of a missing number."""
MINUS = "−"


def digits_for(values: Iterable[float | None]) -> int:
    """Decimals that suit a column: four for values below one, four significant figures above, three below 0.01.

    digits_for([0.4523, 0.03]) = 4; digits_for([1.073]) = 3; digits_for([0.00312]) = 5.
    """
    sizes = [abs(v) for v in values if v is not None and math.isfinite(v)]
    top = max(sizes, default=0.0)
    if top == 0.0:
        return 4
    magnitude = int(f"{top:.15e}".split("e")[1])  # as exact as the page's script; log10 rounds 9.999999999999999 up
    return max(0, 3 - magnitude) if top >= 1 else min(12, max(4, 2 - magnitude))


def number(value: float | None, digits: int | None = None) -> str:
    """0.4523; a dash where there is none."""
    if value is None or not math.isfinite(value):
        return ABSENT
    digits = digits_for([value]) if digits is None else digits
    shown = f"{abs(value):,.{digits}f}"
    if float(shown.replace(",", "")) == 0.0:
        return shown
    return MINUS + shown if value < 0 else shown


def signed(value: float | None, digits: int | None = None) -> str:
    """+0.0123 or −0.0123; a difference too small for its column keeps two significant figures, never "+0.0000"."""
    if value is None or not math.isfinite(value):
        return ABSENT
    digits = digits_for([value]) if digits is None else digits
    shown = f"{abs(value):,.{digits}f}"
    if float(shown.replace(",", "")) == 0.0 and value != 0:
        mantissa, exponent = f"{abs(value):.1e}".split("e")
        power = int(exponent)
        shown = f"{abs(value):.{1 - power}f}" if power >= -8 else f"{mantissa}e{power}"
    if value == 0:
        return shown
    return ("+" if value > 0 else MINUS) + shown


def value_range(low: float, high: float) -> str:
    """0 to 1, 0 to ∞."""
    return f"{low:g} to {high:g}".replace("-", MINUS).replace("inf", "∞")


def interval(low: float | None, high: float | None, digits: int, *, sign: bool = False) -> str:
    """[0.4471, 0.4575]; empty where there is no interval."""
    if low is None or high is None:
        return ""
    form = signed if sign else number
    return f"[{form(low, digits)}, {form(high, digits)}]"


def interval_text(
    ends: tuple[float | None, float | None], digits: int | None, *, sign: bool = False, shares: bool = False
) -> str:
    """0.229–0.250; "−0.047 to −0.031" if an end is negative or signed; 82.2%–100% if the ends are shares."""
    low, high = ends
    if low is None or high is None or math.isnan(low + high):
        return ABSENT
    if shares:
        return f"{percent(low)}–{percent(high)}"
    form = signed if sign else number
    texts = form(low, digits), form(high, digits)
    return " to ".join(texts) if sign or low < 0 or high < 0 else "–".join(texts)


def p_number(p: float | None) -> str:
    """0.039, < 0.001, > 0.999; more decimals where three would round onto the levels 0.05 and 0.01."""
    if p is None or not math.isfinite(p):
        return ABSENT
    if p < 0.001:
        return "< 0.001"
    if p > 0.999:
        return "1" if p >= 1 else "> 0.999"
    for digits in range(3, 9):
        shown = f"{p:.{digits}f}"
        level = float(shown)
        if level == p or level not in (0.05, 0.01, 0.001):
            break
    return shown


def p_value(p: float | None) -> str:
    """p = 0.039, p < 0.001; "no p-value" where the test gives none."""
    shown = p_number(p)
    if shown == ABSENT:
        return "no p-value"
    return f"p {shown}" if shown[0] in "<>" else f"p = {shown}"


def exact(value: float | None) -> str:
    """The number with four significant figures, for hovering and for notes: 1.832e-06."""
    return ABSENT if value is None or not math.isfinite(value) else f"{value + 0.0:.4g}"  # −0 is 0


def exact_p(p: float | None) -> str:
    """A p-value with four significant figures; one too small for a number is below the least, never 0."""
    return "< 1e-300" if p is not None and math.isfinite(p) and p < 1e-300 else exact(p)


def percent(share: float | None, digits: int = 1) -> str:
    """97.3%; never 0.0% of something nor 100.0% of not quite all."""
    if share is None or not math.isfinite(share):
        return ABSENT
    shown = f"{100 * share:.{digits}f}"
    step = f"{10.0**-digits:.{digits}f}"
    if share > 0 and float(shown) == 0.0:
        return f"< {step}%"
    if share < 1 and float(shown) >= 100.0:
        return f"> {100 - 10.0**-digits:.{digits}f}%"
    return "0%" if share == 0 else "100%" if share == 1 else f"{shown}%"


def percent_digits(share: float) -> int:
    """Decimals of a percentage that show three figures, 1 at least: 12.0%, 3.04%, 0.0449%."""
    return max(1, 2 - math.floor(math.log10(100 * share))) if share > 0 else 1


def rough_percent(share: float) -> str:
    """94%, 2.1%, < 0.1%: about two figures, without a sign."""
    size = abs(share)
    return percent(size, 0 if size >= 0.0995 else 1)


def count(value: int | float | None) -> str:
    """1,000,209."""
    return ABSENT if value is None or not math.isfinite(value) else f"{round(value):,}"


def counted(value: int, noun: str, plural: str = "") -> str:
    """1 setting, 8 settings."""
    return f"{count(value)} {noun if value == 1 else plural or noun + 's'}"


def seconds(value: float) -> str:
    """0.42 s, < 0.01 s, 12.3 s, 3 min 20 s, 2 h 5 min."""
    if 0 < value < 0.005:
        return "< 0.01 s"
    if value < 60:
        return f"{value:.2f} s" if value < 10 else f"{value:.1f} s"
    if value < 3600:
        return f"{int(value // 60)} min {int(value % 60)} s"
    return f"{int(value // 3600)} h {int(value % 3600 // 60)} min"


def size(value: float) -> str:
    """Of bytes: 420 MB, 1.3 GB."""
    return f"{value / 1e6:,.0f} MB" if value < 1e9 else f"{value / 1e9:,.1f} GB"


def rough_seconds(value: float) -> str:
    """< 1 s, 12 s, 3 min, 2.1 h: for estimates."""
    if value < 90:
        return f"{value:.0f} s" if value >= 1 else "< 1 s"
    return f"{value / 60:.0f} min" if value < 5400 else f"{value / 3600:.1f} h"
