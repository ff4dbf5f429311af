// What a run has done, from its events: what each processor does from when on, and the way of each message.

"use strict";

// What a processor does. The order is that of the parts of a column, from below.
const USER = 0, HANDLER = 1, KERNEL = 2, IDLE = 3, ENDED = 4;
const CLASSES = 4;                              // that have cycles
const CLASS_NAMES = ["user", "handlers", "kernel", "idle, waits", "ended"];

// How a message's way ends.
const ON_THE_WAY = 0, HANDLED = 1, POLLED = 2, DROPPED = 3, TAKEN = 4, STORED = 5;

// Networks.
const MAIN = 0, SECOND = 1;
const NETWORKS = ["main", "second", "urgent"];

const BINS = 1 << 20;                           // of all nodes together
const BINS_LEAST = 1 << 9, BINS_MOST = 1 << 16; // of a node

/** What is known of a node. Times are cycles. */
class Track {
    constructor() {
        this.times = new Grow();                // from when on the processor does
        this.stacks = new Grow();               //   this: a number of a stack of names
        this.stack = 0;
        this.open = [];                         // message of each name of the stack, or -1
        this.last = new Map();                  // by name of a job: the message whose handler it runs
        this.lost = [];                         // times at which the kernel buffered a message whose handler has begun
        this.handled = {times: new Grow(), messages: new Grow()};
        this.slots = [[], []];
        this.modes = {starts: new Grow(), ends: new Grow(), names: new Grow()};
        this.sections = {starts: new Grow(), ends: new Grow()};
        this.begun = new Map();                 // by track: when what goes on has begun, and its name
        this.counters = [];                     // by track: times, values
        this.pages = new Map();                 // 4096 sequence numbers: messages of this source
    }
}

/** Takes the events of a run, one after the other; finish() makes what the page looks things up in. */
class Recorder {
    constructor(run) {
        this.run = run;
        this.names = [{text: "", kind: ENDED, gid: -1, number: 0}];
        this.byText = new Map();
        this.stacks = [{parent: 0, name: 0, depth: 0}];
        this.children = new Map();
        this.tracks = Array.from({length: run.nodes}, () => new Track());
        this.count = 0;
        // What each message has. NaN: a time that was not seen.
        this.of = {
            source: new Uint16Array(256),
            dest: new Uint16Array(256),
            sequence: new Uint32Array(256),
            words: new Uint16Array(256),
            bytes: new Uint32Array(256),
            handler: new Uint16Array(256),      // a name; 0: the kernel's message, or an update
            network: new Uint8Array(256),
            launch: new Float64Array(256),
            arrival: new Float64Array(256),
            ended: new Float64Array(256),       // the handler begins, or the message is disposed of
            finished: new Float64Array(256),    // the handler ends
            how: new Uint8Array(256),           // ON_THE_WAY ...
            path: new Uint8Array(256),          // PATH_FAST, PATH_BUFFERED or 0
        };
        this.accepted = new Map();              // what few messages have, by message
        this.inserted = new Map();
        this.updates = new Map();
        this.pending = new Map();               // updates that have not been launched, by flow
        this.first = Infinity;
        this.final = 0;
    }

    // ---- names and stacks ----

    /** The number that the page has for a name of the file. Two handlers of one name and different GIDs are two. */
    name(number, text, code) {
        const gid = code ? code[0] : number >= S.NAME_JOB && number < S.NAME_CODE ? number - S.NAME_JOB : -1;
        const key = `${number < S.NAME_CODE ? number : "code"} ${gid} ${text}`;
        let id = this.byText.get(key);
        if (id === undefined) {
            id = this.names.length;
            this.byText.set(key, id);
            this.names.push({text, kind: this._kind(number), gid, number, address: code ? code[1] : 0, count: 0, cycles: 0});
        }
        return id;
    }

    _kind(number) {
        if (number >= S.NAME_CODE || number === S.NAME_UPCALL || number === S.NAME_SLOT || number === S.NAME_SLOT_1) {
            return HANDLER;
        }
        if (number >= S.NAME_JOB) {
            return USER;
        }
        return number >= S.NAME_WAIT && number < S.NAME_MODE || number === S.NAME_HELD || number === S.NAME_FAULT
            ? IDLE : KERNEL;
    }

    _child(stack, name) {
        const key = stack * 65536 + name;
        let child = this.children.get(key);
        if (child === undefined) {
            child = this.stacks.length;
            this.children.set(key, child);
            this.stacks.push({parent: stack, name, depth: this.stacks[stack].depth + 1});
        }
        return child;
    }

    /** What a processor does, by a stack's number. */
    classOf(stack) {
        return this.names[this.stacks[stack].name].kind;
    }

