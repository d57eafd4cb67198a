"""`heldout list`, `describe` and `schema`."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import jsonschema
from tests.cli.conftest import Command, study_text
from tests.cli.saying import fine

from heldout.api import demo
from heldout.catalogue import KINDS, classes

# list and describe


def test_list_names_every_component(heldout: Command) -> None:
    out = fine(heldout("list"))
    for kind in KINDS.values():
        assert kind.plural in out
        for cls in classes(kind.name):
            assert cls.key in out
    assert fine(heldout("list", "Metrics")) == fine(heldout("list", "metric"))


def test_describe_every_component(heldout: Command) -> None:
    for key in sorted({cls.key for kind in KINDS for cls in classes(kind)}):
        out = fine(heldout("describe", key))
        assert key in out
        assert "Assumes" in out
        assert "Example" in out


def test_describe_knows_case_aliases_text_forms_and_codes(heldout: Command) -> None:
    assert fine(heldout("describe", "NDCG")) == fine(heldout("describe", "nDCG(gain=exp2)@10"))
    assert "folds" in fine(heldout("describe", "cross_validation"))
    assert "Sampled targets" in fine(heldout("describe", "ho201"))


# schema


def test_schema_accepts_the_demo_and_refuses_a_misspelt_key(desk: Path, heldout: Command) -> None:
    schema = json.loads(fine(heldout("schema")))
    jsonschema.Draft202012Validator.check_schema(schema)
    valid = jsonschema.Draft202012Validator(schema)
    valid.validate(demo.STUDY)
    valid.validate(tomllib.loads(study_text(recommend='[{ name = "x", model = "Random" }, { model = "Popularity" }]')))
    for wrong in ({"mesure": ["P@10"]}, {"seed": "one"}, {"compare": {"level": 2}}, {"recommend": [{"name": "x"}]}):
        assert not valid.is_valid({**demo.STUDY, **wrong})
    for stage in ("split", "recommend", "target", "metrics"):
        assert schema["properties"][stage]["examples"]
