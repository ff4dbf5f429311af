/*
 * The link: faults, waiting and packets, for hub and peers
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "qemu/main-loop.h"
#include "system/lockstep.h"
#include "system/runstate.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/link/link.h"

static bool is_hub(FuguLink *link)
{
    return link->machine->options.process == 0;
}

/* Returns the process at the other end of a pipe. */
static unsigned process_of(FuguLink *link, unsigned pipe)
{
    return is_hub(link) ? pipe : 0;
}

/* Returns the first index in use: the hub's pipes begin with process 1. */
static unsigned first_pipe(FuguLink *link)
{
    return is_hub(link) ? 1 : 0;
}

/* ---- Nodes and processes ------------------------------------------------ */

void fugu_link_nodes(const FuguMachineState *m, unsigned process,
                     uint32_t *first, uint32_t *end)
{
    *first = (uint64_t)process * m->options.node_count / m->options.processes;
    *end = (process + 1ULL) * m->options.node_count / m->options.processes;
}

/* Returns text such as "process 2 (nodes 4 to 5)". */
static char *process_name(const FuguMachineState *m, unsigned process)
{
    uint32_t first, end;

    fugu_link_nodes(m, process, &first, &end);
    return end - first == 1
        ? g_strdup_printf("process %u (node %u)", process, first)
        : g_strdup_printf("process %u (nodes %u to %u)", process, first,
                          end - 1);
}

/* ---- Faults and the end ------------------------------------------------- */

/*
 * Sends ABORT to all other processes except @besides (-1: to all). Waits at
 * most half a second in all: a process may be slow, or have ended.
 */
static void abort_all(FuguLink *link, int besides, const LinkAbort *abort)
{
    int64_t deadline = g_get_monotonic_time() + G_TIME_SPAN_SECOND / 2;

    for (unsigned i = first_pipe(link); i < link->pipes; i++) {
        LinkPipe *p = link->pipe[i];
        size_t at;

        if (!p || process_of(link, i) == besides) {
            continue;
        }
        at = link_begin(&p->out, FUGU_FRAME_ABORT);
        link_put_abort(&p->out, abort);
        link_finish(&p->out, at);
        while (link_pipe_flush(p) == LINK_AGAIN &&
               g_get_monotonic_time() < deadline) {
            g_usleep(1000);
        }
    }
}

void link_leave(FuguLink *link, uint32_t status)
{
    link->over = true;
    if (!link->joined) {
        return;
    }
    BQL_LOCK_GUARD();
    first_cpu->stopped = true;
    qemu_system_shutdown_request_with_code(SHUTDOWN_CAUSE_GUEST_SHUTDOWN,
                                           status);
}

void fugu_link_fault(FuguLink *link, unsigned culprit, const char *how)
{
    g_autofree char *name = process_name(link->machine, culprit);
    LinkAbort abort = {
        .process = culprit,
        .status = FUGU_STATUS_PEER,
    };

    if (link->over) {
        return;
    }
    error_printf("fugu: %s %s\n", name, how);
    g_strlcpy(abort.text, how, sizeof(abort.text));
    abort_all(link, culprit, &abort);
    link_leave(link, FUGU_STATUS_PEER);
}

void link_nonsense(FuguLink *link, unsigned process, const char *what)
{
    g_autofree char *how = g_strdup_printf("sent nonsense: %s", what);

    fugu_link_fault(link, process, how);
}

void link_hear_abort(FuguLink *link, unsigned process, LinkReader r)
{
    LinkAbort abort;
    const char *wrong = link_get_abort(r, link->machine->options.processes,
                                       &abort);

    if (wrong) {
        link_nonsense(link, process, wrong);
    } else if (is_hub(link)) {
        fugu_link_fault(link, process, abort.text);
    } else {
        g_autofree char *name = process_name(link->machine, abort.process);

        if (!link->machine->options.link_quiet) {
            error_printf("fugu: %s %s\n", name, abort.text);
        }
        link_leave(link, abort.status);
    }
}

void link_quit(FuguLink *link)
{
    LinkAbort abort = {
        .process = link->machine->options.process,
        .status = is_hub(link) ? FUGU_STATUS_SIGNAL : FUGU_STATUS_PEER,
        .text = "was told to end",
    };

    if (!link->over) {
        link->over = true;
        abort_all(link, -1, &abort);
    }
}

/* ---- Waiting ------------------------------------------------------------ */

bool link_goes_on(FuguLink *link, unsigned pipe, LinkResult result)
{
    unsigned process = process_of(link, pipe);

    if (result == LINK_GONE) {
        fugu_link_fault(link, process, "has gone");
    } else if (result == LINK_NONSENSE) {
        link_nonsense(link, process, link->pipe[pipe]->wrong);
    }
    return !link->over;
}

FuguLinkResult link_pass_time(FuguLink *link)
{
    unsigned first = first_pipe(link);

    if (link->over) {
        return FUGU_LINK_OVER;
    }
    if (lockstep_attention()) {
        return FUGU_LINK_AGAIN;
    }
    link_wait(link->pipe + first, link->pipes - first, &link->tries);
    return FUGU_LINK_READY;
}

/*
 * GONE does not end the run here: the other process may have sent ABORT before
 * it ended. When its last frame has been read, reading returns GONE as well.
 */
