"""The theme: colours that people with colour blindness tell apart, and the configuration of every mode."""

import json
import math
from itertools import combinations, pairwise

import pytest

from heldout.reports.charts import theme

# Machado, Oliveira and Fernandes (2009), severity 1.0, on linear RGB
DEFICIENCIES = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "none": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
}
TO_XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))


def linear(colour):
    shares = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    return [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]


def product(matrix, vector):
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


def lab(colour, deficiency):
    seen = [min(1.0, max(0.0, share)) for share in product(DEFICIENCIES[deficiency], linear(colour))]
    ratios = [value / white for value, white in zip(product(TO_XYZ, seen), (0.95047, 1.0, 1.08883), strict=True)]
    x, y, z = (t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116 for t in ratios)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def ciede2000(first, second):
    (l1, a1, b1), (l2, a2, b2) = first, second
    mean = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    grey = 1.5 - 0.5 * math.sqrt(mean**7 / (mean**7 + 25**7))
    c1, c2 = math.hypot(grey * a1, b1), math.hypot(grey * a2, b2)
    h1, h2 = (math.degrees(math.atan2(b, grey * a)) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = 0.0 if c1 * c2 == 0 else (h2 - h1 + 180) % 360 - 180
    hue = h1 + h2 if c1 * c2 == 0 else (h1 + turn / 2) % 360
    lightness, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    t = 1 - 0.17 * math.cos(math.radians(hue - 30)) + 0.24 * math.cos(math.radians(2 * hue))
    t += 0.32 * math.cos(math.radians(3 * hue + 6)) - 0.2 * math.cos(math.radians(4 * hue - 63))
    by_l = (l2 - l1) / (1 + 0.015 * (lightness - 50) ** 2 / math.sqrt(20 + (lightness - 50) ** 2))
    by_c = (c2 - c1) / (1 + 0.045 * chroma)
    by_h = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2)) / (1 + 0.015 * chroma * t)
    rotation = -2 * math.sqrt(chroma**7 / (chroma**7 + 25**7))
    rotation *= math.sin(math.radians(60 * math.exp(-(((hue - 275) / 25) ** 2))))
    return math.sqrt(by_l**2 + by_c**2 + by_h**2 + rotation * by_c * by_h)


def contrast(first, second):
    low, high = sorted(product(TO_XYZ, linear(colour))[1] for colour in (first, second))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(
    ("first", "second", "difference"),
    [  # Sharma, Wu and Dalal (2005), table 1
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, -1.3802, -84.2814), (50.0, 0.0, -82.7485), 1.0),
        ((50.0, 2.49, -0.001), (50.0, -2.49, 0.0011), 7.2195),
        ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((22.7233, 20.0904, -46.694), (23.0331, 14.973, -42.5619), 2.0373),
    ],
)
def test_ciede2000_is_that_of_its_published_data(first, second, difference):
    assert ciede2000(first, second) == pytest.approx(difference, abs=1e-4)


@pytest.mark.parametrize("mode", theme.MODES)
@pytest.mark.parametrize("deficiency", DEFICIENCIES)
def test_any_two_systems_have_distinguishable_colours(mode, deficiency):
    seen = [lab(colour, deficiency) for colour in theme.COLOURS[mode].systems]
    assert len(seen) == theme.MOST_SERIES
    assert min(ciede2000(a, b) for a, b in combinations(seen, 2)) >= 15


@pytest.mark.parametrize("mode", theme.MODES)
def test_marks_and_text_stand_out_from_the_background(mode):
    colours = theme.COLOURS[mode]
    assert min(contrast(colour, colours.paper) for colour in colours.systems) >= 3
    text = (colours.ink, colours.soft, colours.link, colours.warn)
    assert min(contrast(colour, ground) for colour in text for ground in (colours.paper, colours.tint)) >= 4.5
    assert min(contrast(colours.ink, shade) for shade in colours.ramp) >= 4.5


@pytest.mark.parametrize("mode", theme.MODES)
def test_the_three_outcomes_differ(mode):
    outcomes = theme.config(mode)["range"]["diverging"]
    for deficiency in DEFICIENCIES:
        seen = [lab(colour, deficiency) for colour in outcomes]
        assert min(ciede2000(a, b) for a, b in combinations(seen, 2)) >= 15


@pytest.mark.parametrize("mode", theme.MODES)
def test_neighbouring_shades_differ(mode):
    shades = [lab(colour, "none") for colour in theme.COLOURS[mode].shades]
    assert min(ciede2000(a, b) for a, b in pairwise(shades)) >= 10


def test_every_system_has_a_marker_and_dashes_of_its_own():
    assert len(set(theme.SYMBOLS)) == len(set(theme.DASHES)) == theme.MOST_SERIES


@pytest.mark.parametrize("mode", theme.MODES)
def test_text_is_large_enough_to_read(mode):
    config = theme.config(mode)
    least = 7 * theme.POINT if mode == "paper" else 15
    sizes = [config[part][key] for part in ("axis", "header", "legend") for key in config[part] if key.endswith("FontSize")]
    sizes += [style["fontSize"] for style in config["style"].values() if "fontSize" in style]
    assert len(sizes) > 6 and min(sizes) >= least


def test_modes_have_the_same_styles_and_no_css_variables():
    configs = [theme.config(mode) for mode in theme.MODES]
    assert len({tuple(config["style"]) for config in configs}) == 1
    assert "var(" not in json.dumps(configs)


def test_the_style_sheet_has_the_colours_of_charts():
    style_sheet = theme.css_variables()
    assert style_sheet.count("{") == style_sheet.count("}")
    for mode in ("light", "dark"):
        assert all(f": {colour};" in style_sheet for colour in theme.COLOURS[mode].systems)
    assert (
        style_sheet.index("--s1: #075fce") < style_sheet.index("prefers-color-scheme: dark") < style_sheet.index("#6baaff")
    )
