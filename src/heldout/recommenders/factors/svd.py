"""SVD: biased matrix factorisation for predicting ratings."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import param
from heldout.errors import NotApplicableError
from heldout.recommenders.factors.latent import InnerProducts, descend, start
from heldout.recommenders.ranges import between
from heldout.recommenders.recommender import Model, Recommender
from heldout.tables import Interactions
from heldout.tables.arrays import Int32


class SVD(Recommender):
    """Ratings predicted by a mean, the biases of user and item, and the product of their factors.

    Assumes: only rated cells are fitted, by stochastic gradient descent with a rate that falls in a straight line to 0.
    Predictions are not cut to the rating scale, which would tie items. Users and items without training ratings cannot be
    scored. Start and order of the steps are fixed by the seed, whatever the number of threads. More factors than items
    are allowed: `l2` keeps them apart. Predicted ratings make poor rankings of unrated items: on the MovieLens 1M split of
    Valcarce et al., who do not tell their parameters, `SVD(factors=10, l2=0.05)` has an nDCG@100 of .094 (theirs: .095).

    Example: ratings 5 and 3 of two items by one user, no factors' share: mean 4, b_i = ±1 less what `l2_bias` takes.
    """

    key = "SVD"
    aliases = ("BiasedMF",)
    formula = "min Σ_{u rated i} (r − s)² + λ(‖x_u‖² + ‖y_i‖²) + λ_b(b_u² + b_i²); s(u, i) = µ + b_u + b_i + x_u·y_i"
    references = ("koren2009", "takacs2009", "gemulla2011", "valcarce2018")
    predicts_ratings = True
    weighs_by_value = True
    ranges = {
        "factors": between(5, 200, log=True),
        "l2": between(0.005, 0.2, log=True),
        "rate": between(0.002, 0.05, log=True),
        "epochs": between(10, 100, log=True),
    }

    factors: int = param(50, "length of the factors", least=1, also=("f",))
    l2: float = param(0.1, "weight of the squared norms of factors", least=0, also=("λ", "lambda"))
    l2_bias: float = param(0.02, "weight of the squared biases", least=0)
    rate: float = param(0.02, "learning rate at the start", above=0)
    epochs: int = param(50, "passes over the ratings", least=1, most=100_000)

    def fit(self, train: Interactions, *, seed: int) -> Model:
        """Descend from a start that the seed fixes."""
        from heldout.kernels.descent import fit_ratings

        known_users, known_items = train.user_counts > 0, train.item_counts > 0
        users = start(seed, "recommend SVD users", known_users, self.factors)
        items = start(seed, "recommend SVD items", known_items, self.factors)
        user_bias, item_bias = np.zeros(train.n_users), np.zeros(train.n_items)
        mean = float(train.value.mean()) if len(train) else 0.0

        def step(number: int, key: np.uint64, rows: Int32, pool: Int32) -> None:
            rate = self.rate * (1 - (number - 1) / self.epochs)
            fit_ratings(
                key,
                rows,
                train.user,
                train.item,
                train.value,
                mean,
                users,
                items,
                user_bias,
                item_bias,
                rate,
                self.l2,
                self.l2_bias,
            )

        def check(number: int) -> None:
            if not (np.isfinite(users).all() and np.isfinite(items).all()):
                raise NotApplicableError(
                    f"the descent diverged in pass {number}", where=str(self), hint="use a smaller rate, or a larger l2"
                )

        descend(train, self.epochs, step, seed=seed, purpose="recommend SVD", check=check)
        left = np.column_stack([users, mean + user_bias, np.ones(train.n_users)])
        right = np.column_stack([items, np.ones(train.n_items), item_bias])
        return InnerProducts(left, right, known_users=known_users, known_items=known_items)
