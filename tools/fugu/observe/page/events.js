// Reads the events of a run: the trace for Perfetto that --timeline FILE.pftrace writes, as bytes.
//
// The numbers of fields, names and tracks come from the headers (hw/observe/names.h, perfetto.h): the page has them as
// `run.perfetto` and `run.seen`. Each event goes to a Recorder (run.js) by node and kind.

"use strict";

/** A typed array that grows. `all` has room for more than the `length` values that are in it. */
class Grow {
    constructor(Type, room = 256) {
        this.all = new Type(room);
        this.length = 0;
    }

    push(value) {
        if (this.length === this.all.length) {
            const larger = new this.all.constructor(2 * this.length);
            larger.set(this.all);
            this.all = larger;
        }
        this.all[this.length++] = value;
    }

    /** The values, without the room. */
    values() {
        return this.all.subarray(0, this.length);
    }
}

/** The first index of a sorted array whose value is more than `value` (or as much, with `orSame`). */
function after(sorted, value, length = sorted.length, orSame = false) {
    let low = 0, high = length;
    while (low < high) {
        const middle = (low + high) >>> 1;
        if (sorted[middle] < value || (!orSame && sorted[middle] === value)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/** Reads packets. feed() takes the bytes in pieces of any length; end() throws if the last packet is not whole. */
class Decoder {
    constructor(run, recorder) {
        this.run = run;
        this.recorder = recorder;
        this.rest = new Uint8Array(0);
        this.at = 0;
        this.clock = new Map();         // of a sequence: the time of its last packet
        this.names = new Map();         // of a process: numbers of names for the recorder, by those of the file
        this.processOf = new Map();
        for (const [process, nodes] of Object.entries(run.process_nodes)) {
            for (const node of nodes) {
                this.processOf.set(node, process);
            }
        }
        this.event = {flows: [], ends: []};
        this.bytes = 0;
    }

    feed(piece) {
        this.bytes += piece.length;
        let data = piece;
        if (this.rest.length) {
            data = new Uint8Array(this.rest.length + piece.length);
            data.set(this.rest);
            data.set(piece, this.rest.length);
        }
        this.data = data;
        this.at = 0;
        while (true) {
            const start = this.at;
            if (!this._hasNumber(start + 1)) {
                this.rest = data.slice(start);
                return;
            }
            this.at = start + 1;
            const length = this._number();
            if (this.at + length > data.length) {
                this.rest = data.slice(start);
                return;
            }
            this._packet(this.at + length);
        }
    }

    end() {
        if (this.rest.length) {
            throw new Error("the events end in the middle of a packet");
        }
    }

    _hasNumber(at) {
        for (let last = Math.min(this.data.length, at + 10); at < last; at++) {
            if (this.data[at] < 0x80) {
                return true;
            }
        }
        return false;
    }

    _number() {
        const data = this.data;
        let byte = data[this.at++];
        if (byte < 0x80) {
            return byte;
        }
        let value = byte & 0x7f, scale = 128;
        do {
            byte = data[this.at++];
            value += (byte & 0x7f) * scale;
            scale *= 128;
        } while (byte >= 0x80);
        return value;
    }

    /** Passes over a value of this wire type. */
    _skip(type) {
        if (type === 0) {
            this._number();
        } else if (type === 1) {
            this.at += 8;
        } else if (type === 2) {
            const length = this._number();
            this.at += length;
        } else {
            this.at += 4;
        }
    }

    _text(length) {
        const text = new TextDecoder().decode(this.data.subarray(this.at, this.at + length));
        this.at += length;
        return text;
    }

    /** Calls visit(field, length) for the fields of a message; what it does not read is passed over. */
    _fields(end, visit) {
        while (this.at < end) {
            const tag = this._number(), type = tag & 7;
            const length = type === 2 ? this._number() : -1, start = this.at;
            visit(tag >>> 3, length);
            if (length >= 0) {
                this.at = start + length;
            } else if (this.at === start) {
                this._skip(type);
            }
        }
    }

    _packet(end) {
        const P = this.run.perfetto;
        let delta = 0, clock = 0, sequence = 0, event = -1, eventEnd = 0, interned = -1, internedEnd = 0;
        while (this.at < end) {
            const tag = this._number(), field = tag >>> 3;
            if (field === P.PACKET_TIMESTAMP) {
                delta = this._number();
            } else if (field === P.PACKET_SEQUENCE) {
                sequence = this._number();
            } else if (field === P.PACKET_EVENT) {
                const length = this._number();
                event = this.at;
                this.at = eventEnd = event + length;
            } else if (field === P.PACKET_CLOCK) {
                clock = this._number();
            } else if (field === P.PACKET_INTERNED) {
                const length = this._number();
                interned = this.at;
                this.at = internedEnd = interned + length;
            } else {
                this._skip(tag & 7);
            }
        }
        if (interned >= 0) {
            this._intern(sequence, interned, internedEnd);
        }
        if (event >= 0) {
            let time = delta;
            if (clock !== this.run.seen.CLOCK_LATE) {
                time += this.clock.get(sequence) || 0;
                this.clock.set(sequence, time);
            }
            this._event(sequence, time, event, eventEnd);
        }
        this.at = end;
    }

    /** The names of a sequence. Those of one process are the same for all of its nodes. */
    _intern(sequence, start, end) {
        const P = this.run.perfetto, S = this.run.seen, process = this.processOf.get(sequence - S.SEQUENCE_NODE);
        if (process === undefined || this.names.has(process)) {
            return;
        }
        const names = [], codes = this.run.codes[process] || {};
        this.names.set(process, names);
        this.at = start;
        this._fields(end, (field, length) => {
            if (field !== P.INTERNED_NAME) {
                return;
            }
            let number = 0, text = "";
            this._fields(this.at + length, (part, size) => {
                if (part === P.NAME_NUMBER) {
                    number = this._number();
                } else if (part === P.NAME_TEXT) {
                    text = this._text(size);
                }
            });
            names[number] = this.recorder.name(number, text, codes[number]);
        });
    }

    _event(sequence, time, start, end) {
        const P = this.run.perfetto, S = this.run.seen, event = this.event;
        let type = 0, track = 0, name = 0, path = 0, counter = 0, extra = 0, extraValue = 0;
        event.flows.length = event.ends.length = 0;
        event.to = event.words = event.bytes = event.handler = event.source = event.address = event.data = 0;
        this.at = start;
        while (this.at < end) {
            const tag = this._number(), field = tag >>> 3;
            if (field === P.EVENT_TYPE) {
                type = this._number();
            } else if (field === P.EVENT_TRACK) {
                track = this._number();
            } else if (field === P.EVENT_NAME) {
                name = this._number();
            } else if (field === P.EVENT_CATEGORY) {
                path = this._number();
            } else if (field === P.EVENT_COUNTER) {
                counter = this._number();
            } else if (field === P.EVENT_EXTRA_TRACK) {
                extra = this._number();
            } else if (field === P.EVENT_EXTRA_VALUE) {
                extraValue = this._number();
            } else if (field === P.EVENT_FLOW || field === P.EVENT_FLOW_END) {
                const data = this.data, at = this.at;
                const low = (data[at] | data[at + 1] << 8 | data[at + 2] << 16 | data[at + 3] << 24) >>> 0;
                const high = (data[at + 4] | data[at + 5] << 8 | data[at + 6] << 16 | data[at + 7] << 24) >>> 0;
                (field === P.EVENT_FLOW ? event.flows : event.ends).push(high, low);
                this.at += 8;
            } else if (field === P.EVENT_ANNOTATION) {
                const length = this._number();
                this._argument(event, this.at + length);
            } else {
                this._skip(tag & 7);
            }
        }
        if (sequence >= S.SEQUENCE_PROCESS) {
            this.recorder.flight(sequence - S.SEQUENCE_PROCESS, time, counter);
            return;
        }
        const node = sequence - S.SEQUENCE_NODE, names = this.names.get(this.processOf.get(node));
        event.time = time;
        event.name = name;
        event.id = name ? names[name] : 0;
        event.handler = event.handler ? names[event.handler] : 0;
        event.path = path;
        track %= S.TRACK_NODE;
        if (type === P.TYPE_BEGIN) {
            this.recorder.begin(node, track, event);
        } else if (type === P.TYPE_END) {
            this.recorder.end(node, track, time);
        } else if (type === P.TYPE_INSTANT) {
            event.network = extra ? extra % S.TRACK_NODE : 0;
            this.recorder.instant(node, event);
        } else {
            this.recorder.counter(node, track, time, counter);
        }
        if (extra) {
            this.recorder.counter(node, extra % S.TRACK_NODE, time, extraValue);
        }
    }

    _argument(event, end) {
        const P = this.run.perfetto, S = this.run.seen;
        let name = 0, value = 0;
        while (this.at < end) {
            const tag = this._number(), field = tag >>> 3;
            if (field === P.ANNOTATION_NAME) {
                name = this._number();
            } else if (field === P.ANNOTATION_NUMBER || field === P.ANNOTATION_TEXT || field === P.ANNOTATION_ADDRESS) {
                value = this._number();
            } else {
                this._skip(tag & 7);
            }
        }
        if (name === S.ARGUMENT_TO) {
            event.to = value;
        } else if (name === S.ARGUMENT_WORDS) {
            event.words = value;
        } else if (name === S.ARGUMENT_BYTES) {
            event.bytes = value;
        } else if (name === S.ARGUMENT_HANDLER) {
            event.handler = value;
        } else if (name === S.ARGUMENT_SOURCE) {
            event.source = value;
        } else if (name === S.ARGUMENT_ADDRESS) {
            event.address = value;
        } else if (name === S.ARGUMENT_DATA) {
            event.data = value;
        }
    }
}
