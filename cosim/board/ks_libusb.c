// SPDX-License-Identifier: Apache-2.0
// libusb's calls about contexts, devices and interfaces.
#include "cosim/board/ks_usb.h"

#include <stdlib.h>
#include <string.h>

#define BUS 1
#define FIRST_ADDRESS 4

static libusb_context context;

int LIBUSB_CALL libusb_init(libusb_context **ctx)
{
  ks_enter();
  context.refs++;
  if (ctx != NULL) *ctx = &context;
  ks_leave();
  return 0;
}

void LIBUSB_CALL libusb_exit(libusb_context *ctx)
{
  (void)ctx;
  ks_enter();
  if (context.refs > 0) context.refs--;
  ks_leave();
}

ssize_t LIBUSB_CALL libusb_get_device_list(libusb_context *ctx, libusb_device ***list)
{
  ssize_t n = 0;
  (void)ctx;
  libusb_device **all = calloc(KS_DEVICES + 1, sizeof(libusb_device *));
  if (all == NULL) return LIBUSB_ERROR_NO_MEM;
  ks_enter();
  for (unsigned i = 0; i < KS_DEVICES; i++) {
    if (!ks_reachable(&ks_world.device[i])) continue;
    all[n++] = libusb_ref_device(&ks_world.device[i]);
  }
  ks_leave();
  *list = all;
  return n;
}

void LIBUSB_CALL libusb_free_device_list(libusb_device **list, int unref)
{
  if (list == NULL) return;
  for (libusb_device **d = list; unref != 0 && *d != NULL; d++) libusb_unref_device(*d);
  free(list);
}

libusb_device *LIBUSB_CALL libusb_ref_device(libusb_device *dev)
{
  ks_enter();
  dev->refs++;
  ks_leave();
  return dev;
}

void LIBUSB_CALL libusb_unref_device(libusb_device *dev)
{
  ks_enter();
  if (dev->refs > 0) dev->refs--;
  ks_leave();
}

uint8_t LIBUSB_CALL libusb_get_bus_number(libusb_device *dev)
{
  (void)dev;
  return BUS;
}

uint8_t LIBUSB_CALL libusb_get_device_address(libusb_device *dev)
{
  return (uint8_t)(FIRST_ADDRESS + dev->index);
}

uint8_t LIBUSB_CALL libusb_get_port_number(libusb_device *dev)
{
  return (uint8_t)(1 + dev->index);
}

int LIBUSB_CALL libusb_get_port_numbers(libusb_device *dev, uint8_t *ports, int room)
{
  if (room < 1) return LIBUSB_ERROR_OVERFLOW;
  ports[0] = libusb_get_port_number(dev);
  return 1;
}

int LIBUSB_CALL libusb_get_device_speed(libusb_device *dev)
{
  (void)dev;
  return ks_world.faults.full_speed != 0 ? LIBUSB_SPEED_FULL : LIBUSB_SPEED_HIGH;
}

int LIBUSB_CALL libusb_get_device_descriptor(libusb_device *dev,
                                             struct libusb_device_descriptor *desc)
{
  ks_device_descriptor(dev, desc);
  return 0;
}

int LIBUSB_CALL libusb_get_config_descriptor(libusb_device *dev, uint8_t index,
                                             struct libusb_config_descriptor **config)
{
  if (index != 0) return LIBUSB_ERROR_NOT_FOUND;
  *config = ks_device_config(dev, ks_world.faults.full_speed == 0);
  return *config == NULL ? LIBUSB_ERROR_NO_MEM : 0;
}

int LIBUSB_CALL libusb_get_active_config_descriptor(libusb_device *dev,
                                                    struct libusb_config_descriptor **config)
{
  return libusb_get_config_descriptor(dev, 0, config);
}

void LIBUSB_CALL libusb_free_config_descriptor(struct libusb_config_descriptor *config)
{
  free(config);
}

int LIBUSB_CALL libusb_open(libusb_device *dev, libusb_device_handle **handle)
{
  int result = 0;
  ks_enter();
  if (!ks_reachable(dev))
    result = LIBUSB_ERROR_NO_DEVICE;
  else if (ks_world.faults.permission == 0)
    result = LIBUSB_ERROR_ACCESS;
  ks_leave();
  if (result != 0) return result;
  libusb_device_handle *h = calloc(1, sizeof *h);
  if (h == NULL) return LIBUSB_ERROR_NO_MEM;
  h->dev = libusb_ref_device(dev);
  *handle = h;
  return 0;
}

static void give_back(libusb_device_handle *handle, struct ks_interface *interface)
{
  interface->owner = NULL;
  if (handle->auto_detach) interface->kernel_driver = true;
}

void LIBUSB_CALL libusb_close(libusb_device_handle *handle)
{
  if (handle == NULL) return;
  ks_enter();
  for (unsigned i = 0; i < KS_PORTS; i++) {
    struct ks_interface *interface = &handle->dev->interface[i];
    if (interface->owner != handle) continue;
    ks_endpoint_abort(&handle->dev->endpoint[2 * i], LIBUSB_TRANSFER_CANCELLED);
    ks_endpoint_abort(&handle->dev->endpoint[2 * i + 1], LIBUSB_TRANSFER_CANCELLED);
    give_back(handle, interface);
  }
  ks_leave();
  libusb_unref_device(handle->dev);
  free(handle);
}

libusb_device *LIBUSB_CALL libusb_get_device(libusb_device_handle *handle)
{
  return handle->dev;
}

int LIBUSB_CALL libusb_get_configuration(libusb_device_handle *handle, int *config)
{
  if (!ks_reachable(handle->dev)) return LIBUSB_ERROR_NO_DEVICE;
  *config = 1;
  return 0;
}

