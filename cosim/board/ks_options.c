// SPDX-License-Identifier: Apache-2.0
// Options and counters by name: docs/virtual-board.md has the same list with what they mean.
#include "cosim/board/ks_options.h"
#include "cosim/board/ks_usb.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIST_MAX 1024u

static const char *const kinds[KS_FAULT_KINDS] = {"drop", "dup", "flip", "delay"};

static bool number(const char *text, uint64_t most, uint64_t *value)
{
  char *end;
  if (!isdigit((unsigned char)text[0])) return false;
  *value = strtoull(text, &end, 10);
  return *end == '\0' && *value <= most;
}

/* LANE:KIND@OFFSET[/PARAMETER]: in:flip@12/4 (mask, hex), out:delay@0/500 (us). */
static bool plan(const char *value)
{
  char lane[4], kind[8], rest[24];
  unsigned long long offset, parameter = 0;
  struct ks_fault fault = {.mask = 1, .delay_ps = 1000u * KS_PS_PER_US};
  rest[0] = '\0';
  if (sscanf(value, "%3[a-z]:%7[a-z]@%llu%23s", lane, kind, &offset, rest) < 3) return false;
  int k = 0;
  while (k < KS_FAULT_KINDS && strcmp(kind, kinds[k]) != 0) k++;
  if (k == KS_FAULT_KINDS) return false;
  fault.kind = (enum ks_fault_kind)k;
  if (rest[0] != '\0') {
    const char *format = fault.kind == KS_FAULT_FLIP ? "/%llx" : "/%llu";
    if (sscanf(rest, format, &parameter) != 1) return false;
    fault.mask = (uint8_t)parameter;
    fault.delay_ps = parameter * KS_PS_PER_US;
  }
  struct ks_wire *w = ks_world.wire;
  if (strcmp(lane, "out") == 0) return ks_lane_plan(&w->out, &fault, offset);
  return strcmp(lane, "in") == 0 && ks_lane_plan(&w->in, &fault, offset);
}

/* in-KIND-ppm, out-KIND-ppm; in-delay-us, out-delay-us. */
static bool lane_option(const char *key, const char *value)
{
  uint64_t n;
  bool out = strncmp(key, "out-", 4) == 0;
  if (!out && strncmp(key, "in-", 3) != 0) return false;
  struct ks_lane *lane = out ? &ks_world.wire->out : &ks_world.wire->in;
  const char *what = key + (out ? 4 : 3);
  if (strcmp(what, "delay-us") == 0) {
    if (!number(value, 10000000, &n)) return false;
    lane->delay_ps = n * KS_PS_PER_US;
    return true;
  }
  for (int k = 0; k < KS_FAULT_KINDS; k++) {
    size_t length = strlen(kinds[k]);
    if (strncmp(what, kinds[k], length) != 0 || strcmp(what + length, "-ppm") != 0) continue;
    if (!number(value, 1000000, &n)) return false;
    lane->ppm[k] = (uint32_t)n;
    return true;
  }
  return false;
}

static bool seed(const char *value)
{
  uint64_t n;
  if (!number(value, UINT64_MAX, &n)) return false;
  ks_world.seed = n;
  if (ks_world.wire == NULL) return true;
  ks_world.wire->rng = n;
  ks_lane_seed(&ks_world.wire->out, n * 2 + 1);
  ks_lane_seed(&ks_world.wire->in, n * 2 + 2);
  return true;
}

static bool eeprom(const char *value)
{
  libusb_device *dev = &ks_world.device[0];
  if (strcmp(value, "blank") == 0)
    ks_eeprom_blank(dev->eeprom);
  else if (strcmp(value, "fifo") == 0 || strcmp(value, "uart") == 0)
    ks_eeprom_make(dev->eeprom, &dev->kind, value[0] == 'f' ? (int)ks_world.port : -1);
  else
    return false;
  if (ks_world.wire != NULL) ks_device_power(dev, ks_world.faults.full_speed == 0);
  return true;
}

static bool text(char *place, size_t room, const char **use, const char *value)
{
  if (strlen(value) >= room) return false;
  memcpy(place, value, strlen(value) + 1);
  *use = place;
  return true;
}

static bool serial(const char *value)
{
  libusb_device *dev = &ks_world.device[0];
  return text(dev->serial, sizeof dev->serial, &dev->kind.serial, value);
}

