"""Files are there whole or not at all, keep their links and modes, and leave nothing beside them."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.refusals import refused

from heldout.data.file_patterns import files_of
from heldout.errors import InputError, SpecError, WriteError
from heldout.storage.files import (
    check_writable,
    is_unfinished,
    remove_unfinished,
    write_file,
    write_folder,
    write_scratch,
    write_text,
)


def names(folder: Path) -> list[str]:
    return sorted(p.name for p in folder.iterdir())


def filling(content: bytes) -> Callable[[Path], Any]:
    return lambda temporary: temporary.write_bytes(content)


def test_a_file_appears_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("earlier")

    def write(temporary: Path) -> None:
        with temporary.open("w") as stream:
            stream.write("half")
            stream.flush()
            assert path.read_text() == "earlier"
            assert temporary.parent == path.parent
            assert is_unfinished(temporary)
            assert files_of(str(tmp_path / "*.csv")) == (path,)
            stream.write(" and half")

    assert write_file(path, write) == path
    assert path.read_text() == "half and half"
    assert names(tmp_path) == ["a.csv"]


@pytest.mark.parametrize("failure", [KeyboardInterrupt(), ZeroDivisionError("ours"), SpecError("theirs"), SystemExit(3)])
def test_what_fails_leaves_the_earlier_file_and_nothing_else(failure: BaseException, tmp_path: Path) -> None:
    path = write_text(tmp_path / "a.csv", "earlier")

    def write(temporary: Path) -> None:
        temporary.write_text("half")
        raise failure

    with pytest.raises(type(failure)) as raised:
        write_file(path, write)
    assert raised.value is failure
    assert path.read_text() == "earlier"
    assert names(tmp_path) == ["a.csv"]


@pytest.mark.parametrize(
    ("failure", "number", "hint"),
    [
        (OSError(errno.ENOSPC, "x"), errno.ENOSPC, "make room"),
        (OSError("No space left on device (os error 28)"), errno.ENOSPC, "make room"),
        (pl.exceptions.ComputeError("parquet: No space left on device (os error 28)"), errno.ENOSPC, "make room"),
        (OSError(errno.EDQUOT, "x"), errno.EDQUOT, "make room"),
        (OSError(errno.EIO, "x"), errno.EIO, None),
        (OSError("something else"), None, None),
    ],
)
def test_the_reason_and_what_to_do_are_parts_of_the_error(
    failure: Exception, number: int | None, hint: str | None, tmp_path: Path
) -> None:
    path = write_text(tmp_path / "a.csv", "earlier")

    def write(temporary: Path) -> None:
        raise failure

    with refused(WriteError, where=str(path), hint=hint) as raised:
        write_file(path, write)
    assert raised.value.number == number
    assert path.read_text() == "earlier"
    assert names(tmp_path) == ["a.csv"]


def _unwritable(folder: Path) -> dict[str, tuple[Path, int, str | None]]:
    (folder / "file").write_text("x")
    (folder / "folder").mkdir()
    (folder / "loop").symlink_to(folder / "loop")
    return {
        "no folder": (folder / "none" / "a.csv", errno.ENOENT, "make the folder"),
        "in a file": (folder / "file" / "a.csv", errno.ENOTDIR, "a part of the path is a file"),
        "a folder": (folder / "folder", errno.EISDIR, "name a file in it"),
        "long": (folder / ("n" * 300), errno.ENAMETOOLONG, "choose a shorter name"),
        "loop": (folder / "loop", errno.ELOOP, "the link leads to itself"),
    }


@pytest.mark.parametrize("case", ["no folder", "in a file", "a folder", "long", "loop"])
@pytest.mark.parametrize("work", [check_writable, lambda path: write_text(path, "x")])
def test_a_place_where_no_file_can_be(case: str, work: Callable[[Path], Any], tmp_path: Path) -> None:
    path, number, hint = _unwritable(tmp_path)[case]
    before = names(tmp_path)
    with refused(WriteError, where=str(path), hint=hint) as refusal:
        work(path)
    assert refusal.value.number == number
    assert names(tmp_path) == before


def test_names_as_long_as_they_may_be(tmp_path: Path) -> None:
    for name in ("n" * 255, "é" * 127, "𝄞" * 63):
        assert write_text(tmp_path / name, "x").read_text() == "x"
    assert len(names(tmp_path)) == 3


def test_a_link_stays_and_what_it_leads_to_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    target = write_text(tmp_path / "elsewhere" / "a.csv", "earlier")
    (tmp_path / "link.csv").symlink_to(target)
    (tmp_path / "new.csv").symlink_to(Path("elsewhere") / "b.csv")
    write_text(tmp_path / "link.csv", "new")
    write_text(tmp_path / "new.csv", "b")
    assert (tmp_path / "link.csv").is_symlink() and target.read_text() == "new"
    assert (tmp_path / "new.csv").is_symlink() and (tmp_path / "elsewhere" / "b.csv").read_text() == "b"
    assert names(tmp_path / "elsewhere") == ["a.csv", "b.csv"]


def test_modes_are_kept_and_the_umask_is_respected(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        path = write_text(tmp_path / "a.csv", "earlier")
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
        for mode in (0o600, 0o664, 0o755):
            path.chmod(mode)
            write_file(path, lambda temporary: pl.DataFrame({"a": [1]}).write_parquet(temporary))
            assert stat.S_IMODE(path.stat().st_mode) == mode
    finally:
        os.umask(before)


_AS_NOBODY = """
import os, sys
from heldout.errors import WriteError
from heldout.storage.files import check_writable, write_text
os.setgid(65534)
os.setuid(65534)
for work in (check_writable, lambda path: write_text(path, "new")):
    for path in sys.argv[1:]:
        try:
            work(path)
            print("written")
        except WriteError as error:
            print(error)
