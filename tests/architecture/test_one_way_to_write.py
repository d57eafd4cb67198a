"""Only `heldout.storage.files` opens files for writing: a file written in another way can be left half written."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2] / "src" / "heldout"
MODULES = sorted(p for p in SOURCE.rglob("*.py") if "vendor" not in p.parts)

ALLOWED = {
    "storage/files.py": "the one way itself",
    "storage/lock.py": "locks",
    "web/archive.py": "a zip that is sent while it is made, and not kept",
    "web/jobs.py": "the log of a study, to which its process adds while it is read; a new file, never one that is there",
    "cli/failures.py": "the trace of a bug: a new file with a name of its own among the system's temporary ones",
}
"""Modules that open files for writing. SQLite (the index) and optuna (its journal) open theirs by themselves."""
THROUGH = {"write_file", "write_whole"}
"""What gives a function its `temporary` path; the second is the first, with errors told as of a results folder."""
WRITERS = {
    "write_text", "write_bytes", "write_parquet", "write_csv", "write_ipc", "write_ipc_stream", "write_json",
    "write_ndjson", "write_excel", "write_avro", "write_delta", "write_database", "sink_parquet", "sink_csv", "sink_ipc",
    "sink_ndjson", "savefig", "to_csv", "to_parquet", "to_json", "to_feather", "to_pickle", "to_excel", "save_npz",
    "savetxt", "savez", "savez_compressed", "tofile", "touch", "extract", "extractall", "urlretrieve", "copyfile", "copy2",
    "copytree", "writestr", "mkstemp", "NamedTemporaryFile", "memmap", "mmwrite", "imsave",
}  # fmt: skip
"""Functions that write a file whose name or handle is their first argument, or that is theirs."""
FILLED = "temporary"
"""What a path is called that `write_file` gave, and that nobody else sees."""


def _called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _is_temporary(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Name) and node.id == FILLED


def _mode(call: ast.Call, position: int) -> str:
    """The mode that a file is opened in; one that is not written out counts as writing."""
    named = next((k.value for k in call.keywords if k.arg == "mode"), None)
    given = named or (call.args[position] if len(call.args) > position else ast.Constant("r"))
    return str(given.value) if isinstance(given, ast.Constant) else "w"


def _opens(call: ast.Call) -> bool:
    """Whether a call of something named open opens for writing."""
    text = ast.unparse(call.func)
    if text == "os.open":
        flags = ast.unparse(call.args[1])
        return any(flag in flags for flag in ("O_WRONLY", "O_RDWR", "O_CREAT", "O_APPEND", "O_TRUNC"))
    by_name = text in ("open", "io.open", "gzip.open", "bz2.open", "lzma.open", "codecs.open", "zipfile.ZipFile", "ZipFile")
    return any(letter in _mode(call, 1 if by_name else 0) for letter in "wax+")


def _to_file(call: ast.Call) -> bool:
    """Whether a call writes a file that is not a `temporary` one."""
    name, first = _called(call), call.args[0] if call.args else None
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    if name in ("open", "ZipFile"):
        return _opens(call) and not _is_temporary(owner) and "os.devnull" not in ast.unparse(call)
    if name == "savefig" or ast.unparse(call.func) in ("np.save", "numpy.save"):
        return first is None or ast.unparse(first) != "stream"  # in memory, or a `temporary` path that was opened
    if name not in WRITERS:
        return False
    if name in ("write_csv", "write_json", "write_ndjson", "to_csv", "to_json") and not call.args and not call.keywords:
        return False  # it gives a text
    if owner is None and name.startswith("write_"):
        return False  # a function of ours, which is looked at where it stands; frames and paths have methods
    if name in ("write_text", "write_bytes"):
        return not _is_temporary(owner)
    return not (_is_temporary(first) or _is_temporary(owner))


def _handed_out(tree: ast.Module) -> Iterator[ast.AST]:
    """Functions with a `temporary` path that somebody else than `write_file` could call."""
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    taking = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.Lambda) and FILLED in _parameters(n)]
    for one in taking:
        if isinstance(one, ast.Lambda):
            call = parents[one]
            if not (isinstance(call, ast.Call) and _called(call) in THROUGH):
                yield one
    local = {one.name for one in taking if isinstance(one, ast.FunctionDef)}
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Name) and node.id in local):
            continue
        call = parents[node]
        if isinstance(call, ast.Call) and call.func is node and any(_is_temporary(a) for a in call.args):
            continue
        while isinstance(call, ast.Call) and _called(call) == "partial":
            call = parents[call]
        if not (isinstance(call, ast.Call) and _called(call) in THROUGH):
            yield node


def _parameters(function: ast.FunctionDef | ast.Lambda) -> list[str]:
    return [a.arg for a in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)]


def strays(text: str) -> list[str]:
    """Lines of a module that write a file by themselves."""
    tree = ast.parse(text)
    calls = [n for n in ast.walk(tree) if isinstance(n, ast.Call) and _to_file(n)]
    assigned = [n for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id == FILLED and isinstance(n.ctx, ast.Store)]
    return [f"{n.lineno}: {ast.unparse(n)}" for n in (*calls, *assigned, *_handed_out(tree))]  # type: ignore[attr-defined]


def test_files_are_written_in_one_way() -> None:
    lines_by_module = {path.relative_to(SOURCE).as_posix(): strays(path.read_text(encoding="utf-8")) for path in MODULES}
    beside = {name: lines for name, lines in lines_by_module.items() if lines and name not in ALLOWED}
    assert beside == {}, "write these by heldout.storage.files.write_file"
    assert [name for name in ALLOWED if not lines_by_module[name]] == []


@pytest.mark.parametrize(
    "line",
    [
        "open(path, 'w')",
        "open(path, mode='ab')",
        "open(path, how)",
        "path.open('x')",
        "gzip.open(path, 'wt')",
        "os.open(path, os.O_WRONLY)",
        "path.write_text('x')",
        "Path(name).write_bytes(b'x')",
        "frame.write_parquet(path)",
        "frame.write_csv(file=path)",
        "frame.lazy().sink_parquet(path)",
        "figure.savefig(path)",
        "np.save(path, array)",
        "shutil.copyfile(a, b)",
        "tempfile.mkstemp()",
        "lambda temporary: frame.write_parquet(temporary)",
        "run(lambda temporary: frame.write_parquet(temporary))",
        "temporary = path\nframe.write_csv(temporary)",
        "def f(temporary):\n    temporary.write_text('x')\nf(path)",
    ],
)
def test_what_writes_by_itself_is_seen(line: str) -> None:
    assert strays(line), line


@pytest.mark.parametrize(
    "line",
    [
        "open(path)",
        "path.open('rb')",
        "os.open(os.devnull, os.O_WRONLY)",
        "frame.write_csv()",
        "write_text(path, 'x')",
        "write_file(path, lambda temporary: frame.write_parquet(temporary))",
        "def f(temporary):\n    temporary.write_text('x')\nwrite_file(path, f)",
        "def f(a, temporary):\n    frame.write_csv(temporary)\nwrite_file(path, partial(f, 1))",
    ],
)
def test_what_writes_nothing_by_itself_is_left(line: str) -> None:
    assert not strays(line), line
