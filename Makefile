# Everything runs in .venv, which the first target that needs it creates. `make help` lists the targets.
PYTHON ?= python3
ARGS ?=
TORCH := torch==2.13.0
BIN := .venv/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# The tests start hundreds of programs. Without files of bytecode each of them would compile the package's modules anew.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
SECONDS ?= 300
GAMES ?= 50
ONLY ?= sb3 cleanrl torchrl tianshou rllib minari open_spiel
.PHONY: help demo docs test quick long bounds attack faults foreign soak stress fuzz cross perft mutants bench peers frameworks lint \
    format constraints clean

help: ## list the targets
	@echo "Usage: make TARGET [ARGS='more arguments of the command'] [PYTHON=python3.12]; times are those of two cores"
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  \1	\2/p' Makefile | expand -t 16

demo: .venv/train.stamp ## install, then train a 2-player policy, play it against the bots, and say how to play it (about 5 minutes)
	@$(BIN)/rc train --preset quick $(ARGS)

test: .venv/dev.stamp ## install, then run the tests (about 9 minutes; the first time, when all is compiled, 3 more)
	@$(BIN)/python -m pytest -n 2 $(ARGS)

quick: .venv/dev.stamp ## the tests of the base game's rules and of the APIs, without the long ones (about 2 minutes)
	@$(BIN)/python -m pytest -n 2 -m "not slow and not full and not long" $(ARGS)

long: .venv/dev.stamp ## more games, trainings and drawn card sets than `make test` plays (about 13 minutes)
	@$(BIN)/python -m pytest -n 2 -m long $(ARGS)

bounds: .venv/dev.stamp ## games, bots and the tests of the rules with every index checked (about 10 minutes)
	@PYTHONPATH=tests/support $(BIN)/python -m pytest -q -p strict_indices tests/checked.py tests/rules \
	    tests/test_golden.py tests/test_conservation.py tests/test_perft.py $(ARGS)

attack: .venv/dev.stamp ## wrong values for every public callable, file and command, in worker processes (about 30 minutes)
	@$(BIN)/python tests/faults/attack.py $(ARGS)

faults: .venv/dev.stamp ## kill long commands 50 times, fill the disk at each write, other faults (about 40 minutes)
	@$(BIN)/python tests/faults/kill.py
	@$(BIN)/python tests/faults/full_disk.py
	@$(BIN)/python tests/faults/other_faults.py

foreign: .venv/dev.stamp ## altered games, each refused or played with every index checked, for SECONDS=300
	@PYTHONPATH=tests/support $(BIN)/python tests/faults/foreign_states.py --seconds $(SECONDS) $(ARGS)

soak: .venv/dev.stamp ## mixed calls through every API for SECONDS=300: do memory, threads or files pile up?
	@$(BIN)/python tests/faults/soak.py --seconds $(SECONDS) $(ARGS)

stress: .venv/dev.stamp ## 200 tables of rc serve at once, with reloads and bots that hang, for SECONDS=300
	@$(BIN)/python tests/faults/stress_web.py --seconds $(SECONDS) $(ARGS)

fuzz: .venv/dev.stamp ## damaged records and data files for SECONDS=300 (5 minutes); each is read, or refused in a sentence
	@$(BIN)/python tests/support/fuzz.py --seconds $(SECONDS) $(ARGS)

cross: .venv/dev.stamp ## records of the full game to and from a second implementation, GAMES=50 a variant (about 2 hours)
	@$(BIN)/python tests/support/cross.py --games $(GAMES) $(ARGS)

perft: .venv/dev.stamp ## count the legal lines of fixed positions anew, write tests/golden/perft.txt (about 1 minute)
	@$(BIN)/python tests/support/perft.py

mutants: .venv/dev.stamp ## change the base game's rules at 300 random places, see whether tests/rules notices (about 1 hour)
	@$(BIN)/python tests/support/mutants.py --base $(ARGS)

bench: .venv/train.stamp ## measure speed, write bench.json (ARGS="--only engine": that part alone)
	@$(BIN)/rc bench --json bench.json --overwrite $(ARGS)

peers: .venv/dev.stamp ## speed beside EnvPool, OpenSpiel, PettingZoo and Catanatron, each in an environment of its own (15 minutes)
	@mkdir -p build/peers
	@$(BIN)/python bench/peers.py $(ARGS)

