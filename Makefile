# `make demo` and `make test` work on a fresh machine; everything lives in .venv.
# With uv on the PATH it is used; without, python's own venv and pip.

PYTHON ?= $(shell sh tools/python.sh)
# The tests start hundreds of programs: each is compiled once, not at every start.
unexport PYTHONDONTWRITEBYTECODE
VENV := .venv
BIN := $(VENV)/bin
RUN_STAMP := $(VENV)/.run-installed
DEV_STAMP := $(VENV)/.dev-installed
UV := $(shell command -v uv 2>/dev/null)

.PHONY: help demo test test-all test-fast test-servers test-huge test-postgresql test-served soak check check-types check-rest bench scorecard format lock schemas clean

help:
	@echo "make demo    set up and triage the sample mailbox"
	@echo "make test    set up and run the tests that take minutes"
	@echo "make test-all  those that take long, too"
	@echo "make test-fast PACKAGE=imap  the tests of one package"
	@echo "make check   style, types, architecture, generated files"
	@echo "make soak    watch a mailbox through thousands of arrivals; its memory must not grow"
	@echo "make bench   speed against peers and floors, measured side by side"
	@echo "make scorecard  score the labelled messages again and write the scorecard"
	@echo "make format  rewrite the sources in house style"

demo: $(RUN_STAMP)
	@$(BIN)/gaia email demo --card

PYTEST := $(BIN)/python -m pytest -q -n auto --maxprocesses=8 --dist=loadfile --no-loadscope-reorder

test: test-servers
	$(PYTEST)

# What takes long, too: servers killed at any instant, every combination, installing, the commands of the pages.
test-all: test-servers
	$(PYTEST) -m "not huge and not soak and not bench and not emulate and not postgresql and not weights and not served and not fuzz"

# One package: make test-fast PACKAGE=imap
test-fast: $(DEV_STAMP)
	$(BIN)/python -m pytest -q tests/$(PACKAGE)

test-servers: $(DEV_STAMP)
	$(BIN)/python -m tools.mail_servers.dovecot
	$(BIN)/python -m tools.browser
	$(BIN)/python -m tools.secret_service

test-huge: $(DEV_STAMP)
	$(BIN)/python -m pytest -q -m huge --timeout=900

test-postgresql: $(DEV_STAMP)
	$(BIN)/python -m pytest -q -m postgresql -rs

test-served: $(DEV_STAMP)
	$(BIN)/python -m pytest -q -m served

# How much mail: make soak SOAK_ARRIVALS=100000
soak: $(DEV_STAMP)
	SOAK_ARRIVALS=$(or $(SOAK_ARRIVALS),4000) $(BIN)/python -m pytest -q -s -m soak --timeout=0

check: $(DEV_STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/codespell
	@$(MAKE) --jobs=2 check-types check-rest

check-types: $(DEV_STAMP)
	$(BIN)/pyright

check-rest: $(DEV_STAMP)
	$(BIN)/lint-imports
	$(BIN)/python -m tools.generate --check
	$(BIN)/python -m tools.scorecard --check
	$(BIN)/mypy

bench: $(DEV_STAMP)
	$(BIN)/python -m benchmarks

scorecard: $(DEV_STAMP)
	$(BIN)/python -m tools.scorecard
	$(BIN)/python -m tools.generate

format: $(DEV_STAMP)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

schemas: $(DEV_STAMP)
	$(BIN)/python -m tools.generate

# Pins every dependency with hashes. Needs uv; addresses of package indexes are left out on purpose.
LOCK := uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links \
	--no-header --no-annotate --quiet --upgrade
lock:
	$(LOCK) pyproject.toml --extra all --output-file requirements/run.txt
	$(LOCK) pyproject.toml --extra all --group dev --output-file requirements/dev.txt
	$(LOCK) --group agents --output-file requirements/agents.txt
	$(LOCK) --group fuzz --output-file requirements/fuzz.txt
	$(LOCK) --group host --output-file requirements/host.txt

$(VENV)/pyvenv.cfg:
ifdef UV
	uv venv --quiet --python $(PYTHON) $(VENV)
else
	$(PYTHON) -m venv $(VENV)
endif

# --no-deps: the files name every package, and a pip before 23.3 would take a newer pydantic than the pinned one for `pydantic[email]`.
$(RUN_STAMP): $(VENV)/pyvenv.cfg pyproject.toml requirements/run.txt
ifdef UV
	uv pip install --quiet --python $(BIN)/python --no-deps --require-hashes -r requirements/run.txt
	uv pip install --quiet --python $(BIN)/python --no-deps --editable .
else
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements/run.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
endif
	@touch $@

$(DEV_STAMP): $(RUN_STAMP) requirements/dev.txt
ifdef UV
	uv pip install --quiet --python $(BIN)/python --no-deps --require-hashes -r requirements/dev.txt
else
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements/dev.txt
endif
	@touch $@

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache dist build
