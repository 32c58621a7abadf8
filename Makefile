# The two commands that matter are `make demo` and `make test`. Both set up .venv first.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/installed

.PHONY: modes search mutate clone estimates packages pythons drills release newest fuzz fuzz-guided ladder exploiter demo test lint unit docs bench models strength knights proofs ladders solve soak browser \
	browser-example levels load kill-drill clean

demo: $(INSTALLED)
	$(BIN)/fm-env demo

test: lint unit

lint: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/pyright

# Rules compile in two processes first; otherwise both test workers would compile the same.
unit: $(INSTALLED)
	for size in skirmish scuffle; do $(BIN)/fm-env compile --scenario $$size; done & \
	for game in angry_miniatures fairy_tale sword_and_shield; do $(BIN)/fm-env compile --game $$game; done; \
	$(BIN)/fm-env compile --scenario duel; wait
	$(BIN)/python -m pytest -n 2 --dist loadfile

# The site, into site/; it opens from disk: site/index.html. The tests build it, too.
docs: $(INSTALLED)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

# How fast the rules are beside the yardsticks, in one run (two minutes on a quiet machine); the README's table, too.
bench: $(INSTALLED)
	$(BIN)/python -m evaluation.speed --json evaluation/results/bench.json --readme README.md

# Trains what agents/models holds (an hour on two cores); copy the policies from runs/.
models: $(INSTALLED)
	$(BIN)/fm-env train duel --minutes 6
	$(BIN)/fm-env train clash --minutes 19
	$(BIN)/fm-env train clash_33 --minutes 19
	$(BIN)/fm-env train clash_selfplay
	$(BIN)/fm-env train joust --minutes 12
	$(BIN)/fm-env train miniatures
	$(BIN)/fm-env train tale

# How strong the shipped policies and the best bot of the whole table are; the last results are committed.
BOTS := random,plain,highest,median,bluffer,counter
strength: $(INSTALLED)
	$(BIN)/fm-env evaluate policy:duel --against $(BOTS) --scenario duel --games 20000 --seed 1 --habits \
		--json evaluation/results/duel.json --plot docs/duel.png
	$(BIN)/fm-env evaluate policy:clash --against $(BOTS) --scenario clash --option a=4 --option d=3 \
		--games 100000 --seed 1 --mirror --habits --json evaluation/results/clash_43.json
	$(BIN)/fm-env evaluate policy:clash-33 --against $(BOTS) --scenario clash --option a=3 --option d=3 \
		--games 100000 --seed 1 --mirror --habits --json evaluation/results/clash_33.json
	$(BIN)/fm-env evaluate policy:clash-selfplay --against $(BOTS),policy:clash-33 --scenario clash \
		--option a=3 --option d=3 --games 100000 --seed 1 --mirror --habits \
		--json evaluation/results/clash_selfplay.json
	$(BIN)/fm-env evaluate policy:joust --against random,hitter,conserver,reader --game sword_and_shield \
		--scenario joust --games 4000 --seed 1 --habits --json evaluation/results/sword_and_shield.json
	$(BIN)/fm-env evaluate policy:miniatures --against random,rusher,kiter,focus-fire --game angry_miniatures \
		--scenario skirmish --games 3000 --seed 1 --habits --json evaluation/results/angry_miniatures.json
	for n in 2 3 4 5; do $(BIN)/fm-env evaluate policy:tale --against random,greedy,denier,collector \
		--game fairy_tale --scenario expert --option num_players=$$n --games 10000 --seed 1 \
		--json evaluation/results/fairy_tale_$$n.json; done
	$(BIN)/fm-env evaluate tactician --against random,brawler,sniper,witch,scavenger,counter,plain \
		--scenario skirmish --games 2000 --seed 1 --json evaluation/results/skirmish_bots.json
	$(BIN)/python -m evaluation.table_bots --json evaluation/results/table_bots.json
	$(BIN)/python -m evaluation.table_bots --only-wasted skirmish-1v1 skirmish-2v2 --watched 60 \
		--json evaluation/results/table_wasted.json
	$(BIN)/python -m evaluation.table_bots --only-warbands skirmish-1v1 skirmish-2v2 \
		--json evaluation/results/table_warbands.json

# How a search's strength grows with its budget, against the bare agent that it searches with (hours of processor
# time; a killed run goes on where it was). The last results are committed.
SEARCH := $(BIN)/python -m evaluation.search
search: $(INSTALLED)
	$(SEARCH) play duel --base policy:duel --simulations 64,256 --blocks 1000 --workers 2
	$(SEARCH) play duel --base policy:duel --simulations 1024 --blocks 500 --workers 2
	$(SEARCH) play duel --base policy:duel --against counter --simulations 256 --blocks 300 --workers 2
	$(SEARCH) play skirmish-1v1 --base tactician --simulations 64,256,1024 --blocks 100 --workers 2
	$(SEARCH) play skirmish --base tactician --seconds 1 --blocks 50 --workers 2
	$(SEARCH) report --least 20 --json evaluation/results/search.json --plot docs/search.png