frameworks: ## learn with other frameworks, SECONDS=300 each: the scripts of examples/ (ONLY=torchrl: that one alone)
	@for name in $(ONLY); do $(MAKE) -s build/frameworks/$$name.stamp || exit; echo "== $$name"; \
	    build/frameworks/$$name/bin/python examples/$${name}_*.py --seconds $(SECONDS) $(ARGS) || exit; done

docs: .venv/docs.stamp ## build the documentation as a site in build/site, strict about links (1 minute)
	@rm -rf build/site
	@$(BIN)/python -m sphinx -q -W --keep-going -b html -d build/site.cache -c docs . build/site
	@echo "Written to build/site: open build/site/docs/index.html."

lint: .venv/dev.stamp ## check style (ruff) and types (mypy) (1 minute)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

format: .venv/dev.stamp ## lay the code out as lint wants it
	@$(BIN)/ruff check --fix-only --quiet .
	@$(BIN)/ruff format .

clean: ## remove .venv, build output and caches
	@rm -rf .venv build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Stops with one sentence unless PYTHON is 3.11 or newer.
define check_python
v=$$($(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || v=; \
case "$$v" in \
"") echo "rc_env needs Python 3.11 or newer, and '$(PYTHON)' does not run: name one with make PYTHON=/path/to/python3" >&2; \
    exit 1;; \
2.*|3.?|3.10) echo "rc_env needs Python 3.11 or newer, and '$(PYTHON)' is Python $$v:" \
    "name a newer one with make PYTHON=/path/to/python3" >&2; exit 1;; \
esac
endef

# $(call install,EXTRAS,STAMPS): an interrupted or outdated .venv is made anew, a sound one is brought up to date.
define install
@$(BIN)/python -c 'import pip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
    $(check_python); \
    echo "Creating .venv with Python $$v (about 10 seconds) ..."; $(PYTHON) -m venv --clear .venv; }
@echo "Installing pinned packages into .venv (about 2 minutes the first time; torch is the largest) ..."
@$(BIN)/python -m pip install -qq -c constraints.txt -e '.[$(1)]'
@touch $(2)
endef

comma := ,
.venv/train.stamp: pyproject.toml constraints.txt
	$(call install,train$(comma)web,$@)

.venv/dev.stamp: pyproject.toml constraints.txt
	$(call install,train$(comma)dev,.venv/train.stamp $@)

.venv/docs.stamp: pyproject.toml constraints.txt
	$(call install,train$(comma)docs,.venv/train.stamp $@)

# An environment for each framework, with the versions of constraints.txt but of what its own requirements pin.
build/frameworks/%.stamp: examples/requirements-%.txt pyproject.toml constraints.txt
	@$(check_python); echo "Installing $* into build/frameworks/$* (about 2 minutes) ..."; mkdir -p $(@D); \
	$(PYTHON) -m venv --clear build/frameworks/$*
	@sed -n '/^[a-z]/s/\([a-z0-9-]*\).*/^\1==/p' $< > build/frameworks/$*.pinned
	@grep -v -f build/frameworks/$*.pinned constraints.txt > build/frameworks/$*.constraints
	@build/frameworks/$*/bin/python -m pip install -qq -c build/frameworks/$*.constraints -r $< -e '.[arena]'
	@touch $@

# Resolved anew in a throw-away environment; a local version label such as +cpu is left out, so that the pins hold elsewhere.
# setuptools is there because torch and tensorboard ask for it.
constraints: ## resolve the newest versions of everything, write constraints.txt
	@$(check_python); set -e; tmp=$$(mktemp -d); trap 'rm -rf "$$tmp"' EXIT; \
	echo "Resolving $(TORCH) and .[train,dev,docs] in a throw-away environment (about 2 minutes) ..."; \
	$(PYTHON) -m venv "$$tmp"; \
	"$$tmp/bin/python" -m pip install -qq --upgrade setuptools $(TORCH); \
	"$$tmp/bin/python" -m pip install -qq $(TORCH) -e '.[train,dev,docs]'; \
	"$$tmp/bin/python" -m pip freeze --all --exclude pip --exclude wheel --exclude-editable > "$$tmp/freeze"; \
	{ echo "# Exact versions of all that .[train,dev,docs] installs; regenerated by: make constraints"; \
	  sed 's/+.*//' "$$tmp/freeze" | LC_ALL=C sort -f; } > constraints.txt; \
	echo "Wrote constraints.txt: $$(grep -c == constraints.txt) packages."
