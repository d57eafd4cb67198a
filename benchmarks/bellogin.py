"""The protocols of Bellogín, Castells and Cantador (2017) on MovieLens 1M, with three further systems; writes their page.

`python -m benchmarks.bellogin FOLDER [--write]`. Needs a folder of real data ($HELDOUT_DATA, or ../shared/data) with ml-1m;
results are kept in FOLDER, so that a second call only draws. `--write` puts all figures into docs/biases-movielens.md.

The paper's systems are pLSA, matrix factorisation, user-based neighbours, popularity and random; it does not give their
parameters. Here they are PLSA with 50 topics, SVD and, for the neighbours, UserKNN in one study and NNCosNgbr-UB (Cremonesi
et al. 2010, which the paper cites) in another; EASE, WRMF and ItemKNN stand beside them. Its claims are tested by
`heldout reproduce bellogin-2017`.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import heldout as ho
from benchmarks.valcarce_data import folder
from heldout.biases.findings import BiasFindings
from heldout.papers.bellogin2017.works import GRADED, PLAIN
from heldout.text.numbers import digits_for, number, percent, signed

PAGE = Path(__file__).resolve().parents[1] / "docs" / "biases-movielens.md"
NEIGHBOURS = {"UserKNN": "UserKNN", "NNCosNgbr": "NNCosNgbr-UB"}
"""What the two kNN are called on the page → their text forms."""


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


def values_of(findings: BiasFindings) -> dict[tuple[str, str, str], Any]:
    """The row of each protocol, metric and system."""
    return {(row["protocol"], row["metric"], row["system"]): row for row in findings.table.iter_rows(named=True)}


def protocols_table(findings: dict[str, BiasFindings]) -> list[str]:
    """P@10 of every system under every protocol of Figures 2 and 8, then the metrics of Figure 9."""
    own, other = (values_of(findings[neighbours]) for neighbours in NEIGHBOURS)
    systems = list(findings["UserKNN"].systems)
    heads = [{"kNN": "UserKNN"}.get(name, name) for name in systems]
    place = systems.index("kNN") + 1
    heads.insert(place, "NNCosNgbr")
    effects = {(e.protocol, e.metric): e for e in findings["UserKNN"].effects.protocols}
    lines = [
        f"| protocol | {' | '.join(heads)} | popularity ÷ random | τ with AR |",
        "|---" * (len(heads) + 3) + "|",
    ]
    of_metrics = [(e.protocol, e.metric) for e in effects.values() if e.role == "metric"]
    for protocol, metric in [*((name, "P@10") for name in PLAIN), *of_metrics]:
        values = [own[protocol, metric, name]["value"] for name in systems]
        values.insert(place, other[protocol, metric, "kNN"]["value"])
        cells = [number(value, digits_for(values)) for value in values]
        ratio = f"{own[protocol, metric, 'Popularity']['times_random']:.1f} ×" if metric == "P@10" else ""
        name = protocol if metric == "P@10" else f"{protocol}, {metric}"
        lines.append(f"| {name} | {' | '.join(cells)} | {ratio} | {number(effects[protocol, metric].tau, 2)} |")
    return lines


def answer(findings: BiasFindings) -> list[str]:
    """How much is popularity, in a sentence or two, by P@10."""
    pair = {p.protocol: p for p in findings.effects.pairs if p.metric == "P@10" and {p.a, p.b} == {"kNN", "EASE"}}
    plain, neutral = pair["AR"], pair["P1R"]
    turned = f"{neutral.b} leads" if neutral.difference < 0 else f"{neutral.a} still leads"
    values = values_of(findings)
    often, seldom = (values[protocol, "P@10", "Popularity"]["times_random"] for protocol in ("AR", "P1R"))
    return [
        f"**Popularity reaches {often:.0f} × random under AR and {seldom:.1f} × under P1R.** "
        f"{plain.a} leads {plain.b} by {signed(plain.difference, 4)} ({percent(plain.relative, 0)}) under AR; under P1R "
        f"{turned} by {number(abs(neutral.difference), 4)} (p = {neutral.p:.2g}; kNN being UserKNN)."
    ]


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
    findings: dict[str, BiasFindings] = {}
    for neighbours in NEIGHBOURS:
        began, spent = time.time(), time.process_time()
        findings[neighbours] = ho.bias(study(data, neighbours), out=Path(named[0]) / neighbours, sweeps=()).findings
        print(f"{neighbours}: {time.time() - began:.0f} s, {time.process_time() - spent:.0f} CPU-s with fits")
    parts = {"answer": answer(findings["UserKNN"]), "protocols": protocols_table(findings)}
    print("\n\n".join("\n".join(lines) for lines in parts.values()))
    if "--write" in arguments:
        PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), parts), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
