"""The tables that may be written inside a study file: their keys, and what each means."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Options = str | list[str]


class DataTable(BaseModel):
    """Data with named columns."""

    model_config = ConfigDict(extra="allow")

    path: str = Field(description="file or folder, relative to the study file")


class NamedSystem(BaseModel):
    """A recommender under a name of one's own."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"anyOf": [{"required": ["model"]}, {"required": ["tuned"]}]}
    )

    name: str | None = None
    model: str | None = Field(default=None, description="a recommender, such as UserKNN(k=50)")
    tuned: str | None = Field(default=None, description="instead of a model: a folder that `heldout tune` made")
    num_cpus: float | None = Field(default=None, gt=0, description="with engine = ray: CPUs for its fit, and so threads")
    num_gpus: float | None = Field(default=None, gt=0, description="with engine = ray: GPUs for its fit, or a share of one")
    memory: str | None = Field(default=None, description="with engine = ray: memory for its fit, such as 8 GB")


class OwnMeasure(BaseModel):
    """A metric with an aggregation of its own."""

    model_config = ConfigDict(extra="forbid")

    metric: str = Field(description="a metric, such as HLU")
    aggregate: Options | None = Field(default=None, description="how its values are aggregated, instead of the study's way")


class CompareTable(BaseModel):
    """How systems are compared."""

    model_config = ConfigDict(extra="forbid")

    tests: Options = Field(default=["t", "permutation"], description="significance tests; all of them are run")
    correction: str = Field(default="holm", description="correction for many comparisons")
    level: float = Field(default=0.05, gt=0, lt=1, description="the level of significance")
    baseline: str | None = Field(default=None, description="compare only with this system, instead of all pairs")
    folds: str | None = Field(default=None, description="average: a user's folds are averaged first; pooled: they are not")
    group: str | None = Field(default=None, description="of a split with two groups of users: evaluation, development, all")


class MultiverseTable(BaseModel):
    """What multiplies the options of a study where every combination is tried."""

    model_config = ConfigDict(extra="forbid")

    seeds: list[int] | None = Field(default=None, description="seeds; everything random is drawn anew under each")
    cutoffs: list[int] | None = Field(default=None, description="depths of every metric that names none itself")
    gains: Options | None = Field(default=None, description="gain maps of every graded metric that names none itself")


class MetaTable(BaseModel):
    """How metrics are tried by the systems of a study."""

    model_config = ConfigDict(extra="forbid")

    sampling: Literal["all", "user"] | None = Field(
        default=None, description="what samples are a share of: all test ratings together, or each user's"
    )
    popularity: Literal["all", "train"] | None = Field(
        default=None, description="the ratings that popularity is counted over: training and test, or training only"
    )
    samples: int | None = Field(default=None, description="samples of each share of the test ratings")
    shares: list[float] | None = Field(default=None, description="shares of the test ratings that are kept")
    item_shares: list[float] | None = Field(default=None, description="shares of the items, the least popular")
    flips: int | None = Field(default=None, description="sign flips of the permutation test")
    level: float | None = Field(default=None, description="the p-value below which a pair of systems counts as different")
    rule: list[str] | None = Field(default=None, description="criteria to rank metrics by, such as mean_p and missing_tau")
