// The tracks of all nodes over time: what each processor does, buffered mode, and the messages between them.
//
// Pixels of the tracks are written straight into an image: its cost is that of the window and not of the run. Where a pixel
// has more cycles than a bin of the recorder, a column shows the shares of what the processor did, from the bins; else each
// change is drawn as it was. Messages are drawn one by one as long as there are few in the window, else each 2nd, 4th, ...

"use strict";

const ARROWS = 1200;                            // about as many messages are drawn at most
const NAMED = 34;                               // pixels that a name takes at least
const JOBS = 64;                                // whose buffered modes may overlap on a node
const RULER = 22, OVERVIEW = 34, LANE_MOST = 92, LANE_LEAST = 7;

class Tracks {
    constructor(run, recorder) {
        this.run = run;
        this.r = recorder;
        this.start = recorder.first;
        this.end = recorder.final;
        this.scroll = 0;                        // pixels of the lanes above the window
        this.zoomLane = 1;
        this.chosen = -1;                       // a message
        this.only = 0;                          // a handler's name: others are faint
        this.arrows = true;
        this.drawn = [];                        // [message, x0, y0, x1, y1] of arrows, for clicks
        this.overview = null;
    }

    // ---- places ----

    resize(width, height, ratio) {
        this.width = width;
        this.height = height;
        this.ratio = ratio;
        this.left = width < 560 ? 34 : 62;      // of the names of nodes
        this.top = RULER + OVERVIEW;
        this.overview = null;
        this.limit();
    }

    get span() {
        return this.end - this.start;
    }

    get lane() {
        const fit = (this.height - this.top) / this.run.nodes;
        return Math.max(LANE_LEAST, Math.min(LANE_MOST, fit)) * this.zoomLane;
    }

    x(time) {
        return this.left + (time - this.start) / this.span * (this.width - this.left);
    }

    time(x) {
        return this.start + (x - this.left) / (this.width - this.left) * this.span;
    }

    y(node) {
        return this.top + node * this.lane - this.scroll;
    }

    node(y) {
        const node = Math.floor((y - this.top + this.scroll) / this.lane);
        return y >= this.top && node >= 0 && node < this.run.nodes ? node : -1;
    }

    /** Top and height of the strip of a lane; what is left is room for arrows. */
    strip() {
        const lane = this.lane, gap = lane >= 14 ? lane * 0.3 : lane >= 9 ? 2 : 1;
        return [gap / 2, lane - gap];
    }

    /** Keeps the window within the run. */
    limit() {
        const whole = this.r.final - this.r.first, least = Math.min(whole, 40);
        const span = Math.min(whole, Math.max(least, this.span)), middle = (this.start + this.end) / 2;
        this.start = Math.min(this.r.final - span, Math.max(this.r.first, middle - span / 2));
        this.end = this.start + span;
        this.scroll = Math.max(0, Math.min(this.scroll, this.run.nodes * this.lane - (this.height - this.top)));
    }

    move(cycles) {
        this.start += cycles;
        this.end += cycles;
        this.limit();
    }

    /** Zooms so that `time` stays at its place. */
    zoom(factor, time) {
        const span = Math.min(this.r.final - this.r.first, Math.max(40, this.span * factor));
        const share = (time - this.start) / this.span;
        this.start = time - share * span;
        this.end = this.start + span;
        this.limit();
    }

    show(start, end) {
        this.start = start;
        this.end = end;
        this.limit();
    }

    /** Scrolls so that a node is in the window. */
    showNode(node) {
        const y = this.y(node);
        if (y < this.top || y + this.lane > this.height) {
            this.scroll += y - (this.top + this.height) / 2;
            this.limit();
        }
    }

    // ---- the image ----

    /** Draws all. `colours`: see main.js. */
    draw(context, colours) {
        const wide = Math.round(this.width * this.ratio), high = Math.round(this.height * this.ratio);
        if (!this.image || this.image.width !== wide || this.image.height !== high) {
            this.image = context.createImageData(wide, high);
            this.pixels = new Uint32Array(this.image.data.buffer);
        }
        this.pixels.fill(colours.pixel.paper);
        for (let node = 0; node < this.run.nodes; node++) {
            const y = this.y(node);
            if (y + this.lane > this.top && y < this.height) {
                this._lane(node, y, colours);
            }
        }
        context.setTransform(1, 0, 0, 1, 0, 0);
        context.putImageData(this.image, 0, 0);
        context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
        this._names(context, colours);
        context.save();
        context.beginPath();
        context.rect(this.left, this.top, this.width - this.left, this.height - this.top);
        context.clip();
        this._labels(context, colours);
        this._messages(context, colours);
        context.restore();
        this._ruler(context, colours);
        this._overview(context, colours);
        this._thumb(context, colours);
    }

