"""How the command ends when something fails: a sentence and an exit code, whatever it was.

HeldoutError, OSError, MemoryError    something to mend: 2
RecursionError                        input that is nested too deeply: 2
a component of another package fails  named with its package: 2, with the trace in a file
a pipe that its reader closed         141, silently, as other commands end
Ctrl-C                                130
anything else                         a bug of ours, or of a library: 70, with the trace in a file
"""

from __future__ import annotations

import os
import platform
import sys
import traceback
from pathlib import Path
from tempfile import mkstemp

import typer

from heldout import __version__
from heldout.cli.console import errors
from heldout.errors import HeldoutError

STOPPED, BROKEN_PIPE, TO_MEND, BUG = 130, 141, 2, 70
GOES_ON = ("run", "multiverse", "demo", "tune")
"""Verbs that go on where they stopped."""
GOES_ON_IN_OUT = ("reproduce",)
"""Those that do where they were given a folder."""


def ended_by(error: BaseException) -> int:
    """Say what ended the command, and give its exit code."""
    if isinstance(error, HeldoutError):
        return _tell(str(error), error.exit_code)
    if isinstance(error, BrokenPipeError):
        discard_stdout()
        return BROKEN_PIPE
    if isinstance(error, KeyboardInterrupt | typer.Abort):
        return stopped()
    if hasattr(error, "format_message"):
        return _refused_usage(error)
    if isinstance(error, OSError):
        return _tell(_of_the_system(error), TO_MEND)
    if isinstance(error, MemoryError):
        what = f" ({error})" if str(error) else ""
        return _tell(f"memory is full{what}; take fewer data, a smaller --block or a larger machine", TO_MEND)
    if isinstance(error, RecursionError):
        return _tell(f"something in the input is nested too deeply{_kept(error)}", TO_MEND)
    if type(error).__name__ == "PanicException":
        return _tell(
            f"polars, the library that reads and sorts tables, panicked ({error}); if a file is damaged, make it anew, "
            f"else report this on the project's issue page{_kept(error)}",
            BUG,
        )
    from heldout.api.describe import failed_component

    if component := failed_component(error):
        return _tell(
            f"{component} fails, or gives what cannot be used ({type(error).__name__}: {error}); report it to its "
            f"authors{_kept(error)}",
            TO_MEND,
        )
    return _tell(
        f"this is a bug in Heldout, not in what you did ({type(error).__name__}: {error}); please report it on the "
        f"project's issue page{_kept(error)}",
        BUG,
    )


def stopped() -> int:
    """Say that the command was stopped, and how to go on."""
    verb, *rest = sys.argv[1:] or [""]
    kept = any(option in ("-o", "--out") or option.startswith("--out=") for option in rest)
    goes_on = verb in GOES_ON or (verb in GOES_ON_IN_OUT and kept)
    errors.print("stopped" + ("; run the same command again to go on where it stopped" if goes_on else ""), soft_wrap=True)
    return STOPPED


def discard_stdout() -> None:
    """Send what stdout still holds nowhere, so that the interpreter does not fail on it as it ends."""
    if sys.stdout is not None:
        devnull = os.open(os.devnull, os.O_WRONLY)
        os.dup2(devnull, sys.stdout.fileno())
        os.close(devnull)


def _tell(message: str, code: int) -> int:
    errors.print(f"error: {message}", style="red", soft_wrap=True)
    return code


def _of_the_system(error: OSError) -> str:
    """What the operating system refused: a full disk, a name that is too long, a file that may not be read."""
    why = error.strerror or str(error).partition(" (os error")[0] or type(error).__name__
    names = [str(name) for name in (error.filename, error.filename2) if name is not None]
    return f"{' and '.join(n if len(n) <= 200 else f'{n[:197]}…' for n in names)}: {why}" if names else why


def _kept(error: BaseException) -> str:
    """Where the trace was kept, as the end of a sentence; the trace itself if no file can be written."""
    trace = "".join(traceback.format_exception(error)).encode("utf-8", errors="backslashreplace").decode()
    about = f"heldout {__version__}, Python {platform.python_version()}, {platform.platform()}\n{sys.argv!r}\n\n{trace}"
    try:
        handle, name = mkstemp(prefix="heldout-trace-", suffix=".txt")
        os.write(handle, about.encode())
        os.close(handle)
    except OSError:
        return f"; its trace:\n{about}"
    return f"; its trace is in {Path(name)}"


def _refused_usage(error: BaseException) -> int:
    """Tell of an option or argument that typer refused."""
    context = getattr(error, "ctx", None)
    code = int(getattr(error, "exit_code", TO_MEND))
    if type(error).__name__ == "NoArgsIsHelpError":
        error.show()  # type: ignore[attr-defined]
        return code
    message = error.format_message().rstrip(".")  # type: ignore[attr-defined]
    if message.startswith("Missing argument"):  # typer's spelling of the name depends on its version
        message = f"Missing argument '{error.param.name}'"  # type: ignore[attr-defined]
    return _tell(message + (f"; see {context.command_path} --help" if context else ""), code)
