# The project's commands. `make` lists them.
#
# There are two environments, so that the package that is tested never replaces the one you work on:
#   DEV    the active virtual environment, or .venv: the tools, and a build that reads python/ directly
#   TEST   .venv-test: the tools, and the wheel as users install it

PYTHON3 ?= python3
DEV := $(abspath $(or $(VIRTUAL_ENV),.venv))
TEST := $(abspath .venv-test)
ENVIRONMENTS := $(sort $(DEV) $(TEST))
# What activating an environment would do: maturin and cargo look each other and Python up by name.
in_dev := VIRTUAL_ENV=$(DEV) PATH="$(DEV)/bin:$$PATH"
in_test := VIRTUAL_ENV=$(TEST) PATH="$(TEST)/bin:$$PATH"
PIP := -m pip --disable-pip-version-check --quiet
NATIVE := $(wildcard python/treewright/_core.*.so python/treewright/_core.*.pyd)

.PHONY: help build check fix lint test install soak miri arm bench docs lock web page-tools
.DEFAULT_GOAL := help

help:  ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

build: $(DEV)/.treewright-tools  ## build the native module into python/, for working on the package
	$(in_dev) maturin develop --quiet

check: $(DEV)/.treewright-tools $(if $(NATIVE),,build)  ## check the working tree quickly: lint, types, fast tests
	@$(in_dev) python tests/run.py --check

fix: $(DEV)/.treewright-tools  ## repair what tools can repair: lint, format, generated files
	-$(in_dev) python -m ruff check --fix --quiet .
	$(in_dev) python -m ruff format --quiet .
	cargo fmt --all
	$(in_dev) PYTHONPATH=python python tests/helpers/generated_files.py
	$(in_dev) python benchmarks/readme_table.py

lint: $(DEV)/.treewright-tools  ## run the linters, the formatters' checks and the type checker only
	@$(in_dev) python tests/run.py --lint

test: install page-tools  ## run everything: lint, types, Rust tests, Python tests, README, pages in a browser
	@$(in_test) python tests/run.py

install: $(TEST)/.treewright-tools  ## install the package into .venv-test, as its users get it
	$(in_test) python $(PIP) install --no-build-isolation .

page-tools:  ## install Chromium and the packages of web/, where this machine allows it
	@$(PYTHON3) tests/helpers/install_page_tools.py

soak: install  ## run the long forms of the property tests and promises: hours
	@$(in_test) TREEWRIGHT_SOAK=1 python -m pytest -n 2 -c pyproject.toml tests/laws tests/promises tests/cluster tests/web/test_built_pages.py

# Miri needs a nightly toolchain with its component: rustup toolchain install nightly --component miri rust-src
miri:  ## run small fits in Miri, which finds undefined behavior in Rust
	@if cargo +nightly miri --version >/dev/null 2>&1; then \
	  cargo +nightly miri test -p treewright-core --test small_runs && cargo +nightly miri test -p treewright-core --lib memory::; \
	else \
	  echo "miri: not run, because there is no nightly toolchain with Miri"; \
	  echo "try: rustup toolchain install nightly --component miri --component rust-src"; \
	fi

arm:  ## run the tests of the NEON kernels in an emulator, where it is installed
	@$(PYTHON3) tests/helpers/run_on_arm.py

web: page-tools  ## build the pages of the browser into python/treewright/_web/pages (needs Node.js)
	$(PYTHON3) web/build_engine.py
	cd web && npm run --silent check && npm run --silent build
	cp web/dist/workbench.html web/dist/lesson.html web/dist/report.html python/treewright/_web/pages/

bench: install  ## time treewright and other libraries (see benchmarks/README.md)
	$(in_test) python $(PIP) install --group bench
	@$(in_test) python benchmarks/run.py

docs: install  ## build the documentation site into build/docs; warnings, broken links and pages too wide for a phone are errors
	$(in_test) python $(PIP) install --group docs
	$(in_test) python -m sphinx --fail-on-warning --keep-going --quiet -j 2 -b html docs build/docs
	$(in_test) python docs/_extensions/check_links.py build/docs
	$(in_test) python docs/_extensions/check_pages.py build/docs

lock: $(DEV)/.treewright-tools  ## write requirements/dev.lock again, with the newest versions that pyproject.toml allows
	$(in_dev) python $(PIP) install uv
	$(in_dev) python -m uv pip compile --quiet --upgrade --universal --python-version 3.11 --no-header \
	  --no-emit-index-url --group pyproject.toml:dev pyproject.toml -o requirements/dev.lock

# The tools and libraries of the tests, in the versions of the lock file.
$(ENVIRONMENTS:%=%/.treewright-tools): %/.treewright-tools: requirements/dev.lock | %/bin/python
	$*/bin/python $(PIP) install --upgrade 'pip>=25.1'
	$*/bin/python $(PIP) install -r requirements/dev.lock
	@touch $@

$(ENVIRONMENTS:%=%/bin/python): %/bin/python:
	$(PYTHON3) -m venv $*
