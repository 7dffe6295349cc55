# SPDX-License-Identifier: Apache-2.0
# The digits example: one program, and its parts for the tests.

DIGITS_PARTS := examples/digits/digits_ref.c examples/digits/digits_data.c examples/digits/digits_list.c

KT_PROGRAMS += ktpu-digits
ktpu-digits_SRCS := examples/digits/digits.c examples/digits/digits_report.c $(DIGITS_PARTS)

$(addprefix $(BUILD)/tests/,unit/test_digits_ref unit/test_digits_list cosim/test_digits): \
  $(DIGITS_PARTS:%.c=$(BUILD)/obj/%.o)

.PHONY: digits
digits: sim $(BUILD)/bin/ktpu-digits ## classify handwritten digits on the Verilog: [T= MAXDIM= BUS= LATENCY= JSON=]
	@$(BUILD)/bin/ktpu-digits --device 'sim:$(SIM_PARAMS)' $(if $(LATENCY),--latency $(LATENCY)) \
	  $(if $(JSON),--json $(JSON))
