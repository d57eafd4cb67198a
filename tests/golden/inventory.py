"""Everything public by name: what a user can call, type, read or find in a folder.

No feature is lost as long as this list is unchanged. Texts for people are left out: docstrings, messages and titles.
"""

from __future__ import annotations

import contextlib
import dataclasses
import inspect
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, get_type_hints

import typer
from tests.golden.cases import GRID, RATINGS

import heldout as ho
from heldout import testing
from heldout.api.results import FORMER_NAMES, FormerName
from heldout.catalogue import Component, classes, parameters
from heldout.catalogue.component import describe_type
from heldout.catalogue.kinds import KINDS
from heldout.catalogue.namespaces import RENAMED

Inventory = dict[str, dict[str, Any]]

HEAD = ("1,10,4,881250949", "1,20,5,881250950", "2,10,3,881250951")
FILES = {
    **{
        f"ratings{ending}": "\n".join(HEAD)
        for ending in (".csv", ".tsv", ".txt", ".dat", ".inter", ".base", ".test", ".data")
    },
    "headed.csv": "user_id,item_id,rating,timestamp\n" + "\n".join(HEAD),
    "headed.tsv": "userId\tmovieId\trating\n1\t10\t4\n",
    "recbole.inter": "user_id:token\titem_id:token\trating:float\n1\t10\t4\n",
    "ml.dat": "1::10::4::881250949\n2::20::3::881250950\n",
    "judged.qrels": "1 0 10 1\n1 0 20 0\n2 0 10 1\n",
    "judged.txt": "1 0 10 1\n1 0 20 0\n2 0 10 1\n",
    "baskets.dat": "1 2 3\n4 5\n1 7 8 9\n",
    "rows.jsonl": '{"user_id": 1, "item_id": 10, "rating": 4}\n',
    "rows.ndjson": '{"user_id": 1, "item_id": 10, "rating": 4}\n',
    "mv_0000001.txt": "1:\n1488844,3,2005-09-06\n",
    "BX-Book-Ratings.csv": '"User-ID";"ISBN";"Book-Rating"\n"1";"a";"5"\n',
    "ta_feng.csv": "TRANSACTION_DT,CUSTOMER_ID,AGE_GROUP,PIN_CODE,PRODUCT_SUBCLASS,PRODUCT_ID,AMOUNT,ASSET,SALES_PRICE\n"
    "11/1/2000,1,45-49,115,1,2,3,4,5\n",
    "many_baskets.dat": "1 2 3 4 5 6\n4 5\n1 7 8 9\n",
    "jester.csv": ",".join(["2", "1.5", "-3", *["99"] * 98]) + "\n",
    "user_artists.dat": "userID\tartistID\tweight\n2\t51\t13883\n",
    "u.data": "196\t242\t3\t881250949\n",
    "rows.parquet": "",
    "rows.arrow": "",
    "rows.feather": "",
    "ml-1m/ratings.dat": "1::1193::5::978300760\n",
    "coat/train.ascii": "0 5\n3 0\n",
    "coat/test.ascii": "4 0\n0 1\n",
    "cm100k/data.txt": "1\t1\t4\t1\n",
    "cm100k/users.txt": "",
    "cm100k/items.txt": "",
    "lenskit/schema.json": "{}",
    "lenskit/item.parquet": "",
    "netflix/mv_0000001.txt": "1:\n1488844,3,2005-09-06\n",
    "recbole/ml.inter": "user_id:token\titem_id:token\trating:float\n1\t10\t4\n",
    "other/notes.md": "",
}
"""Files and their contents. The reader of each is recorded, or that of the folder they are in."""


