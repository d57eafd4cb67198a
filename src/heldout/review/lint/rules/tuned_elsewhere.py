"""HO416: parameters chosen on what may be test ratings here."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from heldout.review.lint.finding import Finding
from heldout.review.lint.rule import Rule, Subject
from heldout.study.protocol import chain_text
from heldout.study.tuned import Tuned


class TunedElsewhere(Rule):
    """A system was tuned under another filter, split, seed or data than the study's.

    Assumes: the validation ratings of the search come from its own training part, which is another one here.

    Example: tuned with seed = 1 and run with seed = 2: a tenth of the validation ratings then test.
    """

    key = "HO416"
    title = "Tuned on ratings of the test set"
    severity = "error"
    stage = "recommend"
    references = ("gunawardana2009",)
    change = "tune again with this study: heldout tune STUDY --model …"
    explanation = """
The parameters were chosen under another data set, filter, split or seed than the study's. The ratings that were
validation there can be test ratings here, so the system was chosen on what it is tested on: that is tuning on the test
set (Gunawardana and Shani 2009, section 4.3). Tune with the very study file that is run, whose test part the search
never sees."""

    def review(self, subject: Subject) -> Iterator[Finding]:
        if subject.evidence is not None:
            for notice in subject.noticed(self.key):
                yield self.finding(notice.message)
            return
        for system in subject.study.recommend:
            if system.tuning is not None and system.tuning.protocol:
                differs = list(_differences(subject, system.tuning))
                if differs:
                    other = " and ".join(differs)
                    message = f"{system.name} was tuned under another {other}: its validation ratings may be test ratings"
                    yield self.finding(message)


def _differences(subject: Subject, tuned: Tuned) -> Iterator[str]:
    study, then = subject.study, tuned.protocol
    sources = {Path(getattr(s, "path", None) or s.full_text).name for s in study.data}
    agrees = {
        "data": any(name and name in then.get("data", "") for name in sources),
        "filter": then.get("filter") in {chain_text(c) for c in study.filters},
        "split": then.get("split") in {s.full_text for s in study.split},
        "seed": then.get("seed") == str(study.seed),
    }
    yield from (stage for stage, same in agrees.items() if stage in then and not same)
