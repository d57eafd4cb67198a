"""What is found about biases, in words, and what it does not say."""

from __future__ import annotations

import math

from heldout.biases.findings import BiasFindings, Exposure, PairDifference, ProtocolEffect
from heldout.biases.options import BiasOptions
from heldout.words import counted, digits_for, listed, number, p_value, percent, signed

FEW_PAIRS = 3
"""Pairs that a sentence names."""
NEUTRAL = ("P1R", "U1R", "UAR", "1R-head")
"""Protocols that take popularity's advantage away, the most thorough first (Bellogín et al. 2017, section 6.3)."""


def bias_sentences(findings: BiasFindings) -> list[str]:
    """The answer, the most important first."""
    neutral = main_neutral(findings)
    first = [_times_random(findings, neutral), _lead(findings, neutral)]
    changes = [_changes(findings, effect) for effect in neutral_effects(findings)]
    return [sentence for sentence in (*first, *changes, *_drift_words(findings)) if sentence]


def neutral_effects(findings: BiasFindings) -> list[ProtocolEffect]:
    """What neutral protocols do to the ranking by the study's metric, the most thorough first."""
    effects = {e.protocol: e for e in findings.effects.protocols if e.metric == findings.metric and e.role == "neutral"}
    return [effects[name] for name in NEUTRAL if name in effects]


def main_neutral(findings: BiasFindings) -> str:
    """The most thorough of the neutral protocols that there are; empty if there is none."""
    return next((effect.protocol for effect in neutral_effects(findings)), "")


def own_systems(findings: BiasFindings) -> list[str]:
    """The systems of the study without Random and Popularity."""
    return [name for name in findings.systems if name not in findings.baselines.values()]


def popularity_ratio(findings: BiasFindings, protocol: str) -> float:
    """Popularity's precision by that of a random ranking; NaN if it was not measured."""
    name = findings.baselines["Popularity"]
    return next(
        (
            row.times_random
            for row in findings.effects.values
            if row.protocol == protocol and row.system == name and row.metric == findings.precision
        ),
        float("nan"),
    )


def leading_pair(findings: BiasFindings) -> tuple[PairDifference, PairDifference] | None:
    """The two best of the study's own systems by its metric, under its protocol and under the most neutral one."""
    reference, neutral = findings.effects.reference, main_neutral(findings)
    own = own_systems(findings)
    places = {
        row.system: row.place
        for row in findings.effects.values
        if row.protocol == reference and row.metric == findings.metric and row.system in own
    }
    best = sorted(places, key=places.__getitem__)[:2]
    pairs = {
        pair.protocol: pair
        for pair in findings.effects.pairs
        if pair.metric == findings.metric and {pair.a, pair.b} == set(best)
    }
    if len(best) < 2 or reference not in pairs or neutral not in pairs:
        return None
    return pairs[reference], pairs[neutral]


def _times_random(findings: BiasFindings, neutral: str) -> str:
    plain, fair = (popularity_ratio(findings, name) for name in (findings.effects.reference, neutral))
    if math.isnan(plain):
        return ""
    text = f"Popularity reaches {_times(plain)} random under {findings.effects.reference}"
    return f"{text}{'' if math.isnan(fair) else f' and {_times(fair)} under {neutral}'} ({findings.precision})."


def _times(ratio: float) -> str:
    return f"{number(ratio, 0 if ratio >= 10 else 1)} ×"


def _lead(findings: BiasFindings, neutral: str) -> str:
    pair = leading_pair(findings)
    if pair is None:
        return ""
    plain, fair = pair
    digits = digits_for([plain.difference, fair.difference])
    before, after = (f"{_relative(of.relative)} ({signed(of.difference, digits)}, {p_value(of.p)})" for of in (plain, fair))
    if not any(of.p < findings.level for of in (plain, fair)):
        lead = f"{plain.a}'s lead over {plain.b} can be chance under both protocols"
        return f"{lead}: {before} under {plain.protocol}, {after} once popularity is neutral ({neutral})."
    if fair.difference < 0:
        verb = "turns"
    elif fair.relative < plain.relative:
        verb = "shrinks"
    else:
        verb = "grows"
    return f"{plain.a}'s lead over {plain.b} {verb} from {before} to {after} once popularity is neutral ({neutral})."


def _relative(share: float) -> str:
    return f"{'+' if share >= 0 else '−'}{percent(abs(share), 0)}" if math.isfinite(share) else "–"


