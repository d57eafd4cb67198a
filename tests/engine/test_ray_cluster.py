"""A cluster of several nodes on this machine: versions, nodes that die or freeze, and the bytes of one process."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.engine.ray_kills import SmallCluster, connected
from tests.heavy import heavy
from tests.refusals import refused

from heldout.engine.engine import Sendable
from heldout.engine.ray_engine import RayEngine
from heldout.errors import EngineError

KILLS = int(os.environ.get("HELDOUT_KILLS", "3"))
pytestmark = heavy


@pytest.fixture(scope="module")
def cluster() -> Iterator[SmallCluster]:
    """Four nodes, of which one is the head and runs no task."""
    pytest.importorskip("ray", reason="Ray is not installed: pip install 'heldout[ray]' to run this test")
    import ray

    if ray.is_initialized():
        pytest.skip("another test holds Ray in this process: run this file by itself")
    cluster = SmallCluster(3)
    yield cluster
    cluster.close()


def node_after(seconds: float) -> str:
    import ray

    time.sleep(seconds)
    return str(ray.get_runtime_context().get_node_id())


def waiting(seconds: float) -> Sendable[Any]:
    return Sendable(
        here=lambda: "",
        function=node_after,
        arguments={"seconds": seconds},
        received=lambda node: node,
        failed=lambda error: error,
    )


def test_tasks_go_to_all_nodes_and_the_cluster_goes_on(cluster: SmallCluster) -> None:
    with connected(cluster.address) as engine:
        assert engine.describe()["engine"].endswith("on a cluster of 4 nodes, 3 CPUs")
        assert len(set(engine.run([waiting(1.0) for _ in range(6)]))) == 3
    with connected(cluster.address) as engine:  # it was left, and not ended
        assert len(engine.session.nodes()) == 4


def test_a_cluster_of_other_versions_is_refused(cluster: SmallCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    """This process says that it has others: the nodes cannot."""
    installed = np.__version__
    monkeypatch.setattr(np, "__version__", "9.9.9")
    with refused(EngineError, where="node 127.0.0", hint="install numpy==9.9.9 on every node") as refusal:
        RayEngine(cluster.address)
    assert f"numpy {installed}" in refusal.value.what
    import ray

    assert not ray.is_initialized()


@pytest.mark.parametrize("how", ["node killed", "node frozen", "worker killed"])
def test_tasks_of_a_lost_node_run_elsewhere(cluster: SmallCluster, how: str) -> None:
    with connected(cluster.address) as engine:
        striking = threading.Timer(2.0, cluster.strike, (how, 0))
        striking.start()
        begun = time.monotonic()
        nodes = list(engine.run([waiting(3.0) for _ in range(6)]))
        striking.join()
    cluster.mend(3)
    assert all(isinstance(node, str) and len(node) > 20 for node in nodes)
    assert time.monotonic() - begun < 60


def test_killed_at_any_moment_the_final_bytes_are_the_same(tmp_path: Path) -> None:
    script = [sys.executable, "-m", "tests.engine.ray_kills", str(tmp_path), str(KILLS), "1"]
    ran = subprocess.run(script, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert ran.stdout.splitlines()[-1] == f"{KILLS} moments, 0 wrong"
