# The project's commands; `make` lists them.
SHELL := /bin/bash
VENV := .venv
PYTHON := $(VENV)/bin/python
# The newest suitable interpreter on the machine; PYTHON3=/path/to/python overrides it.
PYTHON3 ?= $(shell for p in python3.13 python3.12 python3.11 python3 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { command -v $$p; break; }; done)

# Two more than there are cores: many tests wait for a process or a broker.
WORKERS := $(shell echo $$(( $$(nproc 2>/dev/null || echo 2) + 2 )))
# The workers share CI's machine with brokers, Spark and browsers. What fails beside them is tried
# once more there, and reported as such: a fault fails twice.
AGAIN := $(if $(CI),--reruns 1 --rerun-show-tracebacks)

.DEFAULT_GOAL := help
# Without the bytecode of the run before, every worker of pytest would compile all modules anew.
unexport PYTHONDONTWRITEBYTECODE
.PHONY: help run pipeline pack test test-proofs test-deep check check-fast format lint types layers tests \
	tests-fast bench fleet plugins browser clients downloads requirements licences clean

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: $(VENV)/page ## install what is missing and open the dashboard
	$(PYTHON) -m streamlit run app.py

pipeline: $(VENV)/run ## install Spark and Java, which the pipeline and uploads of telemetry need

pack: $(VENV)/run ## zip the code for the workers of a Spark cluster
	$(PYTHON) -m pipeline pack

test: $(VENV)/dev browser clients downloads ## install what is missing and run every check
	@$(MAKE) --no-print-directory -j2 check

test-proofs: $(VENV)/dev browser clients downloads ## what takes long: the real thing, and every case
	$(PYTHON) -m pytest -q -n auto --dist loadfile --no-loadscope-reorder $(AGAIN) \
		-m "(proof or hypothesis) and not deep" --hypothesis-profile proofs

test-deep: $(VENV)/dev clients downloads ## a hundred times as many examples, and what is too long for daily use
	$(PYTHON) -m pytest -q -n auto -m "deep or proof or hypothesis" --hypothesis-profile deep --timeout 3600

check-fast: $(VENV)/dev ## what to run on every save: tests below 0.1 s that need no page, door, Spark or process
	@$(MAKE) --no-print-directory -j2 --output-sync=target format lint types layers tests-fast

check: format lint layers types tests

format:
	$(PYTHON) -m ruff format --check .

lint:
	$(PYTHON) -m ruff check .

types:
	$(PYTHON) -m mypy

layers:
	$(VENV)/bin/lint-imports --no-logo

tests:
	$(PYTHON) -m pytest -q -n $(WORKERS) --dist loadfile --no-loadscope-reorder $(AGAIN)

tests-fast:
	$(PYTHON) -m pytest -q -n logical -p no:rerunfailures -p no:anyio --hypothesis-profile fast --timeout-method signal \
		tests assignors evaluation charts sources -m "not needs and not deep and not proof and not slow" \
		$(addprefix --ignore tests/,pipeline broker browser pages ui doors watching metrics plugins hostile benchmarks \
			installed oracles live processes sources/fleet sources/test_live.py assistant/test_server.py \
			kinds/test_view.py charts/deck test_assign.py test_assign_live.py)

bench: $(VENV)/bench browser ## measure against what users would pick instead
	$(PYTHON) -m benchmarks
	$(PYTHON) -m benchmarks.fleet
	$(PYTHON) -m benchmarks.fleet_small
	$(PYTHON) -m benchmarks.fleet_stream
	$(PYTHON) -m benchmarks.fleet_states
	$(PYTHON) -m benchmarks.fleet_shapes
	$(PYTHON) -m benchmarks.page
	$(PYTHON) -m benchmarks.load
	$(PYTHON) -m benchmarks.plugins

plugins: $(VENV)/run ## build the jars of our own strategies, for consumers and for brokers
	$(PYTHON) -m plugins.build

