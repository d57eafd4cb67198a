"""Protocols held against the truth, end to end: unbiased where theory says so, visibly biased where it says so."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.refusals import refused

from heldout.biases.truth import analysis
from heldout.biases.truth.analysis import DrawProgress, TruthOptions, sizes_for, truth_findings
from heldout.biases.truth.drawn_data import data_of_draws
from heldout.biases.truth.draws import user_samples
from heldout.biases.truth.findings import EstimatorRow, TruthFindings
from heldout.data.readers import Simulate
from heldout.errors import InputError, NotApplicableError, SpecError
from heldout.experiment.ranks import Fitted
from heldout.kernels.compile_time import CompileTime
from heldout.progress import STEPS, WorkBar, WorkState
from heldout.study.file import study_from

LIKES_FEW = "prior=[0.3, 0.25, 0.25, 0.14, 0.06]"
SOME = ("AI-AR", "IPS (known)", "IPS (estimated)", "IPS (flat)")


def world(missing: str, **size: int) -> str:
    size = {"users": 80, "items": 40, "ratings": 1000} | size
    sizes = ", ".join(f"{name}={value}" for name, value in size.items())
    return f"simulate({sizes}, missing={missing}, {LIKES_FEW})"


def study(data: Any, **keys: Any) -> Any:
    systems = ["Popularity", "ItemKNN(k=5)"]
    written = {"data": data, "split": "ratio(train=0.6)", "relevance": "threshold(4)", "recommend": systems}
    return study_from(written | {"fallback": "random"} | keys)


def held(data: Any, draws: int, metrics: tuple[str, ...] = ("P@5",), only: Any = SOME, **keys: Any) -> TruthFindings:
    return truth_findings(
        study(data, **keys), options=TruthOptions(draws=draws, metrics=metrics, protocols=only, samples=20)
    )


def row(findings: TruthFindings, name: str) -> EstimatorRow:
    return next(row for row in findings.rows if row.name == name)


@pytest.mark.parametrize("missing", ["at_random", "by_value(slope=0.8)"])
def test_ips_with_known_propensities_is_unbiased_for_precision_and_dcg(missing: str) -> None:
    """Within four standard errors of the mean over 40 worlds, which are less than a tenth of the true value."""
    findings = held(world(missing), 40, ("P@5", "DCG(gain=binary)@5"), only=("AI-AR", "IPS (known)"))
    for metric in ("P@5", "DCG(gain=binary)@5"):
        known, plain = row(findings, f"IPS (known) by {metric}"), row(findings, f"AI-AR by {metric}")
        error = (known.bias_high - known.bias_low) / 4
        assert error < 0.1 * known.truth
        assert abs(known.bias) < 4 * error
        assert plain.bias_high < -0.2 * plain.truth  # unrated items pass for irrelevant ones


def test_item_level_propensities_stay_biased_where_the_rating_decides() -> None:
    findings = held(world("by_value(slope=0.8)"), 30)
    estimated, known = row(findings, "IPS (estimated) by P@5"), row(findings, "IPS (known) by P@5")
    assert estimated.bias_low > 0.5 * estimated.truth > 5 * abs(known.bias)
    assert row(findings, "IPS (flat) by P@5").bias_low > estimated.bias_high


def test_the_same_without_value_dependence_is_near() -> None:
    findings = held(world("at_random"), 30)
    assert abs(row(findings, "IPS (flat) by P@5").bias) < 0.15 * row(findings, "AI-AR by P@5").truth


def test_snips_recall_is_not_unbiased() -> None:
    """A ratio of two sums over a user's few test ratings: `tests/metrics/test_unbiased.py` has it converge with many."""
    data = world("by_popularity(counts=expected)", users=60, items=100, ratings=1200)
    findings = held(data, 25, ("Recall@5",), ("SNIPS (known)",))
    assert row(findings, "SNIPS (known) by Recall@5").bias_low > 0


def random_sample(tmp_path: Path, share: float = 0.3, users: int = 80, items: int = 40) -> tuple[str, Path]:
    """Biased ratings, and a file with what the same users say of a random share of all items."""
    prior = (0.3, 0.25, 0.25, 0.14, 0.06)
    truth = Simulate(users=users, items=items, ratings=1000, missing="by_value(slope=0.8)", prior=prior).world()
    chosen = np.random.default_rng(1).random((users, items)) < share
    user, item = np.nonzero(chosen)
    path = tmp_path / "random.csv"
    pl.DataFrame({"user": user + 1, "item": item + 1, "rating": truth.truth(np.arange(users))[user, item]}).write_csv(path)
    observed = tmp_path / "observed.csv"
    rows = truth.interactions.to_polars().select(user="user_id", item="item_id", rating="value")
    rows.write_csv(observed)
    return str(observed), path


