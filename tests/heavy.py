"""What `make test-all` runs and `make test`, which has ten minutes, does not or only in part.

A test marked `heavy` runs with HELDOUT_ALL=1 alone; one marked `sampled` tries a part of its cases without it. So
`HELDOUT_ALL=1 pytest -m "heavy or sampled"` runs all that `make test` leaves out; no list of files is kept.
"""

from __future__ import annotations

import os

import pytest

ALL = os.environ.get("HELDOUT_ALL") == "1"
heavy = pytest.mark.heavy
sampled = pytest.mark.sampled
