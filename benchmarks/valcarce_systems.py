"""The systems of Valcarce et al. (2018) on their MovieLens 1M split: published nDCG@100 beside measured.

`python -m benchmarks.valcarce_systems [--write] [system …]`. Needs a folder of real data ($HELDOUT_DATA, or ../shared/data)
with ml-1m, and beside it anchors/valcarce-2018. `--write` puts the rows of what was measured into docs/published-systems.md.

Parameters of tuned systems were chosen by `benchmarks.valcarce_tuning` on a fifth of each user's training ratings, and then
measured on test. Systems marked "nearest" were not tuned: the paper does not tell their choices, and those were taken, by
looking at the published figure, that come nearest to it. They say how the figure may have come about, not how good the
method is.
"""

from __future__ import annotations

import re
import sys
import time
from pathlib import Path

import heldout as ho
from benchmarks.valcarce_data import folder, protocol, published
from benchmarks.valcarce_tuning import tuned
from heldout.papers.valcarce2018.systems import NEAREST, SYSTEMS, TUNED

SHORTFALL = 0.03
"""How far below the published figure a tuned system may stay, as a share of it."""
PAGE = Path(__file__).resolve().parents[1] / "docs" / "published-systems.md"
MARKS = "<!-- systems -->", "<!-- end of systems -->"


def measured(data: Path, systems: list[str]) -> dict[str, float]:
    """nDCG@100 of these systems on test."""
    board = (
        ho.run(protocol(data) | {"recommend": [{"name": n, "model": SYSTEMS[n]} for n in systems]})
        .tables["all-leaderboards"]
        .frame
    )
    return dict(board.select("system", "value").iter_rows())


def shown(name: str) -> str:
    """The text form of a system; numbers that a search found have three digits."""
    if name not in TUNED:
        return SYSTEMS[name]
    return re.sub(r"\d+\.\d{3,}(e-?\d+)?", lambda found: f"{float(found[0]):.3g}", TUNED[name])


def line(name: str, theirs: float, found: float) -> str:
    """A row of the table in the documentation."""
    how = tuned()[name] if name in TUNED else None
    chosen = f"{how['validation']:.4f}, {how['trials']} trials" if how else "nearest" if name in NEAREST else ""
    return f"| {name} | {theirs:.4f} | {found:.4f} | {found / theirs - 1:+.1%} | `{shown(name)}` | {chosen} |"


def write(rows: dict[str, str], known: dict[str, float]) -> None:
    """Put rows into the table between its marks, best published figure first; rows of other systems stay."""
    heading = ["| system | published | measured | difference | parameters | validation |", "|---|---|---|---|---|---|"]
    before, rest = PAGE.read_text(encoding="utf-8").split(MARKS[0])
    table, after = rest.split(MARKS[1])
    kept = {row.split("|")[1].strip(): row for row in table.strip().splitlines()[len(heading) :]}
    merged = kept | rows
    ordered = [merged[name] for name in sorted(merged, key=lambda system: -known[system])]
    PAGE.write_text(before + "\n".join([MARKS[0], "", *heading, *ordered, "", MARKS[1]]) + after, encoding="utf-8")


def main(arguments: list[str]) -> int:
    data, asked = folder(), [name for name in arguments if name != "--write"]
    if not (data / "ml-1m" / "ratings.dat").exists():
        print(f"no ml-1m in {data}; set HELDOUT_DATA to a folder that has it")
        return 2
    unknown = [name for name in asked if name not in SYSTEMS]
    if unknown:
        print(f"no system is named {', '.join(unknown)}; there are {', '.join(SYSTEMS)}")
        return 2
    known, worst = published(data), 0
    rows: dict[str, str] = {}
    print(f"{'system':14}{'published':>10}{'measured':>10}{'difference':>12}{'CPU s':>8}  parameters")
    for name in asked or sorted(SYSTEMS, key=lambda system: -known[system]):
        began = time.process_time()
        found = measured(data, [name])[name]
        spent = time.process_time() - began
        below = name in TUNED and found < known[name] * (1 - SHORTFALL)
        worst |= below
        note = " (too low)" if below else " (nearest)" if name in NEAREST else ""
        told = f"{known[name]:10.4f}{found:10.4f}{found / known[name] - 1:+11.1%}{spent:8.1f}  {shown(name)}"
        print(f"{name:14}{told}{note}", flush=True)
        rows[name] = line(name, known[name], found)
    if "--write" in arguments:
        write(rows, known)
    return int(worst)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