    /** Shows which part of the nodes is in the window, if not all are. */
    _thumb(context, colours) {
        const all = this.run.nodes * this.lane, high = this.height - this.top;
        if (all > high + 1) {
            context.fillStyle = colours.soft;
            context.globalAlpha = 0.7;
            context.fillRect(this.width - 5, this.top + this.scroll / all * high, 4, Math.max(12, high / all * high));
            context.globalAlpha = 1;
        }
    }

    _rows(y, height) {
        const high = this.image.height, from = Math.round(y * this.ratio);
        const to = Math.max(from + 1, Math.round((y + height) * this.ratio));
        const least = Math.round(this.top * this.ratio);
        return [Math.min(high, Math.max(least, from)), Math.min(high, Math.max(least, to))];
    }

    _lane(node, y, colours) {
        const [above, tall] = this.strip(), rows = this._rows(y + above, tall);
        const first = Math.round(this.left * this.ratio), wide = this.image.width - first;
        const perPixel = this.span / wide;
        if (perPixel >= this.r.binCycles) {
            this._shares(node, rows, first, wide, perPixel, colours);
        } else {
            this._changes(node, rows, first, wide, perPixel, colours);
        }
        if (this.lane >= 9) {
            const thin = Math.max(1, Math.min(4, this.lane * 0.09));
            this._buffered(node, this._rows(y + above + tall, thin), first, wide, perPixel, colours);
        }
    }

    /** Columns with the shares of what the processor did. */
    _shares(node, [from, to], first, wide, perPixel, colours) {
        const track = this.r.tracks[node], pixels = this.pixels, stride = this.image.width, high = to - from;
        if (!track.times.length || high <= 0) {
            return;
        }
        const last = new Float64Array(CLASSES);
        for (let kind = 0; kind < CLASSES; kind++) {
            last[kind] = this.r.before(track.sums, CLASSES, kind, this.start);
        }
        for (let column = 0; column < wide; column++) {
            const time = this.start + (column + 1) * perPixel;
            let row = to, part = 0;
            for (let kind = 0; kind < CLASSES; kind++) {
                const sum = this.r.before(track.sums, CLASSES, kind, time);
                part += (sum - last[kind]) / perPixel;
                last[kind] = sum;
                const end = Math.max(from, to - Math.round(part * high)), colour = colours.pixel.classes[kind];
                for (; row > end; row--) {
                    pixels[(row - 1) * stride + first + column] = colour;
                }
            }
        }
    }

    /** Each change; a pixel with several has their shares. */
    _changes(node, [from, to], first, wide, perPixel, colours) {
        const track = this.r.tracks[node], times = track.times.all, length = track.times.length, pixels = this.pixels;
        const stride = this.image.width, high = to - from;
        if (!length || high <= 0) {
            return;
        }
        const shares = new Float64Array(CLASSES + 1);
        const put = column => {
            let row = to, part = 0;
            for (let kind = 0; kind < CLASSES; kind++) {
                part += shares[kind];
                const end = Math.max(from, to - Math.round(part * high)), colour = colours.pixel.classes[kind];
                for (; row > end; row--) {
                    pixels[(row - 1) * stride + first + column] = colour;
                }
            }
            shares.fill(0);
        };
        let k = Math.max(0, this.r.at(track, this.start));
        for (; k < length && times[k] < this.end; k++) {
            const kind = this.r.classOf(track.stacks.all[k]);
            const begin = Math.max(0, (times[k] - this.start) / perPixel);
            const end = Math.min(wide, ((k + 1 < length ? times[k + 1] : this.r.final) - this.start) / perPixel);
            let column = Math.floor(begin);
            if (end <= column + 1) {
                shares[kind] += end - begin;
                if (end === column + 1) {
                    put(column);
                }
                continue;
            }
            shares[kind] += column + 1 - begin;
            put(column++);
            const whole = Math.floor(end);
            if (kind < CLASSES && whole > column) {
                for (let row = from; row < to; row++) {
                    pixels.fill(colours.pixel.classes[kind], row * stride + first + column, row * stride + first + whole);
                }
            }
            shares[kind] += end - whole;
        }
        const column = Math.floor((Math.min(this.end, this.r.final) - this.start) / perPixel);
        if (column < wide) {
            put(column);
        }
    }

