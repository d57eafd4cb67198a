"""Heldout: the offline evaluation of recommender systems, every choice explicit.

    import heldout as ho

    results = ho.evaluate(test, {"A": run_a, "B": run_b}, ["nDCG(gain=binary)@10", "P@10"])
    print(results.verdict)

Names are imported when they are first used, so that `import heldout` is quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from heldout._exports import EXPORTS

__version__ = "0.1.0"
__all__ = [*EXPORTS, "__version__"]  # noqa: PLE0604 - names are generated


def __getattr__(name: str) -> Any:
    if name in EXPORTS:
        value = getattr(import_module(EXPORTS[name]), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'heldout' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(__all__)
