// The page: reads the events that it has inside, then shows them, and answers keys, pointer and search.

"use strict";

const $ = id => document.getElementById(id);
const MOVE = 0.18, ZOOM = 1.5;                  // share of the window, factor: of a key

/** What is shown. Tests and the browser's console use it too. */
const picture = {};

// ---- reading ----

/** The events in the page: pieces of base64, which are one file that gzip has compressed. progress(share): what was read. */
function pieces(progress = () => {}) {
    const found = document.querySelectorAll("script.events");
    let next = 0;
    return new ReadableStream({
        pull(controller) {
            if (next === found.length) {
                controller.close();
                return;
            }
            const text = atob(found[next].textContent), bytes = new Uint8Array(text.length);
            for (let k = 0; k < text.length; k++) {
                bytes[k] = text.charCodeAt(k);
            }
            controller.enqueue(bytes);
            progress(++next / found.length);
        },
    });
}

async function readAll(run) {
    const recorder = new Recorder(run), decoder = new Decoder(run, recorder);
    const bar = $("progress"), shown = pieces(share => {
        bar.value = share;
    });
    const reader = shown.pipeThrough(new DecompressionStream("gzip")).getReader();
    let painted = performance.now();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
        decoder.feed(part.value);
        if (performance.now() - painted > 100) {
            await new Promise(resolve => setTimeout(resolve));          // the browser shows the progress
            painted = performance.now();
        }
    }
    decoder.end();
    recorder.finish();
    picture.bytes = decoder.bytes;
    return recorder;
}

/** Saves the trace that the page has inside, for Perfetto. */
async function save() {
    const blob = await new Response(pieces()).blob(), link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = `${document.title.replace(/[^\w.-]+/g, "-")}.pftrace.gz`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// ---- colours ----

function coloursOf() {
    const style = getComputedStyle(document.documentElement), of = name => style.getPropertyValue(`--${name}`).trim();
    const pixel = text => {
        const value = parseInt(text.slice(1), 16);
        return (0xff000000 | (value & 255) << 16 | value & 0xff00 | value >> 16) >>> 0;
    };
    const names = ["user", "handlers", "kernel", "idle"], classes = names.map(of);
    const scale = Array.from({length: 5}, (_, k) => of(`load-${k}`));
    const channels = text => [1, 3, 5].map(k => parseInt(text.slice(k, k + 2), 16));
    return {
        paper: of("paper"), ink: of("ink"), soft: of("soft"), rule: of("rule"), chosen: of("chosen"), font: style.fontFamily,
        classes, on: names.map(name => of(`on-${name}`)), messages: ["direct", "buffered", "kernels", "dropped"].map(of),
        pixel: {paper: pixel(of("paper")), classes: classes.map(pixel), buffered: pixel(of("buffered"))},
        /** The colour of a link that is in use for this share of the time. */
        load(share) {
            const place = Math.max(0, Math.min(1, Math.sqrt(share))) * 4, k = Math.min(3, Math.floor(place));
            const [low, high] = [channels(scale[k]), channels(scale[k + 1])];
            return share > 0 ? `rgb(${low.map((one, c) => Math.round(one + (high[c] - one) * (place - k)))})` : of("rule");
        },
    };
}

// ---- drawing ----

let asked = false;

/** Draws before the browser's next frame, however often it is asked for. */
function redraw() {
    if (!asked) {
        asked = true;
        requestAnimationFrame(() => {
            asked = false;
            draw();
        });
    }
}

function fit(canvas, width, height, ratio) {
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
        canvas.width = Math.round(width * ratio);
        canvas.height = Math.round(height * ratio);
    }
}

