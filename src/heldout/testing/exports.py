"""The flat names of `import heldout as ho`, generated from the catalogue and the public interface."""

from __future__ import annotations

import sys
from pathlib import Path

import heldout
from heldout.catalogue import classes

KINDS = ("reader", "filter", "split", "recommender", "target", "metric", "aggregation", "test")
INTERFACE = {
    "heldout.api": ("Results", "compare_results", "evaluate", "power", "recommendations", "run", "tune"),
    "heldout.catalogue": ("Component", "cutoff", "find", "make", "make_all", "param"),
    "heldout.data.profile": ("Profile", "profile"),
    "heldout.data.fit": ("fitted",),
    "heldout.data.read": ("read", "read_log"),
    "heldout.data.side": ("read_side",),
    "heldout.data.simulate": ("simulate_world",),
    "heldout.errors": (
        "HeldoutError",
        "InputError",
        "MissingExtraError",
        "NotApplicableError",
        "ResultsError",
        "SpecError",
        "UnknownNameError",
    ),
    "heldout.recommend.foreign": ("as_recommender",),
    "heldout.recommend.matrix": ("csr",),
    "heldout.recommend.ranges": ("among", "between"),
    "heldout.split.audit": ("Audit", "audit"),
    "heldout.split.store": ("save_split", "saved_splits"),
    "heldout.study.file": ("read_study", "schema"),
    "heldout.study.spec": ("Study",),
    "heldout.tables": ("Interactions", "Judged", "Rankings", "Relevance", "Scores", "Side", "Split", "Vocabulary"),
}
PATH = Path(heldout.__file__).parent / "_exports.py"


def generated() -> str:
    """The text that _exports.py must have."""
    names = {name: module for module, of_module in INTERFACE.items() for name in of_module}
    for kind in KINDS:
        for cls in classes(kind):
            if not cls.__module__.startswith("heldout."):
                continue
            if cls.__name__ in names:
                raise ValueError(f"{cls.__module__}.{cls.__name__} would hide {names[cls.__name__]}.{cls.__name__}")
            names[cls.__name__] = cls.__module__
    lines = [f'    "{name}": "{module}",' for name, module in sorted(names.items())]
    head = '"""Flat public names and the modules that hold them; written by `make exports`."""'
    return "\n".join([head, "", "EXPORTS = {", *lines, "}", ""])


if __name__ == "__main__":
    if "--write" in sys.argv:
        PATH.write_text(generated(), encoding="utf-8")
    sys.exit(0 if PATH.exists() and PATH.read_text(encoding="utf-8") == generated() else 1)
