"""What is refused before anything is sent to Ray, and what Ray of our own is like."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import stat
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from tests.heavy import heavy
from tests.refusals import refused

from heldout.engine import ray_session
from heldout.engine.ray_session import RaySession, _remove_left, import_path
from heldout.errors import EngineError, HeldoutError, MissingExtraError, SpecError

needs_ray = pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed: pip install 'heldout[ray]'")


@pytest.fixture
def port() -> Iterator[int]:
    """A port where something listens that is not Ray."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(5)
        yield listening.getsockname()[1]


def test_without_ray_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with refused(MissingExtraError, hint="pip install 'heldout[ray]'"):
        RaySession()


@needs_ray
@pytest.mark.parametrize(
    ("address", "kind", "words"),
    [
        ("ray://head:10001", SpecError, "address: Ray's client cannot carry Heldout's tasks; run heldout on a node"),
        ("head", SpecError, "address: found 'head'; expected auto, or HOST:PORT"),
        ("head:70000", SpecError, "address: found 'head:70000'; expected auto, or HOST:PORT"),
        ("127.0.0.1:1", EngineError, "127.0.0.1:1: the cluster cannot be reached (Connection refused); expected auto, or"),
    ],
)
def test_addresses_that_are_refused(monkeypatch: pytest.MonkeyPatch, address: str, kind: type, words: str) -> None:
    monkeypatch.setattr("ray.is_initialized", lambda: False)
    begun = time.perf_counter()
    with pytest.raises(kind) as refusal:
        RaySession(address, deadline=5)
    assert str(refusal.value).startswith(words)
    assert time.perf_counter() - begun < 10
    assert isinstance(refusal.value, HeldoutError)


@needs_ray
def test_a_cluster_that_does_not_answer_is_given_up_in_time(monkeypatch: pytest.MonkeyPatch, port: int) -> None:
    """Something listens there and says nothing."""
    monkeypatch.setattr("ray.is_initialized", lambda: False)
    with refused(
        EngineError, where=f"127.0.0.1:{port}", hint="expected auto, or HOST:PORT of a cluster that `ray start` began"
    ):
        RaySession(f"127.0.0.1:{port}", deadline=0.5)


def _no_cluster(address: str) -> str:
    raise ConnectionError("Could not find any running Ray instance.")


@needs_ray
def test_no_cluster_on_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ray.is_initialized", lambda: False)
    monkeypatch.setattr("ray._private.services.canonicalize_bootstrap_address", _no_cluster)
    with refused(EngineError, where="address", hint="start one by `ray start --head`, or leave --address out"):
        RaySession("auto")


def test_current_and_script_folders_come_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for entry in ("", ".", str(tmp_path)):  # as `python -c`, PYTHONPATH=. and `python -m` have it
        monkeypatch.syspath_prepend(entry)
    path = import_path()
    assert path[-1] == str(tmp_path) or str(tmp_path) in path[-2:]
    assert path.index(str(tmp_path)) > max(path.index(entry) for entry in sys.path if entry.endswith("site-packages"))
    assert "" not in path


@pytest.mark.parametrize("name", ["ho-ray-4194304000-x", "ho-ray-99999999999999999999-x", "ho-ray-x", "ho-ray--1-x"])
def test_folders_that_are_not_of_a_process_are_left_alone(tmp_path: Path, name: str) -> None:
    """Anybody may make a folder of such a name, and it must not stop anyone's run."""
    (tmp_path / name).mkdir()
    _remove_left(tmp_path)
    assert (tmp_path / name).is_dir()


