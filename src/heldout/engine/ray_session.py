"""Ray itself: started for this process alone, or a cluster that is joined; and what is refused before anything is sent."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shutil
import signal
import socket
import stat
import sys
import tempfile
import threading
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from heldout import __version__, threads
from heldout.engine.ray_worker import versions
from heldout.errors import EngineError, MissingExtraError, SpecError, brief

T = TypeVar("T")
DEADLINE = 20.0
"""Seconds within which a cluster must answer."""
_PRINTS = "print_to_stdstream"
"""The function by which Ray prints what its daemons say."""
_FOLDER = "ho-ray-"
"""How the folders of Ray of our own begin; the process's number follows."""
_PID = re.compile("[0-9]{1,10}")
_TOKEN = ("RAY_AUTH_MODE", "RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH")
"""Variables that say whether Ray asks for a token, and which."""
_EXPECTED = "expected auto, or HOST:PORT of a cluster that `ray start` began"


class RaySession:
    """A connection to Ray. What it started, it ends; a Ray that was there before goes on."""

    def __init__(self, address: str | None = None, *, deadline: float = DEADLINE, object_store: int | None = None) -> None:
        self.ray = _ray()
        self.own = address is None and not self.ray.is_initialized()
        """Whether Ray runs for this process alone, and ends with it."""
        self.folder = ""
        """Where Ray of our own keeps its sockets and logs; only this user can enter it."""
        environment = _token_variables()
        if self.own:
            self.folder = _start(self.ray, object_store)
        elif not self.ray.is_initialized():
            _join(self.ray, str(address), deadline)
        elif address is not None:
            raise EngineError("this process is connected to Ray already", where="address", hint="leave the address out")
        self._end: weakref.finalize[[Any, str, Any, dict[str, str | None]], RaySession] | None = None
        if self.own or address is not None:
            worker = import_module("ray._private.worker")
            self._end = weakref.finalize(self, _end, self.ray, self.folder, getattr(worker, _PRINTS), environment)
            setattr(worker, _PRINTS, _silence)
        try:
            if not self.own:
                self._refuse_other_versions(deadline)
        except BaseException:
            self.close()
            raise

    def nodes(self) -> dict[str, dict[str, float]]:
        """The living nodes and what each has: CPU, GPU, memory."""
        return {node["NodeID"]: node["Resources"] for node in self.ray.nodes() if node["Alive"]}

    def cpus(self) -> int:
        """CPUs of all nodes."""
        return max(1, int(sum(resources.get("CPU", 0) for resources in self.nodes().values())))

    def describe(self) -> str:
        """Ray's version and size, for the manifest."""
        nodes = len(self.nodes())
        where = "on this machine" if self.own else f"on a cluster of {nodes} node{'s' if nodes != 1 else ''}"
        return f"Ray {self.ray.__version__} {where}, {self.cpus()} CPUs"

    def close(self) -> None:
        """End what was started."""
        if self._end is not None:
            self._end()

    def pinned_to(self, node: str) -> Any:
        """The scheduling strategy that puts a task on a node."""
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        return NodeAffinitySchedulingStrategy(node, soft=False)

    def _refuse_other_versions(self, deadline: float) -> None:
        """EngineError if a node has another Heldout or numpy than this process, or none."""
        ray = self.ray
        look = ray.remote(num_cpus=0, max_retries=0)(versions)
        answers = {look.options(scheduling_strategy=self.pinned_to(node)).remote(): node for node in self.nodes()}
        ready, silent = ray.wait(list(answers), num_returns=len(answers), timeout=deadline)
        if silent and not ready:
            raise EngineError(f"no node of the cluster ran a task within {deadline:g} s", where="engine")
        for answer in ready:
            node = answers[answer]
            try:
                node_versions = ray.get(answer, timeout=deadline)
            except (ray.exceptions.WorkerCrashedError, ray.exceptions.NodeDiedError, ray.exceptions.TaskUnschedulableError):
                continue  # the node was lost a moment ago; tasks look again when they begin
            except ray.exceptions.RayError as error:
                words, hint = f"Heldout does not run on it ({_last_line(error)})", f"install heldout {__version__} there"
                raise EngineError(words, where=self._place(node), hint=hint) from None
            self.refuse_versions(node_versions, node)

    def refuse_versions(self, node_versions: dict[str, str], node: str) -> None:
        """EngineError if a node's versions are others than those of this process: its numbers might be others too."""
        for name, version in versions().items():
            if node_versions.get(name) != version:
                raise EngineError(
                    f"it has {name} {node_versions.get(name)}, and this process {version}",
                    where=self._place(node),
                    hint=f"install {name}=={version} on every node",
                )

    def _place(self, node: str) -> str:
        host = next((str(n["NodeManagerAddress"]) for n in self.ray.nodes() if n["NodeID"] == node), "")
        return f"node {host} ({node[:8]})"


