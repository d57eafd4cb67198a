"""Write docs/reference/ from the catalogue, the docstrings and the command line, so that it cannot be out of date.

python docs/generate.py [folder]
"""

from __future__ import annotations

import inspect
import re
import shutil
import sys
from collections.abc import Iterator
from importlib import import_module
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from typer.main import get_command
from typer.testing import CliRunner

import heldout
from heldout.catalogue import KINDS, Kind, classes
from heldout.catalogue.describe import Description, describe
from heldout.catalogue.namespaces import sources
from heldout.catalogue.notices import concern
from heldout.catalogue.references import bibliography, reference

TITLES = {
    "reader": ("Readers", "Where ratings come from: what `data` takes besides a plain path."),
    "filter": ("Filters", "Which ratings are used. An inner list under `filter` is a chain, applied in order."),
    "missingness": (
        "Missing ratings",
        "Why the other ratings of a simulated world are missing: what `simulate(missing=…)` takes.",
    ),
    "split": ("Splits", "Which ratings train and which are held out."),
    "users": ("User rules", "Which users are tested. An inner list under `users` is a chain: all its rules must hold."),
    "recommender": ("Recommenders", "The systems that `recommend` knows by name; models of your own stand beside them."),
    "fallback": ("Fallbacks", "What follows in a list when a recommender cannot score every target."),
    "relevance": ("Relevance rules", "Which test ratings count as relevant."),
    "target": ("Targets", "Which items compete in a user's ranking."),
    "estimator": ("Estimators", "Corrections of values measured among sampled items: what `corrected=` takes in targets."),
    "ties": ("Tie rules", "The order of items of equal score."),
    "unrated": ("Unrated rules", "What a ranked item without a test rating counts as."),
    "metric": ("Metrics", "One value for every list."),
    "gain": ("Gains", "How a rating becomes gain: what `gain=` takes in nDCG."),
    "discount": ("Discounts", "What is left of an item's worth at a rank: what `discount=` takes in DCG and nDCG."),
    "utility": ("Utilities", "What a test rating is worth: what `utility=` takes in utility metrics."),
    "propensity": ("Propensities", "How likely a relevant item was to be rated: what `ips=` and `snips=` take."),
    "aggregation": ("Aggregations", "Users' values made one number."),
    "undefined": ("Undefined rules", "What a value counts as where the metric's own denominator is 0."),
    "coverage": ("Coverage rules", "What a user without recommendations counts as."),
    "test": ("Tests", "Whether two systems differ by more than chance."),
    "correction": ("Corrections", "p-values of many comparisons: what `correction` takes in the table `compare`."),
    "rule": ("Rules of the review", "What `heldout lint` looks for; each code is explained in the [warnings](warnings.md)."),
}


def pages() -> dict[str, str]:
    """Every page of the reference by its file name."""
    made = {f"{kind.plural}.md": kind_page(kind) for kind in KINDS.values()}
    made["libraries.md"] = libraries_page()
    made["warnings.md"] = warnings_page()
    made["python.md"] = python_page()
    made["command-line.md"] = command_line_page()
    made["index.md"] = index_page()
    return {name: text.rstrip() + "\n" for name, text in made.items()}


def index_page() -> str:
    """The list of pages, in the order in which data flow."""
    rows = ["| stage | decision | components |", "|---|---|---|"]
    for kind in KINDS.values():
        names = ", ".join(f"`{cls.key}`" for cls in house(kind))
        stage = f"`{kind.stage}`" if kind.stage else ""
        rows.append(f"| {stage} | {kind.decision} | [{TITLES[kind.name][0]}]({kind.plural}.md): {names} |")
    toctree = ["python", "command-line", "libraries", "warnings", *(kind.plural for kind in KINDS.values())]
    return "\n".join(
        [
            "# Reference",
            "",
            "Generated from the source: each component's page says what its file declares. The same text is printed by",
            "`heldout list` and `heldout describe NAME`. Also here: the [Python interface](python.md), the",
            "[command line](command-line.md), [differences from other libraries](libraries.md) and the",
            "[codes of warnings](warnings.md).",
            "",
            *rows,
            "",
            *fenced("{toctree}", [":hidden:", "", *toctree]),
        ]
    )


def house(kind: Kind) -> list[type]:
    """The components of the house itself, not those that happen to be installed beside it."""
    return [cls for cls in classes(kind.name) if cls.__module__.startswith("heldout.")]


