# Each target makes the environment it needs, in .venv, from constraints.txt.
#   PYTHON=python3.12   the Python to make .venv with (3.11 or newer; found by itself otherwise)
#   JOBS=2              how many test processes
#   ARGS="-k grid"      passed on to pytest, the benchmarks, the harness or the screenshots

# Compiled once, not by each of the hundreds of processes that the tests start.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help demo test reliability check format bench screenshots env env-dev clean
.DELETE_ON_ERROR:

VENV := .venv
BIN  := $(VENV)/bin
JOBS ?= 2
ARGS ?=
ENVIRONMENT_FILES := pyproject.toml constraints.txt tools/environment.sh

help: ## Say what each target does
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(VENV)/.ready ## Open the demo workspace in the browser
	$(BIN)/evalcore demo $(ARGS)

test: $(VENV)/.ready-dev ## Run all tests (fetches a browser, bubblewrap, a model where it can)
	$(BIN)/python -m tools.browser
	$(BIN)/python -m tools.sandbox
	$(BIN)/python -m tools.local_model
	$(BIN)/python -m pytest -n $(JOBS) --dist loadscope --no-loadscope-reorder $(ARGS)

reliability: $(VENV)/.ready-dev ## Kill, fill and cut off writers at length: nothing may be lost
	$(BIN)/python -m tests.reliability --long $(ARGS)

check: $(VENV)/.ready-dev ## Run ruff, mypy, the import layers, dead code, sizes, the drawing
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/python -m tools.dead_code
	$(BIN)/python -m tools.size
	$(BIN)/python -m tools.architecture --check

format: $(VENV)/.ready-dev ## Format the code, mend what ruff can mend, redraw the drawing
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .
	$(BIN)/python -m tools.architecture --write

bench: $(VENV)/.ready-dev ## Measure speed: a table, and benchmarks/results.json
	$(BIN)/python -m benchmarks $(ARGS)

screenshots: $(VENV)/.ready-dev ## Take the pictures of the README and docs
	$(BIN)/python -m tools.browser
	$(BIN)/python -m tools.screenshots $(ARGS)

env: $(VENV)/.ready ## Make .venv with what evalcore needs to run
env-dev: $(VENV)/.ready-dev ## Make .venv with the developers' tools too

clean: ## Remove .venv, caches and built files
	rm -rf $(VENV) build dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache

$(VENV)/.ready: $(ENVIRONMENT_FILES)
	@sh tools/environment.sh $(VENV) ".[pictures]"

$(VENV)/.ready-dev: $(ENVIRONMENT_FILES)
	@sh tools/environment.sh $(VENV) ".[dev]"
	@touch $(VENV)/.ready
