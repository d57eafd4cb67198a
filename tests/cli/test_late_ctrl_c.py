"""Ctrl-C before the command begins and after it is done."""

from __future__ import annotations

import subprocess
import sys

import pytest

AS_IT_ENDS = """
import atexit, os, signal, sys
from heldout.cli import main
atexit.register(os.kill, os.getpid(), signal.SIGINT)
sys.argv = ["heldout", *sys.argv[1:]]
main()
"""
AS_IT_BEGINS = """
import sys
from heldout.cli import main

class Stop:
    def find_spec(self, name, path=None, target=None):
        if name == "heldout.cli.app":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Stop())
main()
"""
AFTER_ITS_NET = """
import sys
import heldout.cli.app
from heldout.cli import main

def stop():
    raise KeyboardInterrupt

heldout.cli.app.run_command = stop
main()
"""


@pytest.mark.parametrize(("arguments", "code"), [(("--version",), 0), (("describe", "Nope"), 2)])
def test_a_command_that_is_done_keeps_its_exit_code(arguments: tuple[str, ...], code: int) -> None:
    done = subprocess.run([sys.executable, "-c", AS_IT_ENDS, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    assert "KeyboardInterrupt" not in done.stderr
    assert done.stderr.startswith("error: ") if code else done.stdout.startswith("heldout ")


@pytest.mark.parametrize("script", [AS_IT_BEGINS, AFTER_ITS_NET])
def test_a_command_that_is_not_done_says_that_it_was_stopped(script: str) -> None:
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "stopped\n")
