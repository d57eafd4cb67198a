"""Where compiled kernels are kept: only in a folder that nobody else can write to, for numba unpickles what it finds."""

from __future__ import annotations

import errno
import importlib
import os
import pkgutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.heavy import heavy
from tests.refusals import refused

from heldout import kernels
from heldout.errors import WriteError
from heldout.kernels import compiler, jit
from heldout.tables.arrays import frozen
from heldout.tables.mapped import mapped_together


@pytest.fixture
def read_only_installation(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """No cache folder named, none beside the sources; home and temporary folder are the test's own."""
    access = os.access
    installed = Path(compiler.__file__).parent
    monkeypatch.setattr(compiler.os, "access", lambda path, mode: Path(path) != installed and access(path, mode))
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path


def chosen(monkeypatch: pytest.MonkeyPatch) -> Path:
    """The cache folder that is set up; the environment is put back after the test."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", "put back later")
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    compiler._ensure_cache()
    return Path(os.environ["NUMBA_CACHE_DIR"])


@pytest.mark.parametrize("written", [None, "", "relative/cache", "."])
def test_an_unset_empty_or_relative_cache_home_means_the_home_folder(
    read_only_installation: Path, monkeypatch: pytest.MonkeyPatch, written: str | None
) -> None:
    if written is not None:
        monkeypatch.setenv("XDG_CACHE_HOME", written)
    assert chosen(monkeypatch) == read_only_installation / "home" / ".cache" / "heldout"
    assert list((read_only_installation / "here").iterdir()) == []


def test_an_absolute_cache_home_is_taken(read_only_installation: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(read_only_installation / "xdg"))
    folder = chosen(monkeypatch)
    assert folder == read_only_installation / "xdg" / "heldout"
    assert folder.stat().st_mode & 0o777 == 0o700


def temporary(place: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in the temporary folder that is tried where the home cannot be written."""
    (place / "home").rmdir()
    (place / "home").write_text("not a folder")
    return place / "tmp" / f"heldout-{os.getuid()}"


def test_without_a_home_the_temporary_folder_is_used_again(
    read_only_installation: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = temporary(read_only_installation, monkeypatch)
    assert chosen(monkeypatch) == usual
    assert chosen(monkeypatch) == usual
    assert usual.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o702])
def test_a_folder_that_others_may_write_to_is_not_taken(
    read_only_installation: Path, monkeypatch: pytest.MonkeyPatch, mode: int
) -> None:
    usual = temporary(read_only_installation, monkeypatch)
    usual.mkdir()
    usual.chmod(mode)
    folder = chosen(monkeypatch)
    assert folder != usual
    assert folder.parent == usual.parent
    assert folder.stat().st_mode & 0o777 == 0o700


