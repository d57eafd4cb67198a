"""Written by `make exports`."""

from heldout.metrics import unrated as unrated
from heldout.metrics import gains as gains
from heldout.metrics import discounts as discounts
from heldout.metrics import utilities as utilities
from heldout.metrics import propensities as propensities
from heldout.metrics.accuracy.average_precision import AP as AP  # AP MAP
from heldout.metrics.accuracy.average_precision_capped import APCapped as APCapped  # APCapped
from heldout.metrics.beyond.arp import ARP as ARP  # ARP
from heldout.metrics.accuracy.auc import AUC as AUC  # AUC
from heldout.metrics.accuracy.bpref import Bpref as Bpref  # bpref
from heldout.metrics.curves.customer import CPR as CPR  # CPR
from heldout.metrics.curves.customer import CROC as CROC  # CROC
from heldout.metrics.diagnostic.coverage import Coverage as Coverage  # Coverage
from heldout.metrics.accuracy.dcg import DCG as DCG  # DCG
from heldout.metrics.beyond.efd import EFD as EFD  # EFD
from heldout.metrics.beyond.epc import EPC as EPC  # EPC
from heldout.metrics.accuracy.err import ERR as ERR  # ERR
from heldout.metrics.beyond.entropy import Entropy as Entropy  # Entropy
from heldout.metrics.accuracy.f_score import F as F  # F F1
from heldout.metrics.diagnostic.filled import Filled as Filled  # Filled
from heldout.metrics.diagnostic.full_position import FullPosition as FullPosition  # FullPosition
from heldout.metrics.curves.whole import GPR as GPR  # GPR
from heldout.metrics.curves.whole import GROC as GROC  # GROC
from heldout.metrics.beyond.gini import Gini as Gini  # Gini
from heldout.metrics.utility_based.hlu import HLU as HLU  # HLU RScore
from heldout.metrics.accuracy.hit_rate import HitRate as HitRate  # HitRate Success HR
from heldout.metrics.beyond.ild import ILD as ILD  # ILD
from heldout.metrics.accuracy.inferred_ap import InfAP as InfAP  # infAP
from heldout.metrics.beyond.item_coverage import ItemCoverage as ItemCoverage  # ItemCoverage CatalogueCoverage
from heldout.metrics.diagnostic.judged_share import JudgedShare as JudgedShare  # Judged
from heldout.metrics.correlation.kendall_tau import KendallTau as KendallTau  # KendallTau tau
from heldout.metrics.rating.mae import MAE as MAE  # MAE
from heldout.metrics.rating.mse import MSE as MSE  # MSE
from heldout.metrics.accuracy.ndcg import NDCG as NDCG  # nDCG
from heldout.metrics.accuracy.ndcg_fixed import NDCGFixed as NDCGFixed  # nDCGFixed
from heldout.metrics.accuracy.ndpm import NDPM as NDPM  # NDPM
from heldout.metrics.rating.nmae import NMAE as NMAE  # NMAE
from heldout.metrics.beyond.novelty import Novelty as Novelty  # Novelty
from heldout.metrics.accuracy.precision import P as P  # P Precision Prec
from heldout.metrics.accuracy.precision_returned import PReturned as PReturned  # PReturned
from heldout.metrics.beyond.popularity_lift import PopularityLift as PopularityLift  # PopularityLift
from heldout.metrics.diagnostic.predicted import Predicted as Predicted  # Predicted
from heldout.metrics.accuracy.q_measure import Q as Q  # Q
from heldout.metrics.correlation.rbo import RBO as RBO  # RBO
from heldout.metrics.accuracy.rbp import RBP as RBP  # RBP
from heldout.metrics.accuracy.rbp import RBPResidual as RBPResidual  # RBPResidual
from heldout.metrics.rating.rmse import RMSE as RMSE  # RMSE
from heldout.metrics.accuracy.r_precision import RPrecision as RPrecision  # RPrecision Rprec
from heldout.metrics.accuracy.reciprocal_rank import RR as RR  # RR MRR
from heldout.metrics.accuracy.recall import Recall as Recall  # Recall
from heldout.metrics.accuracy.recall_capped import RecallCapped as RecallCapped  # RecallCapped
from heldout.metrics.diagnostic.rho import Rho as Rho  # Rho ρ
from heldout.metrics.beyond.serendipity import Serendipity as Serendipity  # Serendipity
from heldout.metrics.correlation.spearman import Spearman as Spearman  # Spearman
from heldout.metrics.accuracy.stratified_recall import StratifiedRecall as StratifiedRecall  # StratifiedRecall
from heldout.metrics.correlation.tau_ap import TauAP as TauAP  # TauAP
from heldout.metrics.diagnostic.tied import Tied as Tied  # Tied
from heldout.metrics.curves.per_user import UPR as UPR  # UPR ElevenPoint
from heldout.metrics.curves.per_user import UROC as UROC  # UROC
from heldout.metrics.diagnostic.unrated import Unrated as Unrated  # Unrated
from heldout.metrics.utility_based.utility_at import UtilityAt as UtilityAt  # Utility
