"""The protocol of hw/wire/protocol.h for tests, which can send what no process sends.

A Link is one connection, before or after its handshake. join() makes the
handshake of a peer, welcome() that of the hub.
"""

import array
import contextlib
import hashlib
import hmac
import mmap
import os
import socket
import struct
import time

from fugu.abi import LINK_PROTO, LINK_RING

MAGIC, VERSION, SOCKET, RINGS = (LINK_PROTO[f"LINK_{name}"] for name in ("MAGIC", "VERSION", "SOCKET", "RINGS"))
PARAMS = len(LINK_PROTO.entries("LINK_PARAM_LIST"))
(HELLO, CHALLENGE, PROOF, WELCOME, REFUSE, ROUND, GO, FINISH, NODES, END, ABORT, EARLY) = (
    LINK_PROTO[f"FRAME_{name}"] for name in ("HELLO", "CHALLENGE", "PROOF", "WELCOME", "REFUSE", "ROUND", "GO",
                                             "FINISH", "NODES", "END", "ABORT", "EARLY"))
BUSY = LINK_PROTO["ROUND_BUSY"]
NEVER = (1 << 63) - 1
NONCE = LINK_PROTO["LINK_NONCE_BYTES"]

# wire/ring.h: two words in cache lines of their own, then slots of a line each.
SLEEPS, TAKEN, SLOT = 0, 64, 128
SLOTS, SLOT_BYTES = LINK_RING["RING_SLOTS"], LINK_RING["SLOT_BYTES"]
RING_SIZE = SLOT + SLOTS * 64


class Gone(Exception):
    """The other side has hung up."""


def frame(kind, payload=b""):
    return struct.pack(">IHH", len(payload), kind, 0) + payload


def hello(process, params, nonce=bytes(NONCE), version=VERSION):
    """The payload of HELLO."""
    return struct.pack(">IHH", MAGIC, version, process) + nonce + params


def piece(text, error=False):
    """A piece of console output."""
    return struct.pack(">I", len(text) | error << 31) + text


def round_payload(start, packets=b"", count=0, *, upcoming=NEVER, flags=BUSY, ended=0, status=0, cycle=0,
                  output=b"", output_length=None):
    length = len(output) if output_length is None else output_length
    return struct.pack(">qqIIIIII", start, upcoming, flags, ended, status, cycle, count, length) + packets + output


def packet(time, source, dest, *, arrival=0, sequence=0, kind=0, network=0, has_body=0, words=(0, 0), count=None,
           body=b"", body_length=None):
    return (struct.pack(">qqIHHBBBBI", time, arrival, sequence, source, dest, kind, network, has_body,
                        len(words) if count is None else count, len(body) if body_length is None else body_length)
            + struct.pack(f">{len(words)}I", *words) + body)


