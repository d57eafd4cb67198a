"""The declared protocols are what the paper calls them, and can be run."""

from __future__ import annotations

import pytest

from heldout.biases.protocols import ESTIMANDS, ProtocolOptions, declared_protocols
from heldout.catalogue import make
from heldout.errors import SpecError

PROTOCOLS = {protocol.name: protocol for protocol in declared_protocols(ProtocolOptions(level=1700))}


def test_each_has_its_own_name_and_says_what_its_values_are_of() -> None:
    declared = declared_protocols()
    assert len({protocol.name for protocol in declared}) == len(declared)
    assert {protocol.estimand for protocol in PROTOCOLS.values()} <= ESTIMANDS.keys()


def test_forms_are_those_of_table_3_and_section_6() -> None:
    forms = {name: protocol.targets().form for name, protocol in PROTOCOLS.items()}
    assert forms["AI-AR"].candidates == "all" and not forms["AI-AR"].single and forms["AI-AR"].sample is None
    assert forms["AR"].candidates == "test" and forms["AR"].sample is None
    assert forms["AR-NN"].candidates == "test" and forms["AR-NN"].sample == 1700
    assert forms["1R"].single and forms["1R"].sample == 99 and forms["1R"].average == "rating"  # equation 1
    assert forms["1R-head"].head == 0.1 and forms["1R-head"].sample == 99
    assert forms["P1R"].percentiles == 10 and forms["P1R"].candidates == "test"
    assert forms["U1R"].uniform and forms["U1R"].single and forms["UAR"].uniform and not forms["UAR"].single


def test_only_uniform_protocols_need_another_split() -> None:
    splits = {name: protocol.splitter() for name, protocol in PROTOCOLS.items()}
    assert {name for name, split in splits.items() if split is not None} == {"U1R", "UAR", "AI-UAR"}
    assert all(split.uniform for split in splits.values() if split is not None)


def test_what_the_full_ranking_is_estimated_by() -> None:
    metric = make("metric", "P@10")
    estimated = {name: protocol.estimates(metric) for name, protocol in PROTOCOLS.items()}
    assert {name: str(of) for name, of in estimated.items() if of is not None} == {
        "AI-AR": "P@10",
        "infAP": "AP",
        "stratified recall": "Recall@10",
    }
    assert str(PROTOCOLS["stratified recall"].measured_by(metric)) == "StratifiedRecall@10"
    assert PROTOCOLS["P1R"].measured_by(metric) == metric
    assert str(PROTOCOLS["stratified recall"].measured_by(make("metric", "AUC"))) == "StratifiedRecall"


def test_metrics_that_allow_for_missing_ratings_are_those_of_section_7() -> None:
    """bpref counts all worse items, infAP has a pool of 100; under the study's plain target, and but for bpref in 1R too."""
    of_metrics = declared_protocols(ProtocolOptions(plain="TestItems", single=True))
    asked = make("metric", "nDCG@5")
    rows = [(p.name, str(p.measured_by(asked)), p.target) for p in of_metrics if p.role == "metric"]
    one = next(p.target for p in of_metrics if p.name == "1R")
    assert rows == [
        ("bpref", "bpref(count=all)", "TestItems"),
        ("infAP", "infAP(pool_depth=100)", "TestItems"),
        ("1R infAP", "infAP(pool_depth=100)", one),
        ("stratified recall", "StratifiedRecall@5", "TestItems"),
        ("1R stratified recall", "StratifiedRecall@5", one),
    ]
    assert all(p.estimates(asked) is None for p in of_metrics if p.role == "metric")  # test items, not the full ranking


@pytest.mark.parametrize(("field", "value"), [("sampled", 0), ("classes", 1), ("head", 1.0), ("head", 0.0)])
def test_sizes_that_make_no_protocol_are_refused(field: str, value: float) -> None:
    with pytest.raises(SpecError) as error:
        ProtocolOptions(**{field: value})
    assert error.value.where == field