bool link_flush_all(FuguLink *link)
{
    for (unsigned i = first_pipe(link); i < link->pipes; i++) {
        LinkPipe *p = link->pipe[i];
        LinkResult result = p->out.len ? link_pipe_flush(p) : LINK_DONE;

        if (result == LINK_GONE) {
            p->out.len = 0;
            p->sent = 0;
        } else if (!link_goes_on(link, i, result)) {
            return false;
        }
    }
    return true;
}

/* ---- Packets ------------------------------------------------------------ */

void link_send_packet(LinkBuffer *b, const FuguPacket *p)
{
    LinkPacket wire = {
        .time = p->time,
        .arrival = p->arrival,
        .sequence = p->sequence,
        .source = p->source,
        .dest = p->dest,
        .kind = p->kind,
        .network = p->network,
        .has_body = p->has_body,
        .count = p->kind == FUGU_PACKET_CREDIT ? 1 : p->length,
        .body = p->body,
        .body_len = p->body_len,
    };

    QEMU_BUILD_BUG_ON(LINK_PACKET_WORDS != FUGU_PACKET_WORDS);
    QEMU_BUILD_BUG_ON(LINK_BODY_MAX != FUGU_PACKET_BODY_MAX);
    memcpy(wire.words, p->words, sizeof(wire.words));
    link_put_packet(b, &wire);
}

/* Returns the words that a message takes from its sender's space. */
static uint32_t counted(const FuguLink *link, const FuguPacket *message)
{
    return message->length + (link->limits[message->network].counts_bodies
                              ? message->body_len / 4 : 0);
}

/* Enters a message, or a word of a stream. */
static const char *enter_message(const FuguLink *link, LinkAccount *messages,
                                 const FuguPacket *p)
{
    uint32_t opens = link->limits[p->network].stream;
    unsigned part = opens ? fugu_packet_stream(p) : FUGU_STREAM_NONE;
    const char *wrong;

    if (part >= FUGU_STREAM_WORD) {
        return link_account_stream(messages, p->network, p->source, -1);
    }
    wrong = link_account_message(messages, p->network, p->source,
                                 counted(link, p));
    return wrong || part == FUGU_STREAM_NONE || p->length < opens
           ? wrong
           : link_account_stream(messages, p->network, p->source,
                                 p->length - opens);
}

const char *link_enter(const FuguLink *link, LinkAccount *messages,
                       LinkAccount *credits, const FuguPacket *p)
{
    return p->kind == FUGU_PACKET_MESSAGE
           ? enter_message(link, messages, p)
           : link_account_credit(credits, p->network, p->dest, p->words[0]);
}

const char *link_take_packet(FuguHub *hub, LinkReader *r,
                              const LinkRules *rules, FuguPacket **packet)
{
    LinkPacket wire;
    const char *wrong = link_get_packet(r, rules, &wire);
    FuguPacket *p;

    if (wrong) {
        return wrong;
    }
    p = fugu_packet_new(hub);
    p->time = wire.time;
    p->arrival = wire.arrival;
    p->sequence = wire.sequence;
    p->source = wire.source;
    p->dest = wire.dest;
    p->kind = wire.kind;
    p->network = wire.network;
    p->has_body = wire.has_body;
    p->length = p->kind == FUGU_PACKET_CREDIT ? 0 : wire.count;
    memcpy(p->words, wire.words, wire.count * sizeof(p->words[0]));
    if (wire.body_len) {
        p->body = g_memdup2(wire.body, wire.body_len);
        p->body_len = wire.body_len;
    }
    *packet = p;
    return NULL;
}

/* ---- Nodes and rounds ---------------------------------------------------- */

void link_put_status(LinkBuffer *b, const FuguNodeStatus *s)
{
    const LinkNode wire = {
        .state = s->state,
        .wait = s->wait,
        .pc = s->pc,
        .npc = s->npc,
        .status = s->status,
        .end_time = s->end_time,
        .digest = s->digest,
    };

    link_put_node(b, &wire);
}

const char *link_take_status(LinkReader *r, FuguNodeStatus *s)
{
    static const LinkNodeRules rules = { FUGU_NODE_STATES, FUGU_WAITS };
    LinkNode wire;
    const char *wrong = link_get_node(r, &rules, &wire);

    if (!wrong) {
        *s = (FuguNodeStatus) {
            .state = wire.state,
            .wait = wire.wait,
            .pc = wire.pc,
            .npc = wire.npc,
            .status = wire.status,
            .end_time = wire.end_time,
            .digest = wire.digest,
        };
    }
    return wrong;
}

LinkRound link_round_of(const FuguOutlook *o)
{
    return (LinkRound) {
        .start = o->start,
        .next = o->next,
        .flags = (o->busy ? FUGU_ROUND_BUSY : 0) |
                 (o->wakes ? FUGU_ROUND_WAKES : 0) |
                 (o->stops ? FUGU_ROUND_STOPS : 0),
        .ended = o->ended,
        .status = o->status,
        .cycle = o->cycle,
    };
}

FuguOutlook link_outlook_of(const LinkRound *round)
{
    return (FuguOutlook) {
        .start = round->start,
        .next = round->next,
        .ended = round->ended,
        .busy = round->flags & FUGU_ROUND_BUSY,
        .wakes = round->flags & FUGU_ROUND_WAKES,
        .stops = round->flags & FUGU_ROUND_STOPS,
        .status = round->status,
        .cycle = round->cycle,
    };
}
