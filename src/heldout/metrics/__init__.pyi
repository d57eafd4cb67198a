"""Components of `ho.metrics`; written by `make exports`."""

from heldout.metrics import discounts as discounts
from heldout.metrics import gains as gains
from heldout.metrics import propensities as propensities
from heldout.metrics import unrated as unrated
from heldout.metrics import utilities as utilities
from heldout.metrics.accuracy.auc import AUC as _AUC
from heldout.metrics.accuracy.average_precision import AP as _AP
from heldout.metrics.accuracy.average_precision_capped import APCapped as _APCapped
from heldout.metrics.accuracy.bpref import Bpref as _Bpref
from heldout.metrics.accuracy.dcg import DCG as _DCG
from heldout.metrics.accuracy.err import ERR as _ERR
from heldout.metrics.accuracy.f_score import F as _F
from heldout.metrics.accuracy.hit_rate import HitRate as _HitRate
from heldout.metrics.accuracy.inferred_ap import InfAP as _InfAP
from heldout.metrics.accuracy.ndcg import NDCG as _NDCG
from heldout.metrics.accuracy.ndcg_fixed import NDCGFixed as _NDCGFixed
from heldout.metrics.accuracy.ndpm import NDPM as _NDPM
from heldout.metrics.accuracy.precision import P as _P
from heldout.metrics.accuracy.precision_returned import PReturned as _PReturned
from heldout.metrics.accuracy.q_measure import Q as _Q
from heldout.metrics.accuracy.r_precision import RPrecision as _RPrecision
from heldout.metrics.accuracy.rbp import RBP as _RBP
from heldout.metrics.accuracy.rbp import RBPResidual as _RBPResidual
from heldout.metrics.accuracy.recall import Recall as _Recall
from heldout.metrics.accuracy.recall_capped import RecallCapped as _RecallCapped
from heldout.metrics.accuracy.reciprocal_rank import RR as _RR
from heldout.metrics.accuracy.stratified_recall import StratifiedRecall as _StratifiedRecall
from heldout.metrics.beyond.arp import ARP as _ARP
from heldout.metrics.beyond.efd import EFD as _EFD
from heldout.metrics.beyond.entropy import Entropy as _Entropy
from heldout.metrics.beyond.epc import EPC as _EPC
from heldout.metrics.beyond.gini import Gini as _Gini
from heldout.metrics.beyond.ild import ILD as _ILD
from heldout.metrics.beyond.item_coverage import ItemCoverage as _ItemCoverage
from heldout.metrics.beyond.novelty import Novelty as _Novelty
from heldout.metrics.beyond.popularity_lift import PopularityLift as _PopularityLift
from heldout.metrics.beyond.serendipity import Serendipity as _Serendipity
from heldout.metrics.correlation.kendall_tau import KendallTau as _KendallTau
from heldout.metrics.correlation.rbo import RBO as _RBO
from heldout.metrics.correlation.spearman import Spearman as _Spearman
from heldout.metrics.correlation.tau_ap import TauAP as _TauAP
from heldout.metrics.curves.customer import CPR as _CPR
from heldout.metrics.curves.customer import CROC as _CROC
from heldout.metrics.curves.per_user import UPR as _UPR
from heldout.metrics.curves.per_user import UROC as _UROC
from heldout.metrics.curves.whole import GPR as _GPR
from heldout.metrics.curves.whole import GROC as _GROC
from heldout.metrics.diagnostic.coverage import Coverage as _Coverage
from heldout.metrics.diagnostic.filled import Filled as _Filled
from heldout.metrics.diagnostic.full_position import FullPosition as _FullPosition
from heldout.metrics.diagnostic.judged_share import JudgedShare as _JudgedShare
from heldout.metrics.diagnostic.predicted import Predicted as _Predicted
from heldout.metrics.diagnostic.rho import Rho as _Rho
from heldout.metrics.diagnostic.tied import Tied as _Tied
from heldout.metrics.diagnostic.unrated import Unrated as _Unrated
from heldout.metrics.metric import Discount as _Discount
from heldout.metrics.metric import Gain as _Gain
from heldout.metrics.metric import Propensity as _Propensity
from heldout.metrics.metric import Utility as _Utility
from heldout.metrics.rating.mae import MAE as _MAE
from heldout.metrics.rating.mse import MSE as _MSE
from heldout.metrics.rating.nmae import NMAE as _NMAE
from heldout.metrics.rating.rmse import RMSE as _RMSE
from heldout.metrics.utility_based.hlu import HLU as _HLU
from heldout.metrics.utility_based.utility_at import UtilityAt as _UtilityAt
from typing import Literal

