"""Studies whose methods are told, and the text of a section."""

from __future__ import annotations

from typing import Any

from heldout import Methods

STUDY: dict[str, Any] = {
    "title": "Neighbours & factors: 100% of _them_ #1",
    "data": "simulate(users=90, items=40, ratings=1500)",
    "filters": [["core(5)"], []],
    "split": "folds(3, by=user)",
    "users": [["with_train", "with_relevant"]],
    "recommend": ["Popularity", {"name": "Näher", "model": "UserKNN(k=5)"}],
    "target": ["AllItems", "OnePlusRandom(10, relevance=threshold(5))"],
    "metrics": ["nDCG(gain=exp2)@[5, 10]", "P@5", "RBP(phi=0.8)@5"],
    "aggregate": ["mean", "gmean"],
    "compare": {"tests": ["t"], "baseline": "Popularity"},
}
FILTERED: dict[str, Any] = {
    "data": "simulate(users=90, items=40, ratings=1500)",
    "filters": [[], ["core(12)"]],
    "split": "ratio(train=0.7, by=user)",
    "recommend": ["Popularity", "UserKNN(k=7)", "ItemKNN"],
    "relevance": "threshold(4)",
    "metrics": ["P@5"],
}


def text_of(methods: Methods, title: str) -> str:
    own = next(s for s in methods.sections if s.title == title)
    return " ".join(piece for p in own.paragraphs for piece in (p.text, *(f"{i.head}: {i.text}" for i in p.items)))
