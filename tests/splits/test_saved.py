"""A saved split is the split that was saved."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.splits.tiny import data

from heldout.catalogue import make
from heldout.splits.carve import with_groups, with_validation
from heldout.splits.store import save_split


@pytest.mark.parametrize("text_ids", [False, True])
def test_a_saved_split_is_read_back_bit_for_bit(tmp_path: Path, text_ids: bool) -> None:
    whole = data(text_ids=text_ids)
    made = []
    for split in make("split", "test_users(0.8, then=replay(times=2))").split(whole, seed=4):
        split = with_validation(split, make("split", "ratio(train=0.9)"), seed=4)
        made.append(with_groups(split, 0.5, seed=4))
    for place in ("a", "b"):
        save_split(tmp_path / place, made, made_by="test", seed=4)
    again = list(make("split", f'saved("{tmp_path}/a")').split(None, seed=99))
    assert [s.digest for s in again] == [s.digest for s in made]
    assert [s.dropped for s in again] == [s.dropped for s in made]
    assert all(np.array_equal(a.development, b.development) for a, b in zip(again, made, strict=True))  # type: ignore[arg-type]
    assert make("split", f'saved("{tmp_path}/a")').folds_made == 2
    files = sorted(p.relative_to(tmp_path / "a") for p in (tmp_path / "a").rglob("*") if p.is_file())
    assert all((tmp_path / "a" / f).read_bytes() == (tmp_path / "b" / f).read_bytes() for f in files)


def test_the_digest_is_of_the_folds_that_were_saved(tmp_path: Path) -> None:
    for seed in (1, 1, 2):
        place = tmp_path / f"{len(list(tmp_path.iterdir()))}"
        save_split(place, make("split", "ratio").split(data(), seed=seed), made_by="ratio", seed=seed)
    digests = [make("split", f'saved("{tmp_path}/{k}")').source_digest() for k in range(3)]
    assert digests[0] == digests[1] != digests[2]
