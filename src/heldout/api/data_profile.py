"""DataProfile: a data set in numbers, as a table, a page and figures."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import polars as pl

from heldout.api.finished_folder import FinishedResults
from heldout.api.plots import DataPlots, save_figure
from heldout.data.profile import Profile, ProfileRecord, counts_in_words
from heldout.errors import ResultsError
from heldout.tables import Interactions
from heldout.tables.display import Displayed


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class DataProfile(Displayed, FinishedResults[ProfileRecord]):
    """A data set by itself, after a chain of filters, with its profile as read and after each."""

    kind = "profile"
    kept = MappingProxyType({"table": "One row per step", "curves": "One row per picture, step and bar or point"})
    findings_class = ProfileRecord
    other = "these are not results of heldout data describe"
    unfinished = "the profile was not written whole"

    ratings: Interactions | None = None
    """The ratings that are left, where the data set was read here."""

    @property
    def data(self) -> Interactions:
        """The ratings that the filters left; ResultsError where the profile was loaded from a folder, which keeps none."""
        if self.ratings is None:
            raise ResultsError("a folder keeps the profile, not the ratings", hint="profile the data set again")
        return self.ratings

    @property
    def steps(self) -> tuple[tuple[str, Profile], ...]:
        """Label and profile: as read, then after each filter."""
        return self.findings.steps

    @property
    def last(self) -> Profile:
        """The profile after all filters."""
        return self.steps[-1][1]

    @property
    def skipped(self) -> tuple[tuple[str, int], ...]:
        """Why rows could not be read, and how many."""
        return self.findings.skipped

    @property
    def rows(self) -> int:
        """Rows as read, before repeated pairs were made one."""
        return self.findings.rows

    @property
    def columns_read(self) -> str:
        """Which columns were taken for what, and why."""
        return self.findings.columns_read

    @property
    def sentence(self) -> str:
        """What is left after all filters, in counts."""
        return f"{counts_in_words(self.last)}."

    def _headline(self) -> str:
        """Which columns were read, and the counts of each step."""
        lines = [f"{label}: {counts_in_words(profile)}" for label, profile in self.steps]
        return "\n".join([self.columns_read, *lines] if self.columns_read else lines)

    @property
    def table(self) -> pl.DataFrame:
        """One row per step: counts, density, how ratings spread over users and items, positive ones, first and last time."""
        return pl.DataFrame(
            [
                {
                    "step": label,
                    "users": step.users,
                    "items": step.items,
                    "ratings": step.ratings,
                    "density": step.density,
                    "gini": step.gini,
                    **{f"per_user_{name}": value for name, value in vars(step.per_user).items()},
                    **{f"per_item_{name}": value for name, value in vars(step.per_item).items()},
                    "positive_share": step.positive_share,
                    "first_time": step.time_span[0] if step.time_span else None,
                    "last_time": step.time_span[1] if step.time_span else None,
                }
                for label, step in self.steps
            ],
            schema_overrides={"positive_share": pl.Float64, "first_time": pl.Int64, "last_time": pl.Int64},
        )

    @property
    def curves(self) -> pl.DataFrame:
        """One row per picture, step and bar or point: where it stands, or begins and ends, and its count or share."""
        rows = []
        for label, step in self.steps:
            for part, drawn in step.to_dict().items():
                if isinstance(drawn, dict) and "counts" in drawn:
                    ends = drawn["edges"][1:] if len(drawn["edges"]) > len(drawn["counts"]) else drawn["edges"]
                    rows += [(part, label, *bar) for bar in zip(drawn["edges"], ends, drawn["counts"], strict=False)]
                elif isinstance(drawn, dict) and "x" in drawn:
                    rows += [(part, label, x, x, y) for x, y in zip(drawn["x"], drawn["y"], strict=True)]
        schema = {"part": pl.String, "step": pl.String, "start": pl.Float64, "end": pl.Float64, "value": pl.Float64}
        return pl.DataFrame(rows, schema=schema, orient="row", strict=False)

    def to_html(self) -> str:
        """The profile as one self-contained page."""
        from heldout.reports.page.profile import to_html

        return to_html(self.findings)

    @property
    def plot(self) -> DataPlots:
        """Figures by matplotlib: `plot("data-popularity")` or `plot.data_popularity()`; iterating gives the names."""
        from heldout.reports.figures import PROFILE
        from heldout.reports.profile_views import data_facts

        return DataPlots(PROFILE, data_facts(self.findings), self.to_html)

    def save_plot(self, path: str | Path, kind: str = "data-popularity", *, width: float | None = None) -> None:
        """Write a figure of `plot` to a file (.pdf, .svg, .png), with fonts that publishers take."""
        save_figure(self.plot(kind, width=width), path)

    def _repr_html_(self) -> str:
        from heldout.reports.page.profile import html_fragment

        return str(html_fragment(self.findings))

    def save(self, folder: str | Path) -> None:
        """Write manifest.json, profile.json, the tables and report.html into the folder."""
        from heldout.experiment.ledger import Ledger

        ledger = Ledger(folder)
        with ledger.writing():
            ledger.write_manifest(self.manifest)
        super().save(folder)
