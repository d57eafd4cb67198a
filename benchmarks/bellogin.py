"""The experiment of Bellogín, Castells and Cantador (2017) on MovieLens 1M, with each of its claims; writes its page.

`python -m benchmarks.bellogin FOLDER [--write]`. Needs a folder of real data ($HELDOUT_DATA, or ../shared/data) with ml-1m;
results are kept in FOLDER, so that a second call only draws. `--write` puts all figures into docs/biases-movielens.md.

The paper's systems are pLSA, matrix factorisation, user-based neighbours, popularity and random; it does not give their
parameters. Here they are PLSA with 50 topics, SVD and, for the neighbours, UserKNN in one study and NNCosNgbr-UB (Cremonesi
et al. 2010, which the paper cites) in another; EASE, WRMF and ItemKNN stand beside them and enter no claim.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import heldout as ho
from benchmarks.valcarce_data import folder
from heldout.api.bias_results import BiasResults
from heldout.papers.bellogin2017.baseline_claims import (
    BASELINE_CLAIMS,
    ETA,
    FLAT_POPULAR,
    FLAT_RANDOM,
    POPULAR_IN_AR,
    RANDOM_IN_1R,
    SKEW,
    TOP_LIKED,
    ZETA,
)
from heldout.papers.bellogin2017.bias_claims import CLAIMS
from heldout.papers.bellogin2017.bias_figures import GRADED, PLAIN, BiasFigures
from heldout.papers.bellogin2017.paper import RUN
from heldout.papers.bias_runs import bias_tables
from heldout.papers.paper import MeasuredTables
from heldout.words import digits_for, number, percent, signed

PAGE = Path(__file__).resolve().parents[1] / "docs" / "biases-movielens.md"
NEIGHBOURS = {"UserKNN": "UserKNN", "NNCosNgbr": "NNCosNgbr-UB"}
"""What the two kNN are called on the page → their text forms."""
SWEEPS = {"UserKNN": ("removed", "lists", "classes", "head", "uniform", "skew"), "NNCosNgbr": ("removed", "lists", "skew")}
"""Of the second, which takes long to score, those that claims are about."""
ALL_CLAIMS = sorted((*CLAIMS, *BASELINE_CLAIMS), key=lambda claim: claim.section)
ALPHAS = {"UserKNN": None, "NNCosNgbr": (0.0, 2.0)}
"""Skews; of the second the two ends."""


class Figures(BiasFigures):
    """Look-ups in what was measured with one kNN."""

    def __init__(self, results: BiasResults) -> None:
        self.findings = results.findings
        ratings = ho.read(self.findings.protocol["data"])
        self.measured: MeasuredTables = bias_tables(self.findings, ratings, liked=RUN.liked, uniform=RUN.uniform)
        super().__init__(self.measured)


def study(data: Path, neighbours: str) -> dict[str, object]:
    """The paper's set-up of section 3.3, with its five folds."""
    systems: list[object] = [
        {"name": "pLSA", "model": "PLSA(topics=50)"},
        {"name": "MF", "model": "SVD"},
        {"name": "kNN", "model": NEIGHBOURS[neighbours]},
    ]
    if neighbours == "UserKNN":
        systems += ["EASE", {"name": "WRMF", "model": "WRMF(factors=30)"}, "ItemKNN"]
    return {
        "title": "How much of MovieLens 1M is popularity?",
        "data": str(data / "ml-1m" / "ratings.dat"),
        "split": "folds(5)",
        "relevance": "threshold(5)",
        "target": "TestItems",
        "metrics": [GRADED],
        "recommend": systems,
        "compare": "t",
    }