    /** The thin line of buffered mode. */
    _buffered(node, [from, to], first, wide, perPixel, colours) {
        const track = this.r.tracks[node], modes = track.modes, pixels = this.pixels, stride = this.image.width;
        if (perPixel >= this.r.binCycles) {
            let last = this.r.before(track.buffered, 1, 0, this.start);
            for (let column = 0; column < wide; column++) {
                const sum = this.r.before(track.buffered, 1, 0, this.start + (column + 1) * perPixel);
                if (sum > last) {
                    const colour = blend(colours.pixel.paper, colours.pixel.buffered, 0.3 + 0.7 * (sum - last) / perPixel);
                    for (let row = from; row < to; row++) {
                        pixels[row * stride + first + column] = colour;
                    }
                }
                last = sum;
            }
            return;
        }
        // Spans are in the order of their ends. Those of several jobs overlap, so that starts may be out of order.
        let outside = 0;
        for (let k = after(modes.ends.all, this.start, modes.ends.length); k < modes.ends.length && outside < JOBS; k++) {
            const begin = Math.max(0, Math.floor((modes.starts.all[k] - this.start) / perPixel));
            const end = Math.min(wide, Math.ceil((modes.ends.all[k] - this.start) / perPixel));
            outside = begin < wide ? 0 : outside + 1;
            for (let row = from; row < to && end > begin; row++) {
                pixels.fill(colours.pixel.buffered, row * stride + first + begin, row * stride + first + end);
            }
        }
    }

    // ---- words and lines over it ----

    _names(context, colours) {
        context.fillStyle = colours.ink;
        context.textAlign = "right";
        context.textBaseline = "middle";
        const lane = this.lane, each = Math.ceil(11 / lane);
        context.font = `11px ${colours.font}`;
        for (let node = 0; node < this.run.nodes; node += each) {
            const y = this.y(node) + lane / 2;
            if (y > this.top + 4 && y < this.height) {
                context.fillText(this.width < 560 ? String(node) : `node ${node}`, this.left - 6, y);
            }
        }
    }

    /** Names on what is wide enough. */
    _labels(context, colours) {
        const [above, tall] = this.strip();
        if (tall < 11) {
            return;
        }
        const least = NAMED / (this.width - this.left) * this.span;
        context.font = `11px ${colours.font}`;
        context.textAlign = "left";
        context.textBaseline = "middle";
        for (let node = 0; node < this.run.nodes; node++) {
            const y = this.y(node), track = this.r.tracks[node];
            if (y + this.lane < this.top || y > this.height || !track.times.length) {
                continue;
            }
            const from = Math.max(0, this.r.at(track, this.start)), to = after(track.times.all, this.end, track.times.length);
            if (to - from > 4000) {
                continue;
            }
            for (let k = from; k < to; k++) {
                const begin = Math.max(this.start, track.times.all[k]);
                const end = Math.min(this.end, k + 1 < track.times.length ? track.times.all[k + 1] : this.r.final);
                const stack = track.stacks.all[k], kind = this.r.classOf(stack);
                if (end - begin < least || kind >= CLASSES) {
                    continue;
                }
                const text = this.r.names[this.r.stacks[stack].name].text.replace(/^kernel: /, "");
                const x = this.x(begin) + 4, room = this.x(end) - x - 3;
                context.fillStyle = colours.on[kind];
                context.fillText(fitted(context, text, room), x, y + above + tall / 2);
            }
        }
    }

    _messages(context, colours) {
        this.drawn.length = 0;
        this.each = 0;
        if (!this.arrows || !this.r.count) {
            return;
        }
        const r = this.r, from = after(r.reach, this.start, r.reach.length, true), to = after(r.begins, this.end);
        // By the zoom, so that a move keeps those that are shown; by what is here, if that is much more.
        const usual = r.count * this.span / (r.final - r.first), here = (to - from) / 4;
        let each = 1;
        while (Math.max(usual, here) / each > ARROWS) {
            each *= 2;
        }
        this.each = each;
        const kinds = [[], [], [], []], faint = [];
        for (let k = from; k < to; k++) {
            const i = r.order[k];
            if (i % each && i !== this.chosen && !(this.only && r.of.handler[i] === this.only && i % (each / 4 || 1) === 0)) {
                continue;
            }
            const line = this._line(i);
            if (!line) {
                continue;
            }
            if (this.only && r.of.handler[i] !== this.only) {
                faint.push(line);
            } else {
                kinds[r.of.how[i] === DROPPED ? 3 : !r.of.handler[i] && !r.updates.has(i) ? 2
                    : r.of.path[i] === S.PATH_BUFFERED ? 1 : 0].push(line);
                this.drawn.push(line);
            }
        }
        const fine = this.drawn.length < 400 && each === 1, alpha = fine ? 0.95 : each > 1 ? 0.15 : 0.55;
        this._stroke(context, faint, colours.messages[0], 0.12, 1, false);
        kinds.forEach((lines, kind) => this._stroke(context, lines, colours.messages[kind], alpha, fine ? 1.4 : 1, fine));
        const chosen = this.chosen >= 0 && this._line(this.chosen);
        if (chosen) {
            this._stroke(context, [chosen], colours.paper, 1, 6, false);
            this._stroke(context, [chosen], colours.chosen, 1, 3, true);
        }
    }

