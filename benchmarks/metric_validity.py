"""Does a metric order systems as the complete truth does? Five simulated worlds, declared before they were run.

`python -m benchmarks.metric_validity` prints, for each world and metric, the mean τ over depths between the order of nine
systems on the observed test ratings and their order by complete relevance; and, for all worlds, the mean.
"""

from __future__ import annotations

import polars as pl

import heldout as ho

SIZE = "users=800, items=600, ratings=40000"
WORLDS = {
    "as MovieLens": f"simulate({SIZE})",
    "taste does not decide what is rated": f"simulate({SIZE}, pull=0)",
    "steep popularity": f"simulate({SIZE}, alpha=2)",
    "a quarter of the ratings": "simulate(users=800, items=600, ratings=10000)",
    "noisy opinions": f"simulate({SIZE}, noise=1.5)",
}
SYSTEMS = [
    *("Popularity", "Random", "UserKNN(k=10)", "UserKNN(k=50)", "ItemKNN(k=20)", "ItemKNN(k=100)"),
    *("PureSVD(factors=5)", "PureSVD(factors=20)", "EASE(l2=100)"),
]
METRICS = ["P", "Recall", "AP", "nDCG", "RR", "bpref", "infAP"]
DEPTHS = [5, 10, 20, 50, 100]


def validity(world: str) -> pl.DataFrame:
    """By metric, the mean over depths of τ with the order by complete relevance."""
    study = {
        "data": WORLDS[world],
        "split": "ratio(train=0.8, by=user)",
        "relevance": "threshold(4)",
        "recommend": SYSTEMS,
        "metrics": "nDCG@10",
    }
    # Only validity is looked at here: the other figures are computed as coarsely as they can be.
    table = ho.meta(
        study, {"samples": 1, "shares": [1.0], "item_shares": [1.0], "flips": 100}, metrics=METRICS, depths=DEPTHS
    ).findings.table
    return table.group_by("name").agg(pl.col("validity_tau").mean().alias(world))


def main() -> None:
    table = pl.DataFrame({"name": METRICS})
    for world in WORLDS:
        table = table.join(validity(world), on="name", how="left", maintain_order="left")
    table = table.with_columns(pl.mean_horizontal(*WORLDS).alias("mean"))
    print("| metric | " + " | ".join([*WORLDS, "mean"]) + " |")
    print("|---|" + "---|" * (len(WORLDS) + 1))
    for row in table.iter_rows():
        print(f"| {row[0]} | " + " | ".join(f"{value:.3f}" for value in row[1:]) + " |")


if __name__ == "__main__":
    main()
