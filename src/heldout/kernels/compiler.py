"""How numba compiles kernels: serial, without the GIL, cached on disk. Importing this loads numba."""

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
from typing import Any

from heldout.errors import WriteError
from heldout.storage.files import write_error
from heldout.threads import refuse_no_threads

_BEGUN = perf_counter()


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
from llvmlite import ir  # noqa: E402
from numba import types  # noqa: E402
from numba.core import cgutils, event  # noqa: E402
from numba.core.caching import IndexDataCacheFile  # noqa: E402
from numba.extending import intrinsic, overload  # noqa: E402

from heldout.kernels.compile_time import COMPILING  # noqa: E402
from heldout.kernels.jit import BY_TYPE  # noqa: E402


class CompileTimer(event.Listener):  # type: ignore[misc]
    """Times compilations, the one that is under way included: numba's own timer counts it only at its end."""

    depth = 0
    """How many are under way, one within the other."""
    finished = 0.0
    begun = 0.0

    def on_start(self, event: Any) -> None:
        if self.depth == 0:
            self.begun = perf_counter()
            if COMPILING.announce is not None:
                COMPILING.announce()
                COMPILING.announce = None
        self.depth += 1

    def on_end(self, event: Any) -> None:
        self.depth -= 1
        if self.depth == 0:
            self.finished += perf_counter() - self.begun

    @property
    def seconds(self) -> float:
        return self.finished + (perf_counter() - self.begun if self.depth else 0.0)


COMPILING.timer = CompileTimer()
COMPILING.timer.finished = perf_counter() - _BEGUN  # loading numba is a cost of compilation too
event.register("numba:compile", COMPILING.timer)

MASKED_SUMS = bool(llvmlite.binding.get_host_cpu_features().get("avx512f", False))
"""Whether the processor adds under a mask; compiled kernels are cached by processor."""


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


def compiled(function: Callable[..., Any], masked: Callable[..., Any] | None = None, **options: Any) -> Any:
    """The function as numba compiles it when it is first called."""
    while BY_TYPE:
        overload(BY_TYPE[-1][0], strict=False)(BY_TYPE[-1][1])
        BY_TYPE.pop()
    if masked is not None and MASKED_SUMS:
        function = masked
    dispatcher = numba.njit(nogil=True, cache=True, **options)(function)
    if dispatcher is not function:  # as it is with NUMBA_DISABLE_JIT
        cache, source = dispatcher._cache, Path(function.__code__.co_filename)
        cache._cache_file = CodeFiles(cache.cache_path, cache._impl.filename_base, _sources(source.parent))
    return dispatcher


@intrinsic
def fused(_: Any, a: Any, b: Any, c: Any) -> Any:
    """a · b + c, rounded once."""
    del a, b, c

    def generate(_: Any, builder: Any, __: Any, values: Any) -> Any:
        return builder.fma(*values)

    return types.float64(types.float64, types.float64, types.float64), generate


@functools.cache
def lane_loops(lanes: int) -> tuple[Any, Any, Any]:
    """Loops over as much of a row as fills all lanes, in vectors of eight: for sums, products and squares."""
    return tuple(_lane_loop(form, lanes) for form in range(3))


def _lane_loop(form: int, lanes: int) -> Any:
    width = 8
    vector = ir.VectorType(ir.DoubleType(), width)

    def spread(builder: Any, value: Any) -> Any:
        first = builder.insert_element(ir.Constant(vector, ir.Undefined), value, ir.Constant(ir.IntType(32), 0))
        return builder.shuffle_vector(
            first, ir.Constant(vector, ir.Undefined), ir.Constant(ir.VectorType(ir.IntType(32), width), [0] * width)
        )

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        rows = [
            context.make_array(kind)(context, builder, value)
            for kind, value in (
                (signature.args[0], values[0]),
                (signature.args[1], values[1]),
                (signature.args[3], values[3]),
            )
        ]
        size = builder.extract_value(rows[0].shape, 0)
        whole = builder.and_(size, ir.Constant(size.type, -lanes))
        centre = spread(builder, values[2])
        kind = ir.FunctionType(vector, [vector] * 3)
        fused_vectors = cgutils.get_or_insert_function(builder.module, kind, f"llvm.fma.v{width}f64")
        one = ir.Constant(vector, [1.0] * width)
        zero = ir.Constant(vector, [0.0] * width)

        def part(row: Any, at: Any) -> Any:
            return builder.bitcast(builder.gep(row.data, [at]), vector.as_pointer())

        entry, head = builder.block, builder.append_basic_block("lanes")
        body, done = builder.append_basic_block("add"), builder.append_basic_block("added")
        builder.branch(head)
        builder.position_at_end(head)
        at = builder.phi(size.type)
        at.add_incoming(ir.Constant(size.type, 0), entry)
        sums = [builder.phi(vector) for _ in range(lanes // width)]
        for lane in sums:
            lane.add_incoming(zero, entry)
        builder.cbranch(builder.icmp_signed("<", at, whole), body, done)
        builder.position_at_end(body)
        for k, lane in enumerate(sums):
            place = builder.add(at, ir.Constant(size.type, k * width))
            x = builder.load(part(rows[0], place), align=8)
            if form == 2:
                x = builder.fsub(x, centre)
            y = one if form == 0 else builder.load(part(rows[1], place), align=8) if form == 1 else x
            lane.add_incoming(builder.fadd(lane, x) if form == 0 else builder.call(fused_vectors, [x, y, lane]), body)
        at.add_incoming(builder.add(at, ir.Constant(size.type, lanes)), body)
        builder.branch(head)
        builder.position_at_end(done)
        for k, lane in enumerate(sums):
            builder.store(lane, part(rows[2], ir.Constant(size.type, k * width)), align=8)
        return context.get_dummy_value()

    def typed(_: Any, x: Any, y: Any, centre: Any, lanes: Any) -> Any:
        return types.none(x, y, types.float64, lanes), generate

    return intrinsic(typed)