class AP(_AP):
    """Average precision: the precision at each relevant item's rank, averaged over all relevant test items.

    estimate: whether items are weighed by how likely they were to be rated
    propensity: for ips: absolute propensities, such as column
    rel: a rating from which items are relevant, instead of the study's rule
    n: depth at which the list is cut; none takes the whole list
    """
    def __init__(self, estimate: Literal['plain', 'ips'] = 'plain', propensity: _Propensity | str | None = None, rel: float | None = None, *, n: int | None = None) -> None: ...

class APCapped(_APCapped):
    """Average precision divided by what n places can hold: n or R, whichever is smaller.

    rel: a rating from which items are relevant, instead of the study's rule
    n: depth at which the list is cut
    """
    def __init__(self, rel: float | None = None, *, n: int) -> None: ...

class ARP(_ARP):
    """Average recommendation popularity: the mean number of training ratings of the items in the top n.

    n: depth at which the list is cut
    """
    def __init__(self, *, n: int) -> None: ...

class AUC(_AUC):
    """AUC: how likely a relevant target of the user ranks above one that is not; equal scores count half.

    estimate: whether items are weighed by how likely they were to be rated
    propensity: for snips: popularity or column; none: popularity
    if_undefined: under undefined=zero, whether users without a value are left out or count 0
    """
    def __init__(self, estimate: Literal['plain', 'snips'] = 'plain', propensity: _Propensity | str | None = None, if_undefined: Literal['skip', 'zero'] = 'skip') -> None: ...

class Bpref(_Bpref):
    """Binary preference: how seldom judged non-relevant items stand above relevant ones; unrated items are ignored.

    count: whether non-relevant items above a relevant one count up to R, or all
    negative: what items rated below 0 count as, unless they are relevant
    rel: a rating from which items are relevant, instead of the study's rule
    n: depth at which the list is cut; none takes the whole list
    """
    def __init__(self, count: Literal['capped', 'all'] = 'capped', negative: Literal['unjudged', 'nonrelevant'] = 'unjudged', rel: float | None = None, *, n: int | None = None) -> None: ...

class CPR(_CPR):
    """Customer precision–recall: users' mean precision and recall at each list length, as one area or the best F.

    value: the area, or the highest F along the curve
    """
    def __init__(self, value: Literal['auc', 'f'] = 'auc') -> None: ...

class CROC(_CROC):
    """Customer ROC: the area under the curve of users' mean true and false positive rates at each list length."""
    def __init__(self) -> None: ...

class Coverage(_Coverage):
    """Coverage: the share of the first n places that the list fills, counting only what the system itself scored.

    n: depth at which the list is cut
    """
    def __init__(self, *, n: int) -> None: ...

class DCG(_DCG):
    """Discounted cumulative gain: gains discounted by rank and summed, not divided by the best possible.

    estimate: whether ratings are weighed by how likely they were
    gain: how a rating becomes gain: linear, binary, exp2, chapelle, chapelle_scaled, table([…])
    discount: what is left at a rank: log2, jarvelin, rbp, zipf, table([…])
    propensity: for ips and snips: column or popularity; none: popularity, for snips
    rel: a rating from which items are relevant, for gain=binary and for snips
    n: depth at which the list is cut; none takes the whole list
    """
    def __init__(self, estimate: Literal['plain', 'ips', 'snips'] = 'plain', gain: _Gain | str = 'linear', discount: _Discount | str = 'log2', propensity: _Propensity | str | None = None, rel: float | None = None, *, n: int | None = None) -> None: ...

class EFD(_EFD):
    """Expected free discovery: relevant items of the top n count by the bits of surprise that they are.

    gain: the chance that a rating is relevant: binary, exp2, chapelle, chapelle_scaled, table([…])
    discount: what is left at a rank: log2, jarvelin, rbp, zipf, table([…])
    n: depth at which the list is cut
    """
    def __init__(self, gain: _Gain | str = 'binary', discount: _Discount | str = 'log2', *, n: int) -> None: ...

class EPC(_EPC):
    """Expected popularity complement: relevant items of the top n count by the share of users who do not know them.

    gain: the chance that a rating is relevant: binary, exp2, chapelle, chapelle_scaled, table([…])
    discount: what is left at a rank: log2, jarvelin, rbp, zipf, table([…])
    n: depth at which the list is cut
    """
    def __init__(self, gain: _Gain | str = 'binary', discount: _Discount | str = 'log2', *, n: int) -> None: ...

