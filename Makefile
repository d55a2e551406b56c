# The project's commands. `make` lists them.
#
# Everything is installed into the active virtual environment, or into .venv where none is active.

PYTHON3 ?= python3
VENV := $(abspath $(or $(VIRTUAL_ENV),.venv))
PYTHON := $(VENV)/bin/python
# What activating the environment would do: pip and maturin look each other up by name.
export VIRTUAL_ENV := $(VENV)
export PATH := $(VENV)/bin:$(PATH)

PIP := $(PYTHON) -m pip --disable-pip-version-check --quiet
TOOLS := $(VENV)/.treewright-tools

.PHONY: help build install test soak lint bench
.DEFAULT_GOAL := help

help:  ## list the commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

build: $(TOOLS)  ## build the native module into the source tree, for working on it
	maturin develop --quiet

install: $(TOOLS)  ## build and install the package as its users get it
	$(PIP) install --no-build-isolation .

test: install  ## run everything: formats, lints, types, Rust tests, Python tests, README
	@$(PYTHON) tests/run.py

soak: install  ## run the laws in full: many tables, which takes long
	TREEWRIGHT_SOAK=1 $(PYTHON) -m pytest -q -n 2 tests/laws

lint: $(TOOLS)  ## run the formatters' checks, the linters and the type checker only
	@$(PYTHON) tests/run.py --lint

bench: install  ## time treewright beside its peers and print the table (see benchmarks/README.md)
	$(PIP) install --group bench
	@$(PYTHON) benchmarks/run.py

# The tools and libraries of the tests; made again when pyproject.toml changes.
$(TOOLS): pyproject.toml | $(PYTHON)
	$(PIP) install --upgrade 'pip>=25.1'
	$(PIP) install --group dev
	@touch $@

$(PYTHON):
	$(PYTHON3) -m venv $(VENV)