def kind_page(kind: Kind) -> str:
    """All components of a kind."""
    title, about = TITLES[kind.name]
    facts = []
    if kind.stage:
        facts.append(f"Key of a study file: `{kind.stage}`.")
    if kind.decision:
        facts.append(f"Decision {kind.decision}.")
    facts.append(f"Entry points of third parties: `heldout.{kind.plural}`.")
    parts = [f"# {title}", "", about, "", " ".join(facts), ""]
    for cls in house(kind):
        parts += component(describe(cls))
    return "\n".join(parts)


def component(found: Description) -> Iterator[str]:
    """One component: signature, summary, formula, parameters, assumptions, facts, example, references."""
    yield from (f"## {found.key}", "", *fenced("text", [found.signature]), "", prose(found.summary), "")
    if found.aliases:
        yield from (f"Also written {', '.join(f'`{a}`' for a in found.aliases)}.", "")
    if found.formula:
        yield from (*fenced("text", [found.formula]), "")
    if found.parameters:
        yield from ("| parameter | takes | default | |", "|---|---|---|---|")
        for p in found.parameters:
            yield "| " + " | ".join(cell(text) for text in (f"`{p.name}`", p.type, f"`{p.default}`", p.doc)) + " |"
        yield ""
    if found.assumes:
        yield from (f"**Assumes** {prose(found.assumes)}", "")
    for word, text in found.facts:
        yield from (f"**{word}** {prose(text)}", "")
    if found.example:
        yield from (f"**Example** {prose(found.example)}", "")
    if found.references:
        unknown = [key for key in found.references if key not in bibliography()]
        if unknown:
            raise ValueError(f"{found.kind} {found.key} cites {', '.join(unknown)}: not in catalogue/references.bib")
        yield from ("**References**", "", *(f"- {prose(reference(key))}" for key in found.references), "")


def libraries_page() -> str:
    """What other libraries mean by the names of our metrics."""
    parts = [
        "# Differences from other libraries",
        "",
        "Two tools that report the same name may report different numbers. What the metrics here declare about others, each",
        "compared with the definition on its own page:",
        "",
        "| metric | elsewhere | what is meant there |",
        "|---|---|---|",
    ]
    for cls in house(KINDS["metric"]):
        for name, text in getattr(cls, "libraries", {}).items():
            parts.append(f"| [{cls.key}](metrics.md#{cls.key.casefold()}) | {cell(name)} | {cell(text)} |")
    parts += [
        "",
        "Three more things change numbers without changing the name of the metric:",
        "",
        "- **Ties.** trec_eval compares scores as 32-bit floats and puts the higher item id first; so does `ties = trec`.",
        "  The default, `item`, puts the lower id first.",
        "- **Users without a value.** A user with no relevant test item counts as 0 by default, as in trec_eval when it",
        "  averages over all topics; many libraries leave such users out, which is `undefined = skip`.",
        "- **Users without a list.** They count as 0 by default; tools that average over the users of the run forgive them,",
        "  which is `coverage = forgive`.",
    ]
    return "\n".join(parts)


def warnings_page() -> str:
    """Every coded warning with its explanation."""
    parts = [
        "# Codes of warnings",
        "",
        "A warning about method has a code. It is shown in the report, never stops a run, and is explained here and by",
        "`heldout describe CODE`.",
        "",
    ]
    for code in house(KINDS["rule"]):
        page = concern(code.key)
        parts += [f"({page.key})=", f"## {page.key} {page.title}", "", page.explanation.strip(), ""]
    return "\n".join(parts)


def python_page() -> str:
    """The public functions and classes, from their docstrings."""
    parts = [
        "# Python interface",
        "",
        "Verbs, tables and results are names of the package: `import heldout as ho`. Components are grouped by kind under",
        'their class names (`ho.metrics.NDCG(n=10)` is `ho.make("metric", "nDCG@10")`; gains are in `ho.metrics.gains`);',
        "their parameters are on the pages of the [reference](index.md). Type stubs come with the package, so editors",
        "complete names and parameters, and mypy and pyright check them.",
        "",
    ]
    interface = [
        (source.module, name) for name, source in sources("heldout").items() if not inspect.ismodule(getattr(heldout, name))
    ]
    for module, names in groupby(interface, itemgetter(0)):
        parts += [f"## {module}", "", prose(inspect.getdoc(import_module(module)) or "").split("\n\n")[0], ""]
        for _, name in names:
            parts += documented(name, getattr(heldout, name))
    return "\n".join(parts)


