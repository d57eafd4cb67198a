"""Where systems are fitted, and what each needs of a machine."""

from __future__ import annotations

import re
from typing import Any

import pytest

import heldout as ho
from heldout.errors import SpecError
from heldout.study.file import study_from
from heldout.study.resources import read_resources, refuse_engine


def test_what_a_system_needs_is_read_and_changes_no_study() -> None:
    keys = {"data": "simulate", "split": "ratio", "metrics": "P@5"}
    needs = {"model": "WRMF", "num_cpus": 4, "num_gpus": 0.5, "memory": "1.5 GB"}
    study, plain = study_from({**keys, "recommend": [needs]}), study_from({**keys, "recommend": "WRMF"})
    assert study.recommend[0].resources == {"num_cpus": 4, "num_gpus": 0.5, "memory": 1_500_000_000}
    assert study == plain
    assert plain.recommend[0].resources == {}


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"num_cpus": 1.5}, "num_cpus: found 1.5, expected a whole number, or a share of one"),
        ({"num_cpus": 0}, "num_cpus: found 0"),
        ({"num_gpus": 2000}, "num_gpus: found 2000"),
        ({"num_cpus": True}, "num_cpus: found True"),
        ({"memory": 8}, 'memory: found 8, expected such as "8 GB"'),
        ({"memory": "8 gigs"}, "memory: found '8 gigs'"),
    ],
)
def test_what_is_refused(table: dict[str, Any], words: str) -> None:
    with pytest.raises(SpecError, match=re.escape(words)):
        read_resources(table)


def test_engines() -> None:
    refuse_engine("ray", "auto")
    with pytest.raises(SpecError, match='replaced by Ray; use engine = "ray", on this machine or a cluster'):
        refuse_engine("processes")
    with pytest.raises(SpecError, match="only Ray has an address"):
        refuse_engine("here", "auto")
    with pytest.raises(SpecError, match="unknown key 'workers'; did you mean engine"):
        ho.run({"data": "simulate", "split": "ratio", "metrics": "P@5", "recommend": "Random", "workers": 2})
