"""A small paper for tests: one table, one figure, and an experiment whose data nobody has."""

from __future__ import annotations

from functools import partial

from heldout.papers.data_sets import NeededData
from heldout.papers.findings import Panel, PlotSeries
from heldout.papers.paper import Claim, ClaimFinding, Expectation, Experiment, MeasuredTables, Paper
from heldout.papers.rules import ahead, all_of, column
from heldout.papers.study_runs import RepeatedStudy, StudyRuns

TINY = NeededData(
    key="tiny",
    title="Tiny <&> ratings",
    files=("tiny/ratings.csv",),
    layout="user,item,rating",
    reader="Csv",
    path="tiny/ratings.csv",
    stand_in="simulate(users=40, items=30, ratings=500, seed=3)",
)
STUDY = RepeatedStudy(
    {
        "split": "ratio(train=0.6)",
        "recommend": ["Popularity", "Random"],
        "relevance": "threshold(4)",
        "target": "AllItems",
        "metrics": ["P@3", "Unrated@3"],
        "compare": {"tests": "t", "correction": "none"},
    },
    (1, 2, 3),
)
RUNS = StudyRuns({"start": STUDY})


def value(system: str):
    """P@3 of a system on each split."""
    return partial(column, table="values", column="value", system=system, metric="P@3")


def bars(measured: MeasuredTables) -> tuple[Panel, ...]:
    """Both systems as bars, and a line."""
    series = [
        PlotSeries(name=name, x=(0.0, 1.0), y=tuple(value(name)(measured)[:2]), form="bars")
        for name in ("Popularity", "Random")
    ]
    line = PlotSeries(name="a line", x=(0.0, 1.0), y=(0.5, None), form="dashes", right=True)
    cross = PlotSeries(name="crosses", x=(0.0,), y=(0.1,), form="points")
    panel = Panel(
        title="Bars <&>",
        x_label="split",
        y_label="P@3",
        right_label="a share",
        series=(*series, line, cross),
        ticks=("1", "2"),
    )
    lines = Panel(
        title="Lines",
        x_label="n",
        y_label="value",
        log_x=True,
        series=(PlotSeries(name="A", x=(1.0, 10.0, 100.0), y=(0.2, 0.4, 0.3)),),
    )
    return panel, lines


def experiment(key: str, data: NeededData = TINY) -> Experiment:
    """An experiment with two numbers, a p-value and three claims."""
    return Experiment(
        key=key,
        title="Popularity <&> Random",
        did=f"Compares two systems ({key}).",
        data=data,
        minutes=0.1,
        work=RUNS,
        expectations=(
            Expectation(row="P@3", column="Popularity", published=0.2, pick=value("Popularity"), decimals=1),
            Expectation(row="P@3", column="Random", published=0.9, pick=value("Random")),
            Expectation(
                row="P@3", column="p", published=0.5, pick=partial(column, table="pairs", column="p", metric="P@3"), kind="p"
            ),
            Expectation(
                row="P@3", column="other", published=0.9, pick=value("Random"), remark="another reading", standing="reading"
            ),
        ),
        claims=(
            Claim(
                words="“Popularity wins”",
                section="§1",
                rule="in the mean over splits",
                check=lambda measured: all_of([ahead(value("Popularity"), value("Random"), measured)]),
            ),
            Claim(
                words="“Random wins”",
                section="§1",
                rule="in the mean over splits",
                check=lambda measured: all_of([ahead(value("Random"), value("Popularity"), measured)]),
            ),
            Claim(
                words="“Users are happy”",
                section="§2",
                rule="they say so",
                check=lambda _: ClaimFinding(None, "nobody asked"),
            ),
        ),
        draw=bars,
        notes=(f"A note on {key}.",),
    )


PAPER = Paper(
    key="sample-2000",
    reference="canamares2020",
    name="Sample 2000",
    experiments=(
        experiment("table-1"),
        experiment(
            "fig-2",
            NeededData(
                key="lost",
                title="Lost",
                files=("lost/*.txt",),
                layout="user item",
                reader="Csv",
                path="lost",
                stand_in=TINY.stand_in,
            ),
        ),
    ),
    notes=("A note on the paper.",),
)