function draw() {
    const {tracks, recorder, colours} = picture, began = performance.now();
    const context = $("tracks").getContext("2d", {alpha: false});
    tracks.draw(context, colours);
    const cursor = picture.cursor;
    if (cursor !== null && cursor >= tracks.start && cursor <= tracks.end) {
        const x = Math.round(tracks.x(cursor)) + 0.5;
        context.strokeStyle = colours.ink;
        context.globalAlpha = 0.5;
        context.lineWidth = 1;
        context.beginPath();
        context.moveTo(x, tracks.top);
        context.lineTo(x, tracks.height);
        context.stroke();
        context.globalAlpha = 1;
    }
    drawMeshAt(cursor);
    const which = tracks.each > 1 ? `one message in ${tracks.each} is drawn` : "all messages are drawn";
    $("window").textContent = `Cycles ${number(tracks.start)} to ${number(tracks.end)}` +
        (recorder.count && tracks.arrows ? `; ${which}` : "");
    picture.frame = performance.now() - began;
}

/** The mesh around a time: links by their load in a fiftieth of the window, nodes by what they do at that time. With null,
    the load in all of the window, and nodes in its middle. */
function drawMeshAt(cursor) {
    const {tracks, recorder, colours, mesh} = picture, canvas = $("mesh"), {width, height, ratio} = picture.meshSize;
    const about = cursor === null ? tracks.span : Math.max(64, tracks.span / 50);
    const time = cursor === null ? (tracks.start + tracks.end) / 2 : cursor;
    const start = Math.max(recorder.first, time - about / 2), end = Math.min(recorder.final, start + about);
    const loads = recorder.count ? mesh.loads(start, end, picture.network) : null;
    const stacks = recorder.tracks.map(track => {
        const k = recorder.at(track, time);
        return k < 0 ? ENDED : recorder.classOf(track.stacks.all[k]);
    });
    fit(canvas, width, height, ratio);
    const context = canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    picture.centre = drawMesh(context, width, height, {mesh, loads, stacks, colours, path: picture.path});
    const most = loads ? Math.max(0, ...loads) : 0;
    $("mesh-text").textContent = mesh.routed ? `Cycles ${number(start)} to ${number(end)}: the busiest link of the ` +
        `${NETWORKS[picture.network]} network is in use for ${(100 * most).toFixed(most < 0.1 ? 1 : 0)} % of the time${mesh.whole ? ""
        : ", by the messages whose launch is in the page"}.` : recorder.count ? "No launch of a message is in the page, so no load is known." : "";
}

function layout(paper) {
    const box = $("tracks-box"), ratio = paper ? 3 : Math.min(2.5, window.devicePixelRatio || 1);
    const width = paper ? 1000 : box.clientWidth, height = paper ? Math.min(900, Math.max(340, 60 + picture.run.nodes * 26))
        : box.clientHeight;
    fit($("tracks"), width, height, ratio);
    picture.tracks.resize(width, height, ratio);
    const side = $("mesh-box").clientWidth, {mesh} = picture;
    const wide = paper ? 480 : side;
    picture.meshSize = {width: wide, ratio, height: Math.min(paper ? 400 : 340, Math.max(90, wide * mesh.height / mesh.width))};
    $("mesh").style.height = paper ? "" : `${picture.meshSize.height}px`;
    picture.colours = coloursOf();
    $("scale").style.background = `linear-gradient(to right, ${Array.from({length: 11},
        (_, k) => picture.colours.load(Math.max(0.0001, k / 10))).join(", ")})`;
}

// ---- what is chosen ----

function element(name, text, className) {
    const made = document.createElement(name);
    made.textContent = text;
    if (className) {
        made.className = className;
    }
    return made;
}

function rows(body, pairs) {
    const list = element("dl", "");
    for (const [name, value] of pairs) {
        list.append(element("dt", name), element("dd", value));
    }
    body.append(list);
}

function jobText(gid) {
    const name = picture.run.jobs[gid];
    return name ? `job ${gid}, ${name}` : `GID ${gid}`;
}

