"""Studies that were started from the page: each runs in a separate process, and its output is kept in a file."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Literal

from heldout.errors import SpecError
from heldout.storage.files import write_text

MOST = 4
"""Studies that run at the same time."""
TAIL = 1 << 16
"""Bytes of a log that are shown, the last ones."""
PATIENCE = 5.0
"""Seconds that a study has for stopping when the server ends."""
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")

Verb = Literal["run", "multiverse"]


@dataclass(frozen=True)
class StartedStudy:
    """A study that was started here."""

    name: str
    process: subprocess.Popen[bytes]

    @property
    def running(self) -> bool:
        """Whether it is still at work."""
        return self.process.poll() is None

    @property
    def ended(self) -> str:
        """How it ended, in words; empty while it runs."""
        code = self.process.poll()
        if code is None:
            return ""
        words = {0: "finished", 2: "refused: the log says why", 3: "finished without systems that failed", 130: "stopped"}
        return words.get(code, "stopped" if code < 0 else f"failed (code {code}): the log says why")


class Jobs:
    """The studies that were started here, in a folder."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self._jobs: dict[str, StartedStudy] = {}
        self._guard = Lock()

    def start(self, name: str, study: str, verb: Verb) -> StartedStudy:
        """Write a study file and run it; SpecError if the name is taken, or too many studies run."""
        if not NAME.fullmatch(name) or name.endswith((".toml", ".log")):
            raise SpecError(
                f"'{name}' cannot be the name of a folder here",
                where="name",
                hint="use letters, digits, dots, dashes and underscores, such as neighbours-2",
            )
        with self._guard:
            self._refuse_too_many()
            study_file, log = self.home / f"{name}.toml", self.log(name)
            taken = [path.name for path in (self.home / name, study_file, log) if os.path.lexists(path)]
            if taken:
                raise SpecError("this name is taken", where="name", found=taken[0], hint="choose another name")
            write_text(study_file, study)
            return self._run(name, verb)

    def go_on(self, name: str, verb: Verb) -> StartedStudy:
        """Run the study file of a name again, which goes on where it stopped; SpecError if too many studies run."""
        with self._guard:
            self._refuse_too_many()
            return self._run(name, verb)

    def _refuse_too_many(self) -> None:
        running = [job.name for job in self._jobs.values() if job.running]
        if len(running) >= MOST:
            raise SpecError(
                "too many studies run", found=running, expected=f"fewer than {MOST}", hint="wait until one ends, or stop one"
            )

    def _run(self, name: str, verb: Verb) -> StartedStudy:
        # -P: a file in this folder that is named as a module of Python must not be run in its place.
        command = [sys.executable, "-P", "-m", "heldout", verb, self.study_file(name).name, "--out", name]
        log = self.log(name)
        if os.path.lexists(log):
            log.unlink()  # of an earlier try, or a link: output is never written where one leads
        with log.open("xb") as output:
            process = subprocess.Popen(
                command,
                cwd=self.home,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                env={**os.environ, "COLUMNS": "100", "NO_COLOR": "1"},
            )
        self._jobs[name] = StartedStudy(name, process)
        return self._jobs[name]

    def get(self, name: str) -> StartedStudy | None:
        """The study of a name, if it was started here."""
        return self._jobs.get(name)

    def all(self) -> list[StartedStudy]:
        """All studies that were started here, the last first."""
        return list(reversed(self._jobs.values()))

    def stop(self, name: str) -> bool:
        """Have a study stop as by Ctrl-C; False if it was not started here, or has ended."""
        job = self.get(name)
        if job is None or not job.running:
            return False
        with suppress(ProcessLookupError):  # it has just ended
            os.killpg(job.process.pid, signal.SIGINT)
        return True

    def close(self) -> None:
        """Stop all studies; what they kept stays, and the same command goes on from there."""
        running = [job for job in self._jobs.values() if self.stop(job.name)]
        for job in running:
            try:
                job.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                with suppress(ProcessLookupError):
                    os.killpg(job.process.pid, signal.SIGKILL)
                job.process.wait()

    def study_file(self, name: str) -> Path:
        """The path of the study file of a name."""
        return self.home / f"{name}.toml"

    def log(self, name: str) -> Path:
        """The path of a study's output."""
        return self.home / f"{name}.log"

    def log_tail(self, name: str) -> tuple[str, int]:
        """The end of a study's output, and how many bytes were left out before it; empty if there is none."""
        path = self.log(name)
        try:
            if path.is_symlink() or not path.is_file():
                return "", 0
            with path.open("rb") as stream:
                size = stream.seek(0, os.SEEK_END)
                left_out = max(0, size - TAIL)
                stream.seek(left_out)
                content = stream.read(TAIL)
        except OSError:
            return "", 0
        if left_out:
            cut = content.find(b"\n") + 1  # begin with a whole line
            left_out, content = left_out + cut, content[cut:]
        return content.decode(errors="replace"), left_out
