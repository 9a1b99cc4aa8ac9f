# Everything runs in a virtual environment that is made on first use: .venv, or VENV=folder, from PYTHON=interpreter.
PYTHON ?= python3
VENV ?= .venv
# Test processes. Each compiles or loads the kernels for itself, so more than a few rarely help.
WORKERS ?= 2

BIN := $(VENV)/bin
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
RUNTIME := $(VENV)/.runtime-installed
DEV := $(VENV)/.dev-installed

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test lint bench docs clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-6s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(RUNTIME) ## play five Tres y Dos strategies against each other: who wins, by how much, how sure that is
	$(BIN)/tresdos compare tres-y-dos greedy pattern outs guarded reader --field greedy --players 4 --deals 50000 --seed 1

test: $(DEV) ## run all tests but the slow ones
	$(BIN)/python -m pytest -n $(WORKERS) -m "not slow"

lint: $(DEV) ## check style, format, types and which floor imports which
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

bench: $(RUNTIME) ## measure the compiled core against plain C
	$(BIN)/python -m benchmarks

docs: $(RUNTIME) ## write the reference pages that are made from the program itself
	$(BIN)/python docs/build.py

clean: ## remove the virtual environment, caches and build products
	rm -rf .venv build dist .cache .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache *.egg-info
	find . -path ./.git -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@command -v $(PYTHON) > /dev/null || { echo "tresdos needs Python 3.11 or newer, and there is no $(PYTHON): name one with make PYTHON=..." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "tresdos needs Python 3.11 or newer, and $(PYTHON) is $$($(PYTHON) --version 2>&1): name another with make PYTHON=..." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(RUNTIME): pyproject.toml constraints.txt sim/version.py | $(BIN)/python
	$(PIP_INSTALL) --editable .
	@touch $@

$(DEV): $(RUNTIME)
	$(PIP_INSTALL) --editable ".[dev,cluster]"
	@touch $@