def test_only_folders_of_this_user_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ended = subprocess.Popen(["true"])
    ended.wait()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / f"ho-ray-{ended.pid}-link").symlink_to(tmp_path / "elsewhere")
    (tmp_path / f"ho-ray-{ended.pid}-file").touch()
    (tmp_path / f"ho-ray-{ended.pid}-x").mkdir()
    own = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: own + 1)
    _remove_left(tmp_path)
    assert len(list(tmp_path.iterdir())) == 4
    monkeypatch.undo()
    _remove_left(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {
        "elsewhere",
        f"ho-ray-{ended.pid}-link",
        f"ho-ray-{ended.pid}-file",
    }


def test_nobody_else_can_enter_the_folder_of_our_own_ray(ray_engine: object) -> None:
    """Ray lets everybody write to its folders and sockets, so they lie in one that is private."""
    session: RaySession = ray_engine.session  # type: ignore[attr-defined]
    folder = Path(session.folder)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700 and folder.stat().st_uid == os.getuid()
    assert len(list(folder.rglob("plasma_store"))) == 1
    assert [path.name for path in folder.iterdir()] == ["r"]


def test_another_version_is_refused(ray_engine: object) -> None:
    session: RaySession = ray_engine.session  # type: ignore[attr-defined]
    [node] = session.nodes()
    ours = ray_session.versions()
    session.refuse_versions(ours, node)
    hint = f"install numpy=={ours['numpy']} on every node"
    with refused(EngineError, where=f"node 127.0.0.1 ({node[:8]})", hint=hint):
        session.refuse_versions({**ours, "numpy": "1.26.4"}, node)


def test_our_own_ray_listens_on_loopback_alone(ray_engine: object) -> None:
    """Whoever reaches a port of Ray's can run code."""
    session: RaySession = ray_engine.session  # type: ignore[attr-defined]
    assert session.own
    import psutil  # Ray brings it along

    processes = [psutil.Process(), *psutil.Process().children(recursive=True)]
    listening = {
        connection.laddr.ip
        for process in processes
        for connection in process.net_connections("inet")
        if connection.status == psutil.CONN_LISTEN
    }
    assert len(processes) > 4
    assert listening
    assert listening <= {"127.0.0.1", "::ffff:127.0.0.1", "::1"}


STOPPED = """
    import os, signal, sys, threading, time
    from heldout.engine.engine import Sendable
    from heldout.engine.ray_engine import RayEngine

    def sleeps():
        time.sleep(600)

    if __name__ == "__main__":
        engine = RayEngine()
        task = Sendable(here=sleeps, function=sleeps, arguments={}, received=str, failed=str)
        print(engine.session.folder, flush=True)
        threading.Timer(3, os.kill, (os.getpid(), int(sys.argv[1]))).start()
        try:
            next(engine.run([task]))
        finally:
            engine.close()
"""


@heavy
@needs_ray
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_nothing_is_left_of_ray_when_we_are_stopped(how: signal.Signals, tmp_path: Path) -> None:
    script = tmp_path / "stopped.py"
    script.write_text(textwrap.dedent(STOPPED))
    process = subprocess.run(
        [sys.executable, script, str(int(how))], capture_output=True, text=True, timeout=120, check=False
    )
    assert process.returncode != 0
    folder = process.stdout.split()[-1]
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and _using(folder):
        time.sleep(0.5)
    assert not _using(folder)
    assert how != signal.SIGINT or not Path(folder).exists()
    _remove_left(Path(folder).parent)  # as the next one does that starts
    assert not Path(folder).exists()


def _using(folder: str) -> list[str]:
    """The processes whose command names Ray's folder."""
    commands = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            commands.append(entry.read_bytes().decode(errors="replace"))
    return [command for command in commands if folder in command]


TOKEN = """
    import os
    from heldout.engine.ray_session import RaySession

    for _ in range(2):
        session = RaySession()
        print(os.environ["RAY_AUTH_MODE"], session.cpus() > 0, os.environ["RAY_AUTH_TOKEN"])
        session.close()
        assert not [name for name in os.environ if name.startswith("RAY_AUTH_")]
"""


@needs_ray
def test_our_own_ray_has_a_token_that_nobody_finds_later(tmp_path: Path) -> None:
    """Ray by itself leaves one in the home folder, for which clusters of later commands then ask."""
    script, home = tmp_path / "own_ray.py", tmp_path / "home"
    script.write_text(textwrap.dedent(TOKEN))
    home.mkdir()
    environment = {name: value for name, value in os.environ.items() if not name.startswith("RAY_AUTH_")} | {
        "HOME": str(home)
    }
    process = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, timeout=120, env=environment, check=False
    )
    assert process.returncode == 0, process.stderr
    lines = [line.split() for line in process.stdout.splitlines()]
    assert [line[:2] for line in lines] == [["token", "True"]] * 2
    assert len({line[2] for line in lines}) == 2
    assert not (home / ".ray").exists()
