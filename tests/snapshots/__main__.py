"""Write the transcripts anew: `make snapshots`, or `python -m tests.snapshots messages/data.txt …`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.snapshots.transcripts import FOLDER, TRANSCRIPTS, replay

for name in sys.argv[1:] or TRANSCRIPTS:
    with tempfile.TemporaryDirectory() as folder:
        text = replay((FOLDER / name).read_text(encoding="utf-8"), Path(folder))
    (FOLDER / name).write_text(text, encoding="utf-8")
