# Two commands do everything: `make demo` and `make test`; `make test-all` tries for longer.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
WORKERS ?= 2
# A test that hangs ends its worker after five minutes and fails with a traceback, even one that waits in compiled code.
HUNG := -o faulthandler_timeout=300 -o faulthandler_exit_on_timeout=true

# Each of many processes would else compile all it imports again, where the machine is set to keep nothing.
unexport PYTHONDONTWRITEBYTECODE

FUZZ ?= 20
KILLS ?= 50

.PHONY: golden snapshots demo test test-all test-source test-kernels test-fuzz test-heavy test-lenskit test-notebooks test-lowest test-pythons coverage check bench bench-large docs clean exports

demo: $(VENV)/.core
	$(BIN)/heldout demo --out heldout-demo

# The kernels' own tests come first: they compile each once, where several workers would do it again. Beside them run the checks
# and the tests of the source and its catalogue.
test: $(VENV)/.test
	$(MAKE) --no-print-directory -j2 test-source test-kernels
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal $(HUNG) --ignore=tests/kernels $(addprefix --ignore=,$(SOURCE))

SOURCE := tests/architecture tests/catalogue

test-source: check
	$(BIN)/python -m pytest $(SOURCE)

test-kernels: $(VENV)/.test
	$(BIN)/python -m pytest tests/kernels

# As `test`, and then what takes minutes: other inputs for the fuzz tests each time, runs killed at many moments and all else that
# is marked heavy, models and files of LensKit, notebooks, the lowest versions of dependencies, and the other Pythons that are installed.
test-all: test
	$(MAKE) --no-print-directory -j2 test-fuzz test-heavy
	$(MAKE) --no-print-directory test-lenskit
	$(MAKE) --no-print-directory test-notebooks
	$(MAKE) --no-print-directory test-lowest
	$(MAKE) --no-print-directory test-pythons

test-fuzz: $(VENV)/.test
	HELDOUT_FUZZ=$(FUZZ) $(BIN)/python -m pytest tests/fuzz

test-heavy: $(VENV)/.test
	HELDOUT_ALL=1 HELDOUT_KILLS=$(KILLS) $(BIN)/python -m pytest -m "heavy or sampled" --ignore=$(CLUSTER)
	HELDOUT_ALL=1 HELDOUT_KILLS=$(KILLS) $(BIN)/python -m pytest $(CLUSTER)

# A process can join one cluster of Ray alone.
CLUSTER := tests/engine/test_ray_cluster.py

test-lenskit: $(VENV)/.lenskit
	$(BIN)/python -m pytest tests/oracles/test_lenskit_files.py tests/oracles/test_lenskit_metrics.py tests/recommenders/test_own_models.py

test-notebooks: $(VENV)/.notebooks
	HELDOUT_ALL=1 $(BIN)/python -m pytest tests/api/test_notebooks.py

test-lowest:
	PYTHON=$(PYTHON) WORKERS=$(WORKERS) .ci/versions lowest

test-pythons:
	PYTHON=$(PYTHON) WORKERS=$(WORKERS) .ci/versions pythons

# Which lines no test runs. Kernels are compiled, so theirs are not seen; nothing depends on the number.
coverage: $(VENV)/.test
	$(BIN)/python -m pytest -n $(WORKERS) --cov=heldout --cov-report=term

check: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/mypy
	$(BIN)/basedpyright
	$(BIN)/lint-imports

bench: $(VENV)/.bench
	$(BIN)/python -m benchmarks

# Sizes that take hours and tens of gigabytes of disk.
bench-large: $(VENV)/.bench
	$(BIN)/python -m benchmarks.stream_evaluate 1 10 40
	$(BIN)/python -m benchmarks.rating_memory
	$(BIN)/python -m benchmarks.netflix_run

docs: $(VENV)/.docs
	$(BIN)/python docs/generate.py
	$(BIN)/sphinx-build -q -W -b html docs docs/_build/html

# Numbers and names that refactoring must not change: written anew only for an intended change, in a commit that gives the reason.
golden: $(VENV)/.test
	$(BIN)/python -m tests.golden

snapshots: $(VENV)/.test
	$(BIN)/python -m tests.snapshots

exports: $(VENV)/.core
	$(BIN)/python -m tests.exports

clean:
	rm -rf $(VENV) .venv-* heldout-demo docs/_build docs/reference .mypy_cache .ruff_cache .pytest_cache .import_linter_cache

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.core: pyproject.toml | $(VENV)/bin/python
	$(PIP) -e .
	@touch $@

# Of so many packages uv takes a tenth of pip's time; where it cannot reach them, pip knows the mirrors of the machine.
$(VENV)/.test: pyproject.toml | $(VENV)/bin/python
	$(PIP) uv
	VIRTUAL_ENV=$(CURDIR)/$(VENV) $(BIN)/uv pip install --quiet -e '.[test,check,docs]' || $(PIP) -e '.[test,check,docs]'
	@touch $@ $(VENV)/.core $(VENV)/.docs

$(VENV)/.lenskit: pyproject.toml | $(VENV)/.test
	$(PIP) -e '.[models]'
	@touch $@

$(VENV)/.notebooks: pyproject.toml | $(VENV)/.test
	$(PIP) -e '.[notebooks]'
	@touch $@

$(VENV)/.docs: pyproject.toml | $(VENV)/bin/python
	$(PIP) -e '.[docs]'
	@touch $@

$(VENV)/.bench: pyproject.toml | $(VENV)/bin/python
	$(PIP) -e '.[bench]'
	@touch $@
