// The mesh: the way of each message over its links, as hw/machine/mesh.c computes it, and the picture of it.
//
// The machine gives links to messages in the order of their launches, and a message holds a link for as many cycles as its
// words take. So the launches of a timeline are enough to know when each message was at which link. Where a part of the
// launches is missing (--timeline-nodes, --timeline-cycles), the times may be too early: `exact` says whether all of
// them are there and led to the arrivals that were seen.

"use strict";

const LINKS = 6;
const EAST = 0, WEST = 1, SOUTH = 2, NORTH = 3, INJECT = 4, EJECT = 5;
const LINK_NAMES = ["east", "west", "south", "north", "inject", "eject"];
const CHECKPOINT = 8192;                        // messages between two copies of the links' state, if no other is asked for

class Mesh {
    constructor(run, recorder, each = CHECKPOINT) {
        this.run = run;
        this.recorder = recorder;
        this.each = each;
        [this.width, this.height] = run.mesh;
        this.links = run.nodes * LINKS;
        this.free = [new Float64Array(this.links), new Float64Array(this.links)];
        this.checkpoints = [];                  // the links' state, and `busy`, at some places of the order
        this.busy = [new Float64Array(this.links), new Float64Array(this.links)];   // cycles of the messages before
        this.wrong = this.routed = 0;
        this._check();
    }

    /** Number of the mesh whose links a network uses: urgent messages share the main network's. */
    of(network) {
        return network === SECOND ? 1 : 0;
    }

    /** Takes a message over its links. visit(link, reached, got, until): the head reaches the link, gets it, and the last
        word has passed. Returns the time of arrival. */
    route(i, visit) {
        const r = this.recorder, network = this.of(r.of.network[i]), free = this.free[network], {base, hop, word} =
            this.run.networks[network];
        const words = r.of.words[i] + Math.ceil(r.of.bytes[i] / 4), takes = word * words;
        const source = r.of.source[i], dest = r.of.dest[i], width = this.width;
        let head = r.departs[i], at = source;
        const take = link => {
            const got = Math.max(head, free[at * LINKS + link]);
            free[at * LINKS + link] = got + takes;
            if (visit) {
                visit(at * LINKS + link, head, got, got + takes, network);
            }
            head = got;
        };
        take(INJECT);
        for (let columns = dest % width - source % width; columns; columns -= Math.sign(columns)) {
            take(columns > 0 ? EAST : WEST);
            head += hop;
            at += Math.sign(columns);
        }
        for (let rows = Math.floor(dest / width) - Math.floor(source / width); rows; rows -= Math.sign(rows)) {
            take(rows > 0 ? SOUTH : NORTH);
            head += hop;
            at += Math.sign(rows) * width;
        }
        take(EJECT);
        return head + takes + base;
    }

    /** Routes all messages once, and keeps the state of the links at some of them. */
    _check() {
        const r = this.recorder, order = r.order;
        const add = (link, reached, got, until, network) => {
            this.busy[network][link] += until - got;
        };
        for (let k = 0; k < order.length; k++) {
            if (k % this.each === 0) {
                this.checkpoints.push({free: this.free.map(one => one.slice()), busy: this.busy.map(one => one.slice())});
            }
            const i = order[k];
            if (r.of.launch[i] >= 0) {
                const arrival = this.route(i, add);
                this.routed++;
                if (r.of.arrival[i] >= 0 && r.of.arrival[i] !== arrival) {
                    this.wrong++;
                }
            }
        }
    }

    /** Whether the page has the launches of all messages that use the links. */
    get whole() {
        return this.run.all_nodes && this.routed === this.recorder.count;
    }

    get exact() {
        return this.whole && this.wrong === 0;
    }

    /** Goes on from a checkpoint: routes the messages at places `from` to `to` of the order; visit(i) gives the function
        for route(). */
    replay(from, to, visit) {
        const r = this.recorder, start = Math.floor(from / this.each), state = this.checkpoints[start];
        if (!state || from >= to) {
            return;
        }
        this.free = state.free.map(one => one.slice());
        for (let k = start * this.each; k < to; k++) {
            const i = r.order[k];
            if (r.of.launch[i] >= 0) {
                this.route(i, k < from ? null : visit(i));
            }
        }
    }

    /** The links of a message: [{link, reached, got, until}], in order. */
    way(i) {
        const found = [];
        const k = this.place(i);
        this.replay(k, k + 1, () => (link, reached, got, until) => found.push({link, reached, got, until}));
        return found;
    }

    /** The place of a message in the order of launches. */
    place(i) {
        const r = this.recorder;
        let k = after(r.begins, r.departs[i], r.begins.length, true);
        while (r.order[k] !== i) {
            k++;
        }
        return k;
    }

