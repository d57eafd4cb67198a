"""Written by `make exports`."""

from heldout.recommenders import fallbacks as fallbacks
from heldout.recommenders.baseline.average_rating import AverageRating as AverageRating  # AverageRating MovieAvg
from heldout.recommenders.factors.bprmf import BPRMF as BPRMF  # BPRMF BPR
from heldout.recommenders.prf.chi2 import CHI2 as CHI2  # CHI2
from heldout.recommenders.knn.cosine_user_knn import CosineUserKNN as CosineUserKNN  # CosineUserKNN
from heldout.recommenders.linear.ease import EASE as EASE  # EASE
from heldout.recommenders.utility.expected_utility import ExpectedUtility as ExpectedUtility  # ExpectedUtility
from heldout.recommenders.adapters.external import External as External  # External run
from heldout.recommenders.graph.hitting_time import HT as HT  # HT HittingTime
from heldout.recommenders.knn.item_item import ItemItem as ItemItem  # ItemItem
from heldout.recommenders.knn.item_knn import ItemKNN as ItemKNN  # ItemKNN
from heldout.recommenders.prf.kld import KLD as KLD  # KLD
from heldout.recommenders.latent.lda import LDA as LDA  # LDA
from heldout.recommenders.knn.lm_wsr_ib import LMWSRIB as LMWSRIB  # LM-WSR-IB
from heldout.recommenders.knn.lm_wsr_ub import LMWSRUB as LMWSRUB  # LM-WSR-UB
from heldout.recommenders.knn.nncosngbr_ib import NNCosNgbrIB as NNCosNgbrIB  # NNCosNgbr-IB
from heldout.recommenders.knn.nncosngbr_ub import NNCosNgbrUB as NNCosNgbrUB  # NNCosNgbr-UB
from heldout.recommenders.latent.plsa import PLSA as PLSA  # PLSA
from heldout.recommenders.knn.pearson_user_knn import PearsonUserKNN as PearsonUserKNN  # PearsonUserKNN
from heldout.recommenders.baseline.popularity import Popularity as Popularity  # Popularity TopPop
from heldout.recommenders.factors.puresvd import PureSVD as PureSVD  # PureSVD
from heldout.recommenders.language.rm1 import RM1 as RM1  # RM1
from heldout.recommenders.language.rm2 import RM2 as RM2  # RM2
from heldout.recommenders.prf.rsv import RSV as RSV  # RSV
from heldout.recommenders.baseline.random import Random as Random  # Random
from heldout.recommenders.prf.rocchio_weights import RocchioWeights as RocchioWeights  # RocchioWeights RW
from heldout.recommenders.linear.slim import SLIM as SLIM  # SLIM
from heldout.recommenders.factors.svd import SVD as SVD  # SVD BiasedMF
from heldout.recommenders.language.uir_item import UIRItem as UIRItem  # UIR-Item UIR
from heldout.recommenders.knn.user_knn import UserKNN as UserKNN  # UserKNN
from heldout.recommenders.factors.wrmf import WRMF as WRMF  # WRMF iALS