"""


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become somebody who may not write")
def test_what_may_not_be_written_is_not(tmp_path: Path) -> None:
    """A file that is write-protected is not replaced, although its folder would allow that."""
    tmp_path.chmod(0o777)
    for parent in tmp_path.parents[: len(tmp_path.parents) - 2]:
        parent.chmod(parent.stat().st_mode | 0o011)
    protected = write_text(tmp_path / "a.csv", "earlier")
    protected.chmod(0o444)
    (tmp_path / "folder").mkdir(mode=0o755)
    asked = [str(protected), str(tmp_path / "folder" / "b.csv")]
    ran = subprocess.run([sys.executable, "-c", _AS_NOBODY, *asked], capture_output=True, text=True, check=False)
    told = [f"{path}: cannot be written (no permission); change its permissions, or write it elsewhere" for path in asked]
    assert ran.stdout.splitlines() == told * 2, ran.stderr
    assert protected.read_text() == "earlier"
    assert list((tmp_path / "folder").iterdir()) == []


def test_pipes_and_devices_stay_what_they_are(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE) as reader:
        # The frame's writer opens its file twice: given the pipe itself, the reader would often be gone the second time.
        write_file(pipe, lambda temporary: pl.DataFrame({"a": [1, 2]}).write_csv(temporary))
        received, _ = reader.communicate(timeout=60)
    assert received == b"a\n1\n2\n"
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    check_writable(pipe)
    write_text("/dev/null", "x")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


@pytest.mark.parametrize("to_pipe", [True, False])
def test_what_a_process_has_open_is_not_replaced(to_pipe: bool, tmp_path: Path) -> None:
    """`--report /dev/stdout > page.html`: what is printed afterwards must reach the same file."""
    code = "from heldout.storage.files import write_text; write_text('/dev/stdout', 'page\\n'); print('more')"
    with (tmp_path / "page.html").open("a+") as stream:
        output = subprocess.PIPE if to_pipe else stream
        ran = subprocess.run([sys.executable, "-c", code], stdout=output, text=True, check=True)
    assert (ran.stdout if to_pipe else (tmp_path / "page.html").read_text()) == "page\nmore\n"


def test_what_killed_writers_left_is_removed(tmp_path: Path) -> None:
    code = f"""
import os, signal
from heldout.storage.files import write_file, write_folder
def die(temporary):
    temporary.write_text("half") if temporary.is_file() else (temporary / "x").write_text("half")
    os.kill(os.getpid(), signal.SIGKILL)
