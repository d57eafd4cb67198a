"""What a worker answers."""

from __future__ import annotations

import json

from heldout.engine.worker import answer


def tenfold(number: int) -> dict[str, int]:
    return {"product": 10 * number}


def test_what_a_worker_answers() -> None:
    request = {"function": f"{__name__}:tenfold", "arguments": {"number": 3}}
    assert answer(json.dumps(request))["result"]["product"] == 30
    refused = answer(json.dumps({"function": "heldout.catalogue:make", "arguments": {"kind": "metric", "spec": "nDGC"}}))
    assert refused["error"].startswith("unknown metric 'nDGC'")  # what users can mend is told as it is
    assert answer("{")["error"].startswith("JSONDecodeError")