def _ray() -> Any:
    try:
        import ray
    except ModuleNotFoundError:
        raise MissingExtraError("ray", "ray", 'engine = "ray"') from None
    return ray


def _start(ray: Any, object_store: int | None) -> str:
    """Start Ray for this process, on loopback and without dashboard; its folder."""
    from ray._private import ray_constants

    place = Path("/tmp") if Path("/tmp").is_dir() else Path(tempfile.gettempdir())  # sockets need short paths
    _remove_left(place)
    folder = tempfile.mkdtemp(prefix=f"{_FOLDER}{os.getpid()}-", dir=place)  # its mode is 0700
    inner = Path(folder) / "r"  # Ray lets everybody write to the folder that it is given, and to all in it
    clusters, environment = ray_constants.ENABLE_RAY_CLUSTER, _token_variables()
    if environment["RAY_AUTH_MODE"] is None:
        # A token that no other Ray has: Ray would leave one in the home folder, and later clusters would ask for it.
        _authenticate({"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)})
    ray_constants.ENABLE_RAY_CLUSTER = False  # else Ray takes this machine's outer address for 127.0.0.1, and listens there
    try:
        with _quiet():
            ray.init(
                address="local",  # without it, a cluster that happens to run would be joined
                num_cpus=threads.count(),
                object_store_memory=object_store,
                include_dashboard=False,
                job_config=_job(),
                _node_ip_address="127.0.0.1",
                _temp_dir=str(inner),
                log_to_driver=False,
                logging_level="ERROR",
            )
    except Exception as error:
        shutil.rmtree(folder, ignore_errors=True)
        _authenticate(environment)
        raise EngineError(f"Ray did not start ({_words(error)})", where="engine", hint='use engine = "here"') from None
    finally:
        ray_constants.ENABLE_RAY_CLUSTER = clusters
    return folder


def _token_variables() -> dict[str, str | None]:
    return {name: os.environ.get(name) for name in _TOKEN}


def _authenticate(environment: Mapping[str, str | None]) -> None:
    """Set the variables of Ray's token, and have Ray read them again."""
    for name, value in environment.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
    raylet = import_module("ray._raylet")
    raylet.Config.initialize("")
    raylet.AuthenticationTokenLoader.instance().reset_cache()


def _remove_left(place: Path) -> None:
    """Remove this user's folders of processes that were killed before they could."""
    for folder in place.glob(f"{_FOLDER}*"):
        pid = folder.name.removeprefix(_FOLDER).partition("-")[0]
        try:
            about = folder.lstat()
        except OSError:
            continue  # it has just been removed
        if not (_PID.fullmatch(pid) and stat.S_ISDIR(about.st_mode) and about.st_uid == os.getuid()):
            continue  # anybody may put anything of such a name there
        try:
            os.kill(int(pid), 0)
        except ProcessLookupError:
            shutil.rmtree(folder, ignore_errors=True)
        except (PermissionError, OverflowError):
            continue  # another user's process has the number by now, or no process can have it


def _join(ray: Any, address: str, deadline: float) -> None:
    """Join a cluster; EngineError if there is none, or none that answers in time."""
    if address.startswith("ray://"):
        hint = "run heldout on a node of the cluster, such as by `ray job submit`, with --address auto"
        raise SpecError("Ray's client cannot carry Heldout's tasks", where="address", hint=hint)
    host, port = _located(address)
    place = f"{host}:{port}"
    try:
        socket.create_connection((host, port), timeout=deadline).close()
    except OSError as error:
        reason = f"does not answer within {deadline:g} s" if isinstance(error, TimeoutError) else error.strerror or error
        raise EngineError(f"the cluster cannot be reached ({reason})", where=place, hint=_EXPECTED) from None
    environment = _token_variables()
    try:
        with _quiet():
            try:
                _within(deadline, lambda: _client(place))
            except ray.exceptions.AuthenticationError:
                if environment["RAY_AUTH_MODE"] is not None or not _has_token():
                    raise
                _authenticate({"RAY_AUTH_MODE": "token"})  # `ray start` asks for a token as soon as its machine has one
                _within(deadline, lambda: _client(place))
            ray.init(address=place, job_config=_job(), log_to_driver=False, logging_level="ERROR")
    except TimeoutError:
        _authenticate(environment)
        raise EngineError(f"does not answer as Ray within {deadline:g} s", where=place, hint=_EXPECTED) from None
    except ray.exceptions.AuthenticationError:
        _authenticate(environment)
        hint = "set RAY_AUTH_MODE=token, and RAY_AUTH_TOKEN or RAY_AUTH_TOKEN_PATH, as the cluster's nodes have them"
        raise EngineError("the cluster asks for a token that this process does not have", where=place, hint=hint) from None
    except Exception as error:
        _authenticate(environment)
        hint = "heldout runs on a node of the cluster, with the cluster's versions of Ray and Python"
        raise EngineError(f"the cluster cannot be joined ({_words(error)})", where=place, hint=hint) from None


def _has_token() -> bool:
    loader = import_module("ray._raylet").AuthenticationTokenLoader.instance()
    return bool(loader.has_token(ignore_auth_mode=True))


def _client(place: str) -> None:
    import_module("ray._raylet").GcsClient(address=place)


def _located(address: str) -> tuple[str, int]:
    """Host and port of an address, or of the cluster that runs on this machine."""
    if address == "auto":
        from ray._private.services import canonicalize_bootstrap_address

        try:
            running = canonicalize_bootstrap_address("auto")
        except ConnectionError:
            running = None
        if running is None:
            hint = "start one by `ray start --head`, or leave --address out"
            raise EngineError("no cluster runs on this machine", where="address", hint=hint)
        address = running
    host, _, port = address.rpartition(":")
    if not host or not (port.isascii() and port.isdigit()) or not 0 < int(port[:6]) < 2**16:
        raise SpecError(f"found '{brief(address)}'", where="address", hint=_EXPECTED)
    return host.strip("[]"), int(port)


def _within(seconds: float, work: Callable[[], T]) -> T:
    """`work()`; TimeoutError if it takes longer. Ray has waits that none of its options ends."""
    results: list[T] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=run, name="heldout-ray", daemon=True)
    thread.start()
    thread.join(seconds)
    if errors:
        raise errors[0]
    if not results:
        raise TimeoutError
    return results[0]


def _job() -> Any:
    """How Ray's workers import: as this process does, with the current and the script's folder last.

    A `queue.py` that happens to lie there would else be run in place of Python's own.
    """
    from ray.job_config import JobConfig

    class Job(JobConfig):  # type: ignore[misc]
        def _runtime_env_has_working_dir(self) -> bool:
            return True  # so that Ray does not put those folders first

    return Job(_py_driver_sys_path=import_path()[::-1])  # Ray puts one after another at the front


def import_path() -> list[str]:
    """`sys.path` with the current and the script's folder at its end."""
    script = Path(sys.argv[0]).resolve().parent if sys.argv and Path(sys.argv[0]).exists() else None
    last = [folder for folder in (Path.cwd(), script) if folder is not None]
    package = str(Path(__file__).resolve().parents[2])
    listed = [path for path in sys.path if path and Path(path).resolve() not in last]
    both = listed if package in listed else [*listed, package]
    importable = [str(folder) for folder in last if any(Path(path or ".").resolve() == folder for path in sys.path)]
    return list(dict.fromkeys([*both, *importable]))


@contextmanager
def _quiet() -> Iterator[None]:
    """Ray without its reports of use, its advice, and its own answer to SIGTERM."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    before = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, before)


def _words(error: BaseException) -> str:
    return brief(" ".join(str(error).split()) or type(error).__name__, 300)


def _last_line(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return brief(lines[-1] if lines else type(error).__name__, 300)


def _silence(data: Any, *, ignore_prefix: bool = True) -> None:
    """Ray prints what its daemons say to stdout, which is for results; what matters of it is told by the engine."""


def _end(ray: Any, folder: str, printing: Any, environment: dict[str, str | None]) -> None:
    with contextlib.suppress(KeyboardInterrupt):  # a second Ctrl-C does not leave processes behind
        ray.shutdown()
    setattr(import_module("ray._private.worker"), _PRINTS, printing)
    _authenticate(environment)
    if folder:
        shutil.rmtree(folder, ignore_errors=True)
