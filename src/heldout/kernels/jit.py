"""How kernels are compiled: serial, without the GIL, cached on disk."""

from __future__ import annotations

import atexit
import contextlib
import functools
import hashlib
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter
from typing import Any, TypeVar, cast

from heldout.errors import WriteError
from heldout.storage.files import write_error
from heldout.threads import refuse_no_threads

F = TypeVar("F", bound=Callable[..., object])


def _ensure_cache() -> None:
    """Point numba's cache at a folder of this user's own, where the installation is read-only.

    numba unpickles what it finds in its cache, so a folder that others may write to runs their code.
    """
    if "NUMBA_CACHE_DIR" in os.environ or os.access(Path(__file__).parent, os.W_OK):
        return
    folder = next(filter(_is_private, _usual_folders()), None)
    if folder is None:
        folder = Path(tempfile.mkdtemp(prefix="heldout-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ["NUMBA_CACHE_DIR"] = str(folder)


def _usual_folders() -> Iterator[Path]:
    """Where compiled kernels last from one process to the next: the user's cache folder, else one in the temporary folder.

    A relative XDG_CACHE_HOME counts as not set, as the XDG base directory specification says; so does an empty one.
    """
    base = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if base.is_absolute():
        yield base / "heldout"
    else:
        with contextlib.suppress(RuntimeError):  # there is no home
            yield Path("~/.cache/heldout").expanduser()
    if hasattr(os, "getuid"):
        yield Path(tempfile.gettempdir()) / f"heldout-{os.getuid()}"


def _is_private(folder: Path) -> bool:
    """Whether the folder, made if need be, is a real folder of this user's that nobody else may write to."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            folder.mkdir(mode=0o700)
        about = folder.lstat()
    except OSError:
        return False
    owner = os.getuid() if hasattr(os, "getuid") else about.st_uid
    closed = not about.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return stat.S_ISDIR(about.st_mode) and about.st_uid == owner and closed and os.access(folder, os.W_OK | os.X_OK)


_ensure_cache()
refuse_no_threads("NUMBA_NUM_THREADS")

import llvmlite.binding  # noqa: E402
import numba  # noqa: E402
import numpy as np  # noqa: E402
from numba.core import event  # noqa: E402
from numba.core.caching import IndexDataCacheFile  # noqa: E402
from numpy.typing import NDArray  # noqa: E402

from heldout.kernels.compile_time import COMPILING  # noqa: E402


class CompileTimer(event.Listener):  # type: ignore[misc]
    """Times compilations, the one that is under way included: numba's own timer counts it only at its end."""

    depth = 0
    """How many are under way, one within the other."""
    finished = 0.0
    begun = 0.0

    def on_start(self, event: Any) -> None:
        if self.depth == 0:
            self.begun = perf_counter()
        self.depth += 1

    def on_end(self, event: Any) -> None:
        self.depth -= 1
        if self.depth == 0:
            self.finished += perf_counter() - self.begun

    @property
    def seconds(self) -> float:
        return self.finished + (perf_counter() - self.begun if self.depth else 0.0)


COMPILING.timer = CompileTimer()
event.register("numba:compile", COMPILING.timer)

MASKED_SUMS = bool(llvmlite.binding.get_host_cpu_features().get("avx512f", False))
"""Whether the processor adds under a mask; compiled kernels are cached by processor."""


class Kernel:
    """A compiled function for callers in Python; kernels that call each other are bound when they are compiled.

    To numba, a locked array is of another type than one that may be written to, and each mixture of them is compiled anew,
    which takes seconds. So all are handed over as if they might be written to: what a kernel writes to is what it is for.
    """

    def __init__(self, compiled: Callable[..., Any]) -> None:
        functools.update_wrapper(self, compiled)
        self.compiled = compiled

    def __call__(self, *arguments: Any) -> Any:
        return self.compiled(*[_unlocked(argument) for argument in arguments])

    @property
    def _numba_type_(self) -> Any:
        return self.compiled._numba_type_  # type: ignore[attr-defined]


class _Address:
    """The memory of an array, for an array over it that is not locked."""

    def __init__(self, array: NDArray[Any]) -> None:
        self.array = array
        self.__array_interface__ = {**array.__array_interface__, "data": (array.__array_interface__["data"][0], False)}


def _unlocked(argument: Any) -> Any:
    if type(argument) is tuple:
        return tuple([_unlocked(part) for part in argument])
    if type(argument) is not np.ndarray or argument.flags.writeable:
        return argument
    view = argument.view()
    try:
        view.setflags(write=True)
    except ValueError:  # what it is a view of is locked itself, or in a file
        return np.asarray(_Address(argument))
    return view


class CodeFiles(IndexDataCacheFile):  # type: ignore[misc]
    """The compiled code of one function on disk: a file for each signature, named by all that decides what is in it.

    numba numbers these files, and its index tells of one before it is written. So while several processes compile, one may
    read code for other types, or of an older source; and a kernel is not compiled again when one that it calls changes.
    """

    def __init__(self, folder: str, function: str, sources: str) -> None:
        super().__init__(cache_path=folder, filename_base=function, source_stamp=sources)
        self._of_sources = f"{function}.{_digest(sources + self._version)[:12]}"
        self._function = function

    def save(self, key: Any, data: Any) -> None:
        """Keep what was compiled for `key`, and nothing of other sources."""
        try:
            self._save_data(self._name(key), data)
        except OSError as error:
            failure = write_error(error, self._cache_path)
            hint = "make room for compiled kernels, or let NUMBA_CACHE_DIR name another folder"
            raise WriteError(failure.problem, where=failure.where, hint=hint, number=failure.number) from error
        for file in Path(self._cache_path).iterdir():
            if file.name.startswith(f"{self._function}.") and not file.name.startswith(f"{self._of_sources}."):
                file.unlink(missing_ok=True)

    def load(self, key: Any) -> Any:
        """What was compiled for `key`; None if nothing was."""
        try:
            return self._load_data(self._name(key))
        except FileNotFoundError:
            return None

    def _name(self, key: Any) -> str:
        return f"{self._of_sources}.{_digest(repr(key))[:24]}.nbc"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@functools.cache
def _sources(folder: Path) -> str:
    """A digest of all kernels of a folder: any of them may be compiled into any other."""
    files = sorted(folder.glob("*.py"))
    return _digest("".join(f"{file.name} {hashlib.sha256(file.read_bytes()).hexdigest()}\n" for file in files))


def _compiled(function: Callable[..., Any], **options: Any) -> Any:
    compiled = numba.njit(nogil=True, cache=True, **options)(function)
    if compiled is not function:  # as it is with NUMBA_DISABLE_JIT
        cache, source = compiled._cache, Path(function.__code__.co_filename)
        cache._cache_file = CodeFiles(cache.cache_path, cache._impl.filename_base, _sources(source.parent))
    return compiled


def kernel(function: F) -> F:
    """Compile a kernel when it is first called."""
    return cast(F, Kernel(_compiled(function)))


def reordering_kernel(function: F) -> F:
    """A kernel whose float sums may be reordered for speed; its result still does not depend on threads."""
    return cast(F, Kernel(_compiled(function, fastmath=_REORDERING)))


def part(function: F) -> F:
    """A kernel that becomes part of the code of each that calls it: what reorders sums and is called must be one.

    Code that is called instead exists once for each caller, and a process takes any of the copies that it has: another one
    where kernels were compiled than where they were read from disk. Such copies may add in another order.
    """
    return cast(F, Kernel(_compiled(function, forceinline=True)))


def reordering_part(function: F) -> F:
    """As `part`, with float sums that may be reordered."""
    return cast(F, Kernel(_compiled(function, fastmath=_REORDERING, forceinline=True)))


_REORDERING = {"reassoc", "contract", "nsz"}