static bool product(const char *value)
{
  libusb_device *dev = &ks_world.device[0];
  return text(dev->product, sizeof dev->product, &dev->kind.product, value);
}

/* A device more: "twin" (as the board, another serial number), "ftdi" (an FT2232H of another
 * product), "foreign" (no FTDI chip). */
static bool extra(const char *value)
{
  static const struct ks_device_kind ftdi = {"FTDI", "Dual RS232-HS", "FT0001", 0x0403,
                                             0x6010, 0x0700,          2,        4096};
  static const struct ks_device_kind foreign = {"Someone", "Mouse", NULL, 0x046d, 0xc077, 1, 0, 0};
  libusb_device *dev = &ks_world.device[1];
  while (dev < &ks_world.device[KS_DEVICES] && dev->present) dev++;
  if (dev == &ks_world.device[KS_DEVICES]) return false;

  if (strcmp(value, "twin") == 0) {
    dev->kind = ks_world.device[0].kind;
    snprintf(dev->serial, sizeof dev->serial, "KTTWIN%u", dev->index);
    dev->kind.serial = dev->serial;
  } else if (strcmp(value, "ftdi") == 0) {
    dev->kind = ftdi;
  } else if (strcmp(value, "foreign") == 0) {
    dev->kind = foreign;
  } else {
    return false;
  }
  ks_eeprom_make(dev->eeprom, &dev->kind, -1);
  ks_device_power(dev, ks_world.faults.full_speed == 0);
  dev->present = true;
  return true;
}

static bool switch_option(const char *value, void (*off)(void), void (*on)(void))
{
  if (strcmp(value, "0") != 0 && strcmp(value, "1") != 0) return false;
  if (value[0] == '0')
    off();
  else
    on();
  return true;
}

static bool plug(const char *value)
{
  return switch_option(value, ks_world_unplug, ks_world_plug);
}

static bool kill_option(const char *value)
{
  return switch_option(value, ks_world_revive, ks_world_kill);
}

static bool latency(const char *value)
{
  uint64_t n;
  if (!number(value, 255, &n) || n == 0) return false;
  ks_world.wire->port->latency_ms = (uint8_t)n;
  return true;
}

/* As another program may have left the chip. */
static bool bitmode(const char *value)
{
  uint64_t n;
  if (!number(value, 255, &n)) return false;
  ks_world.wire->port->bitmode = (uint8_t)n;
  return true;
}

static bool baud_ppm(const char *value)
{
  char *end;
  long n = strtol(value, &end, 10);
  if (*end != '\0' || end == value || n < -500000 || n > 1000000) return false;
  ks_world.wire->options.baud_ppm = (int32_t)n;
  return true;
}

static bool usb_speed(const char *value)
{
  bool full = strcmp(value, "full") == 0;
  if (!full && strcmp(value, "high") != 0) return false;
  ks_world.faults.full_speed = full;
  return true;
}

/* Options with a function of their own. */
static const struct {
  const char *key;
  bool (*set)(const char *value);
  bool early; /* a board must know it when it gets power */
} calls[] = {
    {"seed", seed, true},          {"eeprom", eeprom, true},       {"serial", serial, true},
    {"product", product, true},    {"speed", usb_speed, true},     {"fault", plan, false},
    {"extra", extra, false},       {"plug", plug, false},          {"kill", kill_option, false},
    {"baud-ppm", baud_ppm, false}, {"latency-ms", latency, false}, {"bitmode", bitmode, false},
};

/* Options that are a number. */
static bool set_number(const char *key, const char *value)
{
  struct ks_usb_faults *f = &ks_world.faults;
  struct ks_wire_options *o = &ks_world.wire->options;
  const struct {
    const char *key;
    uint32_t *small;
    uint64_t *large;
  } numbers[] = {
      {"permission", &f->permission, NULL},
      {"in-use", &f->in_use, NULL},
      {"stall", &f->stall, NULL},
      {"deaf", &f->deaf, NULL},
      {"unplug-at-us", NULL, &f->unplug_at_us},
      {"kill-after-out", NULL, &f->kill_out},
      {"kill-after-in", NULL, &f->kill_in},
      {"unplug-after-out", NULL, &f->unplug_out},
      {"unplug-after-in", NULL, &f->unplug_in},
      {"glitch-ppm", &o->glitch_ppm, NULL},
      {"glitch-ns", &o->glitch_ns, NULL},
      {"rxf-drop-ppm", &o->rxf_drop_ppm, NULL},
      {"txe-drop-ppm", &o->txe_drop_ppm, NULL},
      {"clkout-stop-ppm", &o->clkout_stop_ppm, NULL},
  };
  uint64_t n;
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    if (strcmp(key, numbers[i].key) != 0) continue;
    if (!number(value, numbers[i].small != NULL ? 1000000 : UINT64_MAX, &n)) return false;
    if (numbers[i].small != NULL)
      *numbers[i].small = (uint32_t)n;
    else
      *numbers[i].large = n;
    return true;
  }
  return false;
}