class ERR(_ERR):
    """Expected reciprocal rank: one over the rank at which a user stops who may be satisfied by any item on the way.

    gain: the chance that a rating satisfies: stop, chapelle, binary, exp2, table([…])
    rel: a rating from which items are relevant, for gain=binary
    n: depth at which the list is cut; none takes the whole list
    """
    def __init__(self, gain: _Gain | str = 'stop', rel: float | None = None, *, n: int | None = None) -> None: ...

class Entropy(_Entropy):
    """Entropy: how many bits it takes to say which item a recommendation is; 0 if it is always the same.

    n: depth at which the list is cut
    """
    def __init__(self, *, n: int) -> None: ...

class F(_F):
    """F: the weighted harmonic mean of precision and recall.

    beta: how many times as much recall counts as precision
    rel: a rating from which items are relevant, instead of the study's rule
    n: depth at which the list is cut; none takes the whole list
    """
    def __init__(self, beta: float = 1.0, rel: float | None = None, *, n: int | None = None) -> None: ...

class Filled(_Filled):
    """Filled: the share of the first n places that the list fills, fallback items included.

    n: depth at which the list is cut
    """
    def __init__(self, *, n: int) -> None: ...

class FullPosition(_FullPosition):
    """Full position: the rank, in the list, of the d-th test item that the system scored: the condensed ranking's d-th.

    n: d, the place in the condensed ranking whose item is looked up
    """
    def __init__(self, *, n: int) -> None: ...

class GPR(_GPR):
    """Global precision–recall of one list of all users' targets by score, as one area or the best F.

    value: the area, or the highest F along the curve
    """
    def __init__(self, value: Literal['auc', 'f'] = 'auc') -> None: ...

class GROC(_GROC):
    """Global ROC: the area under the curve of one list of all users' targets by score; equal scores count half."""
    def __init__(self) -> None: ...

class Gini(_Gini):
    """Gini: how unequally recommendations fall on the items of the catalogue; 0 is all alike, 1 all on one.

    n: depth at which the list is cut
    """
    def __init__(self, *, n: int) -> None: ...

class HLU(_HLU):
    """Half-life utility: what items are worth times the chance that the user gets so far, compared with the best list.

    half_life: α, the rank that is looked at with probability one half
    utility: what a rating is worth: above_neutral, column, log_inverse_popularity, hit
    discount: known viewing probabilities instead of the half-life: table([…])
    """
    def __init__(self, half_life: float = 5.0, utility: _Utility | str = 'above_neutral', discount: _Discount | str | None = None) -> None: ...

class HitRate(_HitRate):
    """Hit rate: whether the top n holds any relevant item.

    rel: a rating from which items are relevant, instead of the study's rule
    n: depth at which the list is cut
    """
    def __init__(self, rel: float | None = None, *, n: int) -> None: ...

class ILD(_ILD):
    """Intra-list distance: how unlike each other the items of the top n are, on average over their pairs.

    features: column of the items' features, such as genres; none: training ratings
    table: file with item_id and that column; none: the data set's own table of items
    n: depth at which the list is cut
    """
    def __init__(self, features: str | None = None, table: str | None = None, *, n: int) -> None: ...

class InfAP(_InfAP):
    """Inferred average precision: average precision whose precision above each relevant item is estimated from the rated items alone.

    pool: which ranked items count as pooled
    pool_depth: for pool=ranked: rank down to which items count as pooled; none: all
    negative: what items rated below 0 count as, unless they are relevant
    rel: a rating from which items are relevant, instead of the study's rule
    count: whether rated items count above a relevant one, with ε, or to its own rank, without
    n: depth at which the list is cut; none takes the whole list
    """
    def __init__(self, pool: Literal['ranked', 'judged'] = 'ranked', pool_depth: int | None = None, negative: Literal['unjudged', 'nonrelevant'] = 'unjudged', rel: float | None = None, count: Literal['above', 'to_rank'] = 'above', *, n: int | None = None) -> None: ...

class ItemCoverage(_ItemCoverage):
    """Item coverage: the share of the catalogue that is in the top n of some tested user.

    n: depth at which the list is cut
    """
    def __init__(self, *, n: int) -> None: ...

class JudgedShare(_JudgedShare):
    """Judged: the share of the top n that has a test rating; one minus Unrated.

    n: depth at which the list is cut; none takes the whole list
    """
    def __init__(self, *, n: int | None = None) -> None: ...

class KendallTau(_KendallTau):
    """Kendall's τ-b between the scores and the ratings of the user's ranked test items."""
    def __init__(self) -> None: ...

