# SPDX-License-Identifier: Apache-2.0
DIGITS_SRCS := examples/digits/digits_ref.c examples/digits/digits_data.c examples/digits/digits_list.c

$(BUILD)/tests/unit/test_digits_ref: $(DIGITS_SRCS:%.c=$(BUILD)/obj/%.o)
