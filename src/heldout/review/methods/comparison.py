"""The paragraphs on statistical comparison, and on software and reproducibility."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from heldout import __version__
from heldout.analysis.findings import Findings
from heldout.catalogue.prose import cite
from heldout.experiment.failed_systems import LeftOut
from heldout.experiment.run_sources import RunSources
from heldout.review.methods.data import source_name
from heldout.review.methods.parts import ListEntry, Paragraph, Section, joined, these
from heldout.study.spec import Study
from heldout.words import counted, listed


def comparison_section(
    study: Study, findings: Findings | None, universes: int = 0, failed: Sequence[LeftOut] = ()
) -> Section:
    """Tests, correction, level, and what was reported beside p-values; `study` holds the systems that were compared."""
    compare, n = study.compare, len(study.recommend)
    if n < 2:
        left = "One system was evaluated" if n else "No system was evaluated"
        return Section("Statistical comparison", (Paragraph(f"{left}, so nothing was compared."),))
    pairs = n - 1 if compare.baseline is not None else n * (n - 1) // 2
    if not compare.tests:
        return Section("Statistical comparison", (Paragraph(_untested(study, pairs)),))
    tests = [f"{test.phrase()}{cite(test.references[:1])}" for test in compare.tests]
    sentences = [f"the values of users were compared by {listed(tests)}"]
    if len(tests) > 1:
        rests = "conclusions rest on the first of them that answers for the aggregation"
        sentences[0] += "; each of them makes universes of its own" if universes else f"; {rests}"
    whom = f"every system was compared with {compare.baseline}" if compare.baseline else "all pairs of systems were compared"
    sentences.append(f"{whom}, {counted(pairs, 'comparison')} in each setting")
    partly = [failure.system for failure in failed if not failure.everywhere]
    if partly:
        sentences.append(f"there are fewer comparisons on the splits where {listed(partly)} failed")
    if pairs > 1:
        sentences.append(f"the p-values {compare.correction.phrase()}{cite(compare.correction.references[:1])}")
    sentences.append(f"differences are called significant at the level {compare.level:g}")
    if any(split.folds_made > 1 for split in study.split):
        if compare.folds == "average":
            sentences.append("a user's values were averaged over folds before testing, so that each user counts once")
        else:
            sentences.append("each fold of a user was tested as another user, which overstates significance [@bengio2004]")
    if study.development is not None:
        sentences.append(f"the users compared are the {compare.group} group")
    beside = "its confidence interval, the paired effect size (Cohen's d) and the numbers of users for whom either is better"
    if universes:
        beside = "that difference as a share of the mean of both values, and the paired effect size (Cohen's d)"
    sentences.append(f"beside each p-value we report the difference, {beside}")
    settings = len(findings.settings) if findings is not None else 0
    if settings > 1:
        others = len(findings.verdict.on_other_users) if findings is not None else 0
        users = f", {others} of which {'rests' if others == 1 else 'rest'} on other users than the first" if others else ""
        sentences.append(f"the study has {settings} settings{users}; corrections hold within each")
    if universes:
        sentences.append(
            f"all combinations of the options above that go together were evaluated, {universes:,} distinct universes, and "
            "we report in how many of them each system wins significantly"
        )
    return Section("Statistical comparison", (Paragraph(joined(*sentences)),))


def _untested(study: Study, pairs: int) -> str:
    """What is reported of pairs where no test was made."""
    whom = f"every system with {study.compare.baseline}" if study.compare.baseline else "all pairs of systems"
    return joined(
        "no significance test was made",
        f"for {whom}, {counted(pairs, 'comparison')} in each setting, we report the difference, its confidence interval, "
        "the paired effect size (Cohen's d) and the numbers of users for whom either is better",
    )


def software_section(
    study: Study, manifest: Mapping[str, Any] | None, seeds: Sequence[int] = (), sources: RunSources | None = None
) -> Section:
    """Version, seed, digests and machine, as the manifest of what was run tells them."""
    versions = dict((manifest or {}).get("versions", {}))
    own = versions.pop("heldout", __version__)
    sentences = [
        f"the study is written for Heldout {own}" if manifest is None else f"the experiment was run with Heldout {own}"
    ]
    if versions:
        sentences[0] += f" ({', '.join(f'{name} {text}' for name, text in versions.items())})"
    drawn = f"everything random derives from seed {study.seed}"
    if len(seeds) > 1:
        drawn = f"everything random was drawn anew under each of the seeds {these([str(seed) for seed in seeds])}"
    sentences.append(f"{drawn}, and results are the same bytes on any number of threads")
    repeats = "the study file below repeats it" if study.split else "the choices are written out below"
    sentences.append(f"{repeats}; the table lists every decision that was taken, also those left to their defaults")
    inputs = dict((manifest or {}).get("inputs", {}))
    if not inputs:
        return Section("Software and reproducibility", (Paragraph(joined(*sentences)),))
    names = {source.full_text: source_name(source) for source in study.data}
    if sources is not None:
        names |= sources.names
    items = tuple(ListEntry(names.get(text, f"`{text}`"), f"`{digest}`") for text, digest in inputs.items())
    return Section(
        "Software and reproducibility",
        (Paragraph(joined(*sentences)), Paragraph("The input files have these SHA-256 digests:", items)),
    )
