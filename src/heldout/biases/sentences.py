"""What is found about biases, in words, and what it does not say."""

from __future__ import annotations

import math

from heldout.biases.findings import BiasFindings, Exposure, PairDifference, ProtocolEffect
from heldout.biases.options import BiasOptions
from heldout.biases.protocols import spelt_out
from heldout.text.names import short_names
from heldout.text.numbers import counted, digits_for, number, p_value, percent, signed
from heldout.text.phrases import listed

FEW_PAIRS = 3
"""Pairs that a sentence names."""
NEUTRAL = ("P1R", "U1R", "UAR", "1R-head")
"""Protocols that take popularity's advantage away, the most thorough first (Bellogín et al. 2017, section 6.3)."""


def bias_answer(findings: BiasFindings) -> str:
    """The answer in at most 12 words: whether the study's leader leads significantly, with and without popularity."""
    pair = leading_pair(findings)
    if pair is None:
        ratio = popularity_ratio(findings, findings.effects.reference)
        if not math.isnan(ratio):
            return f"Popularity has {_times(ratio)} the precision of a random ranking."
        protocols = len({effect.protocol for effect in findings.effects.protocols})
        return f"{counted(len(findings.systems), 'system')} were measured under {counted(protocols, 'protocol')}."
    plain, neutral = pair
    names = short_names(findings.systems)
    leader, rival = names[plain.a], names[plain.b]
    if not plain.significant and not neutral.significant:
        return f"{leader}'s lead over {rival} can be chance with or without popularity's advantage."
    if not neutral.significant:
        return f"{leader}'s lead over {rival} is not significant without popularity's advantage."
    if neutral.reversed:
        return f"{rival} overtakes {leader} once popularity has no advantage."
    if not plain.significant:
        return f"{leader}'s lead over {rival} is significant only without popularity's advantage."
    return f"{leader} leads {rival} with and without popularity's advantage."


def bias_sentences(findings: BiasFindings) -> list[str]:
    """What popularity gives, and the lead of the first system; then what changes, the most important first."""
    neutral = main_neutral(findings)
    first = [_times_random(findings, neutral), _lead(findings)]
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
    reference = findings.effects.reference
    plain, fair = (popularity_ratio(findings, name) for name in (reference, neutral))
    if math.isnan(plain):
        return ""
    text = f"Popularity's {findings.precision} is {_times(plain)} that of a random ranking under {spelt_out(reference)}"
    return f"{text}{'' if math.isnan(fair) else f' and {_times(fair)} under {spelt_out(neutral)}'}."


def _times(ratio: float) -> str:
    return f"{number(ratio, 0 if ratio >= 10 else 1)} ×"


def _lead(findings: BiasFindings) -> str:
    pair = leading_pair(findings)
    if pair is None:
        return ""
    digits, names = digits_for([of.difference for of in pair]), short_names(findings.systems)
    leads = []
    for of in pair:
        ends = "" if math.isnan(of.low) else f"95% CI {signed(of.low, digits)} to {signed(of.high, digits)}, "
        leads.append(
            f"{_relative(of.relative)} ({signed(of.difference, digits)}, {ends}{p_value(of.p)}) under {of.protocol}"
        )
    lead = f"{names[pair[0].a]}'s lead over {names[pair[0].b]} by {findings.metric}"
    return f"{lead} is {leads[0]} and {leads[1]}, a popularity-neutral protocol."


def _relative(share: float) -> str:
    return f"{'+' if share >= 0 else '−'}{percent(abs(share), 0)}" if math.isfinite(share) else "–"


def _changes(findings: BiasFindings, effect: ProtocolEffect) -> str:
    total = len({(p.a, p.b) for p in findings.effects.pairs if p.protocol == effect.protocol and p.metric == effect.metric})
    tau = f"τ {number(effect.tau, 2)} with the study's order"
    if not effect.reversed and not effect.lost:
        return f"Under {effect.protocol}, no pair of systems changes its order or loses significance ({tau})."
    parts, of_all = [], f" of {counted(total, 'pair')}"
    if effect.reversed:
        change = "changes its order" if len(effect.reversed) == 1 else "change their order"
        parts.append(f"{len(effect.reversed)}{of_all} {change} ({_pairs(findings, effect.reversed)}; {_surely(effect)})")
    if effect.lost:
        differ = "differs" if len(effect.lost) == 1 else "differ"
        parts.append(
            f"{len(effect.lost)}{'' if parts else of_all} no longer {differ} significantly ({_pairs(findings, effect.lost)})"
        )
    return f"Under {effect.protocol}, {' and '.join(parts)}; {tau}."


def _surely(effect: ProtocolEffect) -> str:
    """How many of the pairs that turn round do so significantly."""
    sure = len(effect.overturned)
    if sure == len(effect.reversed):
        return "significantly" if sure == 1 else "all significantly"
    return f"{sure} of them significantly" if sure else "not significantly"


def _pairs(findings: BiasFindings, pairs: tuple[tuple[str, str], ...]) -> str:
    short = short_names(findings.systems)
    named = [f"{short.get(a, a)} over {short.get(b, b)}" for a, b in pairs[:FEW_PAIRS]]
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
        "Protocols have different scales: compare the order of systems and multiples of random between them, not values.",
        "Neutral does not mean true: a protocol that gives popularity no advantage may still miss what users want.",
    ]
    if any(effect.lost for effect in findings.effects.protocols):
        limits.append("A difference may also lose its significance because a protocol has fewer or noisier test ratings.")
    if findings.folds > 1:
        limits.append("Expectations, sweeps and drift are of the first fold; values of protocols are of all folds.")
    if any(effect.split != findings.protocol["split"] for effect in findings.effects.protocols):
        limits.append(
            "U1R and UAR (one or all relevant, uniform test set) use separate random splits: systems are fitted to other "
            "training ratings, and a split by time is lost."
        )
    if "skew" in options.sweeps and findings.curves:
        limits.append(
            "The simulated data of the sweep over skew contain popularity and no taste: there is nothing else to learn."
        )
    return limits
