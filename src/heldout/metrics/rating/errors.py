"""Predicted ratings beside the given ones."""

from __future__ import annotations

import numpy as np

from heldout.errors import NotApplicableError
from heldout.tables import Judged
from heldout.tables.arrays import Float64


def rating_errors(judged: Judged, asker: object) -> tuple[Float64, Float64]:
    """For every entry prediction − rating (0 where there is no prediction), and for every list the number of predictions."""
    if not judged.predicts_ratings:
        raise NotApplicableError(
            f"{asker} needs scores on the rating scale, which these are not",
            hint="the number would measure the scale of the scores; use a ranking metric, or a system that predicts ratings",
        )
    if judged.score is None:
        raise NotApplicableError(f"{asker} needs the scores themselves, which were not kept")
    scored = ~np.isnan(judged.score)
    return np.where(scored, judged.score - judged.grade, 0.0), judged.sum(scored)