/** The steps of a message: [cycle, what, more]. */
function stepsOf(i) {
    const r = picture.recorder, {run, mesh} = picture, found = [], update = r.updates.get(i);
    if (update) {
        found.push([update.time, `${r.names[update.name].text} of ${update.data} bytes`, `node ${r.of.source[i]}`]);
    }
    if (r.of.launch[i] >= 0) {
        found.push([r.of.launch[i], "launch", `node ${r.of.source[i]}`]);
        if (r.of.arrival[i] >= 0) {
            for (const {link, reached, got} of mesh.way(i)) {
                found.push([got, mesh.nameOf(link), got > reached ? `waits ${number(got - reached)} for the link` : ""]);
            }
        }
    }
    if (r.of.arrival[i] >= 0) {
        const blocked = r.accepted.has(i);
        found.push([r.of.arrival[i], blocked ? "arrival; the input queue is full" : "arrival", `node ${r.of.dest[i]}`]);
        if (blocked) {
            found.push([r.accepted.get(i), "into the input queue", ""]);
        }
    }
    if (r.inserted.has(i)) {
        found.push([r.inserted.get(i), "into the buffer", "by the kernel"]);
    }
    if (r.of.how[i] !== ON_THE_WAY) {
        const buffered = r.of.path[i] === S.PATH_BUFFERED;
        const how = {[HANDLED]: `${r.names[r.of.handler[i]].text}() begins`, [POLLED]: "disposed of", [DROPPED]: "dropped",
            [TAKEN]: "the kernel takes it", [STORED]: "in memory"}[r.of.how[i]];
        found.push([r.of.ended[i], how, r.of.path[i] ? buffered ? "from the buffer" : "direct" : ""]);
        if (r.of.finished[i] >= 0) {
            found.push([r.of.finished[i], "the handler ends", ""]);
        }
    }
    return found.sort(([one], [other]) => one - other);
}

function showMessage(i) {
    const r = picture.recorder, {run, tracks, mesh} = picture, body = $("chosen"), name = r.names[r.of.handler[i]];
    const update = r.updates.get(i), network = r.of.network[i];
    tracks.chosen = i;
    picture.network = mesh.of(network);
    picture.path = r.of.launch[i] >= 0 ? mesh.way(i).map(one => one.link) : [];
    $("network").value = String(picture.network);
    body.replaceChildren(element("h2", `Message from node ${r.of.source[i]} to node ${r.of.dest[i]}`));
    const path = r.of.path[i] === S.PATH_BUFFERED ? "buffered" : r.of.path[i] ? "direct (fast)" : "";
    rows(body, [
        ["handler", r.of.handler[i] ? name.text : update ? "none: an update" : "none: the kernel's message"],
        ...(r.of.handler[i] ? [["GID", `${name.gid}${run.jobs[name.gid] ? ` (${run.jobs[name.gid]})` : ""}`]] : []),
        ["words", `${r.of.words[i]}${r.of.bytes[i] ? `, and ${number(r.of.bytes[i])} bytes of body` : ""}`],
        ["network", NETWORKS[network]],
        ...(path ? [["delivery", path]] : []),
        ...(update ? [["addresses", `0x${update.from.toString(16)} to 0x${update.address.toString(16)}`]] : []),
    ]);
    const table = element("table", ""), steps = stepsOf(i);
    table.append(element("caption", mesh.exact ? "Its way" : "Its way; times on links are estimates"));
    const head = element("tr", "");
    head.append(element("th", "cycle"), element("th", "+"), element("th", "step"));
    table.append(head);
    steps.forEach(([time, what, more], k) => {
        const row = element("tr", ""), step = element("td", what);
        if (more) {
            step.append(element("small", more));
        }
        row.append(element("td", number(time)), element("td", k ? number(time - steps[k - 1][0]) : ""), step);
        table.append(row);
    });
    body.append(table);
    buttons(body, [["Zoom to it", () => zoomTo(i)], ["Close", choose]]);
    redraw();
}

function buttons(body, all) {
    const box = element("p", "", "buttons");
    for (const [text, act] of all) {
        const button = element("button", text);
        button.onclick = () => act();
        box.append(button);
    }
    body.append(box);
}