    /** The names of a stack, from the outermost on. */
    namesOf(stack) {
        const found = [];
        for (; stack; stack = this.stacks[stack].parent) {
            found.unshift(this.names[this.stacks[stack].name]);
        }
        return found;
    }

    // ---- events ----

    _seen(time) {
        this.first = Math.min(this.first, time);
        this.final = Math.max(this.final, time);
    }

    _does(track, time, stack) {
        const times = track.times, last = times.length - 1;
        track.stack = stack;
        if (last >= 0 && times.all[last] === time) {
            track.stacks.all[last] = stack;
        } else {
            times.push(time);
            track.stacks.push(stack);
        }
    }

    begin(node, where, event) {
        const track = this.tracks[node];
        this._seen(event.time);
        if (where === S.TRACK_RUNS) {
            this._does(track, event.time, this._child(track.stack, event.id));
            track.open.push(this._begins(track, event));
        } else if (where === S.TRACK_SLOT || where === S.TRACK_SLOT_1) {
            track.slots[where - S.TRACK_SLOT].push(this._begins(track, event));
        } else {
            track.begun.set(where, {time: event.time, name: event.id});
        }
    }

    /** A slice begins. Returns the message that its handler works for, or -1. */
    _begins(track, event) {
        if (this.names[event.id].kind !== HANDLER) {
            return -1;
        }
        const job = track.stack ? this.stacks[this.stacks[track.stack].parent].name : 0;
        if (!event.endCount) {
            const last = track.last.get(job);           // goes on after another process
            return last !== undefined && this.of.handler[last] === event.id ? last : -1;
        }
        const message = this._message(event.ends[0], event.ends[1]);
        this._ends(message, event, HANDLED);
        track.last.set(job, message);
        track.handled.times.push(event.time);
        track.handled.messages.push(message);
        return message;
    }

    end(node, where, time) {
        const track = this.tracks[node];
        this._seen(time);
        if (where === S.TRACK_RUNS) {
            this._does(track, time, this.stacks[track.stack].parent);
            this._finishes(track.open.pop(), time);
        } else if (where === S.TRACK_SLOT || where === S.TRACK_SLOT_1) {
            this._finishes(track.slots[where - S.TRACK_SLOT].pop(), time);
        } else {
            const begun = track.begun.get(where);
            if (where === S.TRACK_SECTION) {
                track.sections.starts.push(begun.time);
                track.sections.ends.push(time);
            } else if (where >= S.TRACK_MODE) {
                track.modes.starts.push(begun.time);
                track.modes.ends.push(time);
                track.modes.names.push(begun.name);
            }
        }
    }

    _finishes(message, time) {
        if (message >= 0) {
            this.of.finished[message] = time;
        }
    }

    counter(node, where, time, value) {
        const counters = this.tracks[node].counters;
        this._seen(time);
        if (!counters[where]) {
            counters[where] = {times: new Grow(), values: new Grow()};
        }
        counters[where].times.push(time);
        counters[where].values.push(value);
    }

    instant(node, event) {
        const number = event.name;
        this._seen(event.time);
        if (number >= S.NAME_UPDATE && number < S.NAME_MERGED) {
            this.pending.set(event.flows[0] * 4294967296 + event.flows[1], {time: event.time, name: event.id,
                from: event.source, address: event.address, data: event.data});
            return;
        }
        let high = 0, low = 0, launched = null;
        for (let i = 0; i < event.flowCount + event.endCount; i += 2) {
            const flows = i < event.flowCount ? event.flows : event.ends, k = i < event.flowCount ? i : i - event.flowCount;
            if (flows[k] < 1 << 30) {
                high = flows[k];
                low = flows[k + 1];
            } else {
                launched = this.pending.get(flows[k] * 4294967296 + flows[k + 1]) || launched;
            }
        }
        if (!high) {
            this._handlers(node, event);
            return;
        }
        const message = this._message(high, low);
        if (number === S.NAME_LAUNCH) {
            if (launched) {
                this.updates.set(message, launched);
            }
            this._launched(message, event);
        } else if (number === S.NAME_ARRIVAL || number === S.NAME_BLOCKED) {
            this.of.arrival[message] = event.time;
            this.of.dest[message] = node;
        } else if (number === S.NAME_ACCEPTED) {
            this.accepted.set(message, event.time);
        } else if (number === S.NAME_INSERTED) {
            this.inserted.set(message, event.time);
            this.of.path[message] = event.path;
        } else if (number === S.NAME_DISPOSED) {
            this._ends(message, event, event.path ? POLLED : TAKEN);
        } else if (number === S.NAME_DROPPED) {
            this._ends(message, event, DROPPED);
        } else if (number === S.NAME_STORED) {
            this._ends(message, event, STORED);
        }
    }

