"""HO305: users without a rating error are left out, since 0 would be the best error."""

from __future__ import annotations

from heldout.review.lint.rule import Noticed


class UndefinedErrors(Noticed):
    """Users without a rating error are left out, since 0 would be the best error.

    Assumes: undefined = zero is asked for together with RMSE, MAE, MSE or NMAE.

    Example: RMSE of a system that predicts nothing for a user.
    """

    key = "HO305"
    severity = "advice"
    stage = "undefined"
    references = ("herlocker2004",)
    change = 'add undefined = "skip", which says what is done anyway'
    from_results = "whether errors are undefined for some users"