/** What a processor does for some time. */
function showSlice(node, k) {
    const r = picture.recorder, track = r.tracks[node], start = track.times.all[k], body = $("chosen");
    const end = k + 1 < track.times.length ? track.times.all[k + 1] : r.final, names = r.namesOf(track.stacks.all[k]);
    choose();
    body.replaceChildren(element("h2", `Node ${node}: ${names.length ? names[names.length - 1].text : "has ended"}`));
    rows(body, [["within", names.slice(0, -1).map(one => one.text).join(" › ") || "–"],
        ["from cycle", number(start)], ["to cycle", number(end)], ["cycles", number(end - start)], ...counts(node, start)]);
    const message = r.handledAt(node, start);
    buttons(body, [...(message >= 0 ? [["Its message", () => showMessage(message)]] : []),
        ["Zoom to it", () => show(start - (end - start), end + (end - start))], ["Close", choose]]);
    redraw();
}

/** The counters of a node at a time. */
function counts(node, time) {
    const {recorder, run} = picture;
    return run.counters.map(([track, name, unit]) => [name, recorder.value(node, track, time), unit])
        .filter(([, value]) => value >= 0).map(([name, value, unit]) => [name, `${value} ${unit}`]);
}

function choose() {
    picture.tracks.chosen = -1;
    picture.path = null;
    $("chosen").replaceChildren(element("p", "Click a message, or what a processor does.", "hint"));
    redraw();
}

// ---- moving ----

function show(start, end) {
    picture.tracks.show(start, end);
    redraw();
}

function zoomTo(i) {
    const r = picture.recorder, start = r.firstOf(i);
    const end = Math.max(r.lastOf(i), r.of.finished[i] || 0), room = Math.max(40, (end - start) * 0.3);
    picture.tracks.showNode(r.of.dest[i]);
    picture.tracks.showNode(r.of.source[i]);
    show(start - room, end + room);
}

function goTo(cycle) {
    const {tracks} = picture, span = Math.min(tracks.span, 4000);
    picture.cursor = cycle;
    show(cycle - span / 2, cycle + span / 2);
}

// ---- search ----

/** What fits the words of the search: [text, more, act]. */
function found(words) {
    const {recorder: r, tracks, run} = picture, list = [], plain = words.trim().toLowerCase();
    const cycle = /^(?:cycle|@)?\s*(\d[\d,_]*)$/.exec(plain), node = /^node\s*(\d+)$/.exec(plain);
    if (cycle) {
        const at = Number(cycle[1].replace(/[,_]/g, ""));
        if (at >= r.first && at <= r.final) {
            list.push([`cycle ${number(at)}`, "zoom to it", () => goTo(at)]);
        }
    }
    const which = node ? Number(node[1]) : cycle ? Number(plain) : NaN;
    if (which < run.nodes) {
        list.push([`node ${which}`, "show it", () => {
            tracks.showNode(which);
            redraw();
        }]);
    }
    r.names.map((name, id) => ({name, id})).filter(({name}) => name.count && name.text.toLowerCase().includes(plain))
        .sort((a, b) => b.name.count - a.name.count).slice(0, 40)
        .forEach(({name, id}) => list.push([name.text, `${jobText(name.gid)}: ${counted(name.count, "message")}` +
            (name.cycles ? `, ${number(name.cycles)} cycles` : ""), () => only(id)]));
    return list;
}

function search() {
    const list = found($("search").value);
    picture.found = list;
    picture.marked = 0;
    $("results").replaceChildren(...list.map(([text, more, act], k) => {
        const item = element("li", text);
        item.append(element("small", more));
        item.setAttribute("role", "option");
        item.setAttribute("aria-selected", String(k === 0));
        item.onpointerdown = event => {
            event.preventDefault();
            pick(k);
        };
        return item;
    }), ...(list.length ? [] : [element("li", "nothing has this name", "hint")]));
    $("results").hidden = false;
}

