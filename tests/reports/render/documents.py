"""A document with every kind of block, for the tests of renderers."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from heldout.reports.columns import Column
from heldout.reports.document import (
    Chart,
    Document,
    Explorer,
    Figure,
    Layout,
    Listing,
    Notice,
    PackedExplorer,
    Section,
    Spec,
    State,
    Switch,
    Table,
    Terms,
    Text,
    Verbatim,
    code,
    link,
    strong,
)
from heldout.text.numbers import number, signed

SYSTEMS = ("UserKNN", "EASE", "WRMF", "Popularity", "AverageRating", "Random")
TARGETS = ("AllItems", "TestItems", "TestRatings")
TESTS = ("permutation", "t")
MEANS = {"AllItems": (0.239, 0.204, 0.196, 0.090, 0.024, 0.006), "TestItems": (0.239, 0.204, 0.196, 0.090, 0.024, 0.006)}
MEANS |= {"TestRatings": (0.834, 0.829, 0.826, 0.799, 0.872, 0.788)}


def board(target: str = "AllItems", systems: tuple[str, ...] = SYSTEMS) -> Table:
    """A leaderboard of two metrics with intervals, letters, shares and a column that is the same for all."""
    means = sorted(zip(MEANS[target], systems, strict=False), reverse=True)
    rows = [
        (
            system,
            *(value + 0.0001234, (value - 0.01, value + 0.01), "abcdef"[k]),
            *(value / 2, (value / 2 - 0.005, value / 2 + 0.005), "aabbcd"[k]),
            *(0.816 + 0.02 * k, (1.2 + k) if k else None, 10.0 ** -(3 * k + 2), 1946),
        )
        for k, (value, system) in enumerate(means)
    ]
    ndcg, precision = "nDCG@10 (binary)", "P@10"
    return Table(
        name="leaderboard",
        title="Leaderboard",
        caption="Systems that share a letter do not differ significantly (Holm correction over 15 pairs).",
        columns=(
            Column(name="system", kind="system", head="System"),
            Column(name="nDCG@10", kind="value", head="Mean", group=ndcg, digits=3, better="higher"),
            Column(name="nDCG@10 interval", kind="interval", head="95% CI", group=ndcg, digits=3, track="nDCG@10"),
            Column(name="nDCG@10 letters", kind="letters", group=ndcg),
            Column(name="P@10", kind="value", head="Mean", group=precision, digits=3, better="higher"),
            Column(name="P@10 interval", kind="interval", head="95% CI", group=precision, digits=3, track="P@10"),
            Column(name="P@10 letters", kind="letters", group=precision),
            Column(name="Unrated@10", kind="share", bar=True, means="Share of the first 10 items without a rating"),
            Column(name="Fit", kind="seconds"),
            Column(name="p", kind="p"),
            Column(name="users", kind="count", head="Users averaged"),
        ),
        rows=rows,
        strong=frozenset({(0, "nDCG@10"), (0, "P@10")}),
        marked=frozenset({1}),
        subject="systems",
    )


def settings(count: int = 30) -> Table:
    """A long table with a column for each of two systems."""
    rows = [(f"Target {k % 7}, cut-off {k}", k, 0.2 + k / 1000, 0.3 - k / 1000) for k in range(count)]
    names = SYSTEMS[:2]
    return Table(
        name="settings",
        title="All settings",
        caption="Mean of two systems in every setting.",
        columns=(
            Column(name="setting", kind="text", head="Setting"),
            Column(name="cutoff", kind="count", head="Cut-off"),
            *(Column(name=name, kind="value", digits=3, group="nDCG@10") for name in names),
        ),
        rows=rows,
        subject="settings",
        most=12,
    )


def dots(target: str = "AllItems", *, table: str = "leaderboard") -> Chart:
    """Means with intervals, one system a line."""

    def draw(layout: Layout) -> Spec:
        values = [
            {"system": name, "mean": mean, "low": mean - 0.01, "high": mean + 0.01, "Mean": number(mean, 3)}
            for name, mean in zip(SYSTEMS, MEANS[target], strict=True)
        ]
        colour = {"field": "system", "scale": {"domain": list(SYSTEMS)}, "legend": None}
        faded = {"condition": {"test": "focus === null || datum.system === focus", "value": 1}, "value": 0.2}
        tooltip = [{"field": "system", "title": "System"}, {"field": "Mean", "title": "Mean nDCG@10"}]
        shared = {"y": {"field": "system", "sort": None, "title": None}, "color": colour, "opacity": faded}
        scale = {"field": "low", "type": "quantitative", "title": "nDCG@10"}
        return {
            "params": [{"name": "focus", "value": None}, {"name": "target", "value": ""}],
            "data": {"values": values},
            "width": layout.width - 130,
            "height": {"step": 40},
            "layer": [
                {
                    "mark": {"type": "rule", "style": "interval"},
                    "encoding": {**shared, "x": scale, "x2": {"field": "high"}, "tooltip": tooltip},
                },
                {
                    "mark": {"type": "point", "style": "estimate"},
                    "encoding": {**shared, "x": {**scale, "field": "mean"}, "shape": colour, "tooltip": tooltip},
                },
            ],
        }

    return Chart(name="means", title="Means", caption="Means with 95% intervals.", draw=draw, table=table)


def line(name: str, title: str) -> Chart:
    """Curves of all systems; a reader needs a key to tell them apart."""

    def draw(layout: Layout) -> Spec:
        values = [
            {"system": system, "n": n, "recall": mean * n / 20, "Recall": number(mean * n / 20, 3), "Length": str(n)}
            for system, mean in zip(SYSTEMS, MEANS["AllItems"], strict=True)
            for n in (1, 5, 10, 20)
        ]
        tooltip = [{"field": field} for field in ("system", "Length", "Recall")]
        return {
            "params": [{"name": "focus", "value": None}],
            "data": {"values": values},
            "width": layout.width - 60,
            "height": 220,
            "mark": {"type": "line", "style": "curve", "point": True},
            "encoding": {
                "x": {"field": "n", "type": "quantitative", "title": "Length of the list"},
                "y": {"field": "recall", "type": "quantitative", "title": "Recall"},
                "color": {"field": "system", "scale": {"domain": list(SYSTEMS)}, "legend": None},
                "opacity": {"condition": {"test": "focus === null || datum.system === focus", "value": 1}, "value": 0.2},
                "tooltip": tooltip,
            },
        }

    return Chart(name=name, title=title, caption=f"{title} by length of the list.", draw=draw, table="settings", half=True)


def explorer() -> Explorer:
    """Three targets and two tests; one combination is absent."""
    states = []
    for target, test in itertools.product(range(3), range(2)):
        if (target, test) == (1, 1):
            continue
        leader = "AverageRating" if TARGETS[target] == "TestRatings" else "UserKNN"
        states.append(
            State(
                codes=(target, test),
                blocks=(
                    Text(strong(f"{leader} leads"), f" under {TARGETS[target]}."),
                    board(TARGETS[target]),
                    dots(TARGETS[target]),
                ),
                brief=f"{leader} leads by {signed(0.035 + target / 100, 3)}",
                leader=leader,
                signals={"target": TARGETS[target]},
            )
        )
    switches = (Switch("target", "Target", TARGETS), Switch("test", "Test", TESTS))
    return Explorer(switches=switches, states=tuple(states))


def universes(states: int = 24, systems: tuple[str, ...] = SYSTEMS) -> PackedExplorer:
    """Universes of three decisions, with values of every size, some of them absent."""
    rng = np.random.default_rng(3)
    codes = np.array(list(itertools.product(range(3), range(2), range(-(-states // 6)))))[:states]
    codes = codes[(codes[:, 0] < 2) | (codes[:, 1] == 0)]
    codes[codes[:, 0] == 2, 1] = -1  # under TestRatings there is no test
    states = len(codes)
    values = rng.gamma(2.0, 0.1, (states, len(systems))) * np.where(codes[:, [0]] == 2, 3000.0, 1.0)
    values[:, 0] -= 0.2 * (codes[:, 0] == 1)
    values[::5, 1] = np.nan
    spread = rng.gamma(2.0, 0.02, (2, *values.shape)) * np.nan_to_num(np.abs(values))
    intervals = np.stack([values - spread[0], values + spread[1]], axis=-1)
    intervals[1, 2] = np.nan
    order = np.argsort(-np.nan_to_num(values, nan=-1e9), axis=1, kind="stable")
    leader = np.where(codes[:, 2] == 3, -1, order[:, 0])
    p = rng.uniform(0, 0.2, values.shape) ** 2
    np.put_along_axis(p, order[:, :1], np.nan, axis=1)
    names = [systems[k] for k in order[:, 0]]
    metrics = ["nDCG@10" if k % 2 else "P(gain=exp2)@5" for k in codes[:, 2]]
    return PackedExplorer(
        noun="universe",
        switches=(
            Switch("target", "Target", TARGETS),
            Switch("test", "Test", TESTS),
            Switch("cutoff", "Cut-off", tuple(map(str, range(1, 2 + codes[:, 2].max())))),
        ),
        codes=codes,
        start=1,
        sentences=[f"{name} leads in universe {k}." for k, name in enumerate(names)],
        briefs=[f"{name} leads" for name in names],
        systems=systems,
        leader=leader,
        order=order,
        name="universe",
        title="Systems in this universe",
        caption="Values with 95% intervals; p is adjusted.",
        columns=(
            Column(name="system", kind="system", head="System"),
            Column(name="value", kind="value", head="Value"),
            Column(name="interval", kind="interval", head="95% CI", track="value"),
            Column(name="p", kind="p"),
        ),
        cells={"value": values, "interval": intervals, "p": p},
        digits=np.where(codes[:, 0] == 2, 1, 4),
        heads={"value": metrics},
        signals={"universe": np.arange(states, dtype=float)},
    )


def document(**changes: Any) -> Document:
    """A document with every kind of block."""
    values: dict[str, Any] = {
        "kind": "report",
        "title": "Six recommenders on simulated ratings",
        "facts": ("6 systems", "8 settings, 6 distinct", "1,946 users", "seed 1"),
        "answer": "UserKNN wins, except under TestRatings.",
        "numbers": (
            Text("nDCG@10 (binary) is ", strong("0.239"), ", against ", strong("0.204"), " for EASE."),
            Text("Two-sided permutation test, Holm correction over 15 pairs.", note=True),
        ),
        "figures": (
            Figure("How large is it?", "d = 0.26", "a small effect (paired Cohen’s d)", "leaderboard"),
            Figure("For whom?", "44% gain, 25% lose", "users, compared with EASE", "curves"),
            Figure("Where does it fail?", "TestRatings", "AverageRating leads by 0.039", "universes"),
            Figure("What should I check?", "2 warnings", "the first: ties", "notices"),
        ),
        "main": board(),
        "sections": (
            Section(id="leaderboard", title="Leaderboard", blocks=(explorer(),)),
            Section(
                id="curves",
                title="Curves",
                blocks=(
                    Text("Recall grows with the list; see ", link("the systems", "#systems"), "."),
                    line("recall", "Recall"),
                    line("coverage", "Coverage"),
                    settings(),
                ),
            ),
            Section(id="universes", title="Universes", blocks=(universes(),)),
        ),
        "notices": (
            Notice(
                code="M4203",
                title="Only test ratings compete.",
                text=Text("Add ", code("target=AllItems"), " to the study."),
                change='- target = "TestRatings"\n+ target = "AllItems"',
                severity="warning",
            ),
            Notice(code="M4301", title="Ties.", text=Text("7% of the items in lists share their score.")),
        ),
        "unchecked": (Text("Whether users saw the items before they rated them."),),
        "appendix": (
            Section(
                id="systems",
                title="Systems",
                summary="6, with every parameter",
                blocks=(Terms((("UserKNN", (Text("Neighbours of the user."), Text(code("k = 20"), note=True))),)),),
            ),
            Section(
                id="study",
                title="Study",
                blocks=(Verbatim('[study]\ntitle = "Six & more"'), Listing((Text("One."), Text("Two.")))),
            ),
        ),
        "files": "All numbers are in leaderboard.csv.",
        "systems": SYSTEMS,
    }
    return Document(**(values | changes))