class Link:
    """Sends and receives frames, through a socket or, after use_rings(), through rings in shared memory."""

    def __init__(self, sock, seconds=20.0):
        self.socket, self.seconds = sock, seconds
        sock.settimeout(seconds)
        self.memory = None
        self.written = self.taken = 0           # slots
        self.got = b""

    def close(self):
        self.socket.close()
        if self.memory:
            self.memory.close()

    # ---- bytes ----

    def write(self, data):
        """Writes bytes. Raises Gone if the other side no longer reads."""
        try:
            self._write_rings(data) if self.memory else self.socket.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            raise Gone from None

    def _number(self, ring, at):
        return struct.unpack_from("=I", self.memory, ring + at)[0]

    def put_slot(self, number, stamp, data=b""):
        """Fills a slot of the ring to the hub, and writes its stamp last."""
        place = self.tx + SLOT + number % SLOTS * 64
        self.memory[place + 4:place + 4 + len(data)] = data
        struct.pack_into("=I", self.memory, place, stamp)
        if self._number(self.tx, SLEEPS):
            struct.pack_into("=I", self.memory, self.tx + SLEEPS, 0)
            # The hub may have read the slot before it slept, and have ended.
            with contextlib.suppress(BrokenPipeError):
                self.socket.sendall(b"\0")

    def next_stamp(self, length):
        """The stamp that the next slot must have."""
        return (self.written + 1) << 8 & 0xFFFFFFFF | length

    def _write_rings(self, data):
        while data:
            while (self.written - self._number(self.tx, TAKEN)) % (1 << 32) >= SLOTS:
                self._wait()
            piece, data = data[:SLOT_BYTES], data[SLOT_BYTES:]
            self.put_slot(self.written, self.next_stamp(len(piece)), piece)
            self.written += 1

    def _wait(self):
        """Waits for a moment. Raises Gone if the other side has hung up."""
        self.socket.settimeout(0.001)
        try:
            if self.socket.recv(64) == b"":
                raise Gone
        except TimeoutError:
            pass
        except ConnectionResetError:
            raise Gone from None
        finally:
            self.socket.settimeout(self.seconds)

    def _read_slot(self):
        place = SLOT + self.taken % SLOTS * 64
        deadline = time.monotonic() + self.seconds
        while (stamp := self._number(self.rx, place)) >> 8 != (self.taken + 1) & 0xFFFFFF:
            if time.monotonic() > deadline:
                raise TimeoutError
            self._wait()
        data = self.memory[self.rx + place + 4:self.rx + place + 4 + (stamp & 0xFF)]
        self.taken += 1
        struct.pack_into("=I", self.memory, self.rx + TAKEN, self.taken)
        return data

    def use_rings(self):
        """Maps the rings; the byte after WELCOME carries their file descriptor."""
        files = array.array("i")
        if self.got:
            raise AssertionError("bytes in front of the descriptor")
        data, ancillary, _, _ = self.socket.recvmsg(1, socket.CMSG_SPACE(files.itemsize))
        assert len(data) == 1 and ancillary
        files.frombytes(ancillary[0][2][:files.itemsize])
        self.memory = mmap.mmap(files[0], 2 * RING_SIZE)
        os.close(files[0])
        self.tx, self.rx = 0, RING_SIZE

    # ---- frames ----

    def send(self, kind, payload=b""):
        self.write(frame(kind, payload))

    def receive(self):
        """Returns (type, payload) of the next frame. Raises Gone or TimeoutError."""
        while len(self.got) < 8 or len(self.got) < 8 + struct.unpack(">I", self.got[:4])[0]:
            # Exactly as many bytes as the frame has, so that no descriptor is lost.
            self.got += self._read_slot() if self.memory else self._read_some()
        length, kind, _ = struct.unpack(">IHH", self.got[:8])
        payload, self.got = self.got[8:8 + length], self.got[8 + length:]
        return kind, payload

    def _read_some(self):
        need = 8 if len(self.got) < 8 else 8 + struct.unpack(">I", self.got[:4])[0]
        try:
            data = self.socket.recv(need - len(self.got))
        except ConnectionResetError:
            raise Gone from None
        if not data:
            raise Gone
        return data

    def expect(self, kind):
        got, payload = self.receive()
        assert got == kind, (got, payload)
        return payload


def proof(side, secret, peer_nonce, hub_nonce, hello_payload):
    return hmac.new(secret, side + peer_nonce + hub_nonce + hello_payload, hashlib.sha256).digest()


def join(link, process, params, secret=b""):
    """Makes a peer's handshake. Raises AssertionError if the hub refuses it."""
    nonce = os.urandom(NONCE)
    greeting = hello(process, params, nonce)
    link.send(HELLO, greeting)
    challenge = link.expect(CHALLENGE)
    hub_nonce = challenge[:NONCE]
    assert hmac.compare_digest(challenge[NONCE:], proof(b"H", secret, nonce, hub_nonce, greeting))
    link.send(PROOF, proof(b"P", secret, nonce, hub_nonce, greeting))
    where, = struct.unpack(">H", link.expect(WELCOME))
    if where == RINGS:
        link.use_rings()


def welcome(link, secret=b""):
    """Makes the hub's handshake, without rings. Returns the peer's process number and parameters."""
    greeting = link.expect(HELLO)
    nonce, hub_nonce = greeting[8:8 + NONCE], os.urandom(NONCE)
    link.send(CHALLENGE, hub_nonce + proof(b"H", secret, nonce, hub_nonce, greeting))
    assert link.expect(PROOF) == proof(b"P", secret, nonce, hub_nonce, greeting)
    link.send(WELCOME, struct.pack(">H", SOCKET))
    return struct.unpack(">H", greeting[6:8])[0], greeting[8 + NONCE:]


class Peer:
    """A peer whose nodes run and send nothing."""

    def __init__(self, link):
        self.link, self.start = link, 0

    def play(self, rounds=1):
        """Takes part in `rounds` rounds. Raises TimeoutError or Gone."""
        for _ in range(rounds):
            self.link.send(ROUND, round_payload(self.start))
            kind, payload = self.link.receive()
            # As the peer's nodes send nothing, EARLY means the same as GO.
            if kind not in (GO, EARLY):
                raise Gone
            self.start = struct.unpack(">q", payload[:8])[0]