# Tournaments of all shipped agents; the page docs/ladder.md. A killed one goes on where it was. The HTML
# reports and the games worth watching stay in runs/ladder.
LADDER := runs/ladder
CLASH := random plain highest median bluffer counter equilibrium policy:clash policy:clash-33 policy:clash-selfplay
DUEL := random plain highest median bluffer counter equilibrium policy:duel
TABLE := random plain highest median bluffer counter equilibrium brawler sniper witch scavenger tactician
ladder: $(INSTALLED)
	mkdir -p $(LADDER)
	$(BIN)/fm-env tournament $(CLASH) --scenario clash --option a=3 --option d=3 --games 4000 --seed 1 \
		--out $(LADDER)/clash.jsonl
	$(BIN)/fm-env report $(LADDER)/clash.jsonl --watch 40 --out $(LADDER)/clash.html
	$(BIN)/fm-env tournament $(DUEL) --scenario duel --games 4000 --seed 1 --out $(LADDER)/duel.jsonl
	$(BIN)/fm-env report $(LADDER)/duel.jsonl --watch 20 --out $(LADDER)/duel.html
	$(BIN)/fm-env tournament $(TABLE) --scenario skirmish --games 300 --seed 1 --out $(LADDER)/skirmish.jsonl
	$(BIN)/fm-env report $(LADDER)/skirmish.jsonl --watch 4 --out $(LADDER)/skirmish.html
	for scenario in clash duel skirmish; do \
		cp $(LADDER)/$$scenario.json evaluation/results/ladder_$$scenario.json; done
	$(BIN)/python -m evaluation.page.ladder evaluation/results/ladder_*.json --out docs/ladder.md

# The wheel with each extra alone and with all, each in a fresh environment.
packages: $(INSTALLED)
	$(BIN)/python -m tests.packaging.extras --json docs/quality/packaging.json

# The quick part of the tests under each Python that is here, in a fresh environment.
pythons: $(INSTALLED)
	$(BIN)/python -m tests.packaging.pythons --json docs/quality/pythons.json

# Kills, full disks, damaged and crowded folders: every test marked as a drill, and the hosted games' own.
drills: kill-drill
	$(BIN)/python -m pytest -q -n 2 -m drill -p tests.recorder --record docs/quality/drills.json tests/training \
		tests/evaluation/tournament tests/agents/service tests/machinery tests/packaging

