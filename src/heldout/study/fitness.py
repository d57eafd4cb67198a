"""Choices that do not go together, refused before any work is done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from heldout.errors import NotApplicableError
from heldout.measure.metric import Metric
from heldout.measure.unrated_rule import UnratedRule
from heldout.recommend.recommender import Recommender
from heldout.target.ranker import NO_FILE
from heldout.target.target import Target
from heldout.target.tie_rule import TieRule


def refuse_without_order(recommenders: Mapping[str, Recommender], ties: Sequence[TieRule]) -> None:
    """NotApplicableError where ties are to stand in the order of a file, and a system's scores come from none."""
    rule = next((t for t in ties if t.from_file), None)
    fitted = [name for name, recommender in recommenders.items() if not recommender.has_file_order]
    if rule is not None and fitted:
        raise NotApplicableError(
            f"ties={rule} needs the order of a file, and {fitted[0]} is fitted", where="ties", hint=NO_FILE
        )


def refuse_unfit(
    metrics: Sequence[Metric], targets: Sequence[Target], unrated: Sequence[UnratedRule], ties: Sequence[TieRule]
) -> None:
    """NotApplicableError where a metric has no value under a tie rule, a rule for unrated items or a target."""
    valued = [m for m in metrics if m.direction != "none"]
    expecting = next((t for t in ties if t.expects), None)
    interval = next((u for u in unrated if u.key == "interval"), None)
    corrected = next((t for t in targets if t.form.corrected is not None), None)
    for metric in valued:
        if expecting is not None and type(metric).expected is Metric.expected:
            raise NotApplicableError(
                f"{metric} has no closed form of its expected value under ties", where="ties", hint="use ties=item or random"
            )
        if interval is not None and not metric.interval_ok:
            raise NotApplicableError(
                f"{metric} has no interval: its value is relative to the user's relevant items, which unrated join",
                where="unrated",
                hint="P, HitRate, RR, DCG, RBP and ERR have one",
            )
        if corrected is not None and not metric.additive:
            raise NotApplicableError(
                f"{metric} cannot be corrected under {corrected}: it is not a value of the relevant item's rank alone",
                where="target",
                hint="leave corrected out, or measure P, Recall, AP, RR or nDCG",
            )
    if expecting is not None and (interval is not None or corrected is not None):
        other = "unrated=interval" if interval is not None else f"{corrected}"
        raise NotApplicableError(
            f"ties=expected and {other} cannot be combined", where="ties", hint="use ties=item or random"
        )
    listing = next((m for m in metrics if m.needs_lists), None)
    if listing is not None:
        for target in targets:
            if target.single or (target.form.pool == "unrated" and target.form.sample is None and not target.form.own):
                raise NotApplicableError(
                    f"{listing} looks at whole lists, and {target} makes none that a user would see",
                    where="measure",
                    hint="use AllItems, TestItems, TrainingItems or TestRatings",
                )
        if any(u.key == "condense" for u in unrated):
            raise NotApplicableError(
                f"{listing} looks at whole lists, which unrated=condense takes apart",
                where="measure",
                hint="use unrated=zero",
            )
