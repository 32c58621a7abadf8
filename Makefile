# The two commands that matter are `make demo` and `make test`. Both set up .venv first.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/installed

.PHONY: demo test lint unit bench models strength clean

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

# Trains what agents/models holds (45 minutes on two cores); copy the policies from runs/.
models: $(INSTALLED)
	$(BIN)/fm-env train duel --minutes 6
	$(BIN)/fm-env train clash --minutes 19
	$(BIN)/fm-env train clash_33 --minutes 19

# How strong the shipped policies and the best bot of the whole table are; the last results are committed.
BOTS := random,plain,highest,median,bluffer,counter
strength: $(INSTALLED)
	$(BIN)/fm-env evaluate policy:duel --against $(BOTS) --scenario duel --games 20000 --seed 1 --habits \
		--json evaluation/results/duel.json --plot docs/duel.png
	$(BIN)/fm-env evaluate policy:clash --against $(BOTS) --scenario clash --option a=4 --option d=3 \
		--games 100000 --seed 1 --mirror --habits --json evaluation/results/clash_43.json
	$(BIN)/fm-env evaluate policy:clash-33 --against $(BOTS) --scenario clash --option a=3 --option d=3 \
		--games 100000 --seed 1 --mirror --habits --json evaluation/results/clash_33.json
	$(BIN)/fm-env evaluate tactician --against random,brawler,sniper,witch,scavenger,counter,plain \
		--scenario skirmish --games 2000 --seed 1 --json evaluation/results/skirmish_bots.json

# torch comes first, alone, so that the pinned release decides which build is taken.
$(INSTALLED): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt torch
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[all]"
	touch $@

clean:
	rm -rf $(VENV) build dist .pytest_cache .ruff_cache .hypothesis
