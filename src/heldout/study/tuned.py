"""What a search for hyper-parameters found, and the folder that keeps it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from heldout.errors import ResultsError
from heldout.storage.codec import from_plain, to_plain
from heldout.storage.files import write_text
from heldout.tables.display import Displayed
from heldout.text.numbers import counted, number, seconds

NAME = "tuned.json"
FORMAT = 2
DIVIDED = ("data", "data_digest", "filter", "split", "seed", "fold")
"""What of a protocol says which ratings were looked at."""


@dataclass(frozen=True, kw_only=True)
class Trial:
    """One choice of parameters and what came of it."""

    number: int
    parameters: dict[str, Any]
    value: float | None
    """The metric on validation; None where the model refused the parameters."""
    cpu_seconds: float
    reason: str = ""
    """Why there is no value."""


@dataclass(frozen=True, repr=False, kw_only=True)
class Tuned(Displayed):
    """The parameters chosen on validation ratings, and their cost."""

    model: str
    """The text form of the model with the chosen parameters."""
    parameters: dict[str, Any]
    metric: str
    value: float
    number: int
    """The trial that was best."""
    trials: tuple[Trial, ...]
    cpu_seconds: float
    """Of all trials together."""
    ranges: dict[str, str]
    protocol: dict[str, str] = field(default_factory=dict)
    """Stage word → text form: on what and how it was measured."""

    def _headline(self) -> str:
        """The model that was chosen, its value and what the search cost."""
        best = (
            f"{self.metric} {number(self.value, 4)} on validation ratings, the best of {counted(len(self.trials), 'trial')}"
        )
        return f"{self.model}: {best} in {seconds(self.cpu_seconds)} of processor time"

    def summary(self) -> dict[str, Any]:
        """What a report says of it."""
        return {
            "metric": self.metric,
            "value": self.value,
            "parameters": self.parameters,
            "trials": len(self.trials),
            "cpu_seconds": round(self.cpu_seconds, 2),
            "ranges": self.ranges,
            "validation": self.protocol.get("validation", ""),
            "protocol": {k: self.protocol[k] for k in DIVIDED if k in self.protocol},
        }


def write_tuned(tuned: Tuned, folder: str | Path) -> Path:
    """Write the outcome into its folder, whole or not at all."""
    from heldout.storage.sealed import sealed

    text = json.dumps({"heldout": FORMAT, **to_plain(tuned)}, indent=2, ensure_ascii=False)
    return write_text(Path(folder) / NAME, sealed(text, NAME))


def read_tuned(folder: str | Path) -> Tuned:
    """The outcome that `heldout tune` left in a folder (or in that file itself)."""
    from heldout.storage.sealed import json_object, opened, other_version

    path = Path(folder) / NAME if Path(folder).is_dir() else Path(folder)
    hint = "pass the folder that you gave to `heldout tune --out`"
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise ResultsError("no such file of tuned parameters", where=str(path), hint=hint) from None
    except OSError as error:
        raise ResultsError(f"cannot be read ({error.strerror})", where=str(path)) from None
    version = json_object(content, path, hint).get("heldout")
    if not isinstance(version, int):
        raise ResultsError(where=str(path), expected="a file that `heldout tune` wrote", hint=hint)
    if version != FORMAT:
        again = "upgrade heldout" if version > FORMAT else "run the same search again"
        raise ResultsError(
            "this version cannot read it", where=str(path), found=version, expected=f"format {FORMAT}", hint=again
        )
    record = opened(content, path, "run the same search again: finished trials are not repeated")[0]
    try:
        return from_plain(Tuned, record)
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        raise other_version(path, error) from None