def test_a_named_sample_is_the_truth_of_any_data(tmp_path: Path) -> None:
    data, path = random_sample(tmp_path)
    findings = held(data, 3, truth=str(path), only=("AI-AR", "IPS (estimated)"))
    assert not findings.simulated and findings.draws == 3
    assert 0.1 < row(findings, "AI-AR by P@5").truth < 0.5
    assert any(text.startswith("The truth is a random sample") for text in findings.limits)
    assert any("conditional on it" in text for text in findings.limits)
    pair = findings.pairs[0]
    assert pair.error > 0 and pair.judged == (pair.difference > 1.96 * pair.error)


def test_every_draw_resamples_the_same_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other users in every draw would make the mean over draws look surer than its users allow."""
    drawn = []

    def noted(seed: int, users: int, samples: int) -> np.ndarray:
        drawn.append(user_samples(seed, users, samples))
        return drawn[-1]

    monkeypatch.setattr("heldout.biases.truth.draws.user_samples", noted)
    data, path = random_sample(tmp_path)
    held(data, 3, truth=str(path), only=("AI-AR",))
    assert len(drawn) == 3 and drawn[0].std() > 0
    assert all(np.array_equal(counts, drawn[0]) for counts in drawn)


def test_a_sample_tells_the_true_value_that_the_whole_tells(tmp_path: Path) -> None:
    """All pairs as the sample give just the complete truth; a third of them comes near it."""
    data, whole = random_sample(tmp_path, share=1.0)
    complete = row(held(data, 2, truth=str(whole), only=("AI-AR",)), "AI-AR by P@5").truth
    _, third = random_sample(tmp_path, share=0.33)
    sampled = row(held(data, 2, truth=str(third), only=("AI-AR",)), "AI-AR by P@5").truth
    assert sampled == pytest.approx(complete, rel=0.35)


class NestedWorld:
    """Users who like and know the popular of 200 items; a random sample of all pairs, and the known pairs in it.

    As in CM100k, the ratings that a user would make by choice are known only of sampled pairs. All opinions are known too.
    """

    USERS, ITEMS = 250, 200

    def __init__(self, known: float) -> None:
        rng = np.random.default_rng(7)
        popularity = rng.random(self.ITEMS) ** 3
        self.liked = rng.random((self.USERS, self.ITEMS)) < 0.1 + 0.6 * popularity
        self.would_rate = rng.random((self.USERS, self.ITEMS)) < known * (0.1 + popularity) * (1 + self.liked)
        self.complete = self.table(np.ones_like(self.liked))

    def table(self, pairs: Any) -> pl.DataFrame:
        user, item = np.nonzero(pairs)
        return pl.DataFrame({"user": user, "item": item, "rating": np.where(self.liked[user, item], 5.0, 1.0)})

    def independent(self, number: int) -> np.ndarray:
        """Every pair sampled with chance 0.4, whatever happens to the others."""
        return np.random.default_rng(number).random(self.liked.shape) < 0.4

    def of_fixed_size(self, number: int) -> np.ndarray:
        """24 items of each user."""
        order = np.argsort(np.random.default_rng(number).random(self.liked.shape), axis=1)
        return np.argsort(order, axis=1) < 24


NESTED = {"recommend": ["Random", "Popularity"], "split": "ratio(train=0.7)", "fallback": "none"}


@pytest.mark.parametrize("users", ["with_test", "with_relevant"])
def test_weights_give_the_truth_of_the_tested_users(users: str) -> None:
    """In 40 draws of a nested world, the mean is the known truth of the same users, within 4 standard errors.

    Without the weight 1 of a test rating that alone makes its user tested, the mean is far too high.
    """
    world = NestedWorld(known=0.1)
    differences, known = [], []
    for number in range(40):
        sampled = world.independent(number)
        observed, sample = world.table(sampled & world.would_rate), world.table(sampled)
        keys = NESTED | {"users": users, "seed": number}
        weighed, complete = (
            row(held(observed, 1, only=("AI-AR",), truth=truth, **more, **keys), "AI-AR by P@5")
            for truth, more in ((sample, {"truth_design": "whole"}), (world.complete, {}))
        )
        assert weighed.users == complete.users < 0.8 * world.USERS
        differences.append(weighed.truth - complete.truth)
        known.append(complete.truth)
    error = np.std(differences, ddof=1) / np.sqrt(40)
    assert error < 0.03 * np.mean(known)
    assert abs(np.mean(differences)) < 4 * error


def test_halves_give_the_truth_of_the_tested_users_of_small_samples() -> None:
    """The same with 24 of 200 items of each user. Their inclusions are not independent, which the weights would assume."""
    world = NestedWorld(known=0.3)
    differences, known = [], []
    for number in range(40):
        sampled = world.of_fixed_size(number)
        observed, sample = world.table(sampled & world.would_rate), world.table(sampled)
        keys = NESTED | {"seed": number}
        half = data_of_draws(study(observed, truth=sample, **keys), halved=True)(0).source.read()
        half_table = pl.DataFrame({"user": half.user_id, "item": half.item_id, "rating": half.value})
        sampled_half, complete = (
            row(held(data, 1, only=("AI-AR",), truth=truth, **keys), "AI-AR by P@5")
            for data, truth in ((observed, sample), (half_table, world.complete))
        )
        assert sampled_half.users == complete.users < 0.8 * world.USERS
        differences.append(sampled_half.truth - complete.truth)
        known.append(complete.truth)
    error = np.std(differences, ddof=1) / np.sqrt(40)
    assert error < 0.03 * np.mean(known)
    assert abs(np.mean(differences)) < 4 * error


def test_all_protocols_at_once() -> None:
    findings = held(world("by_popularity", users=80, items=60, ratings=1500), 2, ("P@5", "nDCG(gain=binary)@5"), None)
    protocols = {row.protocol for row in findings.rows}
    assert {"AI-AR", "1R", "P1R", "U1R", "UAR", "condensed", "bpref", "infAP", "sampled (cls)", "IPS (known)"} <= protocols
    shares = [row.right for row in findings.rows]
    assert shares == sorted(shares, reverse=True) and all(0 <= share <= 1 for share in shares)
    assert all(np.isnan(row.bias) != row.same_scale for row in findings.rows)
    assert len(findings.values) == 2 * len(findings.rows)


def test_the_same_study_gives_the_same_findings() -> None:
    assert held(world("at_random"), 2).table.equals(held(world("at_random"), 2).table, null_equal=True)


def test_data_without_a_truth_are_refused(tmp_path: Path) -> None:
    data, path = random_sample(tmp_path)
    with refused(NotApplicableError, where="data", hint='truth = "random.csv"'):
        held(data, 2)
    other = tmp_path / "other.csv"
    pl.read_csv(path).with_columns(pl.col("user") + 1000).write_csv(other)
    with refused(InputError, where="other.csv", found="user 1001 and item 1", expected="ids as in the data"):
        held(data, 2, truth=str(other))


def test_a_truth_that_tells_nothing_is_refused_by_the_name_of_its_file(tmp_path: Path) -> None:
    data, path = random_sample(tmp_path)
    with refused(InputError, where="observed.csv", expected="ratings of items that were drawn at random"):
        held(data, 2, truth=data)
    low = tmp_path / "low.csv"
    pl.read_csv(path).with_columns(rating=pl.lit(2)).write_csv(low)
    with refused(InputError, where="low.csv", found=2.0, expected="a highest rating that is relevant"):
        held(data, 2, truth=str(low))


def test_estimate_and_truth_are_of_the_same_users(tmp_path: Path) -> None:
    """A truth of the first 30 users alone: whatever the others are like, estimates are of those 30."""
    data, path = random_sample(tmp_path)
    some = tmp_path / "some.csv"
    pl.read_csv(path).filter(pl.col("user") <= 30).write_csv(some)
    changed = tmp_path / "changed.csv"  # the others dislike everything
    pl.read_csv(data).with_columns(rating=pl.when(pl.col("user") > 30).then(1).otherwise("rating")).write_csv(changed)
    keys = {"truth": str(some), "recommend": ["Popularity", "Random"]}
    rows = [held(table, 2, only=("AI-AR", "IPS (estimated)"), **keys).rows for table in (data, str(changed))]
    assert [row.users <= 30 for row in rows[0]] == [True, True]
    by_name = [{row.name: (row.users, row.bias, row.truth) for row in of} for of in rows]
    assert by_name[0] == by_name[1]
    findings = held(data, 2, ("P@5", "Recall@5"), ("AI-AR",), undefined="skip", **keys)
    assert row(findings, "AI-AR by Recall@5").users < row(findings, "AI-AR by P@5").users
    assert any("of the same users" in text for text in findings.limits)


def test_the_first_of_several_folds_is_used_and_that_is_said() -> None:
    findings = held(world("at_random"), 1, only=("AI-AR",), split="folds(3)")
    assert any(text.startswith("folds(n=3) has 3 folds; of each draw the first is used") for text in findings.limits)


def test_other_bad_input() -> None:
    with refused(SpecError, where="recommend", found=["Popularity"], expected="at least two systems"):
        held(world("at_random"), 2, recommend=["Popularity"])
    with refused(SpecError, where="data", found=2, expected="one data set"):
        held([world("at_random"), world("by_popularity")], 2)
    with refused(SpecError, where="draws", found=0, expected="at least 1"):
        TruthOptions(draws=0)
    with refused(SpecError, where="level", found=1.5, expected="above 0 and below 1"):
        TruthOptions(level=1.5)


def test_propensities_that_are_no_chances_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from heldout import World

    for chance in (0, 1.5):
        monkeypatch.setattr(World, "propensity", lambda self, users, c=chance: np.full((len(users), self.n_items), c))
        with refused(InputError, found=chance, expected="above 0 and at most 1"):
            held(world("at_random"), 1)
    held(world("at_random"), 1, only=("AI-AR",))  # nobody asks for them


def test_a_split_that_is_always_the_same_is_one_draw(tmp_path: Path) -> None:
    data, path = random_sample(tmp_path)
    half = tmp_path / "half.csv"
    pl.read_csv(path).gather_every(2).write_csv(half)
    given = f'given(train="{data}", test="{half}", overlap=train)'
    findings = held(data, 4, truth=str(path), only=("AI-AR",), split=given)
    assert findings.draws == 1
    assert any("Another seed gives the same split" in text for text in findings.limits)
    assert any("are those of a split by coin flip" in text for text in findings.limits)


def test_a_system_that_fails_is_named_and_left_out(doomed: type) -> None:
    findings = held(world("at_random"), 1, only=("AI-AR",), recommend=["Popularity", "ItemKNN(k=5)", "Doomed"])
    assert findings.systems == ("Popularity", "ItemKNN(k=5)")
    assert any(text.startswith("Doomed: ") for text in findings.left_out)


def test_sizes_follow_the_catalogue() -> None:
    small, usual = sizes_for(300, 10), sizes_for(3706, 10)
    assert (small.classes, small.sampled) == (5, 30)
    assert (usual.classes, usual.sampled) == (10, 99)
    assert (sizes_for(40, 10).classes, sizes_for(40, 10).sampled) == (2, 10)


@pytest.mark.parametrize(
    ("name", "data", "threshold"), [("cm100k", 'cm100k("{}", known=yes)', 3), ("coat", 'coat("{}")', 4)]
)
def test_data_sets_with_random_samples_bring_their_truth(
    real_data: Callable[[str], Path], name: str, data: str, threshold: int
) -> None:
    """All songs of CM100k, the random coats of Coat; only Coat comes with propensities."""
    text = data.format(real_data(name))
    only = ("AI-AR", "IPS (estimated)", *(("IPS (known)",) if name == "coat" else ()))
    findings = held(text, 2, ("P@10",), only, relevance=f"threshold({threshold})")
    assert not findings.simulated and {row.protocol for row in findings.rows} == set(only)
    plain = row(findings, "AI-AR by P@10")
    assert 0.2 < plain.truth < 0.8 and plain.bias_high < -0.15
    share = findings.true_pairs / findings.users
    assert 60 < share < 100 if name == "cm100k" else 14 < share <= 16


def test_what_is_left_is_right_from_the_second_draw_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that only fits move, 1 s and 9 s, of which the first two also take 20 s each to load what all use."""
    seconds, fits = [0.0], list[str]()
    fit = Fitted.ranks

    def slow(fitted: Fitted, *arguments: Any, **options: Any) -> Any:
        seconds[0] += {"Popularity": 1.0, "ItemKNN(k=5)": 9.0}[fitted.system.name] + (20.0 if len(fits) < 2 else 0.0)
        fits.append(fitted.system.name)
        return fit(fitted, *arguments, **options)

    monkeypatch.setattr(Fitted, "ranks", slow)
    monkeypatch.setattr(analysis, "WorkBar", partial(WorkBar, now=lambda: seconds[0]))
    work, estimates = WorkState(lambda: seconds[0], CompileTime()), dict[float, int | None]()

    def tell(stage: str, done: int, total: int) -> None:
        work.tell(stage, done, total)
        estimates[seconds[0]] = work.seconds_left

    options = TruthOptions(draws=5, metrics=("P@5",), protocols=("AI-AR",))
    truth_findings(study(world("at_random")), options=options, progress=tell)
    assert fits == ["Popularity", "ItemKNN(k=5)"] * 5
    # Of 90 s, the first draw takes 50, in which nothing is said; from it alone the other four are thought to take 200.
    assert estimates == {0.0: None, 21.0: None, 50.0: 200, 51.0: 119, 60.0: 30, 61.0: 29, 70.0: 20, 71.0: 19, 80.0: 10,
                         81.0: 9, 90.0: None}  # fmt: skip


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
