"""Predicting the test ratings of MovieLens 100k, folds u1 to u5: root mean squared errors, beside Surprise where installed.

`python -m benchmarks.rating_prediction`. Needs a folder of real data ($HELDOUT_DATA, or ../shared/data) with ml-100k. For
all alike: over all test ratings, predictions cut to the scale of 1 to 5, and the user's mean rating where a system has
none (Surprise does the same; for an item that no one rated it takes the mean of all ratings). The last column counts only
what was predicted.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.valcarce_data import folder
from heldout.catalogue import make
from heldout.tables import Split
from heldout.tables.arrays import Float64

OURS = {
    "SVD": 0.945,
    "PearsonUserKNN(k=40, among=raters, shrinkage=50)": 0.965,
    "PearsonUserKNN": None,
    "UserKNN(normalise=true)": None,
}
"""Systems, and the mean error that is aimed at."""
PEERS = {"Surprise: SVD": "SVD", "Surprise: KNNWithMeans": "PearsonUserKNN(k=40, among=raters, shrinkage=50)"}
"""Which of ours should be no worse than each peer."""
FOLDS = range(1, 6)

Predict = Callable[[Split], Float64]


def ours(text: str) -> Predict:
    """Predictions of the test ratings by one of our systems, NaN where it has none."""

    def predict(split: Split) -> Float64:
        model = make("recommender", text).fit(split.train, seed=1)
        scores = model.score(np.arange(split.train.n_users, dtype=np.int32))
        found: Float64 = scores[split.test.user, split.test.item].astype(np.float64)
        return found

    return predict


def surprise(name: str) -> Predict:
    """The same by Surprise with its own defaults; ModuleNotFoundError when it is not installed."""
    import surprise as library

    def predict(split: Split) -> Float64:
        import pandas as pd

        train, test = split.train, split.test
        frame = pd.DataFrame({"user": train.user, "item": train.item, "rating": train.value})
        data = library.Dataset.load_from_df(frame, library.Reader(rating_scale=(1, 5))).build_full_trainset()
        options: dict[str, Any] = {"random_state": 1} if name == "SVD" else {"verbose": False}
        model = getattr(library, name)(**options).fit(data)
        return np.array([model.predict(int(u), int(i)).est for u, i in zip(test.user, test.item, strict=True)])

    return predict


def splits(data: Path) -> list[Split]:
    """The five folds as published."""
    files = {part: [str(data / "ml-100k" / f"u{n}.{part}") for n in FOLDS] for part in ("base", "test")}
    text = f"given(train={_list(files['base'])}, test={_list(files['test'])})"
    return list(make("split", text).split(None, seed=1))


def errors(split: Split, found: Float64) -> tuple[float, float, float]:
    """RMSE over all test ratings, the share that was predicted, and RMSE over these alone."""
    train, test = split.train, split.test
    means = np.bincount(train.user, train.value, train.n_users) / np.maximum(train.user_counts, 1)
    known = ~np.isnan(found)
    filled = np.clip(np.where(known, found, means[test.user]), 1, 5)
    return _rmse(filled, test.value), float(known.mean()), _rmse(filled[known], test.value[known])


def mean_errors(folds: list[Split], predict: Predict) -> list[float]:
    """The means of these over the folds."""
    return np.mean([errors(split, predict(split)) for split in folds], axis=0).tolist()


def main() -> int:
    data = folder()
    if not (data / "ml-100k" / "u1.base").exists():
        print(f"no ml-100k in {data}; set HELDOUT_DATA to a folder that has it")
        return 2
    folds, found, failed = splits(data), {}, False
    print(f"{'system':52}{'RMSE':>8}{'predicted':>11}{'RMSE of these':>15}")
    systems: dict[str, Callable[[], Predict]] = {text: lambda text=text: ours(text) for text in OURS}  # type: ignore[misc]
    systems |= {peer: lambda peer=peer: surprise(peer.split(": ")[1]) for peer in PEERS}  # type: ignore[misc]
    for name, made in systems.items():
        try:
            found[name], share, alone = mean_errors(folds, made())
        except ModuleNotFoundError as missing:
            print(f"{name:52} left out: {missing}")
            continue
        aim = OURS.get(name)
        told = "" if aim is None else f"   {'met' if found[name] <= aim else 'missed'}: at most {aim}"
        print(f"{name:52}{found[name]:8.4f}{share:10.1%}{alone:15.4f}{told}", flush=True)
        failed |= aim is not None and found[name] > aim
    for peer, mine in PEERS.items():
        if peer in found:
            better = found[mine] <= found[peer]
            failed |= not better
            print(f"{mine} is {'no worse' if better else 'worse'} than {peer}")
    return int(failed)


def _rmse(found: Float64, truth: Float64) -> float:
    return float(np.sqrt(np.mean((found - truth) ** 2)))


def _list(paths: list[str]) -> str:
    return "[" + ", ".join(f'"{path}"' for path in paths) + "]"


if __name__ == "__main__":
    sys.exit(main())
