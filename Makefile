# The two commands that matter are `make demo` and `make test`. Both set up .venv first.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/installed

.PHONY: demo test lint unit bench clean

demo: $(INSTALLED)
	$(BIN)/fm-env demo

test: lint unit

lint: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/pyright

# The two table sizes compile side by side first; otherwise both test workers would compile both.
unit: $(INSTALLED)
	$(BIN)/fm-env compile --scenario scuffle & $(BIN)/fm-env compile --scenario duel; wait
	$(BIN)/python -m pytest -n 2 --dist loadfile

bench: $(INSTALLED)
	$(BIN)/fm-env bench

# torch comes first, alone, so that the pinned release decides which build is taken.
$(INSTALLED): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt torch
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[all]"
	touch $@

clean:
	rm -rf $(VENV) build dist .pytest_cache .ruff_cache .hypothesis
