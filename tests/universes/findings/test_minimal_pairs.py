"""Two universes that one decision separates and that name opposite significant winners."""

from tests.universes.findings.grids import made

from heldout.universes.findings.minimal_pairs import most_convincing, reversals
from heldout.universes.findings.neighbours import neighbours


def test_a_minimal_pair_in_words():
    universes = made(
        {
            "split": ["ratio(train=0.4)", "ratio(train=0.5)", "ratio(train=0.6)"],
            "metric": ["P", "nDCG"],
            "gain": ["linear", "exp2"],
            "cutoff": ["5", "10"],
        },
        lambda row: -0.02 if (row["split"], row["gain"], row["cutoff"]) == ("ratio(train=0.4)", "exp2", "10") else 0.03,
    )
    (found,) = most_convincing(universes, neighbours(universes, universes.decision("split")), 0)
    assert found is not None
    assert found.sentence == (
        "split ratio(train=0.4) → ratio(train=0.5), all else equal (nDCG(gain=exp2)@10), turns the winner round: "
        "B ahead by 2.0% (p = 0.002) becomes A ahead by 3.0% (p < 0.001)."
    )
    assert found.adjacent
    assert (found.before, found.after) == ("ratio(train=0.4)", "ratio(train=0.5)")


def test_neighbouring_amounts_are_preferred_and_then_the_surest():
    effect = {"1": 0.2, "5": 0.011, "10": -0.012, "20": -0.3}
    universes = made({"cutoff": list(effect)}, lambda row: effect[row["cutoff"]])
    (found,) = most_convincing(universes, neighbours(universes, universes.decision("cutoff")), 0)
    assert found is not None
    assert (found.before, found.after) == ("5", "10")
    size = {"AllItems": 0.2, "TestItems": 0.011, "TestRatings": -0.012, "TrainingItems": -0.3}
    universes = made({"target": list(size)}, lambda row: size[row["target"]])
    found = most_convincing(universes, neighbours(universes, universes.decision("target")), 0)
    # the first two turn round with the last two: of these four the three surest, told by the smaller effect
    assert [(one.before, one.after) for one in found] == [
        ("AllItems", "TrainingItems"),
        ("AllItems", "TestRatings"),
        ("TestItems", "TestRatings"),
    ]


def test_no_minimal_pair_where_nothing_reverses():
    universes = made({"cutoff": ["1", "5"]}, lambda row: 0.1)
    assert most_convincing(universes, neighbours(universes, universes.decision("cutoff")), 0) == ()
    before, after = reversals(universes, neighbours(universes, universes.decision("cutoff")), 0)
    assert len(before) == len(after) == 0
