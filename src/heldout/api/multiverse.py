"""Every combination of choices, and whether the conclusion survives them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from heldout.api.arguments import EngineName
from heldout.api.kinds.multiverse import MultiverseSource, stored_universes
from heldout.api.results import Results
from heldout.catalogue.text import parse
from heldout.data.read import is_text_form, reader_of
from heldout.errors import SpecError, SystemsFailedError
from heldout.experiment.ledger import Ledger
from heldout.progress import STEPS
from heldout.reports.render.progress import ProgressOption, shown
from heldout.storage.deferred import Deferred
from heldout.study.systems import refuse_engine
from heldout.universes.analysis import multiverse_findings
from heldout.universes.compute.exploration import FINDINGS
from heldout.universes.compute.explore import explore
from heldout.universes.explored import explored_universes
from heldout.universes.findings import MultiverseFindings
from heldout.universes.grid.file import default_keys, multiverse_from, read_multiverse
from heldout.universes.grid.grid import Multiverse
from heldout.universes.grid.plan import Plan
from heldout.universes.grid.plan import plan as plan_grid
from heldout.universes.papers import with_papers

Grid = str | Path | Mapping[str, Any] | Multiverse


def grid_of(
    study: Grid | None, data: Any, systems: str | Sequence[str] | None, models: Mapping[str, Any] | None
) -> Multiverse:
    """The grid of a study file or its keys, whose data and systems may be replaced; or else one of usual choices."""
    names = _named(systems) if isinstance(systems, str) else list(systems or ())
    if isinstance(study, Multiverse):
        if data is not None or names:
            raise SpecError("a grid that is made has its data and systems", hint="give the study's keys instead")
        return study
    if study is None:
        if data is None or (not names and not models):
            raise SpecError(
                "a multiverse needs a study, or data and systems",
                hint="heldout multiverse study.toml --out DIR, or --data ratings.csv --systems UserKNN,WRMF",
            )
        return multiverse_from(default_keys(_here(data), names), models=models)
    instead: dict[str, Any] = {"data": _here(data)} if data is not None else {}
    instead |= {"recommend": names} if names else {}
    if isinstance(study, Mapping):
        return multiverse_from({**study, **instead}, models=models)
    return read_multiverse(study, models=models, instead=instead)


def _named(systems: str) -> list[str]:
    """The systems of a text: UserKNN(k=3, q=2),WRMF are two."""
    call = parse(f"systems({systems.strip().strip(',')})")
    if call.kwargs:
        raise SpecError(f"{next(iter(call.kwargs))} = … is no system", where="systems", hint="such as UserKNN(k=50),WRMF")
    return [str(system) for system in call.args]


def _here(data: Any) -> Any:
    """Data as they are meant from the working folder, wherever the study file lies; tables in memory as they are."""
    if not isinstance(data, str | Path):
        return data
    if Path(data).expanduser().exists() or not is_text_form(str(data)):
        return str(Path(data).expanduser().absolute())
    reader = reader_of(str(data))
    path = getattr(reader, "path", None)
    return reader.replace(path=str(Path(path).expanduser().absolute())) if isinstance(path, str) else reader


def multiverse(
    study: Grid | None = None,
    *,
    data: Any = None,
    systems: str | Sequence[str] | None = None,
    models: Mapping[str, Any] | None = None,
    out: str | Path | None = None,
    threads: int | None = None,
    block: int = 4096,
    progress: ProgressOption = None,
    engine: EngineName | None = None,
    address: str | None = None,
) -> Results[MultiverseFindings]:
    """Try every combination of a study's options: does "A beats B" survive the other choices?

    `study` is a TOML file or its keys as a dictionary; any stage may list options, and its table `multiverse` may name
    seeds, cutoffs and gains. `data` (a path, a text form or a frame) and `systems` replace the study's; without a study,
    they are compared over a grid of usual choices. With `out`, everything is kept there, and a run that was stopped goes on.
    """
    grid = grid_of(study, data, systems, models)
    ledger = Ledger(out) if out is not None else None
    with ledger.writing() if ledger is not None else nullcontext(), shown(progress, ledger) as tell:
        options: dict[str, Any] = {"block": block, "progress": tell, "engine": engine, "address": address}
        explored = explore(grid, out=out, threads_used=threads, **options)
        if tell is not None:
            tell(FINDINGS, 0, 0)
        compared = explored.universes.compared()
        if not len(compared.pairs):
            each = "; ".join(dict.fromkeys(f"{failure.system}: {failure.reason}" for failure in explored.failures))
            reasons = {failure.system: f"{failure.stage}: {failure.reason}" for failure in reversed(explored.failures)}
            raise SystemsFailedError(f"no two systems could be compared ({each})", where="recommend", reasons=reasons)
        level, universes = grid.study.compare.level, explored.universes
        table = Deferred(lambda: with_papers(universes))
        if out is not None:  # read back from the folder: the table of many systems would take more memory than all else
            table = stored_universes(Path(out), explored.manifest)
        in_turn = Deferred(lambda: explored_universes(universes, level=level))
        profiles = Deferred(explored.prepared.distinct_profiles)
        results = Results(
            findings=multiverse_findings(compared, level=level, profiles=profiles),
            manifest=explored.manifest,
            folder=Path(out) if out is not None else None,
            _source=MultiverseSource(table=table, explored=in_turn),
        )
        if out is not None:
            results.save(out)
        if tell is not None:
            tell(FINDINGS, STEPS, STEPS)
    return results


def plan(
    study: Grid | None = None,
    *,
    data: Any = None,
    systems: str | Sequence[str] | None = None,
    models: Mapping[str, Any] | None = None,
    out: str | Path | None = None,
    engine: EngineName | None = None,
    address: str | None = None,
) -> Plan:
    """What `multiverse` would take, without doing it: stages, fits, and about how much time and disk.

    Options are those of `multiverse`; with `out`, what is kept in that folder counts as done.
    """
    refuse_engine(engine or "here", address)
    return plan_grid(grid_of(study, data, systems, models), out=out)
