"""Reads a timeline with Perfetto's own description of its format, and checks what holds for any timeline."""

from __future__ import annotations

import gzip
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

CYCLE_NS = 40           # docs/machine.md: 25 MHz


@dataclass(frozen=True)
class Event:
    """An event, with names in place of numbers. `time` is in cycles."""

    time: int
    where: str              # names of the track and of those around it: "node 1/runs"
    kind: str               # begin, end, instant, counter
    name: str = ""
    path: str = ""
    flows: tuple[int, ...] = ()
    ends: tuple[int, ...] = ()          # flows that end here
    arguments: dict[str, Any] = field(default_factory=dict)
    values: dict[str, int] = field(default_factory=dict)        # of counters, by track


@dataclass
class Slice:
    """What lasts, with what it is within."""

    where: str
    start: int
    end: int
    name: str
    path: str
    ends: tuple[int, ...]
    within: tuple[str, ...]         # names of slices around it, from the outermost on


class Reader:
    """Reads a file's tracks, and its events in the order of the file for each track, without keeping them."""

    def __init__(self, file: Path) -> None:
        from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as pb

        self.pb, self.file = pb, file
        self.tracks: dict[int, str] = {}
        self.parents: dict[int, int] = {}
        self.states: dict[int, _Sequence] = {}

    def read(self) -> Iterator[Event]:
        """The events. For one pass."""
        for data in _packets(self.file):
            event = self._packet(self.pb.TracePacket.FromString(data))
            if event:
                yield event

    def _packet(self, packet: Any) -> Event | None:
        number = packet.trusted_packet_sequence_id
        assert number, "a packet without a sequence"
        if packet.HasField("track_descriptor"):
            track = packet.track_descriptor
            assert track.uuid not in self.tracks, f"two tracks {track.uuid}"
            self.tracks[track.uuid], self.parents[track.uuid] = track.name, track.parent_uuid
            return None
        state = self.states.setdefault(number, _Sequence())
        if packet.HasField("clock_snapshot"):
            state.clock(packet.clock_snapshot)
        if packet.sequence_flags & self.pb.TracePacket.SEQ_INCREMENTAL_STATE_CLEARED:
            state.begin(packet)
        if packet.HasField("track_event"):
            assert packet.sequence_flags == self.pb.TracePacket.SEQ_NEEDS_INCREMENTAL_STATE
            return self._event(state, packet)
        return None

    def _event(self, state: _Sequence, packet: Any) -> Event:
        event, kinds = packet.track_event, self.pb.TrackEvent
        kind = {kinds.TYPE_SLICE_BEGIN: "begin", kinds.TYPE_SLICE_END: "end", kinds.TYPE_INSTANT: "instant",
                kinds.TYPE_COUNTER: "counter"}[event.type]
        values = dict(zip(map(self.where, event.extra_counter_track_uuids), event.extra_counter_values, strict=True))
        if kind == "counter":
            values[self.where(event.track_uuid)] = event.counter_value
        assert bool(event.name_iid) == (kind in ("begin", "instant"))
        paths = [state.categories[number] for number in event.category_iids]
        return Event(state.time(packet), self.where(event.track_uuid), kind,
                     state.names[event.name_iid] if event.name_iid else "", "".join(paths), tuple(event.flow_ids),
                     tuple(event.terminating_flow_ids), dict(map(state.argument, event.debug_annotations)), values)

    def where(self, uuid: int) -> str:
        """A track's name, after those of the tracks around it."""
        parent = self.parents[uuid]
        return f"{self.where(parent)}/{self.tracks[uuid]}" if parent else self.tracks[uuid]


class Timeline(Reader):
    """A file with all its events."""

    def __init__(self, file: Path) -> None:
        super().__init__(file)
        self.events = list(self.read())
        self.slices = list(self._slices())

    def _slices(self) -> Iterator[Slice]:
        """All slices. Fails if one ends that has not begun, or has not ended at the end of the file."""
        open_: dict[str, list[Event]] = defaultdict(list)
        for event in self.events:
            stack = open_[event.where]
            if event.kind == "begin":
                stack.append(event)
            elif event.kind == "end":
                assert stack, f"{event} ends nothing"
                begun = stack.pop()
                yield Slice(event.where, begun.time, event.time, begun.name, begun.path, begun.ends,
                            tuple(one.name for one in stack))
        assert not any(open_.values()), "slices without an end"


PACKET = 0x0A               # the field of a Trace that a packet is, with bytes of some length


def _packets(file: Path) -> Iterator[bytes]:
    """The packets of a file, which may be compressed, one by one: all of them together may not fit into memory."""
    with file.open("rb") as raw:
        packed = raw.read(2) == b"\x1f\x8b"
    opened: Any = gzip.open(file) if packed else file.open("rb")
    with opened as data:
        while tag := data.read(1):
            assert tag[0] == PACKET
            length, shift = 0, 0
            while (byte := data.read(1)[0]) & 0x80:
                length |= (byte & 0x7F) << shift
                shift += 7
            length |= byte << shift
            packet = data.read(length)
            assert len(packet) == length, "the file ends in the middle of a packet"
            yield packet


class _Sequence:
    """What the packets of a sequence refer to."""

    def __init__(self) -> None:
        self.now: int | None = None         # cycles; None: no clock
        self.clock_id = self.late_id = 0
        self.begun = False

    def clock(self, snapshot: Any) -> None:
        boot, cycles, late = snapshot.clocks
        assert late.unit_multiplier_ns == CYCLE_NS and not late.is_incremental and late.timestamp == 0
        assert 64 <= late.clock_id < 128 and late.clock_id != cycles.clock_id
        self.late_id = late.clock_id
        assert (boot.clock_id, boot.timestamp) == (6, 0) and snapshot.primary_trace_clock == 6
        assert 64 <= cycles.clock_id < 128 and cycles.is_incremental and cycles.unit_multiplier_ns == CYCLE_NS
        self.clock_id, self.now = cycles.clock_id, cycles.timestamp

    def begin(self, packet: Any) -> None:
        assert not self.begun and packet.trace_packet_defaults.timestamp_clock_id == self.clock_id
        self.begun = True

        def texts(names: Any) -> dict[int, str]:
            found = {one.iid: one.name for one in names}
            assert len(found) == len(names) and 0 not in found
            return found
        interned = packet.interned_data
        self.names, self.categories = texts(interned.event_names), texts(interned.event_categories)
        self.argument_names = texts(interned.debug_annotation_names)
        self.texts = {one.iid: one.str.decode() for one in interned.debug_annotation_string_values}

    def time(self, packet: Any) -> int:
        """The time of the next packet: so many cycles after the last one, or its own if that is before."""
        assert self.begun and self.now is not None
        if packet.HasField("timestamp_clock_id"):
            assert packet.timestamp_clock_id == self.late_id and packet.timestamp < self.now
            return int(packet.timestamp)
        self.now += packet.timestamp
        return self.now

    def argument(self, annotation: Any) -> tuple[str, Any]:
        """Name and value of an event's argument."""
        value = self.texts[annotation.string_value_iid] if annotation.HasField("string_value_iid") \
            else annotation.pointer_value or annotation.uint_value
        return self.argument_names[annotation.name_iid], value