    /** For how much of the time from `start` to `end` each link of a network is in use: 0 to 1. */
    loads(start, end, mesh) {
        const r = this.recorder, used = new Float64Array(this.links);
        const visit = () => (link, reached, got, until, network) => {
            if (network === mesh) {
                used[link] += Math.max(0, Math.min(end, until) - Math.max(start, got));
            }
        };
        const from = after(r.reach, start, r.reach.length, true), to = after(r.begins, end);
        // Between two checkpoints, all messages may be within the time: then the sums have them.
        const first = Math.ceil(after(r.begins, start, r.begins.length, true) / this.each);
        const last = Math.floor(after(r.reach, end) / this.each);
        if (first < last && this.checkpoints[last]) {
            this.replay(from, first * this.each, visit);
            for (let link = 0; link < used.length; link++) {
                used[link] += this.checkpoints[last].busy[mesh][link] - this.checkpoints[first].busy[mesh][link];
            }
            this.replay(last * this.each, to, visit);
        } else {
            this.replay(from, to, visit);
        }
        return used.map(cycles => cycles / (end - start));
    }

    /** Words that each link of a network has carried, over the whole timeline. */
    carried(mesh) {
        const r = this.recorder, words = new Array(this.links).fill(0);
        this.replay(0, r.order.length, i => (link, reached, got, until, network) => {
            words[link] += network === mesh ? r.of.words[i] + Math.ceil(r.of.bytes[i] / 4) : 0;
        });
        return words;
    }

    /** A link in words. */
    nameOf(link) {
        const node = Math.floor(link / LINKS), kind = link % LINKS;
        if (kind === INJECT) {
            return `node ${node} into its router`;
        }
        if (kind === EJECT) {
            return `router ${node} to its node`;
        }
        return `${LINK_NAMES[kind]}, ${node} to ${this.end(link)}`;
    }

    /** The node at the end of a link. */
    end(link) {
        const node = Math.floor(link / LINKS);
        return node + [1, -1, this.width, -this.width, 0, 0][link % LINKS];
    }
}

/** Draws the mesh on a canvas of `width` times `height` pixels of the page.
    what: {mesh, loads, stacks: class of each node or null, path: links of the message that is chosen, colours}. */
function drawMesh(context, width, height, what) {
    const {mesh, colours} = what, columns = mesh.width, rows = mesh.height;
    const step = Math.min(width / columns, height / rows, 90), side = step * 0.48;
    const left = (width - step * columns) / 2, top = (height - step * rows) / 2;
    const centre = node => [left + (node % columns + 0.5) * step, top + (Math.floor(node / columns) + 0.5) * step];
    context.clearRect(0, 0, width, height);
    context.lineCap = "butt";
    const offset = Math.max(1, step * 0.07), thick = Math.max(1.5, step * 0.09);
    const chosen = new Set(what.path || []);
    for (let link = 0; link < mesh.links; link++) {
        const kind = link % LINKS, node = Math.floor(link / LINKS);
        if (kind === EAST && node % columns === columns - 1 || kind === WEST && node % columns === 0 ||
            kind === SOUTH && node >= columns * (rows - 1) || kind === NORTH && node < columns || kind >= INJECT) {
            continue;
        }
        const [x, y] = centre(node), [toX, toY] = centre(mesh.end(link));
        const dx = Math.sign(toX - x), dy = Math.sign(toY - y);
        const sideX = -dy * offset, sideY = dx * offset;        // traffic keeps to the right
        const x0 = x + dx * side / 2 + sideX, y0 = y + dy * side / 2 + sideY;
        const x1 = toX - dx * side / 2 + sideX, y1 = toY - dy * side / 2 + sideY;
        const head = thick * 1.1;
        if (chosen.has(link)) {
            context.strokeStyle = colours.chosen;
            context.lineWidth = thick + 6;
            context.beginPath();
            context.moveTo(x0, y0);
            context.lineTo(x1, y1);
            context.stroke();
        }
        context.strokeStyle = context.fillStyle = colours.load(what.loads ? what.loads[link] : 0);
        context.lineWidth = thick;
        context.beginPath();
        context.moveTo(x0, y0);
        context.lineTo(x1 - dx * head, y1 - dy * head);
        context.stroke();
        context.beginPath();
        context.moveTo(x1, y1);
        context.lineTo(x1 - dx * head * 1.6 - dy * head, y1 - dy * head * 1.6 + dx * head);
        context.lineTo(x1 - dx * head * 1.6 + dy * head, y1 - dy * head * 1.6 - dx * head);
        context.fill();
    }
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.font = `${Math.max(8, Math.min(13, side * 0.5))}px ${colours.font}`;
    for (let node = 0; node < columns * rows; node++) {
        const [x, y] = centre(node), kind = what.stacks ? what.stacks[node] : ENDED;
        const eject = what.loads ? Math.max(what.loads[node * LINKS + EJECT], what.loads[node * LINKS + INJECT]) : 0;
        context.fillStyle = kind < CLASSES ? colours.classes[kind] : colours.paper;
        context.strokeStyle = chosen.has(node * LINKS + EJECT) || chosen.has(node * LINKS + INJECT)
            ? colours.chosen : eject ? colours.load(eject) : colours.rule;
        context.lineWidth = chosen.has(node * LINKS + EJECT) || chosen.has(node * LINKS + INJECT) ? 3 : eject ? 2 : 1;
        context.fillRect(x - side / 2, y - side / 2, side, side);
        context.strokeRect(x - side / 2, y - side / 2, side, side);
        if (side >= 12) {
            context.fillStyle = kind < CLASSES ? colours.on[kind] : colours.ink;
            context.fillText(String(node), x, y + 0.5);
        }
    }
    return node => centre(node);
}