def claims_table(figures: dict[str, Figures]) -> list[str]:
    """Each claim with its rule, and whether it holds with either kNN, as lines of Markdown."""
    lines = [
        "| § | claim | rule | with UserKNN | with NNCosNgbr | figures with UserKNN | with NNCosNgbr, where others |",
        "|---|---|---|---|---|---|---|",
    ]
    for claim in ALL_CLAIMS:
        checked = [claim.check(of.measured) for of in figures.values()]
        verdicts = ["holds" if finding.holds else "**does not hold here**" for finding in checked]
        first, second = (finding.figures for finding in checked)
        cells = (
            claim.section.removeprefix("§"),
            claim.words,
            claim.rule,
            *verdicts,
            first,
            second if second != first else "",
        )
        lines.append(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |")
    return lines


def protocols_table(figures: dict[str, Figures]) -> list[str]:
    """P@10 of every system under every protocol of Figures 2 and 8, then the metrics of Figure 9."""
    own, other = figures["UserKNN"], figures["NNCosNgbr"]
    systems = list(own.findings.systems)
    heads = [{"kNN": "UserKNN"}.get(name, name) for name in systems]
    place = systems.index("kNN") + 1
    heads.insert(place, "NNCosNgbr")
    effects = {(e.protocol, e.metric): e for e in own.findings.effects.protocols}
    lines = [
        f"| protocol | {' | '.join(heads)} | popularity ÷ random | τ with AR |",
        "|---" * (len(heads) + 3) + "|",
    ]
    of_metrics = [(e.protocol, e.metric) for e in effects.values() if e.role == "metric"]
    for protocol, metric in [*((name, "P@10") for name in PLAIN), *of_metrics]:
        values = [own.value[protocol, metric, name].value for name in systems]
        values.insert(place, other.value[protocol, metric, "kNN"].value)
        cells = [number(value, digits_for(values)) for value in values]
        ratio = f"{own.ratio(protocol):.1f} ×" if metric == "P@10" else ""
        name = protocol if metric == "P@10" else f"{protocol}, {metric}"
        lines.append(f"| {name} | {' | '.join(cells)} | {ratio} | {number(effects[protocol, metric].tau, 2)} |")
    return lines


def answer(own: Figures) -> list[str]:
    """How much is popularity, in a sentence or two, by P@10."""
    pair = {p.protocol: p for p in own.findings.effects.pairs if p.metric == "P@10" and {p.a, p.b} == {"kNN", "EASE"}}
    plain, neutral = pair["AR"], pair["P1R"]
    turned = f"{neutral.b} leads" if neutral.difference < 0 else f"{neutral.a} still leads"
    return [
        f"**Popularity reaches {own.ratio('AR'):.0f} × random under AR and {own.ratio('P1R'):.1f} × under P1R.** "
        f"{plain.a} leads {plain.b} by {signed(plain.difference, 4)} ({percent(plain.relative, 0)}) under AR; under P1R "
        f"{turned} by {number(abs(neutral.difference), 4)} (p = {neutral.p:.2g}; kNN being UserKNN)."
    ]


def published(own: Figures) -> list[str]:
    """What the paper prints as numbers, beside what was measured."""
    flat = {name: own.curve("skew", "1R", name)[0].value for name in ("Popularity", "Random")}
    random = own.expected["AR", "Random"]
    rows = [
        ("P@10 of popularity in AR", f"≈ {POPULAR_IN_AR}", f"{own.precision('AR', 'Popularity'):.4f}"),
        (
            "P@10 of random in AR",
            f"σδ = {random.expected:.4f}",
            f"{random.measured:.4f} [{random.low:.4f}, {random.high:.4f}]",
        ),
        ("P@10 of random in 1R", f"{RANDOM_IN_1R}", f"{own.precision('1R', 'Random'):.4f}"),
        ("popularity in 1R, α = 0", f"{FLAT_POPULAR}", f"{flat['Popularity']:.4f}"),
        ("random in 1R, α = 0", f"{FLAT_RANDOM:.4f}", f"{flat['Random']:.4f}"),
    ]
    checks = {claim.words: claim.check(own.measured).figures for claim in ALL_CLAIMS if claim.section in ("§5.2", "§6.2")}

    def check(words: str) -> str:
        [figures] = [figures for claim, figures in checks.items() if words in claim]
        return figures

    rows += [
        ("ζ and η", f"{ZETA} and {ETA}", check(f"η = {ETA}")),
        ("skew of MovieLens 1M", f"α ≈ {SKEW}", check(f"α ∼ {SKEW}")),
        ("users who like the top item", f"{TOP_LIKED:.1%}", check(f"{TOP_LIKED:.1%}")),
    ]
    return ["| figure | published | measured |", "|---|---|---|", *(f"| {' | '.join(row)} |" for row in rows)]


def written(page: str, parts: dict[str, list[str]]) -> str:
    """The page with each part between its marks replaced."""
    for name, lines in parts.items():
        before, rest = page.split(f"<!-- {name} -->")
        after = rest.split(f"<!-- end of {name} -->")[1]
        page = before + "\n".join([f"<!-- {name} -->", "", *lines, "", f"<!-- end of {name} -->"]) + after
    return page


def main(arguments: list[str]) -> int:
    data, named = folder(), [text for text in arguments if text != "--write"]
    if not (data / "ml-1m" / "ratings.dat").exists():
        print(f"no ml-1m in {data}; set HELDOUT_DATA to a folder that has it")
        return 2
    if len(named) != 1:
        print("name the folder that results are kept in")
        return 2
    results: dict[str, BiasResults] = {}
    for neighbours in NEIGHBOURS:
        began, spent = time.time(), time.process_time()
        out = Path(named[0]) / neighbours
        options = {"sweeps": SWEEPS[neighbours], "alphas": ALPHAS[neighbours]}
        results[neighbours] = ho.bias(study(data, neighbours), out=out, **options)  # type: ignore[arg-type]
        print(f"{neighbours}: {time.time() - began:.0f} s, {time.process_time() - spent:.0f} CPU-s with fits")
    figures = {name: Figures(result) for name, result in results.items()}
    own = figures["UserKNN"]
    parts = {
        "answer": answer(own),
        "protocols": protocols_table(figures),
        "published": published(own),
        "claims": claims_table(figures),
    }
    print("\n\n".join("\n".join(lines) for lines in parts.values()))
    if "--write" in arguments:
        PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), parts), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
