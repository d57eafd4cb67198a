"""Shell completion: verbs, options, components."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from heldout.cli.options import kinds, names_of

COMMAND = [sys.executable, "-c", "from heldout.cli import main; main()"]


def completed(line: str) -> list[str]:
    """What bash would offer behind a line."""
    words = {"COMP_WORDS": line, "COMP_CWORD": str(line.count(" ")), "_HELDOUT_COMPLETE": "complete_bash"}
    done = subprocess.run(COMMAND, capture_output=True, text=True, check=True, env=os.environ | words)
    return done.stdout.split()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("heldout ev", ["evaluate"]),
        ("heldout data des", ["describe"]),
        ("heldout evaluate --met", ["--metric"]),
        ("heldout evaluate --metric nDCGF", ["nDCGFixed"]),
        ("heldout tune --model SL", ["SLIM"]),
        ("heldout describe HO201", ["HO201"]),
        ("heldout list recomm", ["recommenders"]),
    ],
)
def test_a_word_is_completed(line: str, expected: list[str]) -> None:
    assert completed(line) == expected


def test_any_case_of_letters_is_completed() -> None:
    """The typed letters stay: a shell drops what does not begin with them."""
    assert "ndCG" in names_of()("nd")
    assert names_of("recommender")("eas") == ["easE"]


def test_names_are_those_of_the_kinds() -> None:
    assert names_of("recommender")("EAS") == ["EASE"]
    assert names_of("metric")("EAS") == []
    assert kinds("")[:2] == ["readers", "filters"]


def test_the_completion_of_bash_works(tmp_path: Path) -> None:
    """The script that is installed, in the shell that reads it."""
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("bash is not installed")
    script = subprocess.run(
        [*COMMAND, "--show-completion", "bash"],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"},
    ).stdout
    heldout = tmp_path / "heldout"
    heldout.write_text(f"#!{bash}\nexec {sys.executable} -c 'from heldout.cli import main; main()' \"$@\"\n")
    heldout.chmod(0o755)
    typed = f"COMP_WORDS=(heldout describe nDCGF)\nCOMP_CWORD=2\n_heldout_completion {heldout}\n"
    lines = f'{script}\n{typed}echo "${{COMPREPLY[@]}}"\n'
    done = subprocess.run([bash, "--norc"], input=lines, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["nDCGFixed"], done.stderr


METRIC = '''
from heldout.catalogue import cutoff
from heldout.metrics.metric import Metric


class FirstHit(Metric):
    """Whether the first item is relevant."""

    key = "FirstHit"
    n: int = cutoff()

    def measure(self, judged):
        return judged.sum(judged.relevant(None) & (judged.rank <= 1))
'''


@pytest.mark.parametrize("broken", [False, True])
def test_metrics_of_installed_packages_are_completed(broken: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package as pip leaves it, with its entry point; one that cannot be loaded costs its own names, not the house's."""
    about = tmp_path / "first_hit-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: first-hit\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[heldout.metrics]\nFirstHit = first_hit:FirstHit\n")
    (tmp_path / "first_hit.py").write_text("import nowhere" if broken else METRIC)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert completed("heldout evaluate --metric First") == ([] if broken else ["FirstHit"])
    assert completed("heldout evaluate --metric nDCGF") == ["nDCGFixed"]
