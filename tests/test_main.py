"""`python -m heldout` is the command."""

from __future__ import annotations

import re
import subprocess
import sys


def test_the_module_is_the_command() -> None:
    ended = subprocess.run([sys.executable, "-m", "heldout", "lisst"], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "No such command 'lisst'" in ended.stderr
    assert re.search(r"Did you mean .*'list'", ended.stderr)  # versions of Click differ in how many they suggest
