"""Components are grouped: each is a name of its package, and a name elsewhere says where it is."""

from __future__ import annotations

import pydoc
import re
import subprocess
import sys
from importlib import import_module
from types import ModuleType

import pytest
from tests.exports import INTERFACE

import heldout as ho
from heldout.catalogue import KINDS, Component
from heldout.catalogue.namespaces import public_name, sources


def _package(name: str) -> ModuleType:
    module: ModuleType = ho
    for part in name.split("."):
        module = getattr(module, part)
    return module


PACKAGES = sorted(kind.package for kind in KINDS.values() if kind.name != "rule")


def _components(package: str) -> dict[str, str]:
    """Classes of components, and the modules that declare them."""
    return {name: source.module for name, source in sources(package).items() if source.keys}


@pytest.mark.parametrize("package", PACKAGES)
def test_every_component_is_a_name_of_its_package(package: str) -> None:
    module = _package(public_name(package))
    assert module.__name__ == package
    assert set(_components(package)) <= set(dir(module))
    for name, declared in _components(package).items():
        cls = getattr(module, name)
        assert issubclass(cls, Component)
        assert (cls.__name__, cls.__module__) == (name, declared)


def test_components_are_made_by_keyword_position_or_text() -> None:
    assert str(ho.metrics.NDCG(gain="exp2", n=10)) == "nDCG(gain=exp2)@10"
    assert ho.metrics.NDCG(gain=ho.metrics.gains.Exp2(), n=10) == ho.make("metric", "nDCG(gain=exp2)@10")
    assert ho.splits.Ratio(0.5, by="user") == ho.make("split", "ratio(0.5, by=user)")


@pytest.mark.parametrize(
    ("module", "name", "message"),
    [
        (ho, "NDCG", "module 'heldout' has no attribute 'NDCG': write ho.metrics.NDCG"),
        (ho, "Csv", "module 'heldout' has no attribute 'Csv': write ho.readers.Csv"),
        (ho, "Exp2", "module 'heldout' has no attribute 'Exp2': write ho.metrics.gains.Exp2"),
        (ho, "experiments", "module 'heldout' has no attribute 'experiments': write ho.list_experiments()"),
        (ho, "fetchable", "module 'heldout' has no attribute 'fetchable': write ho.list_data_sets()"),
        (ho, "MultiverseResults", "module 'heldout' has no attribute 'MultiverseResults': write ho.Results"),
        (ho, "csr", "module 'heldout' has no attribute 'csr': write ratings.to_csr()"),
        (
            ho.splits,
            "test_users",
            "module 'heldout.splits' has no attribute 'test_users': did you mean ho.splits.TestUsers?",
        ),
        (
            ho,
            "Run",
            "module 'heldout' has no attribute 'Run': write ho.evaluate(qrels, runs, metrics), which takes the dict itself",
        ),
        (ho, "nonsense", "module 'heldout' has no attribute 'nonsense'"),
        (ho.metrics, "NDGC", "module 'heldout.metrics' has no attribute 'NDGC': did you mean ho.metrics.NDCG?"),
        (ho, "Ndcg", "module 'heldout' has no attribute 'Ndcg': did you mean ho.metrics.NDCG?"),
        (ho.metrics, "EASE", "module 'heldout.metrics' has no attribute 'EASE': write ho.recommenders.EASE"),
    ],
)
def test_a_name_that_is_not_there_says_where_it_is(module: ModuleType, name: str, message: str) -> None:
    with pytest.raises(AttributeError) as raised:
        getattr(module, name)
    assert str(raised.value) == message


def test_a_misspelt_verb_is_suggested_by_python_itself() -> None:
    code = "import heldout as ho; ho.evalute"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "has no attribute 'evalute'. Did you mean: 'evaluate'?" in done.stderr


def test_the_top_level_holds_no_components() -> None:
    values = [getattr(ho, name) for name in ho.__all__]
    assert not [v for v in values if isinstance(v, type) and issubclass(v, Component) and v is not Component]


def test_a_group_loads_neither_its_members_nor_numba() -> None:
    code = (
        "import sys, heldout as ho; ho.metrics, ho.splits, ho.readers, ho.recommenders, dir(ho.metrics); "
        "print([m for m in ('numba', 'scipy', 'polars', 'heldout.metrics.accuracy.ndcg') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_class_in_small_letters_is_suggested() -> None:
    for place in (ho, ho.metrics):
        with pytest.raises(AttributeError) as refusal:
            _ = place.ndcg
        assert "ho.metrics.NDCG" in str(refusal.value)


@pytest.mark.parametrize("package", PACKAGES)
def test_a_module_in_the_place_of_a_component_says_so(package: str) -> None:
    """`ho.splits.ratio(0.8)`: once anything used it, Python finds the module of that name."""
    modules = {module for module in _components(package).values() if module.rpartition(".")[0] == package}
    for module in modules:
        import_module(module)
        classes = [cls for cls, declared in _components(package).items() if declared == module]
        called = getattr(_package(public_name(package)), module.rpartition(".")[2])
        with pytest.raises(TypeError) as refusal:
            called(0.8)
        assert f"ho.{public_name(package)}.{classes[0]}(" in str(refusal.value)


VERBS = {
    "compare_users": "begins with a verb",
    "as_recommender": "reads as a verb: take a model as a recommender",
    **dict.fromkeys(("audit", "fit", "load", "make", "measure", "plan", "profile", "simulate"), "a verb"),
    **dict.fromkeys(("convert", "fetch"), "a verb, under `heldout data`"),
    **dict.fromkeys(("list_data_sets", "list_experiments"), "begins with a verb"),
    **dict.fromkeys(("read", "read_log", "read_side", "read_study"), "begins with a verb"),
}


def test_the_top_level_holds_verbs_commands_tables_and_results() -> None:
    """A name in small letters is a verb, or a command, whose name it shares."""
    from heldout.cli.app import VERBS as COMMANDS

    assert {name for name in INTERFACE if name.islower()} == {*COMMANDS, *VERBS} - {"report"}  # results print themselves


def test_help_begins_with_every_verb() -> None:
    """Python lists the folders of a package before its functions, so the first words of the package have them."""
    words = set(re.findall(r"\w+", str(ho.__doc__)))
    assert {name for name in INTERFACE if name.islower()} <= words
    page = pydoc.render_doc(ho, renderer=pydoc.plaintext)
    assert page.index("evaluate") < page.index("PACKAGE CONTENTS") < page.index("FUNCTIONS")
