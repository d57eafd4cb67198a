"""Experiments and claims of papers by their keys."""

from __future__ import annotations

from heldout.papers.paper import Claim, Experiment, Paper


def experiments(paper: Paper) -> dict[str, Experiment]:
    """All experiments of a paper by key."""
    return {experiment.key: experiment for experiment in paper.experiments}


def claims(paper: Paper) -> dict[str, Claim]:
    """All claims of a paper by key, as they are where they are first tested."""
    by_key: dict[str, Claim] = {}
    for experiment in paper.experiments:
        for claim in experiment.claims:
            by_key.setdefault(claim.key, claim)
    return by_key
