"""Run every command of Heldout in this process, in the current folder, and print what came of each as one line of JSON.

A case is a command and, after a colon, what is tried of it.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
import zipfile
from dataclasses import replace
from pathlib import Path

import heldout.api.demo
from heldout.cli.app import run_command
from heldout.data.published import PUBLISHED

STUDY = """
title = "A small study"
data = "simulate(users=70, items=40, ratings=1100, missing=by_value)"
split = "ratio(train=0.7)"
relevance = "threshold(4)"
recommend = ["Popularity", "Random", "ItemKNN(k=5)"]
metrics = ["P@5", "nDCG@5"]
compare = { tests = ["t"] }
"""
GRID = STUDY.replace('"threshold(4)"', '["threshold(4)", "threshold(3)"]')
FETCHED = "ml-10m"
SIMULATED = "simulate(users=60, items=40, ratings=900)"
EVALUATE = ("evaluate", "--qrels", "test.csv", "--run", "A=a.csv", "--run", "B=b.csv", "-m", "P@2")
CASES: dict[str, tuple[str, ...]] = {
    "data simulate": ("data", "simulate", "ratings.csv", "--spec", SIMULATED),
    "data describe": ("data", "describe", "ratings.csv"),
    "data filter": ("data", "filter", "ratings.csv", "filtered.csv", "-f", "core(2)"),
    "data convert": ("data", "convert", "ratings.csv", "ratings.parquet"),
    "data fetch": ("data", "fetch", FETCHED, "--out", "fetched", "--from", Path("archives").absolute().as_uri()),
    "split": ("split", "ratio(train=0.8, by=user)", "ratings.csv", "--save", "saved"),
    "run": ("run", "study.toml", "--out", "run"),
    "verify:json": ("verify", "run", "--json"),
    "report": ("report", "run", "--html", "--full"),
    "report:json": ("report", "run", "--list", "--json"),
    "lint": ("lint", "study.toml", "--fail-on", "never"),
    "methods": ("methods", "run"),
    "verify": ("verify", "run"),
    "compare": ("compare", "run", "--test", "wilcoxon"),
    "power:json": ("power", "run", "--effect", "0.02", "--json"),
    "power": ("power", "run", "--effect", "0.02"),
    "evaluate": (*EVALUATE, "--out", "evaluated"),
    "compare:of an evaluation": ("compare", "evaluated"),
    "check": ("check", "--qrels", "test.csv", "--baseline", "a.csv", "--candidate", "a.csv"),
    "multiverse": ("multiverse", "grid.toml", "--out", "multiverse"),
    "meta": ("meta", "study.toml", "--out", "meta", "-m", "P", "--depth", "5", "--samples", "2"),
    "meta:json": ("meta", "study.toml", "--json", "-q", "-m", "P", "--depth", "5", "--samples", "2"),
    "bias": ("bias", "study.toml", "--out", "bias", "--sweep", "head", "--sampled", "9", "--classes", "3"),
    "bias:json": ("bias", "study.toml", "--no-sweeps", "--json", "-q", "--sampled", "9", "--classes", "3"),
    "truth": ("truth", "study.toml", "--out", "truth", "-m", "P@5", "--draws", "2", "--protocol", "AI-AR"),
    "truth:json": ("truth", "study.toml", "--json", "-q", "-m", "P@5", "--draws", "2", "--protocol", "AI-AR"),
    "reproduce": ("reproduce", "canamares-2020", "rho", "--data", "simulated", "--out", "again", "--page", "page.md"),
    "reproduce:json": ("reproduce", "canamares-2020", "rho", "--data", "simulated", "--json", "-q"),
    "list": ("list",),
    "describe": ("describe", "nDCG"),
    "schema": ("schema",),
    "demo": ("demo", "--out", "demo"),
    "recommend": ("recommend", "--model", "Popularity", "--data", "ratings.csv", "--top", "3", "--out", "run.txt"),
    "tune": (
        "tune", "--model", "PureSVD", "--data", SIMULATED, "--metric", "P@5", "--trials", "2", "--range", "factors=2..20",
        "--out", "tuned",
    ),
}  # fmt: skip


def prepare() -> None:
    """Write the inputs, and make the demonstration and the data set to fetch small."""
    Path("study.toml").write_text(STUDY)
    Path("grid.toml").write_text(GRID)
    pairs = [(user, (user + step) % 7) for user in range(20) for step in range(3)]
    Path("test.csv").write_text("user,item,rating\n" + "".join(f"u{u},i{i},{1 + (u + i) % 5}\n" for u, i in pairs))
    for name, factor in (("a", 3), ("b", 5)):
        rows = "".join(f"u{u},i{i},{(u + factor * i) % 11}.5\n" for u in range(20) for i in range(7))
        Path(f"{name}.csv").write_text(f"user,item,score\n{rows}")
    Path("archives").mkdir()
    archive = Path("archives") / f"{FETCHED}.zip"
    with zipfile.ZipFile(archive, "w") as written:
        written.write("test.csv", "ml-10M100K/ratings.csv")
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    PUBLISHED[FETCHED] = replace(PUBLISHED[FETCHED], checksum=f"sha256:{digest}")
    study = {"data": SIMULATED, "recommend": ["Popularity", "ItemKNN(k=5)"], "target": ["AllItems", "TestItems"]}
    heldout.api.demo.STUDY.update(study)


def run(arguments: tuple[str, ...]) -> dict[str, object]:
    """The exit code of a command and what it prints."""
    sys.argv = ["heldout", *arguments]
    code = None
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        streams = {1: out, 2: err}
        originals = {number: os.dup(number) for number in streams}
        for number, file in streams.items():
            os.dup2(file.fileno(), number)
        try:
            run_command()
        except SystemExit as ended:
            code = int(ended.code or 0)
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            for number, original in originals.items():
                os.dup2(original, number)
                os.close(original)
        texts = []
        for file in streams.values():
            file.seek(0)
            texts.append(file.read().decode())
    return {"code": code, "out": texts[0], "err": texts[1]}


def serve() -> dict[str, object]:
    """Serve the folder, open the list until a study is in it, and stop the server as Ctrl-C does."""
    options = ["-OO"] if sys.flags.optimize == 2 else []
    command = [sys.executable, *options, "-m", "heldout", "serve", ".", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        try:
            address = next(found.group() for line in server.stderr if (found := re.search(r"http://\S+", line)))
            page, until = "", time.monotonic() + 120
            while "A small study" not in page and time.monotonic() < until:  # a busy server reads some results later
                with urllib.request.urlopen(address, timeout=60) as answer:
                    page = answer.read().decode()
        finally:
            server.send_signal(signal.SIGINT)
            err = server.communicate(timeout=60)[1]
    return {"code": 0 if "A small study" in page else 1, "out": page[:2000], "err": err}


if __name__ == "__main__":
    prepare()
    outcomes: dict[str, object] = {case: run(arguments) for case, arguments in CASES.items()}
    print(json.dumps({**outcomes, "serve": serve(), "asserts": __debug__}))
