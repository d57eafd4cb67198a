"""The leaderboard in LaTeX."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.reports.sample import SYSTEMS, facts

from heldout.errors import SpecError
from heldout.reports.latex.leaderboard import escape, to_latex
from heldout.words import number


def test_special_characters_are_disarmed():
    assert escape(r"a_b & 50% {x} \y #1 $ ~ ^ ρ") == (
        r"a\_b \& 50\% \{x\} \textbackslash{}y \#1 \$ \textasciitilde{} \textasciicircum{} $\rho$"
    )


def test_one_setting_states_values_interval_protocol_and_test():
    text = to_latex(facts())
    assert r"EASE(l2=500) & \textbf{0.4682}$^{\mathrm{a}}$ & [0.4621, 0.4743] \\" in text
    assert "split ratio(train=0.8, by=user); users with\\_relevant(min=1)" in text
    assert "permutation(samples=100000), holm over 15 comparisons" in text
    for row in facts().board(0):
        assert number(row.value, 4) in text


def test_several_settings_have_a_column_each_and_their_own_best():
    text = to_latex(facts(), [0, 7])
    lines = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert all(line.count("&") == 2 for line in lines)
    assert text.count(r"\textbf{") == 2
    assert r"AllItems $\cdot$ RMSE $\downarrow$" in text
    assert "measure nDCG@10;" not in text  # differs between the columns, so it stands in their heads


def test_braces_balance_with_hostile_names():
    sample = facts()
    rows = tuple(replace(r, system="a&b_{c}%\\") if r.system == SYSTEMS[0] else r for r in sample.leaderboard)
    text = to_latex(replace(sample, leaderboard=rows))
    bare = text.replace(r"\{", "").replace(r"\}", "")
    assert bare.count("{") == bare.count("}")
    assert r"a\&b\_\{c\}\%\textbackslash{} &" in text


def test_an_unknown_setting_is_refused():
    with pytest.raises(SpecError):
        to_latex(facts(), 99)
