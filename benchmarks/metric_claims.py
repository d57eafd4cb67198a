"""What Valcarce et al. (2018) say of metrics, claim by claim, beside a trial of ours on their split of MovieLens 1M.

`python -m benchmarks.metric_claims --data FOLDER --out DIR [--write]`; both are those of `heldout reproduce valcarce-2018`,
whose trial is used. `--write` puts the tables into docs/metric-quality-movielens.md.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from pathlib import Path

from heldout.papers.bench import PaperBench
from heldout.papers.data_sets import VALCARCE_SPLIT
from heldout.papers.paper import MeasuredTables
from heldout.papers.valcarce2018.paper import PAPER
from heldout.papers.valcarce2018.rules import TrialFigures, fine
from heldout.papers.valcarce2018.works import METRICS, TRIAL

PAGE = Path(__file__).resolve().parents[1] / "docs" / "metric-quality-movielens.md"
MARKS = "<!-- claims -->", "<!-- end of claims -->"
EXPERIMENTS = {each.key: each for each in PAPER.experiments if each.work is TRIAL}
"""Figures and tables of the trial, by key."""


def power_table(of: TrialFigures) -> Iterator[str]:
    """DP beside the published figures, with what it is made of."""
    published = {number.column: number.published for number in EXPERIMENTS["table-3"].expectations}
    yield "| | " + " | ".join(METRICS) + " |"
    yield "|---|" + "---|" * len(METRICS)
    rows: list[tuple[str, dict[str, float], Callable[[float], str]]] = [
        ("DP@100, half of what Table 3 prints", published, _hundredths),
        ("DP@100, here", of.at("dp"), _hundredths),
        ("mean p", of.at("mean_p"), fine),
        ("its standard error over systems", of.at("mean_p_error"), fine),
        ("mean p, half of the users", of.at("half_mean_p"), fine),
        ("its standard deviation over halves", of.at("half_error"), fine),
        ("share of pairs with p < .05", of.at("significant"), fine),
        ("τ, mean over shares of ratings kept", of.at("missing_tau"), fine),
        ("τ with 5 % of the ratings", {m: of.kept(m, 0.05) for m in METRICS}, fine),
        ("τ, mean over shares of items kept", of.at("popularity_tau"), fine),
    ]
    for title, figures, shown in rows:
        yield f"| {title} | " + " | ".join(shown(figures[metric]) for metric in METRICS) + " |"


def _hundredths(value: float) -> str:
    return f"{value:.2f}"


def claims_table(measured: MeasuredTables) -> Iterator[str]:
    """Each claim with its rule, whether it holds, and the figures."""
    yield "| the paper | holds here if | | figures |"
    yield "|---|---|---|---|"
    for claim in (claim for experiment in EXPERIMENTS.values() for claim in experiment.claims):
        finding = claim.check(measured)
        yield f"| {claim.words} | {claim.rule} | {'holds' if finding.holds else 'does not hold here'} | {finding.figures} |"


def main(arguments: list[str]) -> int:
    parser = ArgumentParser(prog="python -m benchmarks.metric_claims", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args(arguments)
    measured = TRIAL.measure(PaperBench(data=options.data, out=options.out), VALCARCE_SPLIT)
    tables = "\n".join([*power_table(TrialFigures(measured)), "", *claims_table(measured)])
    if not options.write:
        print(tables)
        return 0
    before, rest = PAGE.read_text(encoding="utf-8").split(MARKS[0])
    after = rest.split(MARKS[1])[1]
    PAGE.write_text(f"{before}{MARKS[0]}\n\n{tables}\n\n{MARKS[1]}{after}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
