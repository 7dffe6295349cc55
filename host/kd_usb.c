/* SPDX-License-Identifier: Apache-2.0
 *
 * Loading. For a virtual board the stand-in comes first: its name is libusb's, so libftdi's need for
 * libusb is then met by it.
 */
#include "host/kd_usb.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef KTPU_BOARD_INSTALLED
#define KTPU_BOARD_INSTALLED "/usr/local/lib/ktpu/board"
#endif

static const char stand_in_name[] = "libusb-1.0.so.0";
static const char libftdi_name[] = "libftdi1.so.2";

/* What this process has loaded: symbols are a process's, so this is too. */
static struct {
  pthread_mutex_t lock;
  bool loaded;
  char board[64]; /* "": real */
  struct kd_usb usb;
  struct kd_clock clock;
} loaded = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool find_symbol(void *library, const char *name, void *pointer)
{
  void *const symbol = dlsym(library, name);
  memcpy(pointer, &symbol, sizeof symbol);
  return symbol != NULL;
}

static enum kt_status find_functions(void *library, struct kd_usb *usb, struct kt_msg *msg)
{
#define FIND(name)                                                                                 \
  if (!find_symbol(library, #name, &usb->name)) {                                                  \
    kt_msg_set(msg, "%s has no %s: version 1.5 or later is needed", libftdi_name, #name);          \
    return KT_EUNSUPPORTED;                                                                        \
  }
  KD_USB_FUNCTIONS(FIND)
#undef FIND
  return KT_OK;
}

static enum kt_status load_libftdi(struct kd_usb *usb, struct kt_msg *msg)
{
  void *library = dlopen(libftdi_name, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    kt_msg_set(msg, "boards need libftdi 1.5 (package libftdi1-2): %s", dlerror());
    return KT_ENODEV;
  }
  const enum kt_status st = find_functions(library, usb, msg);
  if (st != KT_OK) dlclose(library);
  return st;
}

static bool find_stand_in(const char *board, char *path, size_t n)
{
  const char *env = getenv("KTPU_BOARD_DIR");
  const char *dirs[] = {env != NULL ? env : "build/board", KTPU_BOARD_INSTALLED};
  for (size_t i = 0; i < sizeof dirs / sizeof dirs[0]; i++) {
    const int w = snprintf(path, n, "%s/%s/%s", dirs[i], board, stand_in_name);
    if (w > 0 && (size_t)w < n && access(path, R_OK) == 0) return true;
    if (env != NULL) break; /* a directory that was named is the only one */
  }
  return false;
}

static enum kt_status load_stand_in(const char *board, struct kd_usb *usb, struct kt_msg *msg)
{
  char path[4096];
  ks_board_api_fn *api;
  if (!find_stand_in(board, path, sizeof path)) {
    kt_msg_set(msg, "the virtual board %s has not been built: make boards", board);
    return KT_ENODEV;
  }
  void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
  if (library == NULL) {
    kt_msg_set(msg, "the virtual board %s cannot be loaded: %s", board, dlerror());
    return KT_ENODEV;
  }
  if (!find_symbol(library, KS_BOARD_API_SYMBOL, &api) || api()->version != KS_BOARD_API_VERSION) {
    kt_msg_set(msg, "%s is no virtual board of this version", path);
    dlclose(library);
    return KT_EMISMATCH;
  }
  usb->board = api();
  loaded.clock = (struct kd_clock){usb->board->now_ns, usb->board->sleep_ns};
  usb->clock = &loaded.clock;
  return KT_OK;
}

static enum kt_status load(const char *board, struct kt_msg *msg)
{
  struct kd_usb usb = {.clock = &kd_clock_real};
  enum kt_status st = KT_OK;
  if (board[0] != '\0') st = load_stand_in(board, &usb, msg);
  if (st == KT_OK) st = load_libftdi(&usb, msg);
  if (st != KT_OK) return st;
  loaded.usb = usb;
  snprintf(loaded.board, sizeof loaded.board, "%s", board);
  loaded.loaded = true;
  return KT_OK;
}

enum kt_status kd_usb_load(const char *board, const struct kd_usb **usb, struct kt_msg *msg)
{
  const char *name = board != NULL ? board : "";
  enum kt_status st = KT_OK;
  pthread_mutex_lock(&loaded.lock);
  if (!loaded.loaded) {
    st = load(name, msg);
  } else if (strcmp(loaded.board, name) != 0) {
    kt_msg_set(msg, "this process uses %s%s already: %s%s needs a process of its own",
               loaded.board[0] != '\0' ? "the virtual board " : "real USB", loaded.board,
               name[0] != '\0' ? "the virtual board " : "real USB", name);
    st = KT_EBUSY;
  }
  if (st == KT_OK) *usb = &loaded.usb;
  pthread_mutex_unlock(&loaded.lock);
  return st;
}