class MAE(_MAE):
    """Mean absolute error: how far predicted ratings are from the given ones, on average."""
    def __init__(self) -> None: ...

class MSE(_MSE):
    """Mean squared error: the mean square of how far predicted ratings are from the given ones."""
    def __init__(self) -> None: ...

class NDCG(_NDCG):
    """Normalised discounted cumulative gain: gains discounted by rank, divided by those of the best possible list.

    gain: how a rating becomes gain: linear, binary, exp2, chapelle, chapelle_scaled, table([…])
    discount: what is left at a rank: log2, jarvelin, rbp, zipf, table([…])
    rel: a rating from which items are relevant, for gain=binary
    n: depth at which the list is cut; none takes the whole list
    """
    def __init__(self, gain: _Gain | str = 'linear', discount: _Discount | str = 'log2', rel: float | None = None, *, n: int | None = None) -> None: ...

class NDCGFixed(_NDCGFixed):
    """nDCG divided by a fixed number: the gain of a list of n relevant items, whether or not the user has as many.

    discount: what is left at a rank: log2, jarvelin, rbp, zipf, table([…])
    rel: a rating from which items are relevant, instead of the study's rule
    n: depth at which the list is cut
    """
    def __init__(self, discount: _Discount | str = 'log2', rel: float | None = None, *, n: int) -> None: ...

class NDPM(_NDPM):
    """NDPM: the share of the user's preferences between two rated items that the ranking contradicts; ties count half."""
    def __init__(self) -> None: ...

class NMAE(_NMAE):
    """Normalised mean absolute error: the mean absolute error divided by the width of the rating scale.

    low: the bottom of the rating scale; none takes it from the data
    high: the top of the rating scale; none takes it from the data
    """
    def __init__(self, low: float | None = None, high: float | None = None) -> None: ...

class Novelty(_Novelty):
    """Novelty: how little known the items of the top n are, in bits.

    share: what popularity is a share of
    n: depth at which the list is cut
    """
    def __init__(self, share: Literal['users', 'ratings'] = 'users', *, n: int) -> None: ...

class P(_P):
    """Precision: the share of the top n that is relevant.

    estimate: whether hits are weighed by how likely they were to be rated
    propensity: for ips: absolute propensities, such as column
    rel: a rating from which items are relevant, instead of the study's rule
    n: depth at which the list is cut
    """
    def __init__(self, estimate: Literal['plain', 'ips'] = 'plain', propensity: _Propensity | str | None = None, rel: float | None = None, *, n: int) -> None: ...

class PReturned(_PReturned):
    """Precision over returned items: hits divided by n or the list's length, whichever is smaller.

    rel: a rating from which items are relevant, instead of the study's rule
    n: depth at which the list is cut; none takes the whole list
    """
    def __init__(self, rel: float | None = None, *, n: int | None = None) -> None: ...

class PopularityLift(_PopularityLift):
    """Popularity lift: how much more popular the top n is than what the user rated in training, as a share of that.

    n: depth at which the list is cut
    """
    def __init__(self, *, n: int) -> None: ...

class Predicted(_Predicted):
    """Predicted: the share of the user's test ratings that the system itself scored."""
    def __init__(self) -> None: ...

class Q(_Q):
    """Q-measure: average precision that also counts how much is gained, compared with the best possible list.

    beta: how much gains count beside ranks
    gain: how a rating becomes gain: linear, binary, exp2, chapelle, chapelle_scaled, table([…])
    rel: a rating from which items are relevant, instead of the study's rule
    n: depth at which the list is cut; none takes the whole list
    """
    def __init__(self, beta: float = 1.0, gain: _Gain | str = 'linear', rel: float | None = None, *, n: int | None = None) -> None: ...

class RBO(_RBO):
    """Rank-biased overlap of the user's ranked test items by score and by rating: how much their beginnings share.

    phi: probability of going on to the next rank
    form: extrapolated, least possible, or residual
    n: depth at which both orders are cut; none takes all ranked test items
    """
    def __init__(self, phi: float = 0.9, form: Literal['ext', 'min', 'res'] = 'ext', *, n: int | None = None) -> None: ...

class RBP(_RBP):
    """Rank-biased precision: the rate at which a user gains who goes on to each next rank with probability φ.

    phi: probability of going on to the next rank
    gain: how a rating becomes gain: binary, exp2, chapelle, chapelle_scaled, table([…])
    rel: a rating from which items are relevant, for gain=binary
    n: depth at which the list is cut; none takes the whole list
    """
    def __init__(self, phi: float = 0.8, gain: _Gain | str = 'binary', rel: float | None = None, *, n: int | None = None) -> None: ...