int ks_option_set(const char *key, const char *value)
{
  for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
    if (strcmp(key, calls[i].key) == 0) return calls[i].set(value) ? 0 : -1;
  return set_number(key, value) || lane_option(key, value) ? 0 : -1;
}

int ks_counter_get(const char *key, uint64_t *value)
{
  const struct ks_world *w = &ks_world;
  const struct ks_wire *wire = w->wire;
  const struct ks_port *port = wire->port;
  const libusb_device *dev = &w->device[0];
  const unsigned other = 1 - w->port;
  const struct {
    const char *key;
    uint64_t value;
  } counters[] = {
      {"out-bytes", wire->out.position},
      {"in-bytes", wire->in.position},
      {"out-drop", wire->out.done[KS_FAULT_DROP]},
      {"out-dup", wire->out.done[KS_FAULT_DUP]},
      {"out-flip", wire->out.done[KS_FAULT_FLIP]},
      {"out-delay", wire->out.done[KS_FAULT_DELAY]},
      {"in-drop", wire->in.done[KS_FAULT_DROP]},
      {"in-dup", wire->in.done[KS_FAULT_DUP]},
      {"in-flip", wire->in.done[KS_FAULT_FLIP]},
      {"in-delay", wire->in.done[KS_FAULT_DELAY]},
      {"planned", wire->out.n_planned + wire->in.n_planned},
      {"skipped", wire->skipped},
      {"glitches", wire->glitches},
      {"violations", wire->violations},
      {"clkout-stops", wire->stops},
      {"overruns", port->overruns},
      {"framing", port->framing},
      {"flushes", port->flushes},
      {"requests", port->requests},
      {"other-requests", dev->port[other].requests},
      {"latency-ms", port->latency_ms},
      {"bit-ps", port->bit_ps},
      {"bitmode", port->bitmode},
      {"break", port->break_on},
      {"kernel-driver", dev->interface[w->port].kernel_driver},
      {"claimed", dev->interface[w->port].owner != NULL},
      {"control", w->counts.control},
      {"packets-out", w->counts.packets_out},
      {"packets-in", w->counts.packets_in},
      {"empty-in", w->counts.empty_in},
      {"usb-out", w->counts.bytes_out},
      {"usb-in", w->counts.bytes_in},
      {"transfers", w->counts.transfers},
      {"queued", w->queued},
  };
  for (size_t i = 0; i < sizeof counters / sizeof counters[0]; i++) {
    if (strcmp(key, counters[i].key) != 0) continue;
    *value = counters[i].value;
    return 0;
  }
  return -1;
}

static bool is_early(const char *key)
{
  for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
    if (strcmp(key, calls[i].key) == 0) return calls[i].early;
  return false;
}

static void apply(const char *list, bool early)
{
  char copy[LIST_MAX], *save = NULL;
  if (list == NULL) return;
  if (strlen(list) >= sizeof copy) {
    fprintf(stderr, "KS_BOARD_OPTIONS is longer than %u characters\n", LIST_MAX - 1);
    exit(2);
  }
  memcpy(copy, list, strlen(list) + 1);
  for (char *p = strtok_r(copy, ",", &save); p != NULL; p = strtok_r(NULL, ",", &save)) {
    char *equals = strchr(p, '=');
    if (equals != NULL) *equals = '\0';
    if (equals != NULL && is_early(p) != early) continue;
    if (equals != NULL && ks_option_set(p, equals + 1) == 0) continue;
    fprintf(stderr, "KS_BOARD_OPTIONS: %s: no such option of the virtual board, or a bad value\n",
            p);
    exit(2);
  }
}

void ks_options_before_power(const char *list)
{
  apply(list, true);
}

void ks_options_after_power(const char *list)
{
  apply(list, false);
}
