# SPDX-License-Identifier: Apache-2.0
# Everything that judges a change: lint, tests, sanitizers, mutation, area.

RUN_TESTS := $(PYTHON) tools/run_tests.py --build $(BUILD) --seed $(SEED)

.PHONY: lint
lint: setup-rtl setup-synth ## Verilator, Icarus and Yosys on all RTL; style, docs and header gates

.PHONY: test test-c test-rtl test-cosim test-full
test: ## every test of every change: C units, RTL benches, co-simulation, lint, gen-check
test-c: ## unit tests of the C code
test-rtl: ## self-checking Verilog benches
test-cosim: ## the Verilog against the model
test-full: ## test, and the long campaigns and every legal build

.PHONY: check
check: test ## everything that a change must pass
