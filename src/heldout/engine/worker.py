"""A process that does tasks for another: a line of JSON in for each, a line of JSON out."""

from __future__ import annotations

import importlib
import json
import os
import sys
import traceback
from queue import Queue
from threading import Thread
from typing import Any


def answer(line: str) -> dict[str, Any]:
    """Do what a line asks; what it made, or what was raised."""
    try:
        request = json.loads(line)
        module, _, name = request["function"].partition(":")
        return {"result": getattr(importlib.import_module(module), name)(**request["arguments"])}
    except Exception as error:
        message = str(error).strip()
        kind = type(error).__name__
        said = message if hasattr(error, "exit_code") else f"{kind}: {message}" if message else kind
        return {"error": said, "raised": kind, "details": traceback.format_exc()}


def main() -> None:
    """Answer until nobody asks any more."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever a task prints is no answer
    lines: Queue[str] = Queue()
    Thread(target=_listen, args=(lines,), daemon=True).start()
    while True:
        answers.write(json.dumps(answer(lines.get())) + "\n")
        answers.flush()


def _listen(lines: Queue[str]) -> None:
    for line in sys.stdin:
        lines.put(line)
    os._exit(0)  # who asked is gone, perhaps killed: nothing may be written any more


if __name__ == "__main__":
    main()
