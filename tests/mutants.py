"""The share of random faults that the tests notice.

    python -m pytest --cov=heldout --cov-context=test
    python -m tests.mutants --seed 1 --count 100

Each fault changes one comparison, operator, constant or truth value in a package where numbers are made. The first command
records which tests run each line. A fault is tried with those tests, the most specific first, and with the golden numbers
that run it, until one fails. A line outside functions runs once, when it is imported: its fault is tried with the tests that
run any line of the file. A fault that no test notices is printed with its place. Sources are changed in place and restored,
so run this in a separate worktree.
"""

from __future__ import annotations

import argparse
import ast
import json
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from coverage import CoverageData

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "heldout"
PACKAGES = ("analysis", "significance", "metrics", "experiment")
MOST_TESTS = 250
"""Tests that are tried at most: those that run the fewest lines."""
FIRST_TESTS = 12
"""Tests that are tried by themselves, since most faults are noticed by them and many files take long to collect."""
GOLDEN = "tests/golden/"
SECONDS = 900
"""A fault that makes the tests hang is noticed too."""

COMPARISONS = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.Is: "is not", ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in",
}  # fmt: skip
OPERATORS = {
    ast.Add: "-", ast.Sub: "+", ast.Mult: "/", ast.Div: "*", ast.FloorDiv: "/", ast.Mod: "*",
    ast.BitAnd: "|", ast.BitOr: "&",
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Mutant:
    """One fault: the text between two offsets of a file is replaced."""

    path: Path
    line: int
    start: int
    end: int
    replacement: str

    def apply(self) -> str:
        """The source with the fault."""
        source = self.path.read_text(encoding="utf-8").encode()
        return (source[: self.start] + self.replacement.encode() + source[self.end :]).decode()

    def place(self) -> str:
        """Where the fault is and what it does."""
        source = self.path.read_text(encoding="utf-8").encode()
        old = " ".join(source[self.start : self.end].decode().split())
        return f"{self.path.relative_to(ROOT)}:{self.line}: {old} -> {' '.join(self.replacement.split())}"


def mutants(path: Path) -> Iterator[Mutant]:
    """Every fault of a file. Annotations, docstrings, imports and constants of text stay as they are."""
    source = path.read_text(encoding="utf-8")
    starts = [0]
    for line in source.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for node in _code(ast.parse(source)):
        replacement = _replacement(node, source)
        if replacement is not None and isinstance(node, ast.expr):
            assert node.end_lineno is not None and node.end_col_offset is not None
            yield Mutant(
                path=path,
                line=node.lineno,
                start=starts[node.lineno - 1] + node.col_offset,
                end=starts[node.end_lineno - 1] + node.end_col_offset,
                replacement=replacement,
            )


def _code(tree: ast.AST) -> Iterator[ast.AST]:
    """Nodes that are run: not annotations, imports or blocks for type checkers."""
    for name, value in ast.iter_fields(tree):
        if name in ("annotation", "returns", "decorator_list"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or isinstance(child, (ast.Import, ast.ImportFrom)):
                continue
            if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
                continue
            yield child
            yield from _code(child)


def _replacement(node: ast.AST, source: str) -> str | None:
    text = ast.get_source_segment(source, node) if isinstance(node, ast.expr) else None
    match node:
        case ast.Compare(left=left, ops=[operator], comparators=[right]) if type(operator) in COMPARISONS:
            return f"({ast.unparse(left)}) {COMPARISONS[type(operator)]} ({ast.unparse(right)})"
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in OPERATORS:
            return f"(({ast.unparse(left)}) {OPERATORS[type(operator)]} ({ast.unparse(right)}))"
        case ast.BoolOp(op=operator, values=values):
            word = " or " if isinstance(operator, ast.And) else " and "
            return "(" + word.join(f"({ast.unparse(value)})" for value in values) + ")"
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return f"bool({ast.unparse(operand)})"
        case ast.Constant(value=bool(value)):
            return str(not value)
        case ast.Constant(value=int(value)) if text is not None:
            return f"({value} + 1)"
        case ast.Constant(value=float(value)):
            return f"({value!r} * 1.1 + 0.1)"
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return f"({ast.unparse(orelse)} if {ast.unparse(test)} else {ast.unparse(body)})"
        case _:
            return None


def sample(count: int, seed: int) -> list[Mutant]:
    """Faults drawn at random from all of the packages."""
    every = [mutant for package in PACKAGES for path in sorted((SOURCE / package).rglob("*.py")) for mutant in mutants(path)]
    return random.Random(seed).sample(every, count)


class TestsByLine:
    """Which tests run a line, from the coverage data of a whole run."""

    def __init__(self, file: Path) -> None:
        self.data = CoverageData(str(file))
        self.data.read()
        self.lines_by_test = Counter[str]()
        for path in self.data.measured_files():
            for tests in self.data.contexts_by_lineno(path).values():
                self.lines_by_test.update({test.rpartition("|")[0] for test in tests})

    def of(self, mutant: Mutant) -> list[list[str]]:
        """Tests that run the line, in groups to try in turn: those that run the fewest lines first, golden numbers last."""
        by_line = self.data.contexts_by_lineno(str(mutant.path))
        lines = _statement(mutant) or list(by_line)
        tests = {context.rpartition("|")[0] for line in lines for context in by_line.get(line, [])} - {""}
        golden = sorted(test for test in tests if test.startswith(GOLDEN))
        others = sorted(tests - set(golden), key=lambda test: (self.lines_by_test[test], test))[:MOST_TESTS]
        return [group for group in (others[:FIRST_TESTS], others[FIRST_TESTS:], golden) if group]


def _statement(mutant: Mutant) -> range:
    """The lines of the statement that has the fault, without statements inside it; empty if it is run by an import."""
    tree = ast.parse(mutant.path.read_bytes())
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and mutant.line in _lines(node.body)]
    if not functions:
        return range(0)
    inside = [node for node in ast.walk(functions[-1]) if isinstance(node, ast.stmt) and mutant.line in _lines([node])]
    innermost = min(inside, key=lambda node: len(_lines([node])))
    body = getattr(innermost, "body", None)
    return range(innermost.lineno, body[0].lineno) if body else _lines([innermost])


def _lines(statements: list[ast.stmt]) -> range:
    return range(statements[0].lineno, (statements[-1].end_lineno or statements[-1].lineno) + 1)


def noticed(mutant: Mutant, groups: list[list[str]]) -> tuple[bool, float]:
    """True if a test fails with the fault in place, and the seconds that took."""
    original = mutant.path.read_bytes()
    began = time.monotonic()
    try:
        mutant.path.write_text(mutant.apply(), encoding="utf-8")
        code = 0
        for tests in groups:
            command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
            run = subprocess.run(command, cwd=ROOT, capture_output=True, timeout=SECONDS, check=False)
            code = run.returncode
            if b"ERROR: not found" in run.stdout + run.stderr:
                raise RuntimeError(f"tests of {mutant.place()} are not there: {run.stderr.decode()[:500]}")
            if code:
                break
    except subprocess.TimeoutExpired:
        code = 1
    finally:
        mutant.path.write_bytes(original)
    return code != 0, time.monotonic() - began


def main() -> None:
    """Draw faults, try each, print what was noticed and the share."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--coverage", type=Path, default=ROOT / ".coverage", help="the data of the first command")
    parser.add_argument("--out", type=Path, help="one JSON line for each fault; faults in it are not tried again")
    options = parser.parse_args()
    tried = {}
    if options.out is not None and options.out.exists():
        tried = {row["place"]: row["noticed"] for row in map(json.loads, options.out.read_text().splitlines())}
    tests = TestsByLine(options.coverage)
    for mutant in sample(options.count, options.seed):
        place = mutant.place()
        if place not in tried:
            tried[place], seconds = noticed(mutant, tests.of(mutant))
            print(f"{'noticed' if tried[place] else 'MISSED '} {seconds:6.1f} s  {place}", flush=True)
            if options.out is not None:
                with options.out.open("a") as file:
                    file.write(json.dumps({"place": place, "noticed": tried[place]}) + "\n")
    print(f"{sum(tried.values())} of {len(tried)} faults noticed")


if __name__ == "__main__":
    main()
