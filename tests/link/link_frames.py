# SPDX-License-Identifier: Apache-2.0
"""Frames of the link as docs/link.md describes them, with Python's zlib and a COBS of its own, and a
model of the device. It shares no code with host/ or rtl/; numbers come from spec/link.json."""
import json
import os
import struct
import zlib

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
with open(os.path.join(ROOT, "spec", "link.json"), encoding="utf-8") as f:
    SPEC = json.load(f)
TYPE = {t["name"]: t["value"] for t in SPEC["types"]}
STATUS = {s["name"]: s["value"] for s in SPEC["statuses"]}
BASE = int(SPEC["register_base"], 16)
REG = {r["name"]: BASE + int(r["offset"], 16) for r in SPEC["registers"]}
PHY = {p["name"]: p["value"] for p in SPEC["phys"]}
REPLY = 0x80
WITH_REPLY_DATA = {TYPE[n] for n in ("READ", "BURST_READ", "STATUS", "ECHO")}
WRITES = {TYPE["WRITE"], TYPE["BURST_WRITE"]}
WITH_ADDRESS = {TYPE[n] for n in ("READ", "WRITE", "BURST_READ", "BURST_WRITE")}
COUNTERS = ["CRC", "LONG", "SHORT", "FRAMING", "SESSION", "SEQUENCE", "DUPLICATE", "ROOM"]


def cobs(data):
    """Encoded frame without its delimiter."""
    out = bytearray()
    for piece in bytes(data).split(b"\0"):
        while len(piece) >= 254:
            out += b"\xff" + piece[:254]
            piece = piece[254:]
        out += bytes([len(piece) + 1]) + piece
    return bytes(out)


def frame(kind, session, sequence, status, address, length, payload=b""):
    body = struct.pack("<BHBBIH", kind, session, sequence, status, address, length) + payload
    return body + struct.pack("<I", zlib.crc32(body))


def request(name, session, sequence, address=0, length=None, payload=b""):
    size = len(payload) if length is None else length
    return frame(TYPE[name], session, sequence, 0, address, size, payload)


class Device:
    """What the device must answer. Memory and core registers are the bench's."""

    def __init__(self, window, payload, memory_bytes, identity):
        self.window, self.payload = window, payload
        self.memory = bytearray(memory_bytes)
        self.regs = {}                       # the core's, by address
        self.link = dict(identity)           # the link's own, by address
        self.session = None
        self.expected = 0
        self.stored = {}
        self.count = {name: 0 for name in COUNTERS}
        self.starts = 0
        self.busy = False
        self.bus = STATUS["OK"]              # what memory answers
        self.lite = STATUS["OK"]             # what the core's registers answer

    def bump(self, name):
        self.count[name] = min(255, self.count[name] + 1)

    def link_read(self, address):
        if address == REG["STARTS"]:
            return self.starts & 0xFFFF
        for i, name in enumerate(COUNTERS):
            if address == REG["COUNT_CRC"] + 4 * i:
                return self.count[name]
        return self.link.get(address, 0)

    def link_write(self, address, value):
        if REG["SCRATCH"] <= address < REG["SCRATCH"] + 16:
            self.link[address] = value

    def bad_length(self, kind, length):
        if kind in (TYPE["READ"], TYPE["WRITE"]):
            return length != 4
        if kind == TYPE["STATUS"]:
            return length != 8
        return length > self.payload or (length == 0 and kind != TYPE["ECHO"])

    def bad_address(self, kind, address, length):
        if kind in (TYPE["READ"], TYPE["WRITE"]):
            return address >= 2 * BASE or address % 4 != 0
        return kind in WITH_ADDRESS and address + length > len(self.memory)

    def status_of(self, kind, address, length):
        if kind == 0 or kind > TYPE["RESET_LINK"]:
            return STATUS["BAD_TYPE"]
        if kind == TYPE["RESET_LINK"]:
            return STATUS["OK"]
        if self.bad_length(kind, length):
            return STATUS["BAD_LENGTH"]
        if self.bad_address(kind, address, length):
            return STATUS["BAD_ADDRESS"]
        if kind in (TYPE["BURST_READ"], TYPE["BURST_WRITE"]):
            return STATUS["BUSY"] if self.busy else self.bus
        if kind == TYPE["STATUS"] or (kind != TYPE["ECHO"] and address < BASE):
            return self.lite
        return STATUS["OK"]

    def write_register(self, address, value):
        if address >= BASE:
            self.link_write(address, value)
            return
        if address == 0x020 and value & 1 and not self.busy:
            self.starts += 1
        self.regs[address] = value

    def execute(self, kind, address, length, payload):
        """Payload of the reply to a request whose status is OK."""
        if kind == TYPE["READ"]:
            value = self.link_read(address) if address >= BASE else self.regs.get(address, 0)
            return struct.pack("<I", value)
        if kind == TYPE["BURST_READ"]:
            return bytes(self.memory[address:address + length])
        if kind == TYPE["STATUS"]:
            word = self.regs.get(0x024, 0)
            return struct.pack("<BBBBI", word & 0xFF, self.expected, self.window, 0, word)
        if kind == TYPE["ECHO"]:
            return payload
        if kind == TYPE["WRITE"]:
            self.write_register(address, struct.unpack("<I", payload)[0])
        if kind == TYPE["BURST_WRITE"]:
            self.memory[address:address + length] = payload
        return b""

    def accept(self, kind, session, sequence, address):
        """(answered, a duplicate); counts what is dropped."""
        if kind == TYPE["RESET_LINK"]:
            self.session, self.expected = session, 0
            return True, False
        if self.session is None:
            alone = kind == TYPE["READ"] and BASE <= address < 2 * BASE and address % 4 == 0
            if not alone:
                self.bump("SESSION")
            return alone, False
        if session != self.session:
            self.bump("SESSION")
            return False, False
        behind = (self.expected - sequence) & 0xFF
        if behind == 0:
            self.expected = (self.expected + 1) & 0xFF
            return True, False
        if behind <= self.window:
            self.bump("DUPLICATE")
            return True, True
        self.bump("SEQUENCE")
        return False, False

    def answer(self, data):
        """The reply to a good frame, None where there is none."""
        kind, session, sequence, _, address, length = struct.unpack("<BHBBIH", data[:11])
        answered, again = self.accept(kind, session, sequence, address)
        if not answered:
            return None
        if again and kind in WRITES:
            status = self.stored[sequence % self.window]
        else:
            status = self.status_of(kind, address, length)
        payload = b""
        if status == STATUS["OK"] and not (again and kind in WRITES):
            payload = self.execute(kind, address, length, data[11:-4])
        self.stored[sequence % self.window] = status
        if kind not in WITH_REPLY_DATA:
            payload = b""
        return frame(kind | REPLY, session, sequence, status, address, length, payload)
