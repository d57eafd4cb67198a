"""Workers and nodes of a cluster, killed or frozen at random moments of a run: the final bytes are the same each time.

`python -m tests.engine.ray_kills FOLDER KILLS SEED` runs a study once in this process, and then again and again on a cluster
of three nodes on this machine, one of which is killed, frozen or loses its workers at a random moment of each run.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import random
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import heldout as ho
from heldout.engine.ray_engine import RayEngine
from heldout.experiment.run import run_study
from heldout.study.file import study_from

STORE = 100 * 2**20
"""Bytes of each node's object store."""
STUDY = {
    "data": "simulate(users=400, items=80, ratings=9000)",
    "split": "folds(3, by=rating)",
    "recommend": ["Popularity", "UserKNN(k=5)", "EASE", "WRMF(factors=8, iterations=200)"],
    "target": ["AllItems", "OnePlusRandom(10)"],
    "metrics": ["nDCG(gain=binary)@5", "P@5"],
    "relevance": "threshold(4)",
}
HOW = ("worker killed", "node killed", "node frozen")


class SmallCluster:
    """A head without CPUs, and nodes of one CPU each, each with an address of its own: else the driver hangs."""

    def __init__(self, nodes: int) -> None:
        from ray.cluster_utils import Cluster

        os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
        head = {"num_cpus": 0, "node_ip_address": "127.0.0.2", "object_store_memory": STORE, "include_dashboard": False}
        self.cluster = Cluster(initialize_head=True, head_node_args=head)
        self.address = self.cluster.address
        self._next = 3
        self.nodes = [self.add() for _ in range(nodes)]
        self.frozen: list[int] = []

    def add(self) -> Any:
        """Add a node."""
        for attempt in range(5):
            address, self._next = f"127.0.0.{self._next}", self._next + 1
            try:
                return self.cluster.add_node(num_cpus=1, node_ip_address=address, object_store_memory=STORE)
            except Exception:  # Ray gives a node half a minute, which a busy machine may not have
                if attempt == 4:
                    raise
        return None

    def strike(self, how: str, which: int) -> None:
        """Kill or freeze a node, or kill the workers of one."""
        node = self.nodes[which % len(self.nodes)]
        if how == "worker killed":
            for pid in processes_of(node)[1:]:
                with contextlib.suppress(ProcessLookupError):
                    if b"ray::" in Path(f"/proc/{pid}/cmdline").read_bytes():
                        os.kill(pid, signal.SIGKILL)
        elif how == "node killed":
            self.nodes.remove(node)
            self.cluster.remove_node(node, allow_graceful=False)
        else:
            self.nodes.remove(node)
            self.frozen += processes_of(node)
            signalled(self.frozen, signal.SIGSTOP)

    def mend(self, nodes: int) -> None:
        """End what is frozen, and have as many nodes as before; on a busy machine Ray gives up some by itself."""
        signalled(self.frozen, signal.SIGKILL)
        self.frozen.clear()
        for node in [node for node in self.nodes if not _is_alive(node)]:
            self.nodes.remove(node)
            print("a node was lost that nobody struck", flush=True)
        while len(self.nodes) < nodes:
            self.nodes.append(self.add())

    def close(self) -> None:
        """End the cluster."""
        signalled(self.frozen, signal.SIGKILL)
        self.cluster.shutdown()


def _is_alive(node: Any) -> bool:
    return all(entry.process.poll() is None for entry in node.all_processes["raylet"])


def processes_of(node: Any) -> list[int]:
    """The node's raylet, and all that it started."""
    import psutil

    raylets = [psutil.Process(entry.process.pid) for entry in node.all_processes["raylet"]]
    return [process.pid for raylet in raylets for process in (raylet, *raylet.children(recursive=True))]


def signalled(pids: list[int], number: signal.Signals) -> None:
    """Send a signal to processes that may be gone."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


def digests(folder: Path) -> dict[str, str]:
    """Of all parts of a results folder."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*.parquet"))
    }


@contextmanager
def connected(address: str) -> Iterator[RayEngine]:
    """An engine that soon takes a node for frozen."""
    engine = RayEngine(address, signs=0.5, silence=5)
    try:
        yield engine
    finally:
        engine.close()


def main(folder: Path, kills: int, seed: int, nodes: int = 3) -> int:
    """The number of runs whose bytes differed."""
    study = study_from(STUDY)
    ho.run(study, out=folder / "here", threads=1)
    expected, draw, wrong = digests(folder / "here"), random.Random(seed), 0
    cluster = SmallCluster(nodes)
    try:
        with connected(cluster.address) as engine:
            for warm in range(2):  # the first compiles what was not, and starts processes
                begun = time.monotonic()
                run_study(study, out=folder / f"whole-{warm}", engine=engine)
                seconds = time.monotonic() - begun
                wrong += digests(folder / f"whole-{warm}") != expected
            for number in range(kills):
                how, which, moment = HOW[number % len(HOW)], draw.randrange(nodes), draw.uniform(0, seconds)
                striking = threading.Timer(moment, cluster.strike, (how, which))
                begun = time.monotonic()
                striking.start()
                study_scores = run_study(study, out=folder / f"out-{number}", engine=engine)
                took = time.monotonic() - begun
                striking.join()
                same = digests(folder / f"out-{number}") == expected and not study_scores.failures
                wrong += not same
                print(f"{number} {how} after {moment:.1f} s of {took:.1f} s: {'same' if same else 'WRONG'}", flush=True)
                cluster.mend(nodes)
    finally:
        cluster.close()
    print(f"{kills} moments, {wrong} wrong", flush=True)
    return wrong


if __name__ == "__main__":
    sys.exit(min(main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])), 100))
