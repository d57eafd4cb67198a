"""Systems fitted in other processes: what travels there."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from tests.heavy import heavy

MODELS = """
import os
from pathlib import Path

import numpy as np

import beside
from heldout.recommenders.recommender import Model, Recommender


class Constant(Model):
    def __init__(self, n_items):
        self.n_items = n_items

    def score(self, users):
        return np.zeros((len(users), self.n_items), np.float32)


class Backwards(Recommender):
    \"\"\"A model of the user's own.\"\"\"

    key = "Backwards"

    def fit(self, train, *, seed):
        Path(beside.FILE).write_text(str(os.getpid()))
        return Constant(train.n_items)
"""
SCRIPT = """
import os

import heldout as ho
import own_models

if __name__ == "__main__":
    ratings = {"user": [1, 1, 1, 2, 2, 2], "item": [1, 2, 3, 1, 2, 4], "value": [5, 4, 5, 5, 4, 5]}
    study = {"data": ratings, "split": "ratio(train=0.5, by=user)", "recommend": ["Backwards", "Popularity"]}
    results = ho.run({**study, "metrics": "P@1"}, engine="ray", threads=1)
    assert not results.failed, results.failed
    print(os.getpid())
"""


@pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed: pip install 'heldout[ray]'")
@heavy
def test_a_module_beside_the_script_travels_with_its_own_imports(tmp_path: Path) -> None:
    (tmp_path / "own_models.py").write_text(MODELS)
    (tmp_path / "beside.py").write_text('FILE = "fitted.txt"\n')
    (tmp_path / "script.py").write_text(SCRIPT)
    done = subprocess.run([sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "fitted.txt").read_text() != done.stdout.strip()
