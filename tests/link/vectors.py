#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the vectors that the link's benches play (tests/rtl/tb_ktpu_link_*.v): what goes in on the
wire, what must come out.

usage: tests/link/vectors.py --write | --check | --page
One step a line: operation, number of values, the values in hexadecimal. --page prints one frame of
each type for docs/link.md.
"""
import argparse
import os
import random
import struct
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from link_frames import (BASE, COUNTERS, PHY, REG, SPEC, STATUS, TYPE, Device, cobs,  # noqa: E402
                         frame, request)

(SEND, REPLY, QUIET, BUSY, MUTE, MUTE_LITE, ERRORS, ERROR_LITE, PHY_ERROR, BREAK, STALL_TX,
 STALL_MEMORY, MEMORY, END) = range(14)

BUILDS = {
    "small": {"window": 2, "payload": 256, "memory": 65536, "phy": "UART"},
    "large": {"window": 8, "payload": 512, "memory": 65536, "phy": "FT245"},
}
# Parameters that the benches give, see tests/rtl/link_world.vh.
IDENTITY = {"CONFIG_HASH": 0x12345678, "BUILD_ID": 0x9ABCDEF0, "PART": 77, "CLOCK_HZ": 24000000}


class Script:
    def __init__(self, name):
        build = BUILDS[name]
        self.window, self.payload = build["window"], build["payload"]
        link = {REG[k]: v for k, v in IDENTITY.items()}
        link[REG["LINK_MAGIC"]] = int(SPEC["magic"], 16)
        link[REG["LINK_VERSION"]] = SPEC["version"]
        link[REG["MEMORY_BYTES"]] = build["memory"]
        link[REG["LIMITS"]] = self.window | self.payload << 8 | PHY[build["phy"]] << 24
        self.device = Device(self.window, self.payload, build["memory"], link)
        self.rng = random.Random(name)
        self.lines = []
        self.sequence = 0
        self.session = 0

    def step(self, op, values=b""):
        self.lines.append(" ".join(["%d" % op, "%d" % len(values)] + ["%02x" % v for v in values]))

    def raw(self, data):
        self.step(SEND, data)

    def expect(self, data):
        self.step(REPLY, data)

    def quiet(self):
        self.step(QUIET)

    def send(self, data):
        """A good frame; returns the reply that must come, if any."""
        self.raw(b"\0" + cobs(data) + b"\0")
        return self.device.answer(data)

    def ask(self, data):
        reply = self.send(data)
        if reply is None:
            self.quiet()
        else:
            self.expect(reply)

    def next(self, name, address=0, length=None, payload=b""):
        data = request(name, self.session, self.sequence, address, length, payload)
        self.sequence = (self.sequence + 1) & 0xFF
        return data

    def reset(self):
        self.session = self.rng.randrange(65536)
        self.sequence = 0
        self.ask(request("RESET_LINK", self.session, self.rng.randrange(256)))

    def read(self, address):
        self.ask(self.next("READ", address, 4))

    def write(self, address, value):
        self.ask(self.next("WRITE", address, None, struct.pack("<I", value)))

    def data(self, n):
        kind = self.rng.randrange(4)
        if kind == 0:
            return bytes(n)
        if kind == 1:
            return bytes(self.rng.randrange(1, 256) for _ in range(n))
        return bytes(self.rng.randrange(256) * self.rng.randrange(2) for _ in range(n))

    def memory(self, address, n):
        lo = max(0, address - 16)
        hi = min(len(self.device.memory), address + n + 16)
        self.step(MEMORY, struct.pack(">I", lo) + bytes(self.device.memory[lo:hi]))

    def burst(self, address, payload):
        self.ask(self.next("BURST_WRITE", address, None, payload))
        self.memory(address, len(payload))
        self.ask(self.next("BURST_READ", address, len(payload)))


def without_a_session(s):
    s.ask(request("READ", 0x1234, 7, REG["LINK_MAGIC"], 4))
    s.ask(request("READ", 0, 0, REG["LINK_VERSION"], 4))
    s.ask(request("READ", 0, 0, 0x000, 4))
    s.ask(request("WRITE", 0, 0, REG["SCRATCH"], None, b"abcd"))
    s.ask(request("ECHO", 0, 0, 0, None, b"abcd"))
    s.ask(request("BURST_WRITE", 0, 0, 0, None, b"abcd"))
    s.ask(request("STATUS", 0, 0, 0, 8))


def registers(s):
    s.reset()
    for address in range(BASE, BASE + 0x80, 4):
        s.read(address)
    s.read(BASE + 0x80)
    s.read(BASE + 0xFFC)
    for i in range(4):
        s.write(REG["SCRATCH"] + 4 * i, 0xA0B0C0D0 + i)
    for address in (BASE, REG["SCRATCH"] + 16, REG["COUNT_CRC"], REG["STARTS"], BASE + 0x820):
        s.write(address, 0xFFFFFFFF)
    for address in range(BASE, BASE + 0x80, 4):
        s.read(address)
    for address in (0x000, 0x024, 0x040, 0x07C, 0xFFC):
        s.write(address, s.rng.getrandbits(32))
        s.read(address)
    for value in (1, 0, 3, 2, 1):
        s.write(0x020, value)
    s.read(REG["STARTS"])
    s.ask(s.next("STATUS", 0, 8))


def bursts(s):
    s.reset()
    sizes = [1, 2, 7, 8, 9, 62, 63, 64, 65, 253, 254, 255, 256, 510, 511, 512]
    for n in [n for n in sizes if n <= s.payload]:
        s.burst(s.rng.randrange(60000), s.data(n))
    for near in (4096, 8192, 61440):
        for n in (1, 8, 64, s.payload):
            s.burst(near - s.rng.randrange(n + 1), s.data(n))
    for lane in range(8):
        s.burst(0x3000 + 9 * lane, s.data(1 + s.rng.randrange(20)))
    s.burst(65536 - s.payload, s.data(s.payload))
    s.burst(0, s.data(s.payload))
    s.burst(65535, b"\x5a")


def echoes(s):
    s.reset()
    for n in (0, 1, 2, 237, 238, 239, 240, 241, 242, 243, 244, s.payload - 1, s.payload):
        s.ask(s.next("ECHO", 0xDEADBEEF, None, bytes([0xA5]) * n))
        s.ask(s.next("ECHO", 0, None, s.data(n)))


def refused(s):
    s.reset()
    for name, address, length in (
            ("READ", 0x001, 4), ("READ", 0x2000, 4), ("READ", 0x80000000, 4), ("READ", 0x00010000, 4),
            ("READ", 0x000, 3), ("READ", 0x000, 0), ("READ", 0x000, 0x104), ("STATUS", 0, 4),
            ("BURST_READ", 0, 0), ("BURST_READ", 0, s.payload + 1), ("BURST_READ", 0, 0xFFFF),
            ("BURST_READ", 65536, 1), ("BURST_READ", 65535, 2), ("BURST_READ", 0x01000000, 4),
            ("BURST_READ", 65536 - s.payload + 1, s.payload), ("BURST_READ", 0xFFFFFFFF, 2)):
        s.ask(s.next(name, address, length))
    for name, address, payload in (
            ("WRITE", 0x002, b"abcd"), ("WRITE", 0x040, b"abc"), ("WRITE", 0x040, b"abcde"),
            ("WRITE", 0x3000, b"abcd"), ("BURST_WRITE", 65530, b"1234567"), ("BURST_WRITE", 0, b"")):
        s.ask(s.next(name, address, None, payload))
    s.memory(65530, 6)
    for kind in (0, 8, 0x0A, 0x40, 0x81, 0xFF):
        data = frame(kind, s.session, s.sequence, 0, 0, 4, b"abcd" * (kind % 3))
        s.sequence += 1
        s.ask(data)


def duplicates(s):
    s.reset()
    first = s.next("BURST_WRITE", 0x100, None, b"first")
    second = s.next("BURST_WRITE", 0x100, None, b"other")
    s.ask(first)
    s.ask(second)
    s.ask(first)
    s.memory(0x100, 5)
    again = s.next("READ", 0x040, 4)
    s.ask(again)
    s.ask(again)
    bad = s.next("BURST_WRITE", 65535, None, b"ab")
    s.ask(bad)
    s.ask(bad)
    start = s.next("WRITE", 0x020, None, struct.pack("<I", 1))
    for _ in range(3):
        s.ask(start)
    s.ask(s.next("READ", REG["STARTS"], 4))
    old = [s.next("ECHO", 0, None, bytes([i])) for i in range(s.window + 1)]
    for data in old:
        s.ask(data)
    s.ask(old[0])                            # one too old
    s.ask(old[1])
    s.ask(request("ECHO", s.session, s.sequence + 1, 0, None, b"early"))
    s.ask(request("ECHO", s.session, s.sequence ^ 0x80, 0, None, b"far"))
    s.ask(request("ECHO", s.session ^ 1, s.sequence, 0, None, b"stranger"))
    s.ask(request("ECHO", s.session ^ 0x100, s.sequence, 0, None, b"stranger"))
    for _ in range(260):                     # round the numbers
        s.ask(s.next("ECHO", 0, 0))
    s.ask(s.next("READ", REG["COUNT_DUPLICATE"], 4))


def damage(s):
    s.reset()
    data = s.next("BURST_WRITE", 0x200, None, b"\0safe\0")
    for i in range(len(data)):
        spoilt = bytearray(data)
        spoilt[i] ^= 1 << s.rng.randrange(8)
        s.raw(cobs(spoilt) + b"\0")
        s.device.bump("CRC")
    s.quiet()
    for n in range(15):
        s.raw(cobs(data[:n]) + b"\0")
        s.device.bump("SHORT")
    s.raw(cobs(data)[:-1] + b"\0")           # cut inside a block
    s.device.bump("SHORT")
    s.raw(cobs(data[:-1]) + b"\0")           # a byte of the check sum is missing
    s.device.bump("CRC")
    s.raw(cobs(data + b"\1") + b"\0")
    s.device.bump("CRC")
    longer = frame(TYPE["BURST_WRITE"], s.session, s.sequence - 1, 0, 0x200, 5, b"\0safe\0")
    s.raw(cobs(longer) + b"\0")              # right check sum, wrong size
    s.device.bump("CRC")
    s.raw(cobs(bytes(s.payload + 16)) + b"\0")
    s.device.bump("LONG")
    s.raw(cobs(b"\x11" * 3000) + b"\0")
    s.device.bump("LONG")
    s.raw(b"\0" * 20)
    s.quiet()
    s.memory(0x200, 6)
    s.ask(data)
    s.memory(0x200, 6)
    for name in COUNTERS:
        s.read(REG["COUNT_" + name])


def phy_trouble(s):
    s.reset()
    data = s.next("ECHO", 0, None, b"hello")
    wire = b"\0" + cobs(data) + b"\0"
    s.raw(wire[:9])
    s.step(PHY_ERROR)
    s.raw(wire[9:])
    s.device.bump("FRAMING")
    s.quiet()
    s.raw(wire[:9])
    s.step(BREAK)
    s.raw(wire[9:])                          # the rest is short, or cut
    s.device.bump("SHORT")
    s.quiet()
    s.raw(wire[:9])
    s.step(BREAK)
    s.ask(data)
    s.step(PHY_ERROR)                        # between frames: the delimiter clears it
    s.device.bump("FRAMING")
    s.ask(s.next("READ", REG["COUNT_FRAMING"], 4))
    s.ask(s.next("READ", REG["COUNT_SHORT"], 4))


def busy_core(s):
    s.reset()
    s.burst(0x400, b"before")
    s.step(BUSY, b"\1")
    s.device.busy = True
    s.ask(s.next("BURST_WRITE", 0x400, None, b"during"))
    s.ask(s.next("BURST_READ", 0x400, 6))
    s.memory(0x400, 6)
    s.read(0x040)
    s.write(0x044, 5)
    s.write(0x020, 1)
    s.ask(s.next("STATUS", 0, 8))
    s.reset()
    s.step(BUSY, b"\0")
    s.device.busy = False
    s.burst(0x400, b"after!")
    s.read(REG["STARTS"])


def bus_trouble(s):
    s.reset()
    s.step(ERRORS, b"\2")                    # bursts that begin in 0x7000..0x7FFF
    s.device.bus = STATUS["BUS_ERROR"]
    for n in (1, 20, s.payload):
        s.ask(s.next("BURST_READ", 0x7000, n))
        s.ask(s.next("ECHO", 0, None, b"alive"))
        s.ask(s.next("BURST_WRITE", 0x7000, None, bytes(n)))
        s.device.memory[0x7000:0x7000 + n] = bytes(n)
    s.device.bus = STATUS["OK"]
    s.burst(0x500, b"good")
    s.step(ERRORS, b"\0")
    s.step(ERROR_LITE, b"\1")
    s.device.lite = STATUS["BUS_ERROR"]
    s.read(0x040)
    s.write(0x040, 1)
    s.device.regs[0x040] = 1
    s.ask(s.next("STATUS", 0, 8))
    s.step(ERROR_LITE, b"\0")
    s.device.lite = STATUS["OK"]
    s.read(0x040)


def silent_bus(s):
    """Late responses are swallowed; what needs no bus is served meanwhile."""
    for name, length, payload in (("BURST_READ", 40, b""), ("BURST_WRITE", None, b"x" * 40)):
        s.reset()
        s.step(MUTE, b"\1")
        s.device.bus = STATUS["BUS_TIMEOUT"]
        s.ask(s.next(name, 0x6000, length, payload))
        s.ask(s.next("BURST_READ", 0x6100, 4))
        s.ask(s.next("ECHO", 0, None, b"alive"))
        s.reset()
        s.step(MUTE, b"\0")
        s.quiet()
        s.device.bus = STATUS["OK"]
        if payload:
            s.ask(s.next("BURST_WRITE", 0x6000, None, payload))
        s.burst(0x6100, b"and again")
    s.step(MUTE_LITE, b"\1")
    s.device.lite = STATUS["BUS_TIMEOUT"]
    s.read(0x040)
    s.write(0x048, 9)
    s.ask(s.next("STATUS", 0, 8))
    s.ask(s.next("ECHO", 0, None, b"alive"))
    s.reset()
    s.step(MUTE_LITE, b"\0")
    s.quiet()
    s.device.lite = STATUS["OK"]
    s.read(0x040)
    s.write(0x040, 77)
    s.read(0x040)


def full_windows(s):
    """A window of requests at once, replies held back by the wire."""
    for name in ("BURST_WRITE", "BURST_READ", "ECHO", "WRITE", "READ") * 2:
        s.reset()
        s.step(STALL_TX, b"\x64")
        replies = []
        for i in range(s.window):
            payload = s.data(s.payload) if name in ("BURST_WRITE", "ECHO") else b""
            length = None if payload else s.payload
            if name in ("WRITE", "READ"):
                payload, length = (b"word", None) if name == "WRITE" else (b"", 4)
            data = s.next(name, 0x040 + 4 * i if name in ("WRITE", "READ") else 0x1000 + 600 * i,
                          length, payload)
            s.raw(cobs(data) + b"\0")
            replies.append(s.device.answer(data))
        s.step(STALL_TX, bytes([s.rng.randrange(60)]))
        for reply in replies:
            s.expect(reply)
        s.step(STALL_TX, b"\0")


def dropped_replies(s):
    """A new session drops replies that have not begun to leave (small builds have no room to show it)."""
    if s.window < 8:
        return
    s.reset()
    s.step(STALL_TX, b"\x64")
    replies = [s.send(s.next("ECHO", 0, None, b"%d" % i)) for i in range(4)]
    session = s.rng.randrange(65536)
    last = s.send(request("RESET_LINK", session, 0))
    s.quiet()
    s.step(STALL_TX, b"\0")
    s.expect(replies[0])
    s.expect(last)
    s.quiet()


def no_room(s):
    """More than a window at once: what finds no buffer is dropped and counted."""
    s.reset()
    s.step(STALL_TX, b"\x64")
    replies = []
    for i in range(2 * s.window):            # half of them executed, half of them waiting
        replies.append(s.send(s.next("ECHO", 0, None, b"%d" % i)))
        s.quiet()
    late = s.next("ECHO", 0, None, b"late")
    s.raw(cobs(late) + b"\0")
    s.device.bump("ROOM")
    s.quiet()
    s.step(STALL_TX, b"\0")
    for reply in replies:
        s.expect(reply)
    s.ask(late)
    s.read(REG["COUNT_ROOM"])


def any_payload(s, kind, length):
    """What the type says, now and then not."""
    if kind not in (TYPE["WRITE"], TYPE["BURST_WRITE"], TYPE["ECHO"]):
        return s.data(3) if s.rng.randrange(12) == 0 else b""
    return s.data(length + (s.rng.randrange(12) == 0))


def any_request(s):
    """A frame with a right check sum and fields near those that a host would send."""
    r, d = s.rng, s.device
    kind = r.choice((TYPE["READ"], TYPE["WRITE"], TYPE["BURST_READ"], TYPE["BURST_WRITE"], TYPE["STATUS"],
                     TYPE["ECHO"]) * 5 + (TYPE["RESET_LINK"], r.randrange(256)))
    session = d.session if r.randrange(16) else d.session ^ 1 << r.randrange(16)
    if kind == TYPE["RESET_LINK"]:
        session = r.randrange(65536)
    behind = r.choice((0,) * 12 + (1, 1, 2, s.window, s.window + 1, 128, 255))
    if kind in (TYPE["BURST_READ"], TYPE["BURST_WRITE"]):
        length = r.choice((1, 2, 4, 8, 13, 64, r.randrange(s.payload + 2)))
        address = r.choice((r.randrange(65536), r.randrange(64), 65536 - length, 65537 - length, 1 << 16))
    else:
        length = r.choice((4, 4, 4, 4, 8, 8, 0, r.randrange(12)))
        address = r.choice((4 * r.randrange(64), BASE + 4 * r.randrange(32), r.randrange(BASE), 2 * BASE))
    return kind, session, (d.expected - behind) & 0xFF, r.choice((0, 0, 0, r.randrange(256))), address, length


def anything(s):
    """Requests drawn at random, most of them legal; each is answered, refused or dropped as the page says."""
    s.reset()
    for _ in range(200):
        kind, session, sequence, status, address, length = any_request(s)
        payload = any_payload(s, kind, length)
        data = frame(kind, session, sequence, status, address, length, payload)
        due = length if kind in (TYPE["WRITE"], TYPE["BURST_WRITE"], TYPE["ECHO"]) else 0
        if TYPE["READ"] <= kind <= TYPE["RESET_LINK"] and len(payload) != due:
            s.raw(b"\0" + cobs(data) + b"\0")
            s.device.bump("CRC")
            s.quiet()
            continue
        s.ask(data)
        if kind == TYPE["BURST_WRITE"] and length and address + length <= 65536:
            s.memory(address, length)


PARTS = (without_a_session, registers, bursts, echoes, refused, duplicates, damage, phy_trouble,
         busy_core, bus_trouble, silent_bus, full_windows, dropped_replies, no_room)


def vectors(name):
    s = Script(name)
    for stall in (0, 40):
        s.step(STALL_MEMORY, bytes([stall]))
        for part in PARTS if stall == 0 else PARTS[1:] + (anything,):
            part(s)
    s.reset()
    for counter in COUNTERS:
        s.read(REG["COUNT_" + counter])
    s.step(END)
    return "\n".join(s.lines) + "\n"


def page():
    """One frame of each type, written out."""
    s = Script("small")
    s.session = 0xBEEF
    s.device.session = s.session
    rows = [("RESET_LINK", 0, 0, b""), ("READ", BASE, 4, b""), ("WRITE", REG["SCRATCH"], None, b"\1\0\0\0"),
            ("BURST_WRITE", 0x101, None, b"ktpu"), ("BURST_READ", 0x101, 4, b""),
            ("STATUS", 0, 8, b""), ("ECHO", 0, None, b"\0\0")]
    for name, address, length, payload in rows:
        data = request(name, s.session, s.sequence, address, length, payload)
        reply = s.device.answer(data)
        print("%s\n  frame  %s\n  wire   00 %s 00\n  reply  %s\n  wire   00 %s 00" % (
            name, data.hex(" "), cobs(data).hex(" "), reply.hex(" "), cobs(reply).hex(" ")))
        s.sequence = 0 if name == "RESET_LINK" else s.sequence + 1


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    action = parser.add_mutually_exclusive_group(required=True)
    for name in ("write", "check", "page"):
        action.add_argument("--" + name, action="store_true")
    args = parser.parse_args()
    if args.page:
        page()
        return 0
    stale = 0
    for name in BUILDS:
        path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "vectors_%s.txt" % name)
        text = vectors(name)
        if args.write:
            with open(path, "w", encoding="ascii") as f:
                f.write(text)
            continue
        with open(path, encoding="ascii") as f:
            if f.read() != text:
                print("tests/link/vectors_%s.txt is stale: run tests/link/vectors.py --write" % name)
                stale = 1
    return stale


if __name__ == "__main__":
    sys.exit(main())