int LIBUSB_CALL libusb_set_configuration(libusb_device_handle *handle, int config)
{
  if (!ks_reachable(handle->dev)) return LIBUSB_ERROR_NO_DEVICE;
  return config == 1 ? 0 : LIBUSB_ERROR_NOT_FOUND;
}

/* NULL: no such interface. */
static struct ks_interface *interface_of(libusb_device_handle *handle, int number)
{
  if (number < 0 || number >= handle->dev->kind.channels) return NULL;
  return &handle->dev->interface[number];
}

int LIBUSB_CALL libusb_claim_interface(libusb_device_handle *handle, int number)
{
  struct ks_interface *interface = interface_of(handle, number);
  int result = 0;
  ks_enter();
  if (!ks_reachable(handle->dev))
    result = LIBUSB_ERROR_NO_DEVICE;
  else if (interface == NULL)
    result = LIBUSB_ERROR_NOT_FOUND;
  else if (ks_world.faults.in_use != 0 || (interface->owner != NULL && interface->owner != handle))
    result = LIBUSB_ERROR_BUSY;
  else if (interface->kernel_driver && !handle->auto_detach)
    result = LIBUSB_ERROR_BUSY;
  if (result == 0) {
    interface->kernel_driver = false;
    interface->owner = handle;
  }
  ks_leave();
  return result;
}

int LIBUSB_CALL libusb_release_interface(libusb_device_handle *handle, int number)
{
  struct ks_interface *interface = interface_of(handle, number);
  int result = 0;
  ks_enter();
  if (!ks_reachable(handle->dev))
    result = LIBUSB_ERROR_NO_DEVICE;
  else if (interface == NULL || interface->owner != handle)
    result = LIBUSB_ERROR_NOT_FOUND;
  else
    give_back(handle, interface);
  ks_leave();
  return result;
}

int LIBUSB_CALL libusb_set_auto_detach_kernel_driver(libusb_device_handle *handle, int enable)
{
  handle->auto_detach = enable != 0;
  return 0;
}

int LIBUSB_CALL libusb_kernel_driver_active(libusb_device_handle *handle, int number)
{
  const struct ks_interface *interface = interface_of(handle, number);
  return interface == NULL ? LIBUSB_ERROR_NOT_FOUND : (interface->kernel_driver ? 1 : 0);
}

int LIBUSB_CALL libusb_detach_kernel_driver(libusb_device_handle *handle, int number)
{
  struct ks_interface *interface = interface_of(handle, number);
  if (!ks_reachable(handle->dev)) return LIBUSB_ERROR_NO_DEVICE;
  if (interface == NULL || !interface->kernel_driver) return LIBUSB_ERROR_NOT_FOUND;
  interface->kernel_driver = false;
  return 0;
}

int LIBUSB_CALL libusb_attach_kernel_driver(libusb_device_handle *handle, int number)
{
  struct ks_interface *interface = interface_of(handle, number);
  if (!ks_reachable(handle->dev)) return LIBUSB_ERROR_NO_DEVICE;
  if (interface == NULL) return LIBUSB_ERROR_NOT_FOUND;
  if (interface->owner != NULL) return LIBUSB_ERROR_BUSY;
  interface->kernel_driver = true;
  return 0;
}

int LIBUSB_CALL libusb_clear_halt(libusb_device_handle *handle, unsigned char endpoint)
{
  (void)endpoint;
  return ks_reachable(handle->dev) ? 0 : LIBUSB_ERROR_NO_DEVICE;
}

int LIBUSB_CALL libusb_reset_device(libusb_device_handle *handle)
{
  return ks_reachable(handle->dev) ? 0 : LIBUSB_ERROR_NO_DEVICE;
}

#define ERRORS(X)                                                                                  \
  X(LIBUSB_SUCCESS, "Success")                                                                     \
  X(LIBUSB_ERROR_IO, "Input/Output Error")                                                         \
  X(LIBUSB_ERROR_INVALID_PARAM, "Invalid parameter")                                               \
  X(LIBUSB_ERROR_ACCESS, "Access denied (insufficient permissions)")                               \
  X(LIBUSB_ERROR_NO_DEVICE, "No such device (it may have been disconnected)")                      \
  X(LIBUSB_ERROR_NOT_FOUND, "Entity not found")                                                    \
  X(LIBUSB_ERROR_BUSY, "Resource busy")                                                            \
  X(LIBUSB_ERROR_TIMEOUT, "Operation timed out")                                                   \
  X(LIBUSB_ERROR_OVERFLOW, "Overflow")                                                             \
  X(LIBUSB_ERROR_PIPE, "Pipe error")                                                               \
  X(LIBUSB_ERROR_INTERRUPTED, "System call interrupted (perhaps due to signal)")                   \
  X(LIBUSB_ERROR_NO_MEM, "Insufficient memory")                                                    \
  X(LIBUSB_ERROR_NOT_SUPPORTED, "Operation not supported or unimplemented on this platform")

const char *LIBUSB_CALL libusb_error_name(int code)
{
#define NAME(value, text)                                                                          \
  if (code == value) return #value;
  ERRORS(NAME)
#undef NAME
  return "LIBUSB_ERROR_OTHER";
}

const char *LIBUSB_CALL libusb_strerror(int code)
{
#define TEXT(value, text)                                                                          \
  if (code == value) return text;
  ERRORS(TEXT)
#undef TEXT
  return "Other error";
}

const struct libusb_version *LIBUSB_CALL libusb_get_version(void)
{
  static const struct libusb_version version = {1, 0, 26, 0, "", "ktpu virtual board"};
  return &version;
}
