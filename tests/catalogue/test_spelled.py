"""Options that differ in a parameter both write it."""

from __future__ import annotations

from heldout.catalogue.spelled import _entries, spelled


def test_a_default_is_written_where_another_option_differs_in_it() -> None:
    assert spelled("split", ["ratio(train=0.5)", "ratio"]) == ("ratio(train=0.5)", "ratio(train=0.8)")
    assert spelled("split", ["ratio(by=user)", "ratio(train=0.5)"]) == (
        "ratio(train=0.8, by=user)",
        "ratio(train=0.5, by=rating)",
    )


def test_what_does_not_share_a_name_or_is_no_single_option_stays() -> None:
    for kind, texts in (
        ("split", ["ratio", "temporal(at=0.8)"]),
        ("metric", ["nDCG(gain=exp2)@10", "nDCG@10"]),
        ("filter", ["core(5) + sample(0.5)", "none"]),
        ("split", ["not_installed(a=1)", "not_installed"]),
        ("", ["1", "2"]),
    ):
        assert spelled(kind, texts) == tuple(texts)


def test_commas_inside_a_value_do_not_part_it() -> None:
    assert _entries("gain=exp(base=2, shift=1), of=[1, 2], n=3") == ["gain=exp(base=2, shift=1)", "of=[1, 2]", "n=3"]
