"""What §2.6 says of One-Plus-Random: the more sampled items, the smaller the values."""

from __future__ import annotations

from heldout.catalogue import make
from heldout.papers.bellogin2011.consistency import in_all_cases
from heldout.papers.bellogin2011.methodologies import METRICS, SPLITS, SYSTEMS, one_plus_random
from heldout.papers.data_sets import MOVIELENS_100K
from heldout.papers.findings import Panel, PlotSeries
from heldout.papers.paper import Claim, ClaimFinding, Experiment, MeasuredTables
from heldout.papers.rules import Part, falling, in_words, mean
from heldout.papers.study_runs import RepeatedStudy, StudyRuns

SAMPLED = (100, 300, 1000)
"""N, of which the paper ran the last."""


def _targets(sizes: tuple[int, ...]) -> list[str]:
    return [one_plus_random(n) for n in sizes]


def _study(split: str) -> RepeatedStudy:
    keys = {
        "split": split,
        "recommend": [{"name": name, "model": model} for name, model in SYSTEMS.items()],
        "relevance": "threshold(4)",
        "target": _targets(SAMPLED),
        "ties": "trec",
        "undefined": "zero",
        "metrics": list(METRICS),
        "compare": "none",
    }
    return RepeatedStudy(keys, simulated={"target": _targets((10, 20, 40))})


def _by_sample(measured: MeasuredTables, split: str, system: str, metric: str) -> dict[int, float]:
    """A system's value by the number of sampled items."""
    rows = measured.rows("values", study=split, system=system, metric=metric).select("target", "value")
    return dict(sorted((make("target", target).nonrelevant, value) for target, value in rows.iter_rows()))


def _smaller(measured: MeasuredTables) -> ClaimFinding:
    parts: list[Part] = []
    for split in SPLITS:
        for metric in METRICS:
            for system in SYSTEMS:
                values = _by_sample(measured, split, system, metric)
                mean(list(values.values()))
                words = f"{split} {metric} of {system}: {in_words(list(values.values()))} with {', '.join(map(str, values))}"
                parts.append((falling(list(values.values())), words))
    return in_all_cases(parts)


def _curves(measured: MeasuredTables) -> tuple[Panel, ...]:
    panels = []
    for metric in METRICS:
        for split in SPLITS:
            lines = []
            for system in SYSTEMS:
                values = _by_sample(measured, split, system, metric)
                lines.append(PlotSeries(name=system, x=tuple(map(float, values)), y=tuple(values.values())))
            panels.append(Panel(title=split, x_label="sampled items N", y_label=metric, series=tuple(lines), log_x=True))
    return tuple(panels)


SAMPLED_ITEMS: Experiment = Experiment(
    key="one-plus-random",
    title="One-Plus-Random by the number of sampled items",
    did="Ranks each item rated 5 among 100, 300 and 1,000 random ones; the paper ran 1,000 and says what others would give.",
    data=MOVIELENS_100K,
    minutes=0.2,
    work=StudyRuns({split: _study(split) for split in SPLITS}),
    claims=(
        Claim(
            words="“the number N of non-relevant items considered (the higher this number, the smaller the performance "
            "values)”",
            section="§2.6",
            rule="P, Recall and nDCG at 50 of every system fall from 100 to 300 and from 300 to 1,000 sampled items, on "
            "both splits",
            check=_smaller,
        ),
    ),
    draw=_curves,
)
