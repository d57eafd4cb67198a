"""Exports, versions, what an import loads, no pickle, and one way to print."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

from tests import exports

import heldout

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "heldout"
MODULES = sorted(p for p in SOURCE.rglob("*.py") if "vendor" not in p.parts)


def test_no_package_has_the_name_of_a_public_function() -> None:
    """Otherwise `heldout.split` would be the package or the function, depending on what was imported before."""
    packages = {path.parent.name for path in SOURCE.glob("*/__init__.py")}
    assert not packages & {name for name in heldout.__all__ if not isinstance(getattr(heldout, name), ModuleType)}


def test_stubs_and_the_readme_list_the_catalogue() -> None:
    for path, text in exports.generated().items():
        assert path.read_text(encoding="utf-8") == text, f"{path}: run `make exports`"
    by_hand = {SOURCE / "__init__.pyi", SOURCE / "catalogue" / "__init__.pyi"}
    assert set(SOURCE.rglob("*.pyi")) == by_hand | {path for path in exports.generated() if path.suffix == ".pyi"}


def test_a_name_loads_one_module_and_not_its_package() -> None:
    code = (
        "import sys; from heldout.catalogue import make; make('metric', 'nDCG@10'); make('recommender', 'Popularity'); "
        "print('heldout.metrics.accuracy.err' in sys.modules, 'heldout.recommenders.linear.ease' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


def test_every_exported_name_is_there() -> None:
    assert [name for name in heldout.__all__ if getattr(heldout, name) is None] == []


def test_importing_heldout_loads_nothing_heavy() -> None:
    heavy = {"numba", "numpy", "matplotlib", "scipy", "polars", "pandas", "torch", "ray"}
    code = f"import heldout, sys; print(sorted({heavy} & sys.modules.keys()))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_the_version_is_the_same_everywhere() -> None:
    declared = re.search(r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    assert declared is not None
    assert declared.group(1) == heldout.__version__


def test_no_pickle_is_read_or_written() -> None:
    for path in MODULES:
        assert not re.search(r"^\s*(import|from) (pickle|joblib|dill)", path.read_text(encoding="utf-8"), re.MULTILINE), path


def test_text_is_printed_in_one_way() -> None:
    """Other consoles and `print` let a terminal obey what stands in a file, or fail where stdout is not UTF-8."""
    printing = re.compile(r"(?<![\w.])(print|Console)\(|sys\.std(out|err)\.write\(|from_markup\(")
    docstring = re.compile(r'""".*?"""', re.DOTALL)
    found = {
        path.relative_to(SOURCE).as_posix()
        for path in MODULES
        if printing.search(docstring.sub("", path.read_text(encoding="utf-8")))
    }
    assert found == {"cli/app.py", "cli/console.py"}  # the first prints the version