# Builds what is uploaded, tries it, checks it, and tags it. Refuses a dirty checkout.
release: $(INSTALLED)
	test -z "$$(git status --porcelain)"
	rm -rf dist
	$(BIN)/python -m build --no-isolation
	$(BIN)/python -m pytest -q tests/packaging
	$(BIN)/pip install --quiet twine && $(BIN)/twine check --strict dist/*
	git tag "v$$($(BIN)/python -c 'import fm_env; print(fm_env.__version__)')"

# All cases compiled, plain and with checked indices; the tests leave out those that take minutes.
modes: $(INSTALLED)
	MODES=all $(BIN)/python -m pytest -q -p tests.recorder --record docs/quality/modes.json tests/laws/test_modes.py

# The views under the newest Gymnasium; the pinned one is what RLlib asks for.
newest: $(INSTALLED)
	$(BIN)/pip install --quiet --no-deps --upgrade --target build/newest gymnasium
	PYTHONPATH=build/newest $(BIN)/python -m pytest -q -n 2 --dist loadfile -p tests.recorder \
		--record docs/quality/newest.json tests/views tests/training/test_sb3.py

# Thousands of damaged documents at every door (CI tries a hundred each).
fuzz: $(INSTALLED)
	HYPOTHESIS_PROFILE=fuzz $(BIN)/python -m pytest -q -n 2 -p tests.recorder --record docs/quality/fuzz.json tests/fuzz

# Whether the tests notice small changes of the rules. Goes on after a kill; a larger sample holds the smaller.
MUTANTS := 4
mutate: $(INSTALLED)
	$(BIN)/python -m tests.mutation --mutants $(MUTANTS) --again survived --json docs/quality/mutation.json

# The same doors with the damage guided by coverage, SECONDS for each; what is learned stays in build/fuzz.
SECONDS ?= 60
fuzz-guided: $(INSTALLED)
	$(BIN)/pip install --quiet --no-deps -c constraints.txt atheris
	$(BIN)/python -m tests.fuzz.guided --seconds $(SECONDS) --json docs/quality/fuzz_guided.json

# What the shipped policies' estimates of how they stand are worth. Without --measure they are taught anew.
estimates: $(INSTALLED)
	$(BIN)/python -m training.value duel joust miniatures --measure --json evaluation/results/estimates.json

# How near a learned best response comes to the exact one where that is known.
exploiter: $(INSTALLED)
	$(BIN)/fm-env exploiter median --scenario clash --option a=3 --option d=3 --teacher policy:clash-33 --minutes 16 \
		--runs 2 --games 100000 --exact --json evaluation/results/exploiter_clash_33.json

# A policy that plays like `counter`, learned from recorded games alone, and how it does against it.
CLONED := runs/games-counter
clone: $(INSTALLED)
	$(BIN)/fm-env record counter --scenario duel --games 8000 --seed 1 --out $(CLONED)
	$(BIN)/fm-env clone $(CLONED) --name clone-counter --rows 400000 --epochs 12 --games 10000 \
		--json evaluation/results/clone_duel.json

# Whether a knight or a style dominates in Sword and Shield.
knights: $(INSTALLED)
	$(BIN)/python -m evaluation.knights --games 2000 --json evaluation/results/sword_and_shield_knights.json

# Whether the statistics of tournaments keep their promises, on simulated ones (some minutes).
proofs: $(INSTALLED)
	$(BIN)/python -m evaluation.tournament.proofs --json evaluation/results/tournament_proofs.json

# The published ladders of the benchmark tasks (some ten minutes).
ladders: $(INSTALLED)
	$(BIN)/python -m evaluation.tournament.benchmark_command

# Solves every committed clash (half an hour on one core; stop it and go on as you like), makes the
# tables of the agent `equilibrium`, measures the agents and draws the study's pictures.
solve: $(INSTALLED)
	$(BIN)/fm-env solve --all --tables agents/tables
	$(BIN)/python -m evaluation.solve.survey $(BOTS),policy:clash,policy:clash-33,policy:clash-selfplay
	$(BIN)/fm-env exploit policy:clash-selfplay --a 3 --d 3 --json > evaluation/results/clash_selfplay_exploit.json
	$(BIN)/python -m evaluation.solve.pictures

# A hundred million random choices over every size, number of players and fighting system.
SOAK := $(BIN)/fm-env soak --decisions 10000000 --json evaluation/results/soak.json
soak: $(INSTALLED)
	$(SOAK) --scenario skirmish-1v1
	$(SOAK) --scenario skirmish-1v1 --option combat=fast_play
	$(SOAK) --scenario skirmish-2v2 --option warbands=choose
	$(SOAK) --scenario skirmish-2v2 --option combat=fast_play
	$(SOAK) --scenario skirmish
	$(SOAK) --scenario skirmish --option combat=fast_play --option terrain=ruins
	$(SOAK) --scenario skirmish --option num_players=3 --option terrain=kitchen
	$(SOAK) --scenario skirmish --option num_players=4 --option combat=fast_play
	$(SOAK) --scenario skirmish --option num_players=5 --option warbands=choose
	$(SOAK) --scenario skirmish --option num_players=6 --option terrain=meadow

# Whole games through the page in headless Chromium; screenshots in build/screenshots.
browser: $(INSTALLED) browser-example
	WHOLE_SKIRMISH=1 SCREENSHOTS=build/screenshots $(BIN)/python -m pytest tests/browser

# What examples/browser needs: the duellist as ONNX, positions to show, and the runtime from npm.
ORT := onnxruntime-web-1.30.0
browser-example: $(INSTALLED)
	$(BIN)/fm-env export policy:duel --onnx examples/browser/duel.onnx --positions examples/browser/positions.json
	mkdir -p build examples/browser/vendor
	cd build && npm pack --silent onnxruntime-web@1.30.0
	tar xzf build/$(ORT).tgz -C examples/browser/vendor --strip-components=2 package/dist/ort.wasm.min.js \
		package/dist/ort-wasm-simd-threaded.mjs package/dist/ort-wasm-simd-threaded.wasm

# Whether each difficulty level wins 55 % against the one below (a few minutes).
levels: $(INSTALLED)
	$(BIN)/python -m evaluation.levels --games 4000 --json evaluation/results/levels.json

# The server under a thousand players for ten minutes, and killed again and again while they play.
load: $(INSTALLED)
	$(BIN)/python -m evaluation.service.load --json evaluation/results/service_load.json

kill-drill: $(INSTALLED)
	$(BIN)/python -m evaluation.service.drill --json evaluation/results/service_kill.json

# torch comes first, alone, so that the pinned release decides which build is taken.
$(INSTALLED): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt torch
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[all]"
	touch $@

clean:
	rm -rf $(VENV) build dist site .pytest_cache .ruff_cache .hypothesis
