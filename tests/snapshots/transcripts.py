"""What people see, as transcripts: lines of Python after `>>> `, and below them what is printed.

A transcript is a text file. Its blocks run in order, in one namespace and one empty folder. In it are `ho` (Heldout),
`write(name, text)`, `heldout("evaluate r.csv …")`, which runs a command and prints its output at 80 columns, and
`page(name)`, which prints the text of an HTML file. An error or warning is printed as `Class: message`. Times, dates,
digests, versions of libraries and the folder are replaced by placeholders.
"""

from __future__ import annotations

import ast
import contextlib
import io
import os
import re
import shlex
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, TextIO
from unittest import mock

import heldout as ho
from heldout.cli import console
from heldout.cli.app import run_command

FOLDER = Path(__file__).parent
TRANSCRIPTS = sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.glob("*/*.txt"))
PROMPT = ">>> "
COLUMNS = 80
MANIFEST = "versions, digests, machine"
"""The summary of the section with what differs between machines."""

_VARYING = (
    (re.compile(r"(?:< )?\b\d+(?:[.,]\d+)*[\u202f ]?(?:ns|µs|ms|s|min|h|CPU seconds)\b"), "TIME"),
    (re.compile(r"\b\d+(?:\.\d+)? [MG]B\b"), "MEMORY"),
    (re.compile(r"\b\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d)?(?:Z|\+00:00| UTC)?)?"), "DATE"),
    (re.compile(r"\b[0-9a-f]{16,64}\b"), "DIGEST"),
    (re.compile(r"PAR1(?: or PARE)?"), "PAR1"),  # polars' words depend on its version
    (re.compile(r"\b((?:python|numpy|scipy|numba|polars|narwhals)[ =]+)\d+(?:\.\d+)+"), r"\1VERSION"),
)


@dataclass(frozen=True)
class Block:
    """Code and what it prints."""

    code: str
    output: str

    def __str__(self) -> str:
        lines = [f"{PROMPT}{line}" for line in self.code.splitlines()]
        return "\n".join([*lines, *self.output.splitlines()]) + "\n"


def blocks(text: str) -> Iterator[Block]:
    """The blocks of a transcript."""
    code: list[str] = []
    output: list[str] = []
    for line in text.splitlines():
        if line.startswith(PROMPT):
            if output:
                yield Block("\n".join(code), "\n".join(output).strip("\n"))
                code, output = [], []
            code.append(line.removeprefix(PROMPT))
        elif code:
            output.append(line)
        elif line:
            raise ValueError(f"a transcript begins with '{PROMPT}', found {line!r}")
    if code:
        yield Block("\n".join(code), "\n".join(output).strip("\n"))


def replay(text: str, folder: Path) -> str:
    """The transcript with what its code prints now; `folder` is an empty folder to work in."""
    names = {"ho": ho, "write": _write, "heldout": _command, "page": _page}
    with contextlib.chdir(folder), _terminal():
        return "\n".join(str(Block(block.code, _plain(_run(block.code, names), folder))) for block in blocks(text))


def _run(code: str, names: dict[str, Any]) -> str:
    tree = ast.parse(code)
    value = ast.Expression(tree.body.pop().value) if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    output = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output), _printed_warnings(output):
        try:
            exec(compile(tree, "<transcript>", "exec"), names)
            result = None if value is None else eval(compile(value, "<transcript>", "eval"), names)
            if result is not None and not isinstance(result, str):
                print(result)
        except Exception as error:  # whatever people would see
            print(f"{type(error).__name__}: {error}", file=output)
    output.seek(0)
    return output.read()


@contextlib.contextmanager
def _printed_warnings(output: TextIO) -> Iterator[None]:
    with warnings.catch_warnings(record=True) as raised:
        warnings.simplefilter("always")
        yield
    for warning in raised:
        print(f"{warning.category.__name__}: {warning.message}", file=output)


@contextlib.contextmanager
def _terminal() -> Iterator[None]:
    """A terminal of 80 columns without colours."""
    with mock.patch.dict(os.environ, {"COLUMNS": str(COLUMNS), "NO_COLOR": "1", "TERM": "dumb"}):
        yield


def _write(name: str, text: str) -> str:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(text, encoding="utf-8")
    return name


class _PageText(HTMLParser):
    """The text of a page, one line for each block, row or heading."""

    hidden = ("script", "style", "svg", "template", "head")
    lines = ("p", "div", "section", "tr", "li", "h1", "h2", "h3", "h4", "summary", "figcaption", "caption", "dt", "dd")

    def __init__(self) -> None:
        super().__init__()
        self.text = ""
        self.depth = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.depth += tag in self.hidden
        self.text += "\n" if tag in self.lines else " | " if tag in ("td", "th") else ""

    def handle_endtag(self, tag: str) -> None:
        self.depth -= tag in self.hidden
        self.text += "\n" if tag in self.lines else ""

    def handle_data(self, data: str) -> None:
        if not self.depth:
            self.text += data.replace("\n", " ")


def _page(name: str) -> None:
    """Print the text of an HTML file, without the versions and licences at its end."""
    parser = _PageText()
    parser.feed(Path(name).read_text(encoding="utf-8"))
    lines = [" ".join(line.split()) for line in parser.text.split(MANIFEST)[0].splitlines()]
    print("\n".join(line for line in lines if line))


def _command(arguments: str) -> None:
    """Run `heldout` with these arguments and print its output. If it fails, print its exit code and the files it left."""
    before = set(Path().rglob("*"))
    with contextlib.ExitStack() as patches:
        patches.enter_context(mock.patch.object(sys, "argv", ["heldout", *shlex.split(arguments)]))
        for stream in (console.out, console.errors):
            patches.enter_context(mock.patch.object(stream, "_width", None))
        try:
            run_command()
        except SystemExit as end:
            if end.code:
                print(f"[exit {end.code}]")
                print("".join(f"[left {path}]\n" for path in sorted(set(Path().rglob("*")) - before)), end="")


def _plain(text: str, folder: Path) -> str:
    """The text without what differs between runs: the folder, times, dates, digests, blanks at the ends of lines."""
    text = text.replace(str(folder), "FOLDER").replace(os.path.realpath(folder), "FOLDER")
    for pattern, word in _VARYING:
        text = pattern.sub(word, text)
    return "\n".join(line.rstrip() for line in text.splitlines()).strip("\n")
