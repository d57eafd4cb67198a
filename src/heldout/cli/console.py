"""Where the command line writes: results on stdout, everything else on stderr."""

from __future__ import annotations

import codecs
import json
import math
import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heldout.errors import visible
from heldout.progress import Progress, before_compiling
from heldout.reports.render import screen
from heldout.reports.render.progress import shown
from heldout.reports.render.screen import Screen

if TYPE_CHECKING:
    from heldout.api.results import Results

out, errors = Screen(), screen.errors

_PLAIN = (
    dict.fromkeys("–—−─━", "-")
    | dict.fromkeys("│┃┊▏", "|")
    | dict(zip("…±≤≥→←⇄ρτΣ", ["...", "+-", "<=", ">=", "->", "<-", "<->", "rho", "tau", "sum"], strict=True))
    | dict(zip("·•●○×“”‘’░", ".*oox\"\"''.", strict=True))
)
"""Replacements of our own signs if stdout cannot encode them."""


def _plain(character: str) -> str:
    if character in _PLAIN:
        return _PLAIN[character]
    if "\u2500" <= character <= "\u257f":
        return "+"  # where lines of a frame meet
    if "\u2580" <= character <= "\u259f" or "\u2801" <= character <= "\u28ff":
        return "#"  # blocks and dots of a drawing
    return visible(character) if visible(character) != character else "?"


def _encodable(error: UnicodeError) -> tuple[str, int]:
    """A codec's error handler: our own signs in ASCII, lone surrogates written out, a question mark for the rest."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_plain, error.object[error.start : error.end])), error.end


def let_streams_encode_all() -> None:
    """Make stdout and stderr print what their encoding lacks by a replacement instead of raising UnicodeEncodeError."""
    codecs.register_error("heldout", _encodable)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="heldout")


def let_warnings_be_sentences() -> None:
    """Print warnings of Python as lines on stderr, without the place in our code that gave them."""

    def show(message: Warning | str, *_: Any, **__: Any) -> None:
        errors.print(str(message), style="yellow", soft_wrap=True)

    warnings.showwarning = show


def write(text: str) -> None:
    """Print a text that other programs read (CSV, LaTeX, Markdown): exact, unless stdout is a terminal.

    If stdout's encoding cannot hold it, it is UTF-8, as every file that Heldout writes.
    """
    if sys.stdout is None:
        return
    try:
        if sys.stdout.isatty():
            sys.stdout.write(visible(text))
            return
        sys.stdout.flush()
        sys.stdout.buffer.write(_coded(text))
    except BrokenPipeError:
        raise BrokenPipeError from None  # without an error number typer leaves it to us


def _coded(text: str) -> bytes:
    try:
        return text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", errors="surrogateescape")


def write_json(value: Any, *, indent: int | None = None) -> None:
    """Print a value as JSON; characters that stdout's encoding lacks, or a terminal would obey, are escaped.

    JSON has no NaN and no infinity: such numbers are null.
    """
    value = _finite(value)
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)
    try:
        text.encode((sys.stdout.encoding if sys.stdout is not None else None) or "utf-8")
        exact = visible(text) == text
    except UnicodeEncodeError:
        exact = False
    write((text if exact else json.dumps(value, allow_nan=False, indent=indent)) + "\n")


def _finite(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _finite(v) for key, v in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(v) for v in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


@contextmanager
def progress_bar(*, quiet: bool) -> Iterator[Progress]:
    """What is told of progress: a bar, or nothing if it should be quiet or stderr is not a terminal."""
    watched = errors.is_terminal and not quiet
    if watched:
        before_compiling(lambda: errors.print("Compiling some functions (first run only) ..."))
    with shown(watched) as tell:
        yield tell or (lambda stage, done, total: None)


def warn(warnings: Iterable[str], *, soft_wrap: bool = False) -> None:
    """Print coded warnings, one line each, on stderr."""
    for warning in warnings:
        errors.print(warning, style="yellow", soft_wrap=soft_wrap)


def tell_seconds(seconds: Mapping[str, float]) -> None:
    """Print how long each stage took, on stderr."""
    for stage, spent in seconds.items():
        errors.print(f"{stage:>10} {spent:8.2f} s")


def print_findings(results: Results[Any], table: str, folder: Path | None, *, as_json: bool, quiet: bool) -> None:
    """Results: one of their tables as JSON, or the report, and the path of the page."""
    if as_json:
        write_json(results.tables[table].frame.to_dicts())
    elif not quiet:
        out.print(results)
    if folder is not None and not quiet:
        errors.print(f"Report: {folder / 'report.html'}", soft_wrap=True)