def _changes(findings: BiasFindings, effect: ProtocolEffect) -> str:
    total = len({(p.a, p.b) for p in findings.effects.pairs if p.protocol == effect.protocol and p.metric == effect.metric})
    tau = f"τ {number(effect.tau, 2)} with the study's order"
    if not effect.reversed and not effect.lost:
        return f"Under {effect.protocol} no pair of systems changes its order or loses significance ({tau})."
    parts, of_all = [], f" of {counted(total, 'pair')}"
    if effect.reversed:
        change = "changes its order" if len(effect.reversed) == 1 else "change their order"
        parts.append(f"{len(effect.reversed)}{of_all} {change} ({_pairs(effect.reversed)}; {_surely(effect)})")
    if effect.lost:
        differ = "differs" if len(effect.lost) == 1 else "differ"
        parts.append(f"{len(effect.lost)}{'' if parts else of_all} no longer {differ} significantly ({_pairs(effect.lost)})")
    return f"Under {effect.protocol} {' and '.join(parts)}; {tau}."


def _surely(effect: ProtocolEffect) -> str:
    """How many of the pairs that turn round do so significantly."""
    sure = len(effect.overturned)
    if sure == len(effect.reversed):
        return "significantly" if sure == 1 else "all significantly"
    return f"{sure} of them significantly" if sure else "not significantly"


def _pairs(pairs: tuple[tuple[str, str], ...]) -> str:
    named = [f"{a} over {b}" for a, b in pairs[:FEW_PAIRS]]
    more = len(pairs) - len(named)
    return listed([*named, *([f"{more} more"] if more else [])])


def _drift_words(findings: BiasFindings) -> list[str]:
    drift = findings.drift
    words = []
    if drift.distance > 2 * drift.distance_by_chance:
        words.append(
            f"Popularity drifts: {percent(drift.distance, 0)} of the ratings would have to move between items to make the "
            f"test set as popular as training, {percent(drift.distance_by_chance, 0)} by chance."
        )
    if drift.unseen_ratings >= 0.01:
        words.append(
            f"{percent(drift.unseen_items)} of the test items, with {percent(drift.unseen_ratings)} of the test ratings, "
            "have no training rating: popularity cannot recommend them."
        )
    if drift.exposure is not None and not math.isnan(drift.exposure.liked_head + drift.exposure.liked_rest):
        words.append(_exposure_words(drift.exposure))
    if drift.repeated > 0:
        words.append(
            f"{percent(drift.repeated)} of the rows of the data repeat an earlier pair of user and item; as one rating "
            "each, what users take again counts once."
        )
    return words


def _exposure_words(exposure: Exposure) -> str:
    """A sentence on whether popular items are liked more, also by those who did not choose them."""
    head, rest = exposure.liked_head, exposure.liked_rest
    met = ""
    if exposure.met_rest > 0:
        met = f", and had {number(exposure.met_head / exposure.met_rest, 1)} times the chance of being rated"
    verdict = "Popularity is partly liking here" if head > rest else "Popularity is not liking here"
    return (
        f"{verdict}: of items outside training, chosen or not, users like {percent(head, 0)} of the most popular "
        f"{percent(exposure.head, 0)} and {percent(rest, 0)} of the others; the popular ones are "
        f"{number(head / rest, 1) if rest > 0 else '∞'} times as often liked{met}."
    )


def bias_limits(findings: BiasFindings, options: BiasOptions) -> list[str]:
    """What these findings rest on, and what they do not say."""
    limits = [
        "Protocols have scales of their own: compare orders, shares and multiples of random, not values, between them.",
        "Neutral does not mean true: a protocol that popularity gains nothing from may still miss what users want.",
    ]
    if any(effect.lost for effect in findings.effects.protocols):
        limits.append(
            "A difference may lose its significance because a protocol has fewer or noisier test ratings, and not because "
            "popularity made it."
        )
    if findings.folds > 1:
        limits.append("Expectations, sweeps and drift are of the first fold; values of protocols are of all folds.")
    if any(effect.split != findings.protocol["split"] for effect in findings.effects.protocols):
        limits.append(
            "U1R and UAR split the ratings anew, at random: systems are fitted to other training ratings there, and a split "
            "by time is given up."
        )
    if "skew" in options.sweeps and findings.curves:
        limits.append("Simulated data have popularity alone and no taste: nothing can be learned from them beside it.")
    return limits
