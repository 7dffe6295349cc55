// SPDX-License-Identifier: Apache-2.0
// libusb's transfers and events: the calls in which simulated time passes.
#include "cosim/board/ks_usb.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#define POLL_PS (1u * KS_PS_PER_US) /* what a call that does not wait takes */
#define FOREVER_PS (60ull * 1000u * KS_PS_PER_MS)
#define CONTROL_PS (30u * KS_PS_PER_US) /* the three stages of a control transfer */
#define STRING_LANGUAGE 0x0409

static struct ks_transfer *inner(struct libusb_transfer *user)
{
  return (struct ks_transfer *)(void *)((char *)user - offsetof(struct ks_transfer, user));
}

struct libusb_transfer *LIBUSB_CALL libusb_alloc_transfer(int iso_packets)
{
  if (iso_packets != 0) return NULL;
  struct ks_transfer *t = calloc(1, sizeof *t);
  return t == NULL ? NULL : &t->user;
}

/* Takes a transfer out of the completed ones, where its callback has not run. */
static void forget(struct ks_transfer *t)
{
  struct ks_transfer **at = &ks_world.completed;
  while (*at != NULL && *at != t) at = &(*at)->next;
  if (*at == NULL) return;
  *at = t->next;
  if (ks_world.completed_end == &t->next) ks_world.completed_end = at;
}

void LIBUSB_CALL libusb_free_transfer(struct libusb_transfer *user)
{
  if (user == NULL) return;
  struct ks_transfer *t = inner(user);
  ks_enter();
  if (t->endpoint != NULL) ks_transfer_end(t, LIBUSB_TRANSFER_CANCELLED);
  forget(t);
  ks_leave();
  if ((user->flags & LIBUSB_TRANSFER_FREE_BUFFER) != 0) free(user->buffer);
  free(t);
}

static int channel_of(const struct libusb_transfer *user)
{
  const struct ks_device_kind *kind = &user->dev_handle->dev->kind;
  unsigned number = user->endpoint & 0x0fu;
  bool in = (user->endpoint & LIBUSB_ENDPOINT_IN) != 0;
  if (number < 1 || (number & 1u) != (in ? 1u : 0u)) return -1;
  unsigned channel = (number - 1) / 2;
  return channel < kind->channels ? (int)channel : -1;
}

static int queue(struct ks_transfer *t)
{
  struct ks_world *w = &ks_world;
  libusb_device *dev = t->user.dev_handle->dev;
  int channel = channel_of(&t->user);
  if (!ks_reachable(dev)) return LIBUSB_ERROR_NO_DEVICE;
  if (t->endpoint != NULL) return LIBUSB_ERROR_BUSY;
  if (t->user.type != LIBUSB_TRANSFER_TYPE_BULK || channel < 0) return LIBUSB_ERROR_NOT_FOUND;
  if (dev->interface[channel].owner != t->user.dev_handle) return LIBUSB_ERROR_IO;

  bool in = (t->user.endpoint & LIBUSB_ENDPOINT_IN) != 0;
  struct ks_endpoint *ep = &dev->endpoint[2 * channel + (in ? 1 : 0)];
  uint64_t rested = ep->last_done + KS_GAP_PS;
  t->endpoint = ep;
  t->port = &dev->port[channel];
  t->next = NULL;
  t->cancelled = false;
  t->start = ep->head == NULL && rested > w->now ? rested : w->now;
  t->deadline =
      t->user.timeout == 0 ? UINT64_MAX : w->now + t->user.timeout * (uint64_t)KS_PS_PER_MS;
  t->user.actual_length = 0;
  struct ks_transfer **at = &ep->head;
  while (*at != NULL) at = &(*at)->next;
  *at = t;
  w->queued++;
  return 0;
}

int LIBUSB_CALL libusb_submit_transfer(struct libusb_transfer *user)
{
  ks_enter();
  int result = queue(inner(user));
  ks_leave();
  return result;
}

int LIBUSB_CALL libusb_cancel_transfer(struct libusb_transfer *user)
{
  struct ks_transfer *t = inner(user);
  ks_enter();
  bool queued = t->endpoint != NULL;
  if (queued) ks_transfer_end(t, LIBUSB_TRANSFER_CANCELLED);
  ks_leave();
  return queued ? 0 : LIBUSB_ERROR_NOT_FOUND;
}

/* Calls back for what has ended so far. */
static bool deliver(void)
{
  bool any = false;
  while (ks_world.completed != NULL) {
    struct ks_transfer *t = ks_world.completed;
    forget(t);
    any = true;
    bool release = (t->user.flags & LIBUSB_TRANSFER_FREE_TRANSFER) != 0;
    if (t->user.callback != NULL) t->user.callback(&t->user);
    if (release) libusb_free_transfer(&t->user);
  }
  return any;
}

static int handle_events(uint64_t wait, int *completed)
{
  ks_enter();
  uint64_t until = ks_world.now + (wait > POLL_PS ? wait : POLL_PS);
  while (!deliver() && ks_world.now < until) {
    if (completed != NULL && *completed != 0) break;
    if (ks_world.queued == 0)
      ks_world_run(until);
    else
      ks_world_step(until);
  }
  ks_leave();
  return 0;
}

int LIBUSB_CALL libusb_handle_events_timeout_completed(libusb_context *ctx, struct timeval *tv,
                                                       int *completed)
{
  (void)ctx;
  uint64_t us = (uint64_t)tv->tv_sec * 1000000u + (uint64_t)tv->tv_usec;
  return handle_events(us * KS_PS_PER_US, completed);
}

int LIBUSB_CALL libusb_handle_events_timeout(libusb_context *ctx, struct timeval *tv)
{
  return libusb_handle_events_timeout_completed(ctx, tv, NULL);
}

