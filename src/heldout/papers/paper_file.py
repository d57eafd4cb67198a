"""Papers as their folders declare them: words in `paper.toml`, published numbers in `numbers.csv`, functions in modules.

A call is the name of a function, or a table with its name under `call` and its parameters, which may be calls too:
`{ call = "value", system = "MF" }`. A function that picks, checks or draws takes what was measured first. A line of
`numbers.csv` is a published number: `pick` is the function that measures it and `where` has its parameters
(`system=MF; metric=P@10`). What is left empty is as in `Expectation`. An experiment that is `like` an earlier one has its
title, work, claims and so on unless it has its own; causes are of one data set, and numbers of one table.
"""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib.resources import files
from types import ModuleType
from typing import Any

from heldout.papers import rules
from heldout.papers.data_sets import DATA_SETS
from heldout.papers.paper import Claim, Expectation, Experiment, Paper

INHERITED = ("title", "did", "data", "minutes", "work", "draw", "claims", "notes")
"""What an experiment has from the one that it is like."""


def read_paper(package: str, *modules: ModuleType) -> Paper:
    """The paper of a package, whose files call functions of these modules, or of `heldout.papers.rules`."""
    folder = files(package)
    declared = tomllib.loads((folder / "paper.toml").read_text(encoding="utf-8"))
    numbers = csv.DictReader((folder / "numbers.csv").read_text(encoding="utf-8").splitlines())
    return _PaperFile(declared, tuple(numbers), (*modules, rules)).paper()


@dataclass(frozen=True)
class _PaperFile:
    """What the files of a paper declare, and the modules whose functions they call."""

    declared: Mapping[str, Any]
    numbers: Sequence[Mapping[str, str]]
    modules: Sequence[ModuleType]

    def paper(self) -> Paper:
        head = {name: self.declared[name] for name in ("key", "reference", "name")}
        entries: dict[str, dict[str, Any]] = {}
        for entry in self.declared["experiments"]:
            other = entries[entry["like"]] if "like" in entry else {}
            entries[entry["key"]] = {name: other[name] for name in INHERITED if name in other} | entry
        experiments = tuple(self._experiment(dict(entry)) for entry in entries.values())
        return Paper(**head, experiments=experiments, notes=tuple(self.declared.get("notes", ())))

    def _experiment(self, entry: dict[str, Any]) -> Experiment:
        causes, draw, readings, _ = (entry.pop(name, None) for name in ("causes", "draw", "readings", "like"))
        claims = [self._claim(name, (causes or {}).get(name, ())) for name in entry.pop("claims", ())]
        return Experiment(
            data=DATA_SETS[entry.pop("data")],
            work=self._work(entry.pop("work")),
            expectations=tuple(self._expectation(row) for row in self.numbers if row["experiment"] == entry["key"]),
            claims=tuple(claims if readings is None else (_with_each(claim, **readings) for claim in claims)),
            draw=None if draw is None else self._call(draw),
            notes=tuple(entry.pop("notes", ())),
            **entry,
        )

    def _work(self, spec: Any) -> Any:
        """A work that a module has ready, or that one of its functions makes."""
        work = self._call(spec)
        return work() if isinstance(spec, Mapping) else work

    def _expectation(self, row: Mapping[str, str]) -> Expectation:
        where = (part.partition("=") for part in row["where"].split("; ") if part)
        pick = {"call": row["pick"], **{name: _typed(value) for name, _, value in where}}
        entry: dict[str, Any] = {name: row[name] for name in ("kind", "standing", "remark", "same") if row[name]}
        if row["decimals"]:
            entry["decimals"] = int(row["decimals"])
        return Expectation(
            row=row["row"],
            column=row["column"],
            published=float(row["published"]),
            pick=self._call(pick),
            causes=self._causes(row["causes"].split()),
            **entry,
        )

    def _causes(self, names: Sequence[str]) -> tuple[str, ...]:
        return tuple(self.declared["causes"][name] for name in names)

    def _claim(self, name: str, causes: Sequence[str]) -> Claim:
        entry = dict(self.declared["claims"][name])
        check = self._call(entry.pop("check"))
        return Claim(key=name, check=check, causes=self._causes(causes), **entry)

    def _call(self, spec: Any) -> Any:
        if isinstance(spec, str):
            return self._function(spec)
        parameters = {name: self._parameter(value) for name, value in spec.items() if name != "call"}
        return partial(self._function(spec["call"]), **parameters)

    def _parameter(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._parameter(each) for each in value]
        if isinstance(value, Mapping):
            return self._call(value) if "call" in value else {name: self._parameter(each) for name, each in value.items()}
        return value

    def _function(self, name: str) -> Any:
        for module in self.modules:
            if hasattr(module, name):
                return getattr(module, name)
        raise AttributeError(f"{self.declared['key']}: no module has {name}")


def _typed(text: str) -> str | float:
    """A number if the text is one."""
    try:
        return float(text)
    except ValueError:
        return text


def _with_each(claim: Claim, of: str, names: Sequence[str]) -> Claim:
    """The claim by the same rule with each of several works, which are readings of something."""
    return replace(
        claim, rule=f"with each {of}: {claim.rule}", check=partial(rules.with_each, check=claim.check, readings=names)
    )