function mark(step) {
    const items = $("results").children;
    picture.marked = (picture.marked + step + picture.found.length) % Math.max(1, picture.found.length);
    [...items].forEach((item, k) => item.setAttribute("aria-selected", String(k === picture.marked)));
    if (items[picture.marked]) {
        items[picture.marked].scrollIntoView({block: "nearest"});
    }
}

function pick(k) {
    const one = picture.found[k];
    $("results").hidden = true;
    if (one) {
        $("search").value = "";
        $("tracks").focus();
        one[2]();
    }
}

/** Shows the messages of one handler; the others are faint. 0: all. */
function only(id) {
    const name = picture.recorder.names[id];
    picture.tracks.only = id;
    $("only").hidden = !id;
    $("only-text").textContent = id ? `${name.text}: ${counted(name.count, "message")}` : "";
    redraw();
}

/** The next message, or the last one, of the handler that was searched, from the chosen one or the window's middle on. */
function next(step) {
    const {recorder: r, tracks} = picture, middle = (tracks.start + tracks.end) / 2;
    const {order, times, places} = r.steps();
    let k = tracks.chosen >= 0 ? places[tracks.chosen] + step
        : after(times, middle) - (step < 0 ? 1 : 0);
    while (k >= 0 && k < order.length && tracks.only && r.of.handler[order[k]] !== tracks.only) {
        k += step;
    }
    if (k >= 0 && k < order.length) {
        const i = order[k];
        if (tracks.span > 20 * (r.lastOf(i) - r.firstOf(i) + 100)) {
            zoomTo(i);
        } else {
            const time = (r.firstOf(i) + r.lastOf(i)) / 2;
            show(time - tracks.span / 2, time + tracks.span / 2);
        }
        showMessage(i);
    }
}

// ---- keys and pointer ----

const KEYS = {
    ArrowLeft: () => picture.tracks.move(-MOVE * picture.tracks.span),
    ArrowRight: () => picture.tracks.move(MOVE * picture.tracks.span),
    ArrowUp: () => scroll(-60), ArrowDown: () => scroll(60),
    a: () => KEYS.ArrowLeft(), d: () => KEYS.ArrowRight(),
    w: () => zoomAt(1 / ZOOM), s: () => zoomAt(ZOOM), "+": () => KEYS.w(), "=": () => KEYS.w(), "-": () => KEYS.s(),
    0: () => picture.tracks.show(picture.recorder.first, picture.recorder.final), Home: () => KEYS[0](),
    "]": () => lanes(1.3), "[": () => lanes(1 / 1.3),
    m: () => toggleArrows(), n: () => next(1), p: () => next(-1),
    f: () => picture.tracks.chosen >= 0 && zoomTo(picture.tracks.chosen),
    "/": () => $("search").focus(), g: () => $("search").focus(), "?": () => $("help").showModal(),
    Escape: () => {
        only(0);
        choose();
    },
};

function zoomAt(factor) {
    const {tracks, cursor} = picture, isInside = cursor !== null && cursor > tracks.start && cursor < tracks.end;
    tracks.zoom(factor, isInside ? cursor : (tracks.start + tracks.end) / 2);
}

function scroll(pixels) {
    picture.tracks.scroll += pixels;
    picture.tracks.limit();
}

function lanes(factor) {
    const {tracks} = picture;
    tracks.zoomLane = Math.max(1, Math.min(12, tracks.zoomLane * factor));
    tracks.limit();
}

function toggleArrows() {
    picture.tracks.arrows = !picture.tracks.arrows;
    $("arrows").setAttribute("aria-pressed", String(picture.tracks.arrows));
}

function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || $("help").open || event.target === $("search")) {
        return;
    }
    if (event.target.tagName === "SELECT" && event.key !== "/" && event.key !== "?") {
        return;
    }
    const act = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (act) {
        event.preventDefault();
        act();
        redraw();
    }
}

function onSearchKey(event) {
    const act = {ArrowDown: () => mark(1), ArrowUp: () => mark(-1), Enter: () => pick(picture.marked), Escape: () => {
        $("results").hidden = true;
        $("tracks").focus();
    }}[event.key];
    if (act) {
        event.preventDefault();
        event.stopPropagation();
        act();
    }
}

