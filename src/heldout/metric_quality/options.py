"""How metrics are analysed, and at which depths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, get_args

from heldout.catalogue import make, make_all, parameters
from heldout.errors import SpecError, UnknownNameError
from heldout.metric_quality.findings import CRITERIA, DEFAULT_RULE, Counting, Sampling
from heldout.metric_quality.robustness import ITEM_SHARES, SAMPLES, SHARES
from heldout.metric_quality.separation import FLIPS
from heldout.metrics.metric import Metric

METRICS = ("P", "Recall", "AP", "nDCG", "RR", "bpref", "infAP", "nDCG(gain=binary)", "HitRate")
"""The seven of Valcarce et al. (2018), and what users report besides."""
DEPTHS = (5, *range(10, 101, 10))


@dataclass(frozen=True, kw_only=True)
class MetricOptions:
    """How metrics are tried; the defaults are those of Valcarce et al. (2018) except for `sampling` and `popularity`.

    By default a sample is a share of all test ratings, so that every rating is equally likely to stay. `sampling="user"`
    takes the share of each user's ratings, rounded, as the authors did: users keep their proportions, but at small shares
    those with few ratings lose all of them together. By default popularity is counted over all ratings, which does not
    depend on the split. `popularity="train"` counts training ratings, as the authors did.
    """

    shares: tuple[float, ...] = SHARES
    item_shares: tuple[float, ...] = ITEM_SHARES
    samples: int = SAMPLES
    flips: int = FLIPS
    level: float = 0.05
    rule: tuple[str, ...] = DEFAULT_RULE
    sampling: Sampling = "all"
    popularity: Counting = "all"
    seed: int = 1

    def __post_init__(self) -> None:
        for name in ("shares", "item_shares"):
            shares = getattr(self, name)
            if not shares or not all(0 < share <= 1 for share in shares):
                raise SpecError(where=name, found=list(shares), expected="shares, each above 0 and at most 1")
        if not 0 < self.level < 1:
            raise SpecError(where="level", found=self.level, expected="a level above 0 and below 1")
        for name, expected in (("flips", "at least 1 sign flip"), ("samples", "at least 1 sample")):
            if getattr(self, name) < 1:
                raise SpecError(where=name, found=getattr(self, name), expected=expected)
        for name, kind in (("sampling", Sampling), ("popularity", Counting)):
            option = getattr(self, name)
            if option not in get_args(kind):
                raise UnknownNameError("option", str(option), get_args(kind), where=name, listed=True)
        for criterion in self.rule:
            if criterion not in CRITERIA:
                raise UnknownNameError("criterion", criterion, CRITERIA, where="rule")
        if not self.rule:
            raise SpecError("the rule names no criterion", where="rule", hint=f"such as {', '.join(DEFAULT_RULE)}")


def metrics_at(names: str | Sequence[Any] | None = None, depths: Sequence[int] | None = None) -> tuple[Metric, ...]:
    """The metrics of these names at each depth; one that is written with its depth, or has none, stays as it is.

    Example: "P" and "AUC" at 5 and 10 are P@5, P@10 and AUC.
    """
    written = _written(names)
    if not written:
        raise SpecError("no metric is named", where="metrics", hint=f"such as {', '.join(METRICS[:4])}")
    metrics: dict[Metric, None] = {}
    for name in written:
        of_name = make_all("metric", str(name)) if "@" in str(name) or depths == () else _at_depths(str(name), depths)
        metrics |= dict.fromkeys(of_name)
    return tuple(metrics)


def at_default_depths(names: str | Sequence[Any] | None = None) -> tuple[Metric, ...]:
    """The metrics that `metrics_at` tries at depths that nobody named."""
    named = {metric for name in _written(names) if "@" in str(name) for metric in make_all("metric", str(name))}
    return tuple(metric for metric in metrics_at(names) if metric not in named)


def _written(names: str | Sequence[Any] | None) -> Sequence[Any]:
    return METRICS if names is None else [names] if isinstance(names, str) else names


def _at_depths(name: str, depths: Sequence[int] | None) -> list[Metric]:
    """A metric at each depth, or as it is where it has none."""
    try:
        return [make("metric", f"{name}@{n}") for n in (DEPTHS if depths is None else depths)]
    except SpecError as error:
        try:
            whole = list(make_all("metric", name))
        except SpecError:
            raise error from None
        if any(parameter.metadata["cutoff"] for metric in whole for parameter in parameters(type(metric))):
            raise
        return whole
