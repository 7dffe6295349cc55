# SPDX-License-Identifier: Apache-2.0
# libktpu and the command-line programs.
KT_SRCS += host/kd_status.c host/kd_heap.c host/kd_device.c host/kd_api.c host/kd_run.c \
  host/kd_fault.c host/kd_ref.c host/kd_variant.c host/kd_sim.c host/kd_layout.c host/kd_part.c \
  host/kd_gemm.c host/kd_npy.c host/kd_clock.c host/kd_cobs.c host/kd_frame.c host/kd_link.c \
  host/kd_link_access.c host/kd_usb.c host/kd_ftdi.c host/kd_ftdi_find.c host/kd_ftdi_io.c \
  host/kd_board.c host/kd_board_name.c host/kd_mx_ref.c host/kd_mx_run.c host/kd_mx_layout.c \
  host/kd_mx_gemm.c

KT_PROGRAMS += ktpu-run ktpu-info
ktpu-run_SRCS := host/tools/ktpu_run.c host/tools/run_gemm.c host/tools/run_program.c \
  host/tools/run_compare.c host/tools/run_report.c host/tools/run_trace.c host/tools/run_first.c \
  host/tools/run_mx.c host/tools/run_mx_report.c
ktpu-info_SRCS := host/tools/ktpu_info.c host/tools/info_board.c

# What `make install` adds to the library and the programs.
.PHONY: install-host
install: install-host
install-host:
	install -d $(DESTDIR)$(PREFIX)/share/man/man1 \
	  $(DESTDIR)$(PREFIX)/share/bash-completion/completions
	install -m 644 $(wildcard host/man/*.1) $(DESTDIR)$(PREFIX)/share/man/man1
	install -d $(DESTDIR)$(PREFIX)/share/ktpu
	install -m 644 host/udev/70-ktpu.rules $(wildcard host/eeprom/*.conf) $(DESTDIR)$(PREFIX)/share/ktpu
	install -m 644 host/completion/ktpu.bash \
	  $(DESTDIR)$(PREFIX)/share/bash-completion/completions/ktpu-run
	cd $(DESTDIR)$(PREFIX)/share/bash-completion/completions && \
	for p in ktpu-info ktpu-sim ktpu-as ktpu-dis; do ln -sf ktpu-run $$p; done