    /** The line of a message: from its launch to its arrival, and to its end, on the lower or upper edges of strips. */
    _line(i) {
        const r = this.r, launch = r.of.launch[i], arrival = r.of.arrival[i], [above, tall] = this.strip();
        if (!(arrival >= this.start) && !(launch <= this.end) || !(launch >= 0) && !(arrival >= 0)) {
            return null;
        }
        const source = r.of.source[i], dest = r.of.dest[i], down = dest > source;
        const edge = (node, low) => this.y(node) + above + (low ? tall : 0);
        const y0 = source === dest ? edge(source, false) : edge(source, down), y1 = source === dest ? y0 : edge(dest, !down);
        const x0 = launch >= 0 ? this.x(launch) : this.left - 10, x1 = arrival >= 0 ? this.x(arrival) : this.width + 10;
        const x2 = r.of.ended[i] >= 0 ? this.x(r.of.ended[i]) : x1;
        if (Math.max(x1, x2) < this.left || x0 > this.width) {
            return null;
        }
        return {i, x0, y0, x1, y1, x2, up: source === dest};
    }

    _stroke(context, lines, colour, alpha, width, heads) {
        if (!lines.length) {
            return;
        }
        context.globalAlpha = alpha;
        context.strokeStyle = context.fillStyle = colour;
        context.lineWidth = width;
        context.beginPath();
        for (const {x0, y0, x1, y1, x2, up} of lines) {
            context.moveTo(x0, y0);
            if (up) {
                context.quadraticCurveTo((x0 + x1) / 2, y0 - 8, x1, y1);
            } else {
                context.lineTo(x1, y1);
            }
            if (x2 > x1 + 1) {
                context.lineTo(x2, y1);
            }
        }
        context.stroke();
        if (heads) {
            context.beginPath();
            for (const {x0, y0, x1, y1, x2, up} of lines) {
                const angle = up ? Math.PI / 4 : Math.atan2(y1 - y0, x1 - x0), size = 4 + width;
                context.moveTo(x1, y1);
                context.lineTo(x1 - size * Math.cos(angle - 0.4), y1 - size * Math.sin(angle - 0.4));
                context.lineTo(x1 - size * Math.cos(angle + 0.4), y1 - size * Math.sin(angle + 0.4));
                context.moveTo(x0 + 2.5, y0);
                context.arc(x0, y0, 2.5, 0, 7);
                if (x2 > x1 + 1) {
                    context.moveTo(x2 + 2, y1);
                    context.arc(x2, y1, 2, 0, 7);
                }
            }
            context.fill();
        }
        context.globalAlpha = 1;
    }

    _ruler(context, colours) {
        context.fillStyle = colours.paper;
        context.fillRect(0, 0, this.width, this.top);
        context.fillStyle = colours.soft;
        context.strokeStyle = colours.rule;
        context.font = `11px ${colours.font}`;
        context.textBaseline = "middle";
        context.lineWidth = 1;
        const step = tick(this.span / Math.max(2, (this.width - this.left) / 110));
        context.beginPath();
        for (let time = Math.ceil(this.start / step) * step; time <= this.end; time += step) {
            const x = Math.round(this.x(time)) + 0.5, text = number(time), half = context.measureText(text).width / 2;
            context.moveTo(x, OVERVIEW + RULER - 6);
            context.lineTo(x, OVERVIEW + RULER);
            context.textAlign = "left";
            const begin = Math.min(this.width - 2 * half - 2, Math.max(this.left, x - half));
            context.fillText(text, begin, OVERVIEW + RULER / 2 - 2);
        }
        context.moveTo(this.left, this.top - 0.5);
        context.lineTo(this.width, this.top - 0.5);
        context.stroke();
        context.textAlign = "right";
        context.fillText(this.left < 60 ? "" : "cycle", this.left - 6, OVERVIEW + RULER / 2 - 2);
    }

