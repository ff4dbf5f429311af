// Reads the events of a run: the trace for Perfetto that --timeline FILE.pftrace writes, as bytes.
//
// The numbers of fields, names and tracks are those of the headers: the page has those of hw/observe/names.h as constants S
// without FUGU_, those of hw/observe/perfetto.h as P without PERFETTO_. Each event goes to a Recorder (run.js).

"use strict";

/** Numbers in an array that grows. `all` has room for more than the `length` numbers that are in it. They have one type: a
    place in the code that meets several types of arrays is several times as slow. */
class Grow {
    constructor() {
        this.all = new Float64Array(256);
        this.length = 0;
    }

    push(value) {
        if (this.length === this.all.length) {
            this.all = grown(this.all);
        }
        this.all[this.length++] = value;
    }

    /** The numbers, without the room. */
    values() {
        return this.all.subarray(0, this.length);
    }
}

/** A copy of a typed array with twice the room. */
function grown(array) {
    const larger = new array.constructor(2 * array.length);
    larger.set(array);
    return larger;
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
        this.clocks = new Float64Array(run.nodes);      // the time of a node's last packet
        this.names = [];                // by node: numbers of names for the recorder, by those of the file
        this.event = {flows: [0, 0, 0, 0], ends: [0, 0, 0, 0]};
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
        // Processes have sequences, too, with the number of messages in flight; the page counts them itself.
        const node = sequence - S.SEQUENCE_NODE;
        if (interned >= 0 && node < this.run.nodes) {
            this._intern(node, interned, internedEnd);
        }
        if (event >= 0 && node < this.run.nodes) {
            if (clock !== S.CLOCK_LATE) {
                delta = this.clocks[node] += delta;
            }
            this._event(node, delta, event, eventEnd);
        }
        this.at = end;
    }

    /** The names of a node. Those of one process are the same for all of its nodes. */
    _intern(node, start, end) {
        const [process, nodes] = Object.entries(this.run.process_nodes).find(([, all]) => all.includes(node));
        if (this.names[node]) {
            return;
        }
        const names = [], codes = this.run.codes[process] || {};
        for (const one of nodes) {
            this.names[one] = names;
        }
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

    _event(node, time, start, end) {
        const event = this.event;
        let type = 0, track = 0, name = 0, path = 0, counter = 0, extra = 0, extraValue = 0;
        event.flowCount = event.endCount = 0;
        event.to = event.words = event.bytes = event.handler = event.network = event.source = event.address = event.data = 0;
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
                if (field === P.EVENT_FLOW) {
                    event.flows[event.flowCount++] = high;
                    event.flows[event.flowCount++] = low;
                } else {
                    event.ends[event.endCount++] = high;
                    event.ends[event.endCount++] = low;
                }
                this.at += 8;
            } else if (field === P.EVENT_ANNOTATION) {
                const length = this._number();
                this._argument(event, this.at + length);
            } else {
                this._skip(tag & 7);
            }
        }
        const names = this.names[node];
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
            this.recorder.instant(node, event);
        } else {
            this.recorder.counter(node, track, time, counter);
        }
        if (extra) {
            this.recorder.counter(node, extra % S.TRACK_NODE, time, extraValue);
        }
    }

    _argument(event, end) {
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
        } else if (name === S.ARGUMENT_NETWORK) {
            event.network = value - S.NAME_NETWORK;
        } else if (name === S.ARGUMENT_SOURCE) {
            event.source = value;
        } else if (name === S.ARGUMENT_ADDRESS) {
            event.address = value;
        } else if (name === S.ARGUMENT_DATA) {
            event.data = value;
        }
    }
}
