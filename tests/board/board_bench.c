// SPDX-License-Identifier: Apache-2.0
#include "board/board_bench.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *symbol(void *library, const char *name)
{
  void *at = dlsym(library, name);
  cr_assert(at != NULL, "%s", dlerror());
  return at;
}

void board_bench_load(struct board_bench *bench, const char *board)
{
  char path[1024];
  const char *dir = getenv("KTPU_BOARD_DIR");
  snprintf(path, sizeof path, "%s/%s/libusb-1.0.so.0", dir != NULL ? dir : "build/board", board);
  void *usb = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
  cr_assert(usb != NULL, "%s", dlerror());
  void *ftdi = dlopen("libftdi1.so.2", RTLD_NOW);
  cr_assert(ftdi != NULL, "%s", dlerror());

  ks_board_api_fn *api;
  void *at = symbol(usb, KS_BOARD_API_SYMBOL);
  memcpy(&api, &at, sizeof api);
  bench->api = api();
  cr_assert(bench->api->version == KS_BOARD_API_VERSION);
#define LOAD(name)                                                                                 \
  at = symbol(ftdi, #name);                                                                        \
  memcpy(&bench->name, &at, sizeof at);
  BENCH_FTDI(LOAD)
#undef LOAD
}

struct ftdi_context *board_bench_open(const struct board_bench *bench, int product,
                                      enum ftdi_interface interface)
{
  struct ftdi_context *ftdi = bench->ftdi_new();
  cr_assert(ftdi != NULL);
  cr_assert(bench->ftdi_set_interface(ftdi, interface) == 0);
  int result = bench->ftdi_usb_open(ftdi, 0x0403, product);
  cr_assert(result == 0, "open: %d, %s", result, bench->ftdi_get_error_string(ftdi));
  cr_assert(bench->ftdi_set_baudrate(ftdi, 3000000) == 0);
  cr_assert(bench->ftdi_set_event_char(ftdi, 0, 1) == 0);
  return ftdi;
}

void board_bench_close(const struct board_bench *bench, struct ftdi_context *ftdi)
{
  cr_assert(bench->ftdi_usb_close(ftdi) == 0);
  bench->ftdi_free(ftdi);
}

int board_bench_read(const struct board_bench *bench, struct ftdi_context *ftdi, uint8_t *data,
                     int bytes, unsigned ms)
{
  uint64_t until = bench->api->now_ns() + ms * UINT64_C(1000000);
  int got = 0;
  while (got < bytes && bench->api->now_ns() < until) {
    int n = bench->ftdi_read_data(ftdi, data + got, bytes - got);
    if (n < 0) return n;
    got += n;
  }
  return got;
}

void board_bench_set(const struct board_bench *bench, const char *key, const char *value)
{
  cr_assert(bench->api->set_option(key, value) == 0, "option %s=%s", key, value);
}

uint64_t board_bench_count(const struct board_bench *bench, const char *key)
{
  uint64_t value = 0;
  cr_assert(bench->api->counter(key, &value) == 0, "counter %s", key);
  return value;
}
