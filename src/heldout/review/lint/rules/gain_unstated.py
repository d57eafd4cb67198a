"""HO311: how ratings become gain is not written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from heldout.catalogue import Component, find, parameters
from heldout.catalogue.text import parse
from heldout.review.lint.finding import Finding
from heldout.review.lint.rule import Rule, Subject


class GainUnstated(Rule):
    """A graded metric is named without its gain.

    Assumes: only what the study file writes can tell; a metric with a gain parameter is graded.

    Example: nDCG@10 means gain=linear here and gain=exp2 elsewhere; nDCG(gain=linear)@10 says it.
    """

    key = "HO311"
    title = "The gain of a rating is not stated"
    severity = "advice"
    stage = "metrics"
    references = ("canamares2020", "jarvelin2002")
    from_file = "whether the gain of graded metrics is stated"
    explanation = """
nDCG and its kin first turn ratings into gain. Linear, binary and exponential gain are all called nDCG, and which of two
systems wins can depend on it: on MovieLens 1M matrix factorisation leads kNN with binary gain and trails it
significantly with exponential gain (Cañamares, Castells and Moffat 2020, table 3). Write it: `nDCG(gain=linear)@10`,
`binary` or `exp2`."""

    def review(self, subject: Subject) -> Iterator[Finding]:
        keys = subject.keys or {}
        if (keys.get("multiverse") or {}).get("gains"):
            return
        written = keys.get("metrics", ())
        silent = [text for text in ([written] if isinstance(written, str | Component) else written) if _silent(text)]
        if silent:
            call = parse(str(silent[0]))
            meant = find("metric", call.name)
            taken = next(str(getattr(m, "gain", "")) for m in subject.study.metrics if type(m) is meant)
            message = f"{', '.join(map(str, silent))}: the gain is not written, and {taken} is taken"
            at = str(silent[0]).partition("@")[2]
            yield self.finding(
                message, f"write {call.name}(gain={taken}){'@' + at if at else ''}, or the gain that is meant"
            )


def _silent(text: Any) -> bool:
    """Whether a text names a metric that has a gain, without it."""
    if not isinstance(text, str):
        return False
    call = parse(text)
    graded = any(field.name == "gain" for field in parameters(find("metric", call.name)))
    return graded and not call.args and "gain" not in call.kwargs
