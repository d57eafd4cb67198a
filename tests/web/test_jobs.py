"""Studies in processes of their own."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest
from tests.refusals import refused

from heldout.errors import SpecError
from heldout.web import jobs as jobs_module
from heldout.web.jobs import TAIL, Jobs, StartedStudy

SLOW = """
title = "Slow"
data = "simulate(users=3000, items=2000, ratings=200000)"
split = "folds(5)"
recommend = ["UserKNN", "WRMF(factors=50)", "SLIM"]
metrics = "nDCG@10"
"""


def test_a_study_is_stopped_and_all_are_with_the_server(tmp_path, monkeypatch):
    jobs = Jobs(tmp_path)
    job = jobs.start("slow", SLOW, "run")
    assert job.running and job.ended == "" and jobs.get("slow") is job and jobs.all() == [job]
    with refused(SpecError, where="name", found="slow.toml", hint="choose another name"):
        jobs.start("slow", SLOW, "run")
    monkeypatch.setattr(jobs_module, "MOST", 1)
    with refused(SpecError, found=["slow"], expected="fewer than 1"):
        jobs.start("other", SLOW, "run")
    time.sleep(1.0)
    jobs.close()
    assert not job.running and job.ended == "stopped" and not jobs.stop("slow") and not jobs.stop("nothing")


@pytest.mark.parametrize(("code", "words"), [(0, "finished"), (2, "refused"), (3, "systems that failed"), (70, "code 70")])
def test_how_a_study_ended_is_told(code, words):
    process = subprocess.Popen([sys.executable, "-c", f"raise SystemExit({code})"])
    process.wait()
    assert words in StartedStudy("x", process).ended


def test_the_end_of_a_log_begins_with_a_whole_line(tmp_path):
    jobs = Jobs(tmp_path)
    assert jobs.log_tail("none") == ("", 0)
    jobs.log("short").write_bytes(b"a\xff\n")
    assert jobs.log_tail("short") == ("a\ufffd\n", 0)
    jobs.log("long").write_bytes(b"0123456789\n" * TAIL)
    tail, left_out = jobs.log_tail("long")
    assert tail.startswith("0123456789\n") and left_out + len(tail) == 11 * TAIL and len(tail) <= TAIL
