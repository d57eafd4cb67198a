"""Tables inside study files have the keys of what they set."""

from __future__ import annotations

from dataclasses import fields
from typing import get_args

import pytest

from heldout.errors import SpecError, UnknownNameError
from heldout.metric_quality.findings import Counting, Sampling
from heldout.metric_quality.options import MetricOptions
from heldout.study.file import study_from
from heldout.study.file_tables import MetaTable


def test_the_table_of_a_trial_of_metrics_has_its_options() -> None:
    assert set(MetaTable.model_fields) == {field.name for field in fields(MetricOptions)} - {"seed"}
    words = {name: get_args(get_args(MetaTable.model_fields[name].annotation)[0]) for name in ("sampling", "popularity")}
    assert words == {"sampling": get_args(Sampling), "popularity": get_args(Counting)}
    keys = {"data": "simulate(users=9)", "split": "ratio(train=0.5)", "recommend": "Popularity"}
    assert study_from(keys | {"meta": {"sampling": "user"}}).meta == {"sampling": "user"}
    with pytest.raises(SpecError, match="expected 'all' or 'user', found 'users'"):
        study_from(keys | {"meta": {"sampling": "users"}})
    with pytest.raises(UnknownNameError, match="sampling"):
        study_from(keys | {"meta": {"samplings": "user"}})