def inventory() -> Inventory:
    """Names, commands, components, tables, figures, codes and files, each with its parameters."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        results = _results(Path(folder))
        tables = {(kind, name): result.tables[name] for kind, result in results.items() for name in result.tables}
        figures = {
            f"{kind}.{name}": result.figures.options(name) for kind, result in results.items() for name in result.figures
        }
        return {
            "names": _names(results["run"]),
            "former names": {"heldout": sorted(RENAMED), "Results": sorted(FORMER_NAMES)},
            "commands": _commands(),
            "schema": {"study": _without_texts(ho.schema())},
            "components": _components(),
            "recognised": _recognised(Path(folder)),
            "tables": {f"{kind}.{name}": table.frame.columns for (kind, name), table in tables.items()},
            "figures": figures,
            "codes": {cls.key: getattr(cls, "severity", "") for cls in classes("rule")},
            "exit codes": _exit_codes(),
            "files": {kind: _files(Path(folder) / kind) for kind in (*results, "split")},
        }


def _results(folder: Path) -> dict[str, Any]:
    """Results of every kind, small."""
    study = {**GRID, "split": "ratio(train=0.7)", "metrics": ["P@5", "nDCG(gain=binary)@5"]}
    ho.simulate(RATINGS, out=folder / "ratings.parquet")
    ho.split("ratings.parquet", "folds(2)").save(folder / "split")
    lists = ho.recommend("Popularity", "ratings.parquet", n=10)
    grid = {**GRID, "metrics": ["P"], "multiverse": {"seeds": [1], "cutoffs": [5, 10]}}
    few: Any = {"samples": 3, "flips": 64, "shares": [1.0, 0.5], "item_shares": [1.0, 0.9]}
    return {
        "run": ho.run(study, out=folder / "run"),
        "evaluate": ho.evaluate("ratings.parquet", {"A": lists, "B": lists.reverse()}, "P@5", out=folder / "evaluate"),
        "multiverse": ho.multiverse(grid, out=folder / "multiverse"),
        "meta": ho.meta(study, few, metrics=["P", "nDCG"], depths=[5], out=folder / "meta"),
        "bias": ho.bias(study | {"metrics": ["P@5"]}, sampled=10, classes=3, out=folder / "bias"),
        "truth": ho.truth(study, metrics=["P@5"], draws=2, samples=64, out=folder / "truth"),
        "reproduce": ho.reproduce("canamares-2020", ["table-2"], data="simulated", out=folder / "reproduce"),
        "profile": ho.profile("ratings.parquet", out=folder / "profile"),
    }


def _names(results: ho.Results[Any]) -> dict[str, Any]:
    """What `heldout` and `heldout.testing` export, and the classes of tables and figures, which results hold."""
    entries: dict[str, Any] = {}
    exported = {name: getattr(ho, name) for name in ho.__all__}
    exported |= {f"testing.{name}": getattr(testing, name) for name in testing.__all__}
    held = {"tables": results.tables, "tables[…]": results.tables["leaderboard"], "figures": results.figures}
    exported |= {f"results.{name}": type(value) for name, value in held.items()}
    for name, value in sorted(exported.items()):
        if isinstance(value, ModuleType):
            entries[name] = sorted(public for public in dir(value) if not public.startswith("_"))
        elif inspect.isclass(value):
            entries[name] = _class_members(value)
        else:
            entries[name] = _signature(value)
    return entries


def _class_members(cls: type) -> dict[str, str]:
    members = {"()": _signature(cls)}
    for name, value in inspect.getmembers_static(cls):
        if name.startswith("_") or isinstance(value, FormerName):
            continue
        function = value.__func__ if isinstance(value, (classmethod, staticmethod)) else value
        members[name] = _signature(function) if callable(function) else type(value).__name__
    return members


def _signature(value: Any) -> str:
    """Parameter names, kinds and defaults; annotations are the type checkers' affair."""
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return "()"
    bare = [parameter.replace(annotation=inspect.Parameter.empty) for parameter in signature.parameters.values()]
    text = str(signature.replace(parameters=bare, return_annotation=inspect.Signature.empty))
    return re.sub(r" at 0x[0-9a-f]+", "", text)


def _commands() -> dict[str, Any]:
    from heldout.cli.app import whole_app

    def walk(command: Any, path: str) -> dict[str, Any]:
        if hasattr(command, "commands"):
            return {
                key: value
                for name, inner in command.commands.items()
                for key, value in walk(inner, f"{path} {name}").items()
            }
        options = {
            " ".join([*parameter.opts, *parameter.secondary_opts]): {
                "required": bool(parameter.required),
                "many": bool(getattr(parameter, "multiple", False) or parameter.nargs != 1),
                "default": None if callable(parameter.default) else str(parameter.default),
            }
            for parameter in command.params
        }
        return {path.strip(): options}

    return walk(typer.main.get_command(whole_app()), "")


def _without_texts(schema: Any) -> Any:
    """A JSON schema without titles and descriptions."""
    if isinstance(schema, Mapping):
        texts = {key for key in ("title", "description", "examples") if isinstance(schema.get(key), (str, list))}
        return {key: _without_texts(value) for key, value in schema.items() if key not in texts}
    return [_without_texts(value) for value in schema] if isinstance(schema, list) else schema


def _components() -> dict[str, Any]:
    return {
        f"{kind} {cls.key}": {field.name: _parameter(cls, field) for field in parameters(cls)}
        for kind in KINDS
        for cls in classes(kind)
        if kind != "rule" and cls.__module__.startswith("heldout.")
    }


def _parameter(cls: type[Component], field: dataclasses.Field[Any]) -> str:
    """Default, type or options, and bounds."""
    default = "required" if field.default is dataclasses.MISSING else f"default {field.default}"
    bounds = [f"{name} {field.metadata[name]}" for name in ("least", "most", "above", "below") if name in field.metadata]
    return ", ".join([default, describe_type(get_type_hints(cls)[field.name]), *(b for b in bounds if "None" not in b)])


def _recognised(folder: Path) -> dict[str, str]:
    from heldout.data.read import reader_for

    inside = folder / "recognised"
    inside.mkdir()
    for name, text in FILES.items():
        (inside / name).parent.mkdir(exist_ok=True)
        (inside / name).write_text(text, encoding="utf-8")

    def reader(path: Path) -> str:
        try:
            return reader_for(path).key
        except ho.InputError:
            return "refused"

    return {name: reader(inside / name) for name in dict.fromkeys(Path(name).parts[0] for name in FILES)}


def _exit_codes() -> dict[str, int]:
    from heldout import errors
    from heldout.cli import failures

    kinds = [cls for cls in vars(errors).values() if isinstance(cls, type) and issubclass(cls, errors.HeldoutError)]
    codes = {cls.__name__: cls.exit_code for cls in kinds}
    return codes | {"stopped": failures.STOPPED, "broken pipe": failures.BROKEN_PIPE, "bug": failures.BUG}


def _files(folder: Path) -> list[str]:
    """The files of a results folder; names made from digests are shortened."""
    paths = (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    return sorted({re.sub(r"[0-9a-f]{16,}(-\w+)*", "DIGEST", path) for path in paths})
