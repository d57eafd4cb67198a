"""Progress over draws, whoever computes them."""

from __future__ import annotations

from heldout.biases.truth.draw_progress import DrawProgress
from heldout.experiment.work_share import STEPS


def test_draws_of_this_process_another_one_and_the_folder_all_count() -> None:
    """Two systems on two splits; of the first draw one split cannot be made, the second comes from elsewhere."""
    steps: list[tuple[str, int, int]] = []
    progress = DrawProgress(lambda *step: steps.append(step), 3, ["A", "B"], ["", "own"])
    step = progress.prepared(0, [""])
    step()
    step()
    progress.finish(0, loaded=False)
    progress.prepared(1, ["", "own"])
    progress.finish(1, loaded=False)
    progress.prepared(2, ["", "own"])
    before_last = steps[-1]
    progress.finish(2, loaded=True)
    assert steps[0] == ("held against the truth", 0, STEPS) and before_last[1] < STEPS
    assert steps[-1] == ("held against the truth", STEPS, STEPS)  # nothing is left over, and nothing was counted twice
    assert len(steps) == 1 + 3 * (1 + 4)
