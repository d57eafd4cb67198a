"""Every code block of the README and the documentation is run; what is generated is complete; the site builds."""

from __future__ import annotations

import importlib.util
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import tomllib
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import polars as pl
import pytest
from tests.heavy import ALL, heavy, sampled
from typer.testing import CliRunner

import heldout as ho
from heldout.api.kinds.kind import GROUP as RESULT_KINDS
from heldout.catalogue import KINDS, classes, component, find_any
from heldout.study.comparison import COMPARE_KEYS
from heldout.study.file import FILE_KEYS, study_from

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
GUIDES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.glob("*.md"))]
BLOCK = re.compile(r"^```(?P<language>[\w{}-]*)[^\n]*\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
NAMED = re.compile(r"# (?P<name>[\w-]+\.(toml|py))\n")
EXAMPLE = "example_of_the_documentation"
SMALL = "simulate(users=150, items=150, ratings=6000)"


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Small files with the names that the pages use."""
    folder = tmp_path_factory.mktemp("documentation")
    data = ho.make("reader", SMALL).read().interactions()
    rows = data.to_polars().rename({"value": "rating", "time": "timestamp"})
    rows.write_csv(folder / "ratings.csv")
    rows.select(who="user_id", what="item_id", stars="rating").write_csv(folder / "log.csv")
    split = next(ho.make("split", "ratio(train=0.8, by=user)").split(data, seed=1))
    split.train.to_polars().write_csv(folder / "train.csv")
    split.test.to_polars().write_csv(folder / "test.csv")
    judged = split.test.to_polars().select("user_id", zero=pl.lit("0"), item="item_id", grade=pl.col("value").cast(int))
    judged.write_csv(folder / "qrels.txt", separator=" ", include_header=False)
    run = split.test.to_polars().select("user_id", "item_id", score="value")
    run.write_csv(folder / "run_a.csv")
    other = run.with_columns(score=pl.col("item_id") * 0.01)
    other.write_csv(folder / "run_b.csv")
    other.select("user_id", q=pl.lit("Q0"), item="item_id", rank=pl.lit(1), score="score", tag=pl.lit("b")).write_csv(
        folder / "run_b.txt", separator="\t", include_header=False
    )
    return folder


@pytest.fixture
def as_before() -> Iterator[None]:
    """Forget the components that an example declares."""
    yield
    for found in component._registry.values():
        for name in [name for name, cls in found.items() if cls.__module__ == EXAMPLE]:
            del found[name]


@sampled
@pytest.mark.usefixtures("as_before")
@pytest.mark.parametrize("page", GUIDES, ids=lambda p: p.name)
def test_every_code_block_runs(page: Path, files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from heldout.api import demo

    folder = tmp_path / "here"
    shutil.copytree(files, folder)
    monkeypatch.chdir(folder)
    monkeypatch.setitem(demo.STUDY, "data", SMALL)
    # A page is one story: its Python blocks share their names. Components declared in it are nobody's in the house.
    story = ModuleType(EXAMPLE)
    monkeypatch.setitem(sys.modules, EXAMPLE, story)
    for block in BLOCK.finditer(page.read_text(encoding="utf-8")):
        language, text = block["language"], block["text"]
        named = NAMED.match(text)
        if named:
            Path(named["name"]).write_text(text, encoding="utf-8")
        if language == "python":
            exec(compile(text, f"{page.name}: {text[:40]!r}", "exec", dont_inherit=True), story.__dict__)
        elif language == "toml":
            run_toml(text)
        elif language == "bash":
            run_shell(text)
        elif language == "yaml":
            check_workflow(text)
        else:
            assert language == "text" or language.startswith("{"), f"nobody runs blocks of {language!r}"


def run_toml(text: str) -> None:
    """A study is run, in this process where there is little time; of a project file the entry points are checked."""
    keys = tomllib.loads(text)
    if "project" in keys:
        groups = keys["project"]["entry-points"]
        assert set(groups) <= {RESULT_KINDS, *(f"heldout.{kind.plural}" for kind in KINDS.values())}
        return
    assert study_from(keys).metrics
    if not ALL:
        keys.pop("engine", None)
    assert ho.run(keys).verdict


def run_shell(text: str) -> None:
    """`heldout` runs in this process; of `make` and `pip` it is checked that what they name is there."""
    from heldout.cli.app import whole_app

    for line in text.replace("\\\n", " ").splitlines():
        words = shlex.split(line, comments=True)
        if not words:
            continue
        if words[:2] == ["heldout", "serve"]:
            run_server(words[1:])
        elif words[0] == "heldout":
            done = CliRunner().invoke(whole_app(), words[1:], catch_exceptions=False)
            assert done.exit_code == 0, f"{line}\n{done.output}"
            assert done.stdout.strip(), f"{line} printed nothing"
        elif words[0] == "make":
            assert re.search(rf"^{words[1]}:", (ROOT / "Makefile").read_text(), re.MULTILINE), line
        else:
            assert words[:2] == ["pip", "install"], f"nobody runs {line!r}"
            extras = re.findall(r"\[(.*?)\]", words[2])
            known = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
            assert set(extras) <= set(known)


def check_workflow(text: str) -> None:
    """The command of a workflow has the options that are used."""
    from heldout.cli.app import whole_app

    [(verb, options)] = re.findall(r"heldout (\w+) (.*)", text.replace("\\\n", " "))
    help_text = CliRunner().invoke(whole_app(), [verb, "--help"], env={"COLUMNS": "200"}).output
    for option in re.findall(r"--[\w-]+", options):
        assert option in help_text, option


def run_server(words: list[str]) -> None:
    """A server is started in a process of its own, at a port that is free, asked for its first page, and ended by Ctrl-C."""
    pytest.importorskip("starlette", reason="the pages over a folder need the extra web")
    Path(words[1]).mkdir(exist_ok=True)
    started = [sys.executable, "-m", "heldout", *words, "--port", "0"]
    with subprocess.Popen(started, stderr=subprocess.PIPE, text=True) as server:
        deadline = threading.Timer(60, server.kill)  # ends the reading too
        deadline.start()
        try:
            assert server.stderr is not None
            said = server.stderr.readline()
            address = re.search(r"http://[^?]+", said)
            assert address, f"no address in {said!r}"
            with urllib.request.urlopen(address[0], timeout=20) as page:
                assert b"<html" in page.read()
        finally:
            server.send_signal(signal.SIGINT)
            server.wait()
            deadline.cancel()
    assert server.returncode == 0


def test_every_key_of_a_study_file_is_documented_and_no_other() -> None:
    text = (DOCS / "studies.md").read_text(encoding="utf-8")
    first, second = (text.partition(head)[2].partition("\n## ")[0] for head in ("## Keys", "## The table `compare`"))
    assert sorted(re.findall(r"^\| `(\w+)`", first, re.MULTILINE)) == sorted(FILE_KEYS)
    assert re.findall(r"^\| `(\w+)`", second, re.MULTILINE) == list(COMPARE_KEYS)


def test_what_the_readme_says_is_there_is_there() -> None:
    there = (ROOT / "README.md").read_text(encoding="utf-8").partition("## What is there")[2].partition("Not there")[0]
    names = re.findall(r"`(\w+)`", there)
    assert len(names) > 20
    for name in names:
        assert find_any(name), name


def test_relative_links_of_the_readme_lead_somewhere() -> None:
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md"):
        text = page.read_text(encoding="utf-8")
        links = re.findall(r"\]\((?!https?:|#)([^)#]+)", text) + re.findall(r'src="([^"]+)"', text)
        assert links
        for link in links:
            assert (ROOT / link).exists(), f"{page.name}: {link}"


def test_the_picture_is_small_enough_for_a_front_page() -> None:
    picture = DOCS / "images" / "report.png"
    assert picture.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert 20_000 < picture.stat().st_size < 300_000


def test_every_room_says_what_it_is_for() -> None:
    for room in sorted(p.parent for p in (ROOT / "src" / "heldout").glob("*/__init__.py")):
        text = (room / "README.md").read_text(encoding="utf-8")
        assert len(text.splitlines()) <= 30, room.name
        assert re.search("never", text, re.IGNORECASE), f"{room.name}: what must never happen there?"


def test_files_and_folders_that_rooms_name_are_there() -> None:
    source = ROOT / "src" / "heldout"
    for readme in sorted(source.glob("*/README.md")):
        text = readme.read_text(encoding="utf-8")
        for name in re.findall(r"`([\w/]+\.py)`", text):
            places = (readme.parent, source, ROOT)
            assert any((place / name).exists() for place in places) or list(readme.parent.rglob(name)), f"{readme}: {name}"
        for name in re.findall(r"`([\w/]+)/`", text):
            assert any((place / name).is_dir() for place in (readme.parent, source, ROOT)), f"{readme}: {name}/"


def test_a_component_of_a_third_party_is_found_by_its_entry_point(tmp_path: Path) -> None:
    """The example of architecture.md, as another package would install it."""
    blocks = [b["text"] for b in BLOCK.finditer((DOCS / "architecture.md").read_text(encoding="utf-8"))]
    source = next(b for b in blocks if b.startswith("# disliked.py"))
    project = tomllib.loads(next(b for b in blocks if b.startswith("# pyproject.toml")))["project"]
    (tmp_path / "disliked.py").write_text(source, encoding="utf-8")
    installed = tmp_path / f"{project['name']}-{project['version']}.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    lines = [
        line
        for group, points in project["entry-points"].items()
        for line in (f"[{group}]", *(f"{name} = {target}" for name, target in points.items()))
    ]
    (installed / "entry_points.txt").write_text("\n".join(lines) + "\n")
    asked = "import heldout as ho; print(ho.make('metric', 'disliked@10').full_text)"
    done = subprocess.run(
        [sys.executable, "-c", asked], env={"PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == "Disliked(rel=none)@10", done.stderr


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_generate", DOCS / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_reference_has_every_component_code_and_verb(generator: ModuleType) -> None:
    pages = generator.pages()
    for kind in KINDS.values():
        heads = re.findall(r"^## (.*)$", pages[f"{kind.plural}.md"], re.MULTILINE)
        assert heads == [cls.key for cls in classes(kind.name) if cls.__module__.startswith("heldout.")]
    assert re.findall(r"^## (\w+) ", pages["warnings.md"], re.MULTILINE) == sorted(
        cls.key for cls in classes("rule") if cls.__module__.startswith("heldout.")
    )
    assert {"## heldout run", "## heldout evaluate", "## heldout data describe"} <= set(
        pages["command-line.md"].splitlines()
    )
    assert "| [Recall](metrics.md#recall) | LensKit | divides by min(n, R): RecallCapped |" in pages["libraries.md"]


@heavy
def test_the_site_builds_without_warnings(tmp_path: Path, generator: ModuleType) -> None:
    pytest.importorskip("sphinx")
    pytest.importorskip("furo")
    source = tmp_path / "docs"
    shutil.copytree(DOCS, source, ignore=shutil.ignore_patterns("_build", "reference", "__pycache__"))
    shutil.copy(ROOT / "SECURITY.md", tmp_path)  # which a page includes
    generator.write(source / "reference")
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-W", "-b", "html", str(source), str(tmp_path / "html")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "UserKNN" in (tmp_path / "html" / "reference" / "recommenders.html").read_text(encoding="utf-8")