    /** The whole run, all nodes together, with a frame around what is in the window. */
    _overview(context, colours) {
        const wide = this.width - this.left, high = OVERVIEW - 8;
        if (!this.overview || this.overview.colours !== colours) {
            this.overview = {colours, canvas: this._whole(wide, high, colours)};
        }
        context.drawImage(this.overview.canvas, this.left, 4, wide, high);
        const scale = wide / (this.r.final - this.r.first);
        const x0 = this.left + (this.start - this.r.first) * scale, x1 = this.left + (this.end - this.r.first) * scale;
        context.fillStyle = colours.paper;
        context.globalAlpha = 0.62;
        context.fillRect(this.left, 2, x0 - this.left, high + 4);
        context.fillRect(x1, 2, this.width - x1, high + 4);
        context.globalAlpha = 1;
        context.strokeStyle = colours.ink;
        context.lineWidth = 1;
        context.strokeRect(x0 + 0.5, 2.5, Math.max(2, x1 - x0 - 1), high + 3);
        context.fillStyle = colours.soft;
        context.font = `11px ${colours.font}`;
        context.textAlign = "right";
        context.textBaseline = "middle";
        context.fillText("all", this.left - 6, 4 + high / 2);
    }

    /** A canvas with the shares of all nodes over the whole run. */
    _whole(wide, high, colours) {
        const canvas = document.createElement("canvas"), step = (this.r.final - this.r.first) / wide;
        canvas.width = Math.ceil(wide);
        canvas.height = Math.ceil(high * this.ratio);
        const context = canvas.getContext("2d");
        for (let x = 0; x < canvas.width; x++) {
            let bottom = canvas.height;
            for (let kind = 0; kind < CLASSES; kind++) {
                let cycles = 0;
                for (const track of this.r.tracks) {
                    cycles += this.r.before(track.sums, CLASSES, kind, this.r.first + (x + 1) * step) -
                        this.r.before(track.sums, CLASSES, kind, this.r.first + x * step);
                }
                const tall = cycles / step / this.run.nodes * canvas.height;
                context.fillStyle = colours.classes[kind];
                context.fillRect(x, bottom - tall, 1, tall);
                bottom -= tall;
            }
        }
        return canvas;
    }

    // ---- what is at a place ----

    /** The message whose line is next to a point, at most 6 pixels away, or -1. */
    messageAt(x, y) {
        let found = -1, best = 6;
        for (const {i, x0, y0, x1, y1, x2} of this.drawn) {
            const near = Math.min(distance(x, y, x0, y0, x1, y1), x2 > x1 ? distance(x, y, x1, y1, x2, y1) : 99);
            if (near < best) {
                [found, best] = [i, near];
            }
        }
        return found;
    }
}

function distance(x, y, x0, y0, x1, y1) {
    const dx = x1 - x0, dy = y1 - y0, length = dx * dx + dy * dy;
    const share = length ? Math.max(0, Math.min(1, ((x - x0) * dx + (y - y0) * dy) / length)) : 0;
    return Math.hypot(x - x0 - share * dx, y - y0 - share * dy);
}

/** A round distance of at least `least`: 1, 2 or 5 times a power of ten. */
function tick(least) {
    const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
    return power * [1, 2, 5, 10].find(one => one * power >= least);
}

function number(value) {
    return Math.round(value).toLocaleString("en-US");
}

/** A number of things: "1 message", "2 messages". */
function counted(value, thing) {
    return `${number(value)} ${thing}${value === 1 ? "" : "s"}`;
}

/** A text that is as long as there is room. */
function fitted(context, text, room) {
    if (context.measureText(text).width <= room) {
        return text;
    }
    let length = Math.floor(text.length * room / context.measureText(text).width);
    while (length > 0 && context.measureText(`${text.slice(0, length)}…`).width > room) {
        length--;
    }
    return length > 1 ? `${text.slice(0, length)}…` : "";
}

/** A pixel between two, as 0xAABBGGRR. */
function blend(one, other, share) {
    let mixed = 0;
    for (let shift = 0; shift < 32; shift += 8) {
        const low = one >>> shift & 255, high = other >>> shift & 255;
        mixed |= Math.round(low + (high - low) * share) << shift;
    }
    return mixed >>> 0;
}
