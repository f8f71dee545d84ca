# What one does by hand, one target each. CI is `.ci/run`: it installs as the
# README says, then runs lint, type, doc and the tests.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: help install fmt lint type test test-full doc bench ci clean

help:            ## list the targets
	@grep -E '^[a-z-]+: .*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/'

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

install: $(BIN)/python  ## a virtual environment with pytok and what its tests need
	$(BIN)/python -m pip install -q '.[dev]'

fmt:             ## format the code
	cargo fmt --all
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lint:            ## formatting, clippy, ruff: nothing is changed
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- -D warnings
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

# From tests/, so that the source folder cannot stand in for the built package.
type:            ## mypy --strict, and the stub against the built module
	$(BIN)/mypy
	cd tests && $(abspath $(BIN))/stubtest pytok._pytok --allowlist stubtest-allowlist.txt

test:            ## Rust and Python tests, the slices that CI runs
	cargo test --workspace --locked
	$(BIN)/pytest

test-full:       ## every file of ../shared/data through every vocabulary
	PYTOK_FULL=1 PYTOK_HYPOTHESIS=slow $(BIN)/pytest tests

doc:             ## the API documentation, warnings denied
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked

bench:           ## encoding speed against the reference libraries
	$(BIN)/python bench/python/encode.py

clean:           ## what the targets made
	rm -rf target $(VENV)