class RBPResidual(_RBPResidual):
    """The residual of rank-biased precision: how much higher it would be, were all unrated items of full gain.

    phi: probability of going on to the next rank
    n: depth at which the list is cut; none takes the whole list
    """
    def __init__(self, phi: float = 0.8, *, n: int | None = None) -> None: ...

class RMSE(_RMSE):
    """Root mean squared error: how far predicted ratings are from the given ones, large errors counting most."""
    def __init__(self) -> None: ...

class RPrecision(_RPrecision):
    """R-precision: precision at the depth of the user's number of relevant items, where it equals recall.

    rel: a rating from which items are relevant, instead of the study's rule
    """
    def __init__(self, rel: float | None = None) -> None: ...

class RR(_RR):
    """Reciprocal rank: one over the rank of the first relevant item, 0 where none is met.

    rel: a rating from which items are relevant, instead of the study's rule
    n: depth at which the list is cut; none takes the whole list
    """
    def __init__(self, rel: float | None = None, *, n: int | None = None) -> None: ...

class Recall(_Recall):
    """Recall: the share of the user's relevant test items that the top n holds.

    estimate: whether items are weighed by how likely they were to be rated
    propensity: for snips: popularity or column; none: popularity
    rel: a rating from which items are relevant, instead of the study's rule
    n: depth at which the list is cut; none takes the whole list
    """
    def __init__(self, estimate: Literal['plain', 'snips'] = 'plain', propensity: _Propensity | str | None = None, rel: float | None = None, *, n: int | None = None) -> None: ...

class RecallCapped(_RecallCapped):
    """Recall over what n places can hold: hits divided by n or R, whichever is smaller.

    rel: a rating from which items are relevant, instead of the study's rule
    n: depth at which the list is cut
    """
    def __init__(self, rel: float | None = None, *, n: int) -> None: ...

class Rho(_Rho):
    """ρ: the expected precision of a random ranking of the same targets.

    n: depth at which the list is cut; none takes the whole list
    """
    def __init__(self, *, n: int | None = None) -> None: ...

class Serendipity(_Serendipity):
    """Serendipity: how much of the top n is relevant and unexpected.

    against: what an unexpected item is unlike
    features: for against=profile: column of the items' features; none: training ratings
    table: file with item_id and that column; none: the data set's own table of items
    n: depth at which the list is cut
    """
    def __init__(self, against: Literal['popular', 'profile'] = 'popular', features: str | None = None, table: str | None = None, *, n: int) -> None: ...

class Spearman(_Spearman):
    """Spearman's ρ: the correlation of the ranks by score and by rating of the user's ranked test items."""
    def __init__(self) -> None: ...

class StratifiedRecall(_StratifiedRecall):
    """Stratified recall: recall in which each relevant item counts the less the more users like it.

    gamma: how strongly ratings of popular items are favoured; 0: not at all
    rel: a rating from which items are relevant, instead of the study's rule
    n: depth at which the list is cut; none takes the whole list
    """
    def __init__(self, gamma: float = 1.0, rel: float | None = None, *, n: int | None = None) -> None: ...

class TauAP(_TauAP):
    """τ_AP: a rank correlation with the ratings that counts mistakes at the top of the list more."""
    def __init__(self) -> None: ...

class Tied(_Tied):
    """Tied: the share of the rated items met in the top n whose score some other target has too.

    n: depth at which the list is cut; none takes the whole list
    """
    def __init__(self, *, n: int | None = None) -> None: ...

class UPR(_UPR):
    """Interpolated precision–recall of each user: the mean of the precision at eleven recalls, as TREC has it."""
    def __init__(self) -> None: ...

class UROC(_UROC):
    """ROC of each user: the area under the user's own curve, which is AUC; the curve drawn is the mean of users' curves.

    if_undefined: under undefined=zero, whether users without a value are left out or count 0
    """
    def __init__(self, if_undefined: Literal['skip', 'zero'] = 'skip') -> None: ...

class Unrated(_Unrated):
    """Unrated: the share of the top n that the user did not rate in test.

    n: depth at which the list is cut
    """
    def __init__(self, *, n: int) -> None: ...

class UtilityAt(_UtilityAt):
    """Utility: what the relevant items in the top n are worth together.

    utility: what a rating is worth: column, above_neutral, log_inverse_popularity, hit
    n: depth at which the list is cut
    """
    def __init__(self, utility: _Utility | str = 'column', *, n: int) -> None: ...