/** Says what is under the pointer. */
function hover(x, y) {
    const {tracks, recorder: r} = picture, time = tracks.time(x), node = tracks.node(y);
    picture.cursor = x >= tracks.left && time <= tracks.end ? time : null;
    let text = picture.cursor === null ? "" : `Cycle ${number(time)}, ${(time * picture.run.cycle_ns / 1e6).toFixed(3)} ms`;
    if (picture.cursor !== null && node >= 0) {
        const track = r.tracks[node], k = r.at(track, time), mode = during(track.modes, time);
        const does = k < 0 ? [] : [r.namesOf(track.stacks.all[k]).map(one => one.text).join(" › ") || "has ended"];
        text += `: ${[`node ${node}`, ...does].join(", ")}` + (mode < 0 ? "" : `; ${r.names[track.modes.names.all[mode]].text}`) +
            (during(track.sections, time) < 0 ? "" : "; atomic section") +
            counts(node, time).map(([name, value]) => `; ${name} ${value}`).join("");
    }
    $("under").textContent = text;
    redraw();
}

/** The index of one of some spans that a time is in, or -1. Few overlap. */
function during({starts, ends}, time) {
    const first = after(ends.all, time, ends.length);
    for (let k = first; k < Math.min(ends.length, first + 4); k++) {
        if (starts.all[k] <= time) {
            return k;
        }
    }
    return -1;
}

function click(x, y) {
    const {tracks, recorder: r} = picture;
    if (y < OVERVIEW) {
        const middle = r.first + (x - tracks.left) / (tracks.width - tracks.left) * (r.final - r.first);
        show(middle - tracks.span / 2, middle + tracks.span / 2);
        return;
    }
    const message = tracks.messageAt(x, y), node = tracks.node(y);
    if (message >= 0) {
        showMessage(message);
    } else if (node >= 0) {
        const k = r.at(r.tracks[node], tracks.time(x));
        if (k >= 0) {
            const handled = r.classOf(r.tracks[node].stacks.all[k]) === HANDLER ? r.handledAt(node, tracks.time(x)) : -1;
            if (handled >= 0) {
                showMessage(handled);
            } else {
                showSlice(node, k);
            }
        }
    }
}

