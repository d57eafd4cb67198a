"""Names of other libraries and everyday words: metrics that mean exactly one of ours are read, others get a hint."""

from __future__ import annotations

import re
from collections.abc import Mapping

from heldout.catalogue.text import Call
from heldout.errors import SpecError, warn_spelling

METRIC_SPELLINGS: dict[str, str] = {
    "ndcg_cut": "nDCG",
    "map_cut": "AP",
    "average_precision": "AP",
    "mean_average_precision": "AP",
    "recip_rank": "RR",
    "reciprocal_rank": "RR",
    "mean_reciprocal_rank": "RR",
    "r_prec": "RPrecision",
    "r_precision": "RPrecision",
    "hit": "HitRate",
    "hit_rate": "HitRate",
    "hit_ratio": "HitRate",
    "set_p": "PReturned",
    "set_recall": "Recall",
    "set_f": "F",
    "relative_p": "RecallCapped",
}
"""Other spellings of a metric, in small letters → its key: the same number by the same definition."""
CUT_IN_NAME = {"p", "precision", "prec", "recall", "ndcg", "map", "mrr", "success", "hr", "hitrate", "f1"}
"""Our own names, in small letters, that other libraries write with the cut-off in the name: P_10, recall_20."""
ELSEWHERE: dict[str, dict[str, str]] = {
    "metric": {
        "hits": "HitRate or P",  # ranx counts hits, n · P@n; others ask whether there is any
        "catalog_coverage": "ItemCoverage",
        "diversity": "ILD",
    },
    "split": {
        "random": "ratio(train={})",
        "random_split": "ratio(train={})",
        "holdout": "ratio(train={})",
        "hold_out": "ratio(train={})",
        "train_test_split": "ratio(train={})",
        "user_split": "ratio(train={}, by=user)",
        "time": "temporal(at={})",
        "timestamp": "temporal(at={})",
        "kfold": "folds(5)",
        "k_fold": "folds(5)",
        "leave_one_out": "leave_out(1)",
        "loo": "leave_out(1)",
    },
    "recommender": {
        "als": "WRMF",
        "most_popular": "Popularity",
        "mostpop": "Popularity",
        "pop": "Popularity",
        "knn": "UserKNN or ItemKNN",
        "user_knn": "UserKNN",
        "item_knn": "ItemKNN",
    },
    "test": {"ttest": "t", "t_test": "t", "paired_t": "t", "randomization": "permutation", "randomisation": "permutation"},
}
"""By kind: names elsewhere, in small letters → the text form here; {} takes the first number, or 0.8."""
_SHOWN = 10**15
"""Numbers beyond are not repeated in a suggestion."""
_CUT_NAME = re.compile(r"^(?P<base>.*?[a-z])[_.\-]?(?P<n>\d+)$")
_TREC_CUTS = re.compile(r"\s*(?P<base>[a-z_]+)\.(?P<cuts>\d+(,\d+)*)\s*\Z", re.IGNORECASE)
"""trec_eval's own form, such as ndcg_cut.5,10."""
_RANX = (
    (re.compile(r"(?i:rbp)\.(\d+)\Z"), r"RBP(phi=0.\1)"),
    (re.compile(r"(?i:ndcg_burges)(@\d+)?\Z"), r"nDCG(gain=exp2)\1"),
    (re.compile(r"([A-Za-z_]+)(@\d+)?-l(\d+)\Z"), r'\1(rel=\3)\2, or relevance="threshold(\3)" for all metrics'),
)
"""Forms of ranx that are no text form here, and what to write for them."""
_INTERPOLATED = "interpolated precision is not offered; AP, the precision at each relevant item, is nearest"
_GEOMETRIC = (
    '{0} with aggregate="gmean(0.00001)" is nearest: it adds 0.00001 to each value, where trec_eval raises lower ones to it'
)
_TREC_ALONE = (
    (re.compile(r"(?i:11pt_avg)\Z"), _INTERPOLATED),
    (re.compile(r"(?i:iprec_at_recall)([_.].*)?\Z"), _INTERPOLATED),
    (re.compile(r"(?i:gm_map)\Z"), _GEOMETRIC.format("AP")),
    (re.compile(r"(?i:gm_bpref)\Z"), _GEOMETRIC.format("bpref")),
    (re.compile(r"(?i:set_map)\Z"), "it is PReturned times Recall of the whole list"),
    (re.compile(r"(?i:set_relative_P)\Z"), "RecallCapped@n is nearest, which divides by n or R, whichever is smaller"),
    (re.compile(r"(?i:Rprec_mult)([_.].*)?\Z"), "RPrecision is the one at R itself"),
    (re.compile(r"Rndcg\Z"), "nDCG is nearest, cut at a rank that is the same for all users"),
    (re.compile(r"(?i:ndcg_rel|G|binG)\Z"), "nDCG is nearest"),
    (re.compile(r"(?i:num_ret)\Z"), "ho.measure has it as the column `length`"),
    (re.compile(r"(?i:num_\w+|relstring(_\d+)?|runid)\Z"), "it is a count or a text and no metric"),
)
"""Measures that trec_eval has and we do not, and what is nearest."""
_INFERRED = re.compile(r"\s*(?i:infAP)\b")
_DIVISOR_UNSAID = re.compile(r"(?i:map|mean_average_precision)(_at)?_?\d*\Z")
"""MAP@10, which libraries divide by all relevant items, or by at most 10 of them."""