    /** The message of a handler that has begun has no flow any more. The kernel may have put it into the buffer since then. */
    _handlers(node, event) {
        const track = this.tracks[node];
        if (event.name === S.NAME_INSERTED) {
            track.lost.push(event.time);
        } else if (event.name === S.NAME_DISPOSED && event.path === S.PATH_BUFFERED) {
            const message = track.open.findLast(one => one >= 0);
            if (message !== undefined && this.of.path[message] !== S.PATH_BUFFERED) {
                this.of.path[message] = S.PATH_BUFFERED;
                if (track.lost.length === 1) {              // else one of another job's is among them
                    this.inserted.set(message, track.lost[0]);
                }
                track.lost.length = 0;
            }
        }
    }

    // ---- messages ----

    /** The message of a flow, whose high word is its source and 1, and its low word the source's count. */
    _message(high, low) {
        const pages = this.tracks[high - 1].pages, page = low >>> 12;
        let all = pages.get(page);
        if (!all) {
            all = new Int32Array(4096).fill(-1);
            pages.set(page, all);
        }
        if (all[low & 4095] < 0) {
            const message = all[low & 4095] = this.count++;
            if (message === this.of.source.length) {
                for (const name of Object.keys(this.of)) {
                    this.of[name] = grown(this.of[name]);
                }
            }
            const of = this.of;
            of.launch[message] = of.arrival[message] = of.ended[message] = of.finished[message] = NaN;
            of.source[message] = high - 1;
            of.sequence[message] = low;
        }
        return all[low & 4095];
    }

    _launched(message, event) {
        this.of.launch[message] = event.time;
        this.of.dest[message] = event.to;
        this.of.words[message] = event.words;
        this.of.bytes[message] = event.bytes;
        this.of.handler[message] = event.handler;
        this.of.network[message] = event.network;
    }

    _ends(message, event, how) {
        this.of.ended[message] = event.time;
        this.of.how[message] = how;
        if (event.path) {
            this.of.path[message] = event.path;
        }
    }

    // ---- the end ----

    /** Makes the indices, when all events have come. */
    finish() {
        this.first = Math.min(this.first, this.run.start);
        this.final = Math.max(this.final, this.run.end, this.first + 1);
        this._cut();
        this._order();
        this._sum();
        for (let i = 0; i < this.count; i++) {
            const name = this.names[this.of.handler[i]];
            name.count++;
            if (this.of.finished[i] > this.of.ended[i]) {
                name.cycles += this.of.finished[i] - this.of.ended[i];
            }
        }
    }

    _cut() {
        for (const name of Object.keys(this.of)) {
            this.of[name] = this.of[name].subarray(0, this.count);
        }
        for (const track of this.tracks) {
            track.pages = track.last = track.begun = null;
        }
    }

    /** Messages by the time at which they leave their interfaces, as the mesh takes them: `order` has their numbers, `begins`
        the times, and `reach` the time by which all that left before, and this one, are at their ends. Those whose launch
        was not seen come first. */
    _order() {
        const n = this.count, launch = this.of.launch, last = [0, 1, 2].map(() => new Float64Array(this.run.nodes));
        const departs = this.departs = new Float64Array(n);
        // Before a message leaves, DMA fetches its body. No message of a network overtakes another one of its node.
        for (const i of this._sorted(i => launch[i] >= 0 ? launch[i] : -1)) {
            const before = last[this.of.network[i]], source = this.of.source[i];
            const dma = this.updates.has(i) ? 0 : Math.ceil(this.of.bytes[i] / 4) * this.run.dma_word;
            departs[i] = launch[i] >= 0 ? before[source] = Math.max(before[source], launch[i] + dma) : -1;
        }
        const order = this.order = this._sorted(i => departs[i]);
        this.begins = new Float64Array(n);
        this.reach = new Float64Array(n);
        let most = this.first;
        for (let k = 0; k < n; k++) {
            this.begins[k] = Math.max(this.first, departs[order[k]]);
            most = Math.max(most, this.lastOf(order[k]));
            this.reach[k] = most;
        }
    }