write_file if os.sys.argv[1] == "file" else write_folder
(write_file if os.sys.argv[1] == "file" else write_folder)({str(tmp_path / "a")!r} + os.sys.argv[1], die)
"""
    for kind in ("file", "folder"):
        subprocess.run([sys.executable, "-c", code, kind], check=False)
    left = names(tmp_path)
    assert len(left) == 2 and all(is_unfinished(Path(name)) for name in left), left
    with refused(InputError, found=0, expected="at least one matching file"):
        files_of(str(tmp_path / "*"))
    write_text(tmp_path / "other", "x")
    assert len(names(tmp_path)) == 3  # those of other files are left to their own writers
    write_text(tmp_path / "afile", "x")
    write_folder(tmp_path / "afolder", lambda temporary: write_text(temporary / "x", "y"))
    assert names(tmp_path) == ["afile", "afolder", "other"]


def test_what_is_being_written_is_not_removed(tmp_path: Path) -> None:
    def write(temporary: Path) -> None:
        temporary.write_text("outer")
        write_text(tmp_path / "a", "inner")
        remove_unfinished(tmp_path)
        assert temporary.exists()

    write_file(tmp_path / "a", write)
    assert (tmp_path / "a").read_text() == "outer"
    assert names(tmp_path) == ["a"]


def test_many_threads_write_one_file(tmp_path: Path) -> None:
    """Whoever is last wins; nobody fails, and no mixture is ever there."""
    failures: list[BaseException] = []

    def work(letter: str) -> None:
        try:
            for _ in range(30):
                write_file(tmp_path / "a", filling(letter.encode() * 5000), flush=False)
                assert len(set((tmp_path / "a").read_text())) == 1
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(letter,)) for letter in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert names(tmp_path) == ["a"]


def test_a_folder_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    def half(folder: Path) -> None:
        write_text(folder / "x", "1")
        raise OSError(errno.ENOSPC, "")

    with refused(WriteError, where=str(tmp_path / "deep"), hint="make room, or write it to another disk"):
        write_folder(tmp_path / "deep" / "folder", half)
    assert list((tmp_path / "deep").iterdir()) == []
    with pytest.raises(WriteError) as raised:
        write_folder(tmp_path / "deep" / "folder", lambda folder: write_file(folder / "x", half))
    assert raised.value.where == str(tmp_path / "deep" / "folder")
    write_folder(tmp_path / "deep" / "folder", lambda folder: write_text(folder / "x", "1"))
    assert (tmp_path / "deep" / "folder" / "x").read_text() == "1"


def test_a_scratch_file_is_written_below_its_folder_and_says_what_failed(tmp_path: Path) -> None:
    write_scratch(tmp_path / "0001" / "a.bin", lambda path: path.write_bytes(b"rows"))
    assert (tmp_path / "0001" / "a.bin").read_bytes() == b"rows"

    def full(path: Path) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with refused(WriteError, file="b.bin", hint="make room, or write it to another disk"):
        write_scratch(tmp_path / "0001" / "b.bin", full)


FULL = """
import errno, resource, sys
from pathlib import Path
import polars as pl
from heldout.errors import WriteError
from heldout.storage.files import write_file, write_folder, write_scratch

folder = Path(sys.argv[1])
frame = pl.DataFrame({"n": range(50)})
frame.write_parquet(folder / "whole.parquet")
size = (folder / "whole.parquet").stat().st_size
ways = {
    "file": lambda path: write_file(path, frame.write_parquet),
    "scratch": lambda path: write_scratch(path, frame.write_parquet),
    "folder": lambda path: write_folder(path, lambda place: write_file(place / "part", frame.write_parquet)),
}
for name, way in ways.items():
    for limit in range(0, size, 3):
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
        try:
            way(folder / name / f"{limit}.parquet") if name == "scratch" else way(folder / f"{name}-{limit}")
        except WriteError as error:
            assert error.number == errno.EFBIG, error
        else:
            raise SystemExit(f"{name}: {limit} of {size} bytes were enough")
"""


def test_a_parquet_file_that_has_no_room_says_so(tmp_path: Path) -> None:
    """polars tells of a full disk in words that leave out the cause, if it is found while the footer is written."""
    written = subprocess.run([sys.executable, "-c", FULL, tmp_path], capture_output=True, text=True)
    assert written.returncode == 0, written.stderr[-800:]


def test_a_lost_cause_that_is_not_found_again_is_an_input_output_error(tmp_path: Path) -> None:
    def fail(temporary: Path) -> None:
        raise pl.exceptions.ComputeError("parquet: File out of specification: Invalid thrift: transport error")

    with refused(WriteError, where=str(tmp_path / "a.parquet")) as refusal:
        write_file(tmp_path / "a.parquet", fail)
    assert refusal.value.number == errno.EIO
    assert names(tmp_path) == []
