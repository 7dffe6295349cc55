# SPDX-License-Identifier: Apache-2.0
# The link's vectors come from a script that shares no code with either side.

.PHONY: gen-link-vectors gen-check-link-vectors
gen: gen-link-vectors
gen-check: gen-check-link-vectors

gen-link-vectors: | setup-c
	@$(PYTHON) tests/link/vectors.py --write
gen-check-link-vectors: | setup-c
	@$(PYTHON) tests/link/vectors.py --check
