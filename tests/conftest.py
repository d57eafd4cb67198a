"""Fixtures that every room's tests may use."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from tests.heavy import ALL

gc.disable()
"""While tests are collected, which makes objects by the million that all stay."""


settings.register_profile("heldout", deadline=None)  # no test depends on time
settings.load_profile("heldout")


def pytest_collection_finish() -> None:
    """From now on garbage is looked for among what tests make, and not among what was there before them."""
    gc.freeze()
    gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.get_closest_marker("heavy") and not ALL:
            item.add_marker(pytest.mark.skip("takes many seconds: HELDOUT_ALL=1 runs it, as make test-all does"))


@pytest.fixture(scope="session", autouse=True)
def _no_waiting_for_the_disk() -> Iterator[None]:
    """Files of tests need not survive a power cut: thousands of flushes made tests wait for minutes."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("os.fsync", lambda handle: None)
        yield


def _data_folder() -> Path | None:
    named = os.environ.get("HELDOUT_DATA")
    if named:
        return Path(named)
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    return beside if beside.is_dir() else None


@pytest.fixture(scope="session")
def real_data() -> Callable[[str], Path]:
    """A file of a published data set, or a skip that says what is missing."""

    def find(name: str) -> Path:
        folder = _data_folder()
        if folder is None:
            pytest.skip("no folder of real data: set HELDOUT_DATA to one to run this test")
        path = (folder / name).resolve()
        if not path.exists():
            pytest.skip(f"{name} is not in the folder of real data")
        return path

    return find


@pytest.fixture(scope="session")
def ray_engine() -> Iterator[Any]:
    """Ray on this machine with two CPUs, once for all tests; runs with `engine="ray"` use it while it is there."""
    pytest.importorskip("ray", reason="Ray is not installed: pip install 'heldout[ray]' to run this test")
    from heldout import threads
    from heldout.engine.ray_engine import RayEngine
    from heldout.engine.ray_session import RaySession

    with threads.using(2):
        engine = RayEngine(session=RaySession(object_store=150 * 2**20))
    yield engine
    engine.close()


@pytest.fixture
def doomed() -> Iterator[Any]:
    """The recommender that fails, declared for one test and forgotten afterwards.

    It is imported here, and by no module of tests: many collect their cases from all recommenders that are declared.
    """
    from tests.experiment.doomed import Doomed

    from heldout.catalogue.lookup import registered

    by_name = registered("recommender")
    by_name["doomed"] = Doomed
    yield Doomed
    by_name.pop("doomed")