int LIBUSB_CALL libusb_handle_events_completed(libusb_context *ctx, int *completed)
{
  (void)ctx;
  return handle_events(FOREVER_PS, completed);
}

int LIBUSB_CALL libusb_handle_events(libusb_context *ctx)
{
  return libusb_handle_events_completed(ctx, NULL);
}

static void LIBUSB_CALL note(struct libusb_transfer *user)
{
  *(int *)user->user_data = 1;
}

static int result_of(enum libusb_transfer_status status)
{
  switch (status) {
  case LIBUSB_TRANSFER_COMPLETED:
    return 0;
  case LIBUSB_TRANSFER_TIMED_OUT:
    return LIBUSB_ERROR_TIMEOUT;
  case LIBUSB_TRANSFER_STALL:
    return LIBUSB_ERROR_PIPE;
  case LIBUSB_TRANSFER_OVERFLOW:
    return LIBUSB_ERROR_OVERFLOW;
  case LIBUSB_TRANSFER_NO_DEVICE:
    return LIBUSB_ERROR_NO_DEVICE;
  case LIBUSB_TRANSFER_ERROR:
  case LIBUSB_TRANSFER_CANCELLED:
    return LIBUSB_ERROR_IO;
  }
  return LIBUSB_ERROR_OTHER;
}

int LIBUSB_CALL libusb_bulk_transfer(libusb_device_handle *handle, unsigned char endpoint,
                                     unsigned char *data, int length, int *actual_length,
                                     unsigned int timeout)
{
  int done = 0;
  struct libusb_transfer *user = libusb_alloc_transfer(0);
  if (user == NULL) return LIBUSB_ERROR_NO_MEM;
  libusb_fill_bulk_transfer(user, handle, endpoint, data, length, note, &done, timeout);
  ks_enter();
  int result = libusb_submit_transfer(user);
  while (result == 0 && done == 0) handle_events(FOREVER_PS, &done);
  ks_leave();
  if (actual_length != NULL) *actual_length = result == 0 ? user->actual_length : 0;
  if (result == 0) result = result_of(user->status);
  libusb_free_transfer(user);
  return result;
}

static int string_request(const libusb_device *dev, uint8_t index, uint8_t *data, int room)
{
  char text[128];
  if (room < 4) return LIBUSB_ERROR_OVERFLOW;
  if (index == 0) {
    const uint8_t languages[4] = {4, LIBUSB_DT_STRING, STRING_LANGUAGE & 0xff,
                                  STRING_LANGUAGE >> 8};
    memcpy(data, languages, 4);
    return 4;
  }
  int n = ks_device_string(dev, index, text, sizeof text);
  if (n < 0) return LIBUSB_ERROR_PIPE;
  if (2 + 2 * n > room) n = (room - 2) / 2;
  data[0] = (uint8_t)(2 + 2 * n);
  data[1] = LIBUSB_DT_STRING;
  for (int i = 0; i < n; i++) {
    data[2 + 2 * i] = (uint8_t)text[i];
    data[3 + 2 * i] = 0;
  }
  return 2 + 2 * n;
}

static int request(libusb_device *dev, uint8_t type, uint8_t number, uint16_t value, uint16_t index,
                   uint8_t *data, uint16_t length)
{
  int n;
  switch (type & 0x60u) {
  case LIBUSB_REQUEST_TYPE_STANDARD:
    if (number != LIBUSB_REQUEST_GET_DESCRIPTOR || value >> 8 != LIBUSB_DT_STRING)
      return LIBUSB_ERROR_PIPE;
    return string_request(dev, (uint8_t)value, data, length);
  case LIBUSB_REQUEST_TYPE_VENDOR:
    n = ks_device_vendor(dev, number, value, index, data, length);
    return n < 0 ? LIBUSB_ERROR_PIPE : n;
  default:
    return LIBUSB_ERROR_PIPE;
  }
}

/* The time of a control transfer, and whether it comes through. */
static int control_passes(libusb_device *dev, unsigned int timeout)
{
  struct ks_world *w = &ks_world;
  if (!ks_reachable(dev)) return LIBUSB_ERROR_NO_DEVICE;
  uint64_t start = dev->control_done + KS_GAP_PS;
  if (start < w->now) start = w->now;
  bool deaf = w->faults.deaf != 0;
  ks_world_run(deaf ? w->now + timeout * (uint64_t)KS_PS_PER_MS : start + CONTROL_PS);
  dev->control_done = w->now;
  if (!ks_reachable(dev)) return LIBUSB_ERROR_NO_DEVICE;
  if (deaf) return LIBUSB_ERROR_TIMEOUT;
  if (w->faults.stall > 0) {
    w->faults.stall--;
    return LIBUSB_ERROR_PIPE;
  }
  w->counts.control++;
  return 0;
}

int LIBUSB_CALL libusb_control_transfer(libusb_device_handle *handle, uint8_t type, uint8_t number,
                                        uint16_t value, uint16_t index, unsigned char *data,
                                        uint16_t length, unsigned int timeout)
{
  ks_enter();
  int result = control_passes(handle->dev, timeout);
  if (result == 0) result = request(handle->dev, type, number, value, index, data, length);
  ks_leave();
  return result;
}

int LIBUSB_CALL libusb_get_string_descriptor_ascii(libusb_device_handle *handle, uint8_t index,
                                                   unsigned char *data, int length)
{
  ks_enter();
  int result = control_passes(handle->dev, 1000);
  if (result == 0) result = ks_device_string(handle->dev, index, (char *)data, length);
  if (result == -1) result = LIBUSB_ERROR_INVALID_PARAM;
  ks_leave();
  return result;
}
