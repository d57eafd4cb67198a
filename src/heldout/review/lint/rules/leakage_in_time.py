"""HO508: models learn from the future of what they predict."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.review.lint.finding import Finding
from heldout.review.lint.rule import Rule, Subject
from heldout.splits.audit import later_words
from heldout.text.numbers import percent


class LeakageInTime(Rule):
    """Test ratings are older than training ratings.

    Assumes: data without times cannot be checked. Results give the probability that a random training rating is later than a
    random test rating, equal times counted half. From a study file only the readers that hold times are known. Each user's
    newest ratings leak across users alone, which is advice; so are random splits beside one that cuts the time for all,
    since the study then shows both.

    Example: ratio(train=0.8) on MovieLens; not temporal(share=0.2).
    """

    key = "HO508"
    title = "Test ratings are older than training ratings"
    severity = "warning"
    stage = "split"
    references = ("ji2023", "gunawardana2009")
    from_results = "how likely a training rating is later than a test rating"
    explanation = """
The split does not follow time, so models learn from ratings made after those they predict, including other people's
later ratings of the same items: a future that no system in use has. How systems are ordered then depends on how much
leaks (Ji, Sun, Zhang and Li 2023; Gunawardana and Shani 2009, section 4.2). Split by one moment for all,
`temporal(share=0.2)`, or `replay(times=5)`; each user's newest ratings, `temporal(by=user, share=0.2)`, still leak
across users. A random split is defensible where only the order of systems on static tastes is asked; say that it is
one."""

    def review(self, subject: Subject) -> Iterator[Finding]:
        change = "say why time does not matter"
        if subject.study.data:  # parts that are given as files leave nothing to split anew
            change = f"{subject.replace('split', 'temporal(share=0.2)')}\nThat is one cut for all. Or {change}."
        cut = [s for s in subject.study.split if s.one_cut]
        beside = f"conclude from {cut[0]}, and read the others beside it" if cut else ""
        if subject.evidence is None:
            timed = [s for s in subject.study.data if getattr(s, "timed", False)]
            if timed and subject.random_splits:
                message = f"{subject.random_splits[0].full_text} draws test ratings whatever their time, and they have times"
                yield self.finding(message, beside or change, severity="advice" if cut else "warning")
            return
        worst: dict[str, tuple[float, float]] = {}
        for fold in subject.evidence.folds:
            older, own = fold.audit.get("older_than_any"), fold.audit.get("older_than_own")
            if older and fold.test:
                shares = (fold.audit.get("train_later") or 0.0, (own or 0) / fold.test)
                worst[fold.split] = max(worst.get(fold.split, (0.0, 0.0)), shares)
        for split, (later, own) in worst.items():
            of_own = percent(own) if own > 0 else "none"
            message = (
                f"{split}: {later_words(later)} (0 if one moment divides them, 0.5 in a random split); {of_own} of the test "
                "ratings are older than a training rating of the same user"
            )
            yield self.finding(message, beside or change, severity="warning" if own > 0 and not cut else "advice")
