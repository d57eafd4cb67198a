"""What a name of another library or an everyday word stands for here, for the hint of an unknown name."""

from __future__ import annotations

import re
from collections.abc import Mapping

from heldout.catalogue.text import Call

ELSEWHERE: dict[str, dict[str, str]] = {
    "metric": {
        "ndcg_cut": "nDCG",
        "map_cut": "AP",
        "recip_rank": "RR",
        "reciprocal_rank": "RR",
        "average_precision": "AP",
        "r_prec": "RPrecision",
        "hit": "HitRate",
        "hits": "HitRate",
        "catalog_coverage": "ItemCoverage",
        "diversity": "ILD",
    },
    "split": {
        "random": "ratio(train={})",
        "random_split": "ratio(train={})",
        "holdout": "ratio(train={})",
        "hold_out": "ratio(train={})",
        "train_test_split": "ratio(train={})",
        "user_split": "ratio(train={}, by=user)",
        "time": "temporal(at={})",
        "timestamp": "temporal(at={})",
        "kfold": "folds(5)",
        "k_fold": "folds(5)",
        "leave_one_out": "leave_out(1)",
        "loo": "leave_out(1)",
    },
    "recommender": {
        "als": "WRMF",
        "most_popular": "Popularity",
        "mostpop": "Popularity",
        "pop": "Popularity",
        "knn": "UserKNN or ItemKNN",
        "user_knn": "UserKNN",
        "item_knn": "ItemKNN",
    },
    "test": {"ttest": "t", "t_test": "t", "paired_t": "t", "randomization": "permutation", "randomisation": "permutation"},
}
"""By kind: names elsewhere, in small letters → the text form here; {} takes the first number, or 0.8."""
_AT = re.compile(r"^(?P<base>.*?[a-z])[_.\-]?(?P<n>\d+)$")


def suggestion(kind: str, call: Call, registered: Mapping[str, str]) -> str:
    """The text form that a call stands for; empty where nothing is known of it. `registered` maps small letters to keys."""
    name = call.name.casefold()
    meant = ELSEWHERE.get(kind, {})
    if name in meant:
        number = next((f"{value:g}" for value in call.args if isinstance(value, int | float)), "0.8")
        return meant[name].format(number)
    match = _AT.match(name)
    if kind != "metric" or match is None:
        return ""
    base = match["base"]
    key = registered.get(base) or meant.get(base) or registered.get(base.replace("_", ""))
    return f"{key}@{match['n']}" if key else ""
