"""What `make test-all` runs and `make test`, which has ten minutes, does not."""

from __future__ import annotations

import os

import pytest

ALL = os.environ.get("HELDOUT_ALL") == "1"
heavy = pytest.mark.skipif(not ALL, reason="takes many seconds: HELDOUT_ALL=1 runs it, as make test-all does")