def test_a_link_is_not_taken(read_only_installation: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = temporary(read_only_installation, monkeypatch)
    (read_only_installation / "elsewhere").mkdir(mode=0o700)
    usual.symlink_to(read_only_installation / "elsewhere")
    assert chosen(monkeypatch) not in (usual, read_only_installation / "elsewhere")


def test_a_folder_of_somebody_else_is_not_taken(read_only_installation: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = temporary(read_only_installation, monkeypatch)
    usual.mkdir(mode=0o700)
    me = os.getuid()
    monkeypatch.setattr(compiler.os, "getuid", lambda: me + 1)
    theirs = usual.with_name(f"heldout-{me + 1}")
    usual.rename(theirs)
    assert chosen(monkeypatch) != theirs


@jit.kernel
def _next_of(numbers: Any, at: Any) -> Any:
    return numbers[at] + 1


@jit.kernel
def _fill(pair: Any, out: Any) -> None:
    """What callers hand over in a tuple, and a kernel that calls another."""
    first, second = pair
    for k in range(out.shape[0]):
        out[k] = _next_of(first, k) * second[k]


def test_locked_and_open_arrays_are_one_type_and_stay_as_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_fill, "interpreted", False)
    numbers = np.arange(4.0)
    owner = np.arange(4.0)
    owner.flags.writeable = False
    kinds = [numbers, frozen(numbers, np.float64), owner, mapped_together({"numbers": numbers}, tmp_path)["numbers"]]
    for first in kinds:
        for second in kinds:
            out = np.empty(4)
            _fill((first, second), out)
            assert out.tolist() == [0, 2, 6, 12]
    assert [kind.flags.writeable for kind in kinds] == [True, False, False, False]
    assert len(_fill.compiled.signatures) == 1
    assert _fill.__name__ == "_fill" and (_fill.__doc__ or "").startswith("What callers")


def test_the_code_of_one_signature_is_never_taken_for_another(tmp_path: Path) -> None:
    """Two processes that each compile another one at the same time: neither has seen the other's when it begins."""
    mine, theirs = (compiler.CodeFiles(str(tmp_path), "gather-35.py311", "sources") for _ in range(2))
    mine.save(("int32",), "code for int32")
    theirs.save(("float64",), "code for float64")
    for files in (mine, theirs):
        assert files.load(("int32",)) == "code for int32"
        assert files.load(("float64",)) == "code for float64"
        assert files.load(("int64",)) is None


def test_code_of_other_sources_is_neither_read_nor_kept(tmp_path: Path) -> None:
    before, now = (compiler.CodeFiles(str(tmp_path), "gather-35.py311", sources) for sources in ("before", "now"))
    other = compiler.CodeFiles(str(tmp_path), "gather-3.py311", "before")
    before.save("key", "old code")
    other.save("key", "code of another function")
    assert now.load("key") is None
    now.save("key", "new code")
    assert (before.load("key"), now.load("key"), other.load("key")) == (None, "new code", "code of another function")


def test_a_kernel_is_compiled_again_when_one_that_it_calls_changes(tmp_path: Path) -> None:
    """As nothing in its own file tells; where nothing changed, it is not."""
    imports = "from heldout.kernels.jit import kernel\n"
    (tmp_path / "caller.py").write_text(
        imports + "from callee import step\n\n@kernel\ndef twice(x):\n    return step(step(x))\n"
    )
    said = []
    for added in (1, 1, 10):
        (tmp_path / "callee.py").write_text(imports + f"\n@kernel\ndef step(x):\n    return x + {added}\n")
        ask = "from caller import twice; print(twice.compiled(0), sum(twice.compiled.stats.cache_hits.values()))"
        done = subprocess.run(
            [sys.executable, "-c", ask],
            cwd=tmp_path,
            env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            check=True,
        )
        said.append(done.stdout.split())
    assert said == [["2", "0"], ["2", "1"], ["20", "0"]]


def all_kernels() -> Iterator[jit.Kernel]:
    for module in pkgutil.iter_modules(kernels.__path__, "heldout.kernels."):
        owned = vars(importlib.import_module(module.name)).values()
        yield from (value for value in owned if isinstance(value, jit.Kernel) and value.__module__ == module.name)


def called_by(caller: jit.Kernel) -> list[jit.Kernel]:
    function = caller.function
    named = [function.__globals__.get(name) for name in function.__code__.co_names]
    return [value for value in named if isinstance(value, jit.Kernel)]


def reorders(kernel: jit.Kernel) -> bool:
    return bool(kernel.options.get("fastmath")) or any(map(reorders, called_by(kernel)))


def test_what_reorders_sums_and_is_called_is_a_part_of_its_callers() -> None:
    """Else a process takes any of the copies that its callers brought, and sums depend on which were compiled in it."""
    pairs = [(caller, callee) for caller in all_kernels() for callee in called_by(caller) if reorders(callee)]
    assert len(pairs) > 5
    for caller, callee in pairs:
        assert callee.options.get("forceinline"), f"{caller.__name__} calls {callee.__name__}"


FITS = """
import hashlib
import numpy as np
import heldout as ho
from heldout.catalogue import classes
data = ho.read("simulate(users=1500, items=900, ratings=90000)")
for cls in classes("recommender"):
    try:
        model = ho.make("recommender", cls.key).fit(data, seed=1)
        scores = model.score(np.arange(data.n_users))
    except ho.HeldoutError as error:  # it needs features of items, a file or another library
        print(cls.key, "is not fitted:", error)
        continue
    print(cls.key, hashlib.sha256(np.ascontiguousarray(scores).tobytes()).hexdigest())
"""


@heavy
def test_a_process_that_compiles_gives_the_same_bytes_as_one_that_reads_what_was_compiled(tmp_path: Path) -> None:
    compiled, read = (
        subprocess.run(
            [sys.executable, "-c", FITS],
            env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for _ in range(2)
    )
    fitted = [line.split()[0] for line in compiled.splitlines() if "is not fitted" not in line]
    assert len(fitted) > 20 and {"WRMF", "SLIM"} <= set(fitted)
    assert compiled == read


def test_a_cache_without_room_names_its_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def full(name: str, data: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    files = compiler.CodeFiles(str(tmp_path), "f", "sources")
    monkeypatch.setattr(files, "_save_data", full)
    with refused(WriteError, where=str(tmp_path), hint="let NUMBA_CACHE_DIR name another folder"):
        files.save("key", "data")


def test_no_threads_for_numba_is_refused_in_a_sentence() -> None:
    used = subprocess.run(
        [sys.executable, "-m", "heldout", "data", "describe", "simulate(users=900, items=900, ratings=90000)"],
        env=os.environ | {"NUMBA_NUM_THREADS": "0"},
        capture_output=True,
        text=True,
    )
    assert (used.returncode, used.stderr.strip()) == (
        2,
        "error: NUMBA_NUM_THREADS is '0'; give a whole number from 1 on, or unset it",
    )