def read_trec_cuts(text: str) -> str:
    """A metric with cut-offs as trec_eval takes them, as a text form: `P.5,10` is `P@[5, 10]`; other texts as they are.

    SpecError for forms that ranx alone has, with what to write for them, and for measures that trec_eval alone has, with
    what is nearest.
    """
    if not text.strip().isidentifier():  # what is a name may be that of somebody's metric
        _refuse_trec_alone(text.strip())
    for form, meant in _RANX:
        ranx = form.match(text)
        if ranx is not None:
            raise SpecError("this is how ranx writes a metric", found=text, hint=f"write {ranx.expand(meant)}")
    match = _TREC_CUTS.match(text)
    if match is None or match["base"].casefold() not in CUT_IN_NAME | METRIC_SPELLINGS.keys():
        return text
    return f"{match['base']}@[{match['cuts']}]"


def respelled(call: Call, registered: Mapping[str, str]) -> Call | None:
    """The call of a metric that other libraries spell so, such as `ndcg_cut_10` or `hit_rate@10`; None if nothing is
    known of it. `registered` maps small letters to keys. SpecError for a measure that trec_eval alone has."""
    _refuse_trec_alone(call.name)
    name, at = call.name.casefold().replace("-", "_"), call.at
    match = _CUT_NAME.match(name)
    if name not in METRIC_SPELLINGS and match is not None and not at:
        name, at = match["base"].removesuffix("_at"), (int(match["n"]),)
    key = METRIC_SPELLINGS.get(name) or (registered.get(name) if name in CUT_IN_NAME else None)
    return Call(key, call.args, call.kwargs, at) if key else None


def _refuse_trec_alone(text: str) -> None:
    for measure, nearest in _TREC_ALONE:
        if measure.match(text):
            raise SpecError("this measure of trec_eval is not computed here", found=text, hint=nearest)


def warn_ambiguous(written: Call, read: Call) -> None:
    """A SpellingWarning where other libraries mean another metric by what was written."""
    if _DIVISOR_UNSAID.match(written.name) and read.at:
        (n, *_), text = read.at if isinstance(read.at[0], int) else read.at[0], written.name
        spelling = f"{text}@{n}" if written.at else text
        warn_spelling(
            f"{spelling} is read as AP@{n}, which divides by all relevant items, as trec_eval and ranx do; divided by at "
            f"most {n} of them, as in RecBole, it is APCapped@{n}"
        )


def warn_other_pool(text: str) -> None:
    """A SpellingWarning for infAP without its pool, under which trec_eval has another one.

    It is given where runs are judged, which is where people bring trec_eval's names, and not wherever the metric's own
    text form, in which the usual pool is left out, is read back.
    """
    if _INFERRED.match(text) and "pool" not in text:
        warn_spelling(
            "infAP is read as infAP(pool=ranked), where all ranked items count as pooled; trec_eval's infAP, where only "
            "rated ones do, is infAP(pool=judged)"
        )


def not_a_text(kind: str, spec: object) -> str:
    """What to write instead of a number or a set; empty if nothing is known of it."""
    if isinstance(spec, set | frozenset):
        return "give a list: a set has no order, and the first is the one that the verdict is about"
    if kind == "split" and isinstance(spec, float) and 0 < spec < 1:
        return f'such as "ratio(train={spec:g}, by=user)"'
    return ""


def suggestion(kind: str, call: Call) -> str:
    """The text form that a call means; empty if nothing is known of it."""
    words, name = ELSEWHERE.get(kind, {}), call.name.casefold()
    cut = _CUT_NAME.match(name)
    meant = words.get(name) or (words.get(cut["base"]) if cut else None) or ""
    numbers = (value for value in call.args if isinstance(value, int | float) and -_SHOWN < value < _SHOWN)
    number = next((f"{value:g}" for value in numbers), "0.8")
    return meant.format(number)
