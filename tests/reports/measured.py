"""Pages without what is measured anew in every run."""

from __future__ import annotations

import base64
import json
import re
import struct
import zlib
from typing import Any

_COSTS = re.compile(r'<section id="costs".*?</section>', re.DOTALL)
"""Seconds and bytes, which differ from run to run."""
_PACKED = re.compile(r'(?<=<script type="application/octet-stream" id="packed">).*?(?=</script>)', re.DOTALL)
"""What the script reads; see `packed` in `heldout.reports.render.html`."""


def without_measured(page: str) -> str:
    """A page, unpacked, without its section of costs: two runs of the same study give the same text.

    A file that is not a page stays as it is.
    """
    found = _PACKED.search(page)
    if found is None:
        return page
    packed = found[0]
    raw = zlib.decompress(base64.b85decode(packed.replace(",", "<")))
    end = 4 + struct.unpack("<I", raw[:4])[0]
    record = json.loads(raw[4:end])
    rows = record.pop("rows")
    for costs in _COSTS.findall(page):
        for attribute, name in (("chart", "charts"), ("save", "texts")):
            for number in re.findall(rf'data-{attribute}="(\d+)"', costs):
                record[name][int(number)] = None
    read = json.dumps(_with_rows(record, rows)) + raw[end:].hex()
    return _COSTS.sub("", page.replace(packed, read))


def _with_rows(value: Any, rows: list[Any]) -> Any:
    """The value with the rows of its charts in their places: how many rows there are depends on the labels of costs."""
    if isinstance(value, dict):
        return rows[value["$rows"]] if "$rows" in value else {key: _with_rows(part, rows) for key, part in value.items()}
    return [_with_rows(part, rows) for part in value] if isinstance(value, list) else value
