"""The server as somebody starts it."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request

import pytest
from tests.refusals import refused

import heldout as ho

pytest.importorskip("starlette", reason="the extra web is not installed")


def test_the_command_serves_until_it_is_stopped(home):
    command = [sys.executable, "-m", "heldout", "serve", str(home), "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        try:
            line = server.stderr.readline()
            address = re.search(r"http://127\.0\.0\.1:\d+/\?token=\S+", line)
            assert address, line
            with urllib.request.urlopen(address.group().partition("?")[0]) as answer:
                assert "Other split" in answer.read().decode()
        finally:
            os.kill(server.pid, signal.SIGINT)
            server.wait(20)
    assert server.returncode == 0


def test_a_port_that_is_taken_is_told(home):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with refused(ho.InputError, hint="name another --port, or --port 0"):
            ho.serve(home, port=taken.getsockname()[1])


def test_a_folder_that_is_not_there_is_told(tmp_path):
    with refused(ho.InputError, where="nothing", hint="name a folder of results, or make it"):
        ho.serve(tmp_path / "nothing")


def test_without_the_extra_it_says_what_to_install(home, monkeypatch):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    with refused(ho.MissingExtraError, hint="pip install 'heldout[web]'"):
        ho.serve(home)
