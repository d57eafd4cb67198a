"""A trial of metrics in Markdown."""

from __future__ import annotations

from tests.reports.metric_trial import films, trial

from heldout.reports.markdown.metric_quality import to_markdown


def test_the_sentence_the_table_and_the_limits() -> None:
    text = to_markdown(films())
    assert text.startswith("# Films & \\<books>\n")
    assert "**On these data nDCG@10 separates systems best.**" in text
    assert "| nDCG@10 \\* | 1.5 | 0.12 | 0.020 ± 0.010 | 0.020 ± 0.020 | 50.0% | 0.020 | 0.970 | 5% |" in text
    assert "- At 10, P and \\<b>& agree least: τ 0.67." in text
    assert "- \\<i>Failing\\</i>: no score" in text
    assert to_markdown(films()) == text


def test_protocols_have_heads() -> None:
    text = to_markdown(films(trial(), trial(), labels=("AllItems", "TestRatings")))
    assert text.index("## AllItems") < text.index("## TestRatings")