function listen() {
    const canvas = $("tracks"), {tracks} = picture, held = new Map();
    let moved = 0;
    const place = event => {
        const box = canvas.getBoundingClientRect();
        return [event.clientX - box.left, event.clientY - box.top];
    };
    canvas.addEventListener("pointerdown", event => {
        canvas.setPointerCapture(event.pointerId);
        held.set(event.pointerId, place(event));
        moved = held.size > 1 ? 99 : 0;
    });
    canvas.addEventListener("pointermove", event => {
        const [x, y] = place(event), last = held.get(event.pointerId);
        if (!last) {
            hover(x, y);
            return;
        }
        const [dx, dy] = [x - last[0], y - last[1]], scale = tracks.span / (tracks.width - tracks.left);
        moved += Math.abs(dx) + Math.abs(dy);
        if (held.size === 2) {
            const other = [...held].find(([id]) => id !== event.pointerId)[1];
            const [before, now] = [Math.abs(last[0] - other[0]), Math.abs(x - other[0])];
            tracks.zoom(Math.max(10, before) / Math.max(10, now), tracks.time((x + other[0]) / 2));
        } else if (moved > 3) {
            if (last[1] < OVERVIEW) {
                tracks.move(dx * (picture.recorder.final - picture.recorder.first) / (tracks.width - tracks.left));
            } else {
                tracks.move(-dx * scale);
                scroll(-dy);
            }
        }
        held.set(event.pointerId, [x, y]);
        redraw();
    });
    for (const name of ["pointerup", "pointercancel"]) {
        canvas.addEventListener(name, event => {
            if (held.delete(event.pointerId) && name === "pointerup" && moved <= 3) {
                click(...place(event));
            }
        });
    }
    canvas.addEventListener("pointerleave", () => {
        picture.cursor = null;
        $("under").textContent = "";
        redraw();
    });
    canvas.addEventListener("wheel", event => {
        event.preventDefault();
        if (event.shiftKey) {
            scroll(event.deltaY || event.deltaX);
        } else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
            tracks.move(event.deltaX * tracks.span / (tracks.width - tracks.left));
        } else {
            tracks.zoom(Math.exp(Math.max(-0.6, Math.min(0.6, event.deltaY * 0.002))), tracks.time(place(event)[0]));
        }
        redraw();
    }, {passive: false});
    canvas.addEventListener("dblclick", event => {
        tracks.zoom(1 / 4, tracks.time(place(event)[0]));
        redraw();
    });
    document.addEventListener("keydown", onKey);
    $("search").addEventListener("keydown", onSearchKey);
    $("search").addEventListener("input", search);
    $("search").addEventListener("focus", search);
    $("search").addEventListener("blur", () => {
        $("results").hidden = true;
    });
    const acts = {"zoom-in": KEYS.w, "zoom-out": KEYS.s, whole: KEYS[0], arrows: KEYS.m, ask: KEYS["?"], save,
        "only-next": KEYS.n, "only-last": KEYS.p, "only-off": () => only(0)};
    for (const [id, act] of Object.entries(acts)) {
        $(id).onclick = () => {
            act();
            redraw();
        };
    }
    $("network").onchange = () => {
        picture.network = Number($("network").value);
        redraw();
    };
    $("mesh").addEventListener("click", event => {
        const box = $("mesh").getBoundingClientRect(), {mesh} = picture;
        for (let node = 0; node < picture.run.nodes; node++) {
            const [x, y] = picture.centre(node);
            if (Math.hypot(event.clientX - box.left - x, event.clientY - box.top - y) < 0.3 * box.width / mesh.width) {
                tracks.showNode(node);
                redraw();
            }
        }
    });
    const again = paper => {
        layout(paper);
        draw();
    };
    new ResizeObserver(() => !matchMedia("print").matches && again(false)).observe($("tracks-box"));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => again(matchMedia("print").matches));
    matchMedia("print").addEventListener("change", event => again(event.matches));
    window.addEventListener("beforeprint", () => again(true));
    window.addEventListener("afterprint", () => again(false));
}

// ---- start ----

function describe() {
    const {run, recorder: r} = picture;
    document.title = run.title;
    $("title").textContent = $("title").title = run.title;
    const missing = Object.entries({runs: S.KIND_RUNS, messages: S.KIND_MESSAGES, modes: S.KIND_MODES})
        .filter(([, bit]) => !(run.kinds & bit)).map(([name]) => name);
    $("facts").textContent = `${counted(run.nodes, "node")}, cycles ${number(r.first)} to ${number(r.final)}` +
        (run.kinds & S.KIND_MESSAGES ? `, ${counted(r.count, "message")}` : "") +
        (missing.length ? `; without ${missing.join(" and ")} (--timeline-kinds)` : "");
    const second = r.of.network.some(network => network === SECOND);
    $("network").parentElement.hidden = !second;
    $("network").value = String(picture.network);
}

async function start() {
    const run = JSON.parse($("run").textContent);
    document.title = run.title;
    $("title").textContent = run.title;
    const began = performance.now(), recorder = await readAll(run);
    Object.assign(picture, {run, recorder, mesh: new Mesh(run, recorder), tracks: new Tracks(run, recorder), cursor: null,
        network: recorder.of.network.every(network => network === SECOND) && recorder.count ? SECOND : MAIN, path: null, colours: null, found: [], marked: 0});
    $("loading").remove();
    describe();
    layout(matchMedia("print").matches);
    choose();
    listen();
    draw();
    picture.opened = performance.now() - began;
    document.documentElement.dataset.ready = "";
}

start().catch(error => {
    $("loading").textContent = `This page cannot be shown: ${error.message}`;
    throw error;
});
