"""Which protocol would have chosen the truly better system? CM100k, Coat and five worlds, declared before they were run.

`python -m benchmarks.truth --data DIR --out DIR [NAME …]` holds every protocol against the truth of each, prints the tables
of docs/truth-results.md in Markdown, and leaves a results folder with its page for each under `--out`. DIR of `--data` has
the folders `cm100k` and `coat`; without it only the worlds are run. `--write` puts the tables into the page.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import heldout as ho
from benchmarks.bellogin import written
from heldout.biases.truth.findings import EstimatorRow, TruthFindings
from heldout.biases.truth.sentences import TRUSTED
from heldout.text.numbers import number, percent

SIZE = "users=400, items=300, ratings=12000"
LIKED = "prior=[0.35, 0.25, 0.2, 0.13, 0.07]"
"""A fifth of all ratings is 4 or 5."""
WORLDS = {
    "at random": f"simulate({SIZE}, {LIKED}, missing=at_random)",
    "by popularity": f"simulate({SIZE}, prior=[0.15, 0.2, 0.25, 0.25, 0.15], missing=by_popularity(counts=expected))",
    "by value": f"simulate({SIZE}, {LIKED}, missing=by_value(slope=0.7))",
    "by recommender": f"simulate({SIZE}, {LIKED}, missing=by_recommender(rounds=4, explore=0.2))",
    "mixture": f"simulate({SIZE}, {LIKED}, missing=mixture(first=by_value(slope=0.7, popularity=1), second=by_recommender))",
}
SYSTEMS = [
    *("Random", "Popularity", "AverageRating(damping=5)", "UserKNN(k=50)", "ItemKNN(k=50)"),
    *("WRMF(factors=10)", "EASE(l2=50)", "PLSA(topics=10)"),
]
DRAWS = 20
PAGE = Path(__file__).resolve().parents[1] / "docs" / "truth-results.md"
Rows = Mapping[str, EstimatorRow]
"""By name of the estimator."""
EXACT = ("at random", "by popularity", "by value", "mixture")
"""Worlds whose propensities are exact."""


def _covers_0(row: EstimatorRow) -> bool:
    return row.bias_low <= 0 <= row.bias_high


CLAIMS: dict[str, Callable[[Mapping[str, Rows]], bool]] = {
    "IPS with known propensities is unbiased for P@10: the interval of its bias covers 0 where they are exact": lambda of: (
        all(_covers_0(of[world]["IPS (known) by P@10"]) for world in EXACT)
    ),
    "plain precision is too low everywhere: the interval of its bias lies below 0": lambda of: all(
        rows["AI-AR by P@10"].bias_high < 0 for rows in of.values()
    ),
    "where the rating decides, IPS with propensities of users and items stays biased": lambda of: (
        not _covers_0(of["by value"]["IPS (estimated) by P@10"])
    ),
    "where ratings are missing at random, the plain ranking is right as often as IPS with known propensities": lambda of: (
        of["at random"]["AI-AR by P@10"].right >= of["at random"]["IPS (known) by P@10"].right_low
    ),
    "where popularity decides, P1R is right more often than 1R": lambda of: (
        of["by popularity"]["P1R by P@10"].right > of["by popularity"]["1R by P@10"].right
    ),
    "where a recommender decided, over 5% of the plain ranking's significant differences have the wrong sign": lambda of: (
        of["by recommender"]["AI-AR by P@10"].type_s > 0.05
    ),
    "condensed lists are right less often than plain ones in every world": lambda of: all(
        rows["condensed by P@10"].right < rows["AI-AR by P@10"].right for rows in of.values()
    ),
}
"""What was expected of the five worlds, written before any was run, each with the rule that decides."""


def study_of(name: str, data: str, relevance: str) -> dict[str, object]:
    title = f"{name} held against its truth"
    return {"title": title, "data": data, "split": "ratio(train=0.8)", "relevance": relevance, "recommend": SYSTEMS}


def studies(folder: Path | None) -> dict[str, dict[str, object]]:
    """Name → study."""
    real = {}
    if folder is not None:
        real["CM100k"] = study_of("CM100k", f'cm100k("{folder / "cm100k"}", known=yes)', "threshold(3)")
        real["CM100k, whole sample"] = real["CM100k"] | {"truth_design": "whole"}
        real["Coat"] = study_of("Coat", f'coat("{folder / "coat"}")', "threshold(4)")
    return real | {name: study_of(f"The world {name}", data, "threshold(4)") for name, data in WORLDS.items()}


def best_by_protocol(table: Mapping[str, EstimatorRow]) -> dict[str, EstimatorRow]:
    best: dict[str, EstimatorRow] = {}
    for row in table.values():
        best.setdefault(row.protocol, row)
    return best


def right_table(tables: Mapping[str, Rows]) -> list[str]:
    """In percent, each protocol by its best metric, and the interval."""
    lines = ["| protocol, by its best metric | " + " | ".join(tables) + " |", "|---" * (len(tables) + 1) + "|"]
    best = {name: best_by_protocol(rows) for name, rows in tables.items()}
    for protocol in dict.fromkeys(protocol for rows in best.values() for protocol in rows):
        cells = [_percent(rows[protocol]) if protocol in rows else "–" for rows in best.values()]
        lines.append(f"| {protocol} | " + " | ".join(cells) + " |")
    return lines


def _percent(row: EstimatorRow) -> str:
    """93 (88–96)."""
    low, high = (f"{100 * share:.0f}" for share in (row.right_low, row.right_high))
    return f"{100 * row.right:.0f} ({low}–{high})"


def level_table(results: Mapping[str, ho.Results[TruthFindings]]) -> list[str]:
    """How far P@10 is from the truth, how often significant differences are wrong, and what nobody can tell."""
    heads = (
        "",
        "true P@10",
        "AI-AR misses",
        "bias of IPS (known)",
        "of IPS (estimated)",
        "type S of AI-AR",
        "no protocol can tell",
    )
    lines = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for name, result in results.items():
        rows = {row.name: row for row in result.findings.rows}
        plain = rows["AI-AR by P@10"]
        ips = [rows.get(f"IPS ({kind}) by P@10") for kind in ("known", "estimated")]
        judged = [pair for pair in result.findings.pairs if pair.judged]
        untold = sum(pair.best_right < TRUSTED for pair in judged)
        cells = [number(plain.truth, 3), percent(-plain.bias / plain.truth, 0)]
        cells += ["–" if row is None else _relative_bias(row) for row in ips]
        cells += [f"{percent(plain.type_s, 0)} of {plain.significant}", f"{untold} of {len(judged)} comparisons"]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return lines


def _relative_bias(row: EstimatorRow) -> str:
    """+5% (−2% to +12%), in shares of the truth."""
    return "{:+.0%} ({:+.0%} to {:+.0%})".format(*(x / row.truth for x in (row.bias, row.bias_low, row.bias_high))).replace(
        "-", "−"
    )


def biases(results: ho.Results[TruthFindings]) -> list[str]:
    """The bias of P@10 by each estimator on the scale of the truth, with its interval."""
    rows = [row for row in results.findings.rows if row.metric == "P@10" and row.same_scale]
    return [
        f"Bias of {row.protocol} for P@10: {number(row.bias, 4)} ({number(row.bias_low, 4)} to {number(row.bias_high, 4)})."
        for row in rows
    ]


def claims_table(tables: Mapping[str, Rows]) -> list[str]:
    lines = ["| declared beforehand, with the rule that decides in `benchmarks/truth.py` | |", "|---|---|"]
    worlds = {name: tables[name] for name in WORLDS}
    return lines + [f"| {claim} | {'holds' if rule(worlds) else '**does not hold**'} |" for claim, rule in CLAIMS.items()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="some of the data sets and worlds; all without any")
    parser.add_argument("--data", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--draws", type=int, default=DRAWS)
    parser.add_argument("--protocol", action="append", help="one of the protocols; all without any")
    parser.add_argument("--write", action="store_true", help="put the tables of all into docs/truth-results.md")
    arguments = parser.parse_args()
    every = studies(arguments.data)
    results = {}
    for name in arguments.names or every:
        began = time.process_time()
        out = arguments.out / name.replace(" ", "-")
        results[name] = ho.truth(every[name], draws=arguments.draws, protocols=arguments.protocol, out=out, progress=False)
        print(f"### {name}\n\n`{every[name]['data']}`: {time.process_time() - began:.0f} CPU seconds.\n")
        print(
            "\n".join(f"- {sentence}" for sentence in [*results[name].sentences, *biases(results[name])]) + "\n", flush=True
        )
    tables = {name: {row.name: row for row in result.findings.rows} for name, result in results.items()}
    parts = {"right": right_table(tables)}
    if arguments.protocol is None:
        parts["level"] = level_table(results)
        if set(WORLDS) <= set(tables):
            parts["claims"] = claims_table(tables)
    print("\n\n".join("\n".join(lines) for lines in parts.values()))
    if arguments.write and set(every) == set(results) and len(parts) == 3 and arguments.data is not None:
        PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), parts), encoding="utf-8")


if __name__ == "__main__":
    main()