def documented(name: str, found: object) -> Iterator[str]:
    """A function or class with its signature, its docstring and, of a class, its own public methods."""
    kind = "class" if inspect.isclass(found) else "def"
    yield from (f"### {name}", "")
    if signature_of(found):
        yield from (*fenced("python", [f"{kind} {name}{signature_of(found)}"]), "")
    yield from (inspect.getdoc(found) or "", "")
    if not inspect.isclass(found) or issubclass(found, Exception):
        return
    members = [(n, m) for n, m in vars(found).items() if not n.startswith("_") and method_doc(m)]
    for member, value in members:
        inner = getattr(value, "__func__", value)
        inner = getattr(inner, "fget", None) or getattr(inner, "func", None) or inner
        call = signature_of(inner) if inspect.isfunction(value) or isinstance(value, classmethod) else ""
        call = re.sub(r"\(\s*(self|cls)(,\s*)?", "(", call).split(" -> ")[0]
        call = " ".join(call.split()).replace(", )", ")")
        yield f"- `{member}{call}`: {' '.join((inspect.getdoc(inner) or '').split(chr(10) * 2)[0].split())}"
    if members:
        yield ""


def method_doc(member: object) -> bool:
    """Whether a member of a class is a method or property with a docstring."""
    inner = getattr(member, "__func__", None) or getattr(member, "fget", None) or getattr(member, "func", None) or member
    return inspect.isfunction(inner) and bool(inner.__doc__)


def signature_of(found: object) -> str:
    """A signature as text; empty for what has none worth showing. Annotations stand as they are written in the source."""
    if inspect.isclass(found) and issubclass(found, Exception):
        return ""
    try:
        signature = inspect.signature(found)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return ""
    words: list[str] = []
    for parameter in (p for p in signature.parameters.values() if not p.name.startswith("_")):
        if parameter.kind is parameter.KEYWORD_ONLY and not any(w.startswith("*") for w in words):
            words.append("*")
        star = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
        words.append(star + parameter.name + _annotated(parameter))
    returned = "" if signature.return_annotation in (inspect.Signature.empty, None, "None") else signature.return_annotation
    arrow = f" -> {returned}" if returned else ""
    line = f"({', '.join(words)}){arrow}"
    return line if len(line) <= 90 else "(\n    " + ",\n    ".join(words) + f",\n){arrow}"


def _annotated(parameter: inspect.Parameter) -> str:
    text = "" if parameter.annotation is parameter.empty else f": {parameter.annotation}"
    if parameter.default is parameter.empty or repr(parameter.default).startswith("<"):
        return text
    return f"{text} = {parameter.default!r}" if text else f"={parameter.default!r}"


def command_line_page() -> str:
    """The help of every verb."""
    app = import_module("heldout.cli.app").whole_app()
    parts = [
        "# Command line",
        "",
        "Results go to stdout, everything else to stderr. Exit codes: 0 done, 2 something to mend (one message says what,",
        "where and what to do; a full disk, a denied file and full memory too), 3 some system failed and the others are",
        "complete, 70 a bug in Heldout or in a library (the message says where its trace was kept; please report it),",
        "130 stopped by the user, 141 the reader of a pipe has gone. `heldout lint` ends with 1 where it finds what",
        "`--fail-on` names. Where stdout's encoding lacks a character, a replacement is printed; CSV, LaTeX and Markdown",
        "are UTF-8 then, and JSON escapes it. Control characters and marks of direction from files and ids are written",
        "out, as `\\x1b`, wherever a terminal would obey them.",
        "",
    ]
    for path in verbs(get_command(app), ()):
        shown = CliRunner().invoke(app, [*path, "--help"], prog_name="heldout", terminal_width=100)
        if shown.exit_code != 0:
            raise RuntimeError(f"heldout {' '.join(path)} --help failed: {shown.output}")
        parts += [f"## {' '.join(('heldout', *path))}", "", *fenced("text", shown.output.rstrip().splitlines()), ""]
    return "\n".join(parts)


def verbs(command: object, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The path of a command and of all that are under it."""
    yield path
    for name, inner in getattr(command, "commands", {}).items():
        yield from verbs(inner, (*path, name))


def fenced(language: str, lines: list[str]) -> list[str]:
    """Lines as a fenced block."""
    return [f"```{language}", *lines, "```"]


def cell(text: str) -> str:
    """Text for a cell of a table."""
    return prose(text).replace("|", "\\|")


def prose(text: str) -> str:
    """Text for Markdown: signs that would be markup outside of backticks are escaped."""
    pieces = re.split(r"(`[^`]*`)", text)
    return "".join(p if p.startswith("`") else re.sub(r"([*_<\\\[\]])", r"\\\1", p) for p in pieces)


def write(folder: Path) -> None:
    """Write all pages into an empty folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, text in pages().items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "reference")