fleet: $(VENV)/run ## compute the tables of the sample fleet anew
	$(PYTHON) -m pipeline.sample

browser:
	@command -v chromium chromium-browser google-chrome >/dev/null 2>&1 || \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core; \
	else \
		echo "No Chromium here: the browser tests will be left out. Install the package chromium to run them."; \
	fi

clients:
	@if ! command -v go >/dev/null 2>&1 || ! command -v npm >/dev/null 2>&1; then \
		if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
			apt-get update -qq && apt-get install -y -qq --no-install-recommends golang-go nodejs npm; \
		else \
			echo "No Go or npm here: the answers of other clients' own libraries will not be compared anew."; \
		fi; \
	fi

downloads: clients $(VENV)/downloads

requirements: $(VENV)/made ## update the pinned versions within pyproject.toml's ranges
	$(PYTHON) -m pip install -q uv
	$(PYTHON) -m uv pip compile -q --upgrade --universal --python-version 3.11 --no-header --all-extras \
		--no-annotate --no-emit-index-url pyproject.toml -o requirements.txt
	$(PYTHON) -m uv pip compile -q --upgrade --universal --python-version 3.11 --no-header \
		$(addprefix --extra ,cli live dashboard slides watch mcp) --no-annotate --no-emit-index-url \
		-c requirements.txt pyproject.toml -o requirements-page.txt
	$(PYTHON) -m uv pip compile -q --upgrade --universal --python-version 3.11 --no-header --all-extras \
		--no-annotate --no-emit-index-url --group dev -c requirements.txt pyproject.toml -o requirements-dev.txt
	$(PYTHON) -m uv pip compile -q --upgrade --universal --python-version 3.11 --no-header --all-extras \
		--no-annotate --no-emit-index-url --group bench -c requirements-dev.txt pyproject.toml -o requirements-bench.txt

licences: $(VENV)/dev ## regenerate docs/licences.md
	$(PYTHON) -m venv $(VENV)/licences
	$(VENV)/licences/bin/python -m pip install -q --disable-pip-version-check pip-licenses
	sed '/^| Name/,$$d' docs/licences.md > $(VENV)/licences/head
	$(VENV)/licences/bin/pip-licenses --python=$(PYTHON) --from=mixed --format=markdown --no-version \
		--packages $$(sed 's/==.*//' requirements.txt | sort -u) | cat $(VENV)/licences/head - > $(VENV)/licences/whole
	mv $(VENV)/licences/whole docs/licences.md

clean: ## remove the environment and every cache
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

$(VENV)/made:
	@if [ -z "$(PYTHON3)" ]; then echo "Python 3.11 or newer is needed; none was found on the PATH."; exit 1; fi
	$(PYTHON3) -m venv $(VENV) || { \
		echo "Python lacks its venv module; on Debian and Ubuntu: apt-get install python3-venv"; exit 1; }
	@touch $@

$(VENV)/page: requirements-page.txt | $(VENV)/made
	$(PYTHON) -m pip install -q --disable-pip-version-check -r requirements-page.txt
	@touch $@

$(VENV)/run: requirements.txt | $(VENV)/made
	$(PYTHON) -m pip install -q --disable-pip-version-check -r requirements.txt
	@touch $@ $(VENV)/page

$(VENV)/dev: requirements-dev.txt | $(VENV)/made
	$(PYTHON) -m pip install -q --disable-pip-version-check -r requirements-dev.txt
	@touch $@ $(VENV)/run $(VENV)/page

$(VENV)/downloads: tests/downloads.py | $(VENV)/dev
	$(PYTHON) -m tests.downloads
	@touch $@

$(VENV)/bench: requirements-bench.txt | $(VENV)/made
	$(PYTHON) -m pip install -q --disable-pip-version-check -r requirements-bench.txt
	@touch $@ $(VENV)/dev $(VENV)/run $(VENV)/page