    /** The messages by a time, then source, sequence and network, as hw/machine/mesh.c sorts. */
    _sorted(time) {
        const n = this.count, bins = 1 << 16, scale = (bins - 1) / (this.final - this.first);
        const bin = i => Math.max(0, Math.min(bins - 1, Math.floor((time(i) - this.first) * scale)));
        const starts = new Uint32Array(bins + 1), found = new Uint32Array(n);
        for (let i = 0; i < n; i++) {
            starts[bin(i) + 1]++;
        }
        for (let k = 0; k < bins; k++) {
            starts[k + 1] += starts[k];
        }
        const next = starts.slice();
        for (let i = 0; i < n; i++) {
            found[next[bin(i)]++] = i;
        }
        const before = (a, b) => time(a) - time(b) || this.of.source[a] - this.of.source[b] ||
            (this.of.sequence[a] - this.of.sequence[b] | 0) || this.of.network[a] - this.of.network[b];
        for (let k = 0; k < bins; k++) {
            if (starts[k + 1] - starts[k] > 1) {
                found.subarray(starts[k], starts[k + 1]).sort(before);
            }
        }
        return found;
    }

    /** For going from one message to the next: all of them by the first time that is known of each, these times, and the
        place of each message. */
    steps() {
        if (!this._steps) {
            const n = this.count, first = new Float64Array(n), places = new Uint32Array(n);
            for (let i = 0; i < n; i++) {
                first[i] = this.firstOf(i);
            }
            const order = this._sorted(i => first[i]);
            order.forEach((i, k) => places[i] = k);
            this._steps = {order, times: Float64Array.from(order, i => first[i]), places};
        }
        return this._steps;
    }

    /** The first time that is known of a message. */
    firstOf(i) {
        return [this.of.launch[i], this.of.arrival[i], this.accepted.get(i), this.inserted.get(i), this.of.ended[i]]
            .find(time => time >= 0);
    }

    /** The last time that is known of a message, without its handler's end. */
    lastOf(i) {
        return Math.max(this.of.launch[i] || 0, this.of.arrival[i] || 0, this.inserted.get(i) || 0, this.of.ended[i] || 0);
    }

    /** Cycles of each class before each of many equal parts of the run, for each node: columns of any width are two
        look-ups. */
    _sum() {
        const span = this.final - this.first;
        const count = Math.min(BINS_MOST, Math.max(BINS_LEAST, 2 ** Math.floor(Math.log2(BINS / this.run.nodes))));
        this.bins = count;
        this.binCycles = span / count;
        for (const track of this.tracks) {
            const sums = track.sums = new Float64Array((count + 1) * CLASSES);
            const times = track.times.all, length = track.times.length;
            for (let k = 0; k < length; k++) {
                const kind = this.classOf(track.stacks.all[k]);
                if (kind < CLASSES) {
                    this._addTo(sums, CLASSES, kind, times[k], k + 1 < length ? times[k + 1] : this.final);
                }
            }
            this._cumulate(sums, CLASSES);
            const modes = track.modes, buffered = track.buffered = new Float64Array(count + 1);
            for (let k = 0; k < modes.starts.length; k++) {
                this._addTo(buffered, 1, 0, modes.starts.all[k], modes.ends.all[k]);
            }
            this._cumulate(buffered, 1);
        }
    }

    _addTo(sums, width, kind, start, end) {
        const size = this.binCycles, last = this.bins - 1;
        let bin = Math.min(last, Math.floor((start - this.first) / size));
        while (start < end) {
            const border = bin === last ? end : Math.min(end, this.first + (bin + 1) * size);
            sums[(bin + 1) * width + kind] += border - start;
            start = border;
            bin++;
        }
    }

    _cumulate(sums, width) {
        for (let k = width; k < sums.length; k++) {
            sums[k] += sums[k - width];
        }
    }

    /** Cycles before a time, by interpolation between bins. */
    before(sums, width, kind, time) {
        const place = Math.min(this.bins, Math.max(0, (time - this.first) / this.binCycles)), bin = Math.floor(place);
        const low = sums[bin * width + kind];
        return bin === this.bins ? low : low + (place - bin) * (sums[(bin + 1) * width + kind] - low);
    }

    /** The index of what a processor does at a time; -1: nothing is known. */
    at(track, time) {
        return after(track.times.all, time, track.times.length) - 1;
    }

    /** The value of a counter at a time, or NaN. */
    value(node, where, time) {
        const counter = this.tracks[node].counters[where];
        const k = counter ? after(counter.times.all, time, counter.times.length) - 1 : -1;
        return k < 0 ? NaN : counter.values.all[k];
    }

    /** The message whose handler runs on a node at a time, or -1. */
    handledAt(node, time) {
        const {times, messages} = this.tracks[node].handled;
        for (let k = after(times.all, time, times.length) - 1, tries = 0; k >= 0 && tries < 8; k--, tries++) {
            if (this.of.finished[messages.all[k]] > time) {
                return messages.all[k];
            }
        }
        return -1;
    }
}
