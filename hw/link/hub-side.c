/*
 * The link: rounds and the end, the hub's side
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "chardev/char-fe.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/devices/output.h"
#include "hw/fugu/link/hub-side.h"

/* Writes the console output of a process. Returns NULL, or what is wrong. */
static const char *print_output(FuguLink *link, const uint8_t *output,
                                uint32_t len)
{
    LinkReader r = { output, len };
    const char *wrong = NULL;

    while (r.left && !wrong) {
        LinkPrint print;

        wrong = link_get_print(&r, &print);
        if (!wrong) {
            fugu_output_print(link->machine, print.error, print.data,
                              print.len);
        }
    }
    return wrong;
}

/*
 * Reads the frame ROUND of a process: hands its packets to the FuguHub, writes
 * its console output, adds its outlook to *@o. Returns NULL, or what is wrong.
 */
static const char *take_round(FuguLink *link, unsigned process,
                              FuguOutlook *o)
{
    FuguMachineState *m = link->machine;
    LinkReader *r = &link->payload[process];
    LinkRules rules = {
        .limits = link->limits,
        .dests = m->options.node_count,
        .time = o->start,
        .cycles = m->options.quantum,
    };
    LinkRound round;
    const char *wrong;
    uint32_t end;

    fugu_link_nodes(m, process, &rules.source, &end);
    rules.sources = end - rules.source;
    wrong = link_get_round(r, rules.sources, &round);
    if (!wrong && round.start != o->start) {
        wrong = "a round from another time";
    }
    for (uint32_t i = 0; !wrong && i < round.packets; i++) {
        FuguPacket *p;

        wrong = link_take_packet(m->parts.hub, r, &rules, &p);
        if (!wrong) {
            fugu_hub_send(m->parts.hub, p);
            wrong = link_enter(link, &link->in_network, &link->in_network, p);
        }
    }
    wrong = wrong ?: link_get_output(r, round.output_len, &round.output);
    wrong = wrong ?: print_output(link, round.output, round.output_len);
    if (!wrong) {
        FuguOutlook more = link_outlook_of(&round);

        link->quiet &= !round.packets && !more.stops;
        fugu_outlook_add(o, &more);
    }
    return wrong;
}

/* Looks at one pipe once, and sets heard[i] if the expected frame is there. */
static void listen_to(FuguLink *link, unsigned i, unsigned expected)
{
    unsigned type;
    LinkResult result;

    if (link->heard[i]) {
        if (link->pipe[i]->hung_up) {
            link_goes_on(link, i, LINK_GONE);
        }
        return;
    }
    result = link_pipe_receive(link->pipe[i], &type, &link->payload[i]);
    if (!link_goes_on(link, i, result) || result == LINK_AGAIN) {
        return;
    }
    if (type == FUGU_FRAME_ABORT) {
        link_hear_abort(link, i, link->payload[i]);
    } else if (type != expected) {
        link_nonsense(link, i, "a frame that does not belong there");
    } else {
        link->heard[i] = true;
    }
}

/* Waits until all peers have sent a frame of this type. */
static FuguLinkResult hear_all(FuguLink *link, unsigned type)
{
    while (true) {
        FuguLinkResult result;
        bool all = true;

        if (!link_flush_all(link)) {
            return FUGU_LINK_OVER;
        }
        for (unsigned i = 1; i < link->pipes && !link->over; i++) {
            listen_to(link, i, type);
            all &= link->heard[i];
        }
        if (all && !link->over) {
            link->tries = 0;
            memset(link->heard, 0, sizeof(link->heard));
            return FUGU_LINK_READY;
        }
        result = link_pass_time(link);
        if (result != FUGU_LINK_READY) {
            return result;
        }
    }
}

/* Returns the process that has the node: the inverse of fugu_link_nodes(). */
static unsigned owner(const FuguMachineState *m, uint32_t node)
{
    return ((node + 1ULL) * m->options.processes - 1) / m->options.node_count;
}

/*
 * Enters the packets of the hub's own nodes in the account. Caller must not
 * have taken any peer's packets for this round yet: fugu_hub_sent() would
 * return those as well.
 */
static void enter_own_packets(FuguLink *link)
{
    FuguPacket *p;

    QTAILQ_FOREACH(p, fugu_hub_sent(link->machine->parts.hub), next) {
        const char *wrong = link_enter(link, &link->in_network,
                                       &link->in_network, p);

        assert(!wrong);
    }
}

bool fugu_link_round_run(FuguLink *link)
{
    bool first = !link->through;

    link->through = true;
    return first;
}

FuguLinkResult fugu_link_collect(FuguLink *link)
{
    FuguOutlook peers = {
        .start = link->machine->time.round_start,
        .next = FUGU_NEVER,
    };
    FuguLinkResult result = hear_all(link, FUGU_FRAME_ROUND);

    if (result != FUGU_LINK_READY) {
        return result;
    }
    link->next_arrival = FUGU_NEVER;
    link->quiet = true;
    link_account_next_round(&link->in_network);
    enter_own_packets(link);
    for (unsigned i = 1; i < link->pipes; i++) {
        const char *wrong = take_round(link, i, &peers);

        if (wrong) {
            link_nonsense(link, i, wrong);
            return FUGU_LINK_OVER;
        }
    }
    link->peers = peers;
    link->through = false;
    return FUGU_LINK_READY;
}

void fugu_link_add_peers(const FuguLink *link, FuguOutlook *o)
{
    fugu_outlook_add(o, &link->peers);
    o->next = MIN(o->next, link->next_arrival);
}

void link_deliver(FuguRemote *remote, FuguPacket *p)
{
    FuguLink *link = container_of(remote, FuguLink, remote);
    unsigned process = owner(link->machine, p->dest);

    link_send_packet(&link->packets[process], p);
    link->packet_count[process]++;
    link->next_arrival = MIN(link->next_arrival, p->arrival);
    fugu_packet_free(link->machine->parts.hub, p);
}

/*
 * Sends EARLY only if there is a single peer. One of several peers could not
 * know whether the others are quiet.
 */
void fugu_link_early(FuguLink *link, int64_t start)
{
    if (link->pipes == 2) {
        LinkBuffer *out = &link->pipe[1]->out;
        size_t at = link_begin(out, FUGU_FRAME_EARLY);

        link_put_early(out, start);
        link_finish(out, at);
        link->early = true;
    }
}

bool fugu_link_went_early(FuguLink *link)
{
    bool early = link->early;

    link->early = false;
    return early && link->quiet;
}

/*
 * After so many rounds alone the hub meets its peers. So it hears soon enough
 * that one has gone, and the peers rarely fall asleep.
 */
#define ALONE_MAX       256

bool fugu_link_peers_idle(const FuguLink *link, int64_t start)
{
    int64_t next = MIN(link->peers.next, link->next_arrival);

    return !link->peers.busy && !link->peers.stops &&
           next >= start + link->machine->options.quantum;
}

bool fugu_link_go_alone(FuguLink *link, int64_t start)
{
    /* The peers skip what all skip, so that packets' times stay near theirs. */
    if (link->alone == ALONE_MAX || !fugu_link_peers_idle(link, start) ||
        start != fugu_machine_round_end(link->machine)) {
        return false;
    }
    link->alone++;
    return true;
}

bool fugu_link_is_alone(const FuguLink *link)
{
    return link->alone > 0;
}

void fugu_link_pass_alone(FuguLink *link)
{
    link_account_next_round(&link->in_network);
    enter_own_packets(link);
}

void fugu_link_go(FuguLink *link, int64_t start)
{
    link->alone = 0;
    for (unsigned i = 1; i < link->pipes; i++) {
        LinkBuffer *out = &link->pipe[i]->out;
        LinkBuffer *packets = &link->packets[i];
        LinkGo go = { start, link->packet_count[i] };
        size_t at = link_begin(out, FUGU_FRAME_GO);

        link_put_go(out, &go);
        link_put_bytes(out, packets->data, packets->len);
        if (!link_finish(out, at)) {
            fugu_link_fault(link, 0, "has too much to deliver in one round");
            return;
        }
        packets->len = 0;
        link->packet_count[i] = 0;
    }
    link_flush_all(link);
}

void fugu_link_finish(FuguLink *link, bool notes)
{
    for (unsigned i = 1; i < link->pipes; i++) {
        LinkBuffer *out = &link->pipe[i]->out;
        size_t at = link_begin(out, FUGU_FRAME_FINISH);

        link_put_u32(out, notes);
        link_finish(out, at);
    }
}

/* Reads a node's note. Returns NULL, or what is wrong. */
static const char *take_note(LinkReader *r, GPtrArray *notes, uint32_t node)
{
    const uint8_t *text;
    uint32_t len;
    const char *wrong = link_get_note(r, &text, &len);

    if (!wrong && len) {
        g_free(notes->pdata[node]);
        notes->pdata[node] = g_strndup((const char *)text, len);
    }
    return wrong;
}

/*
 * Reads the frame NODES of a process: writes its console output, and stores
 * the states of its nodes in @nodes, and the notes in @notes. Returns NULL, or
 * what is wrong.
 */
static const char *take_nodes(FuguLink *link, unsigned process,
                              FuguNodeStatus *nodes, GPtrArray *notes)
{
    LinkReader *r = &link->payload[process];
    const uint8_t *output;
    const char *wrong = NULL;
    uint32_t first, end, len, status;

    if (!link_get_u32(r, &len) || !link_get_u32(r, &status)) {
        return "a frame that is too short";
    }
    if (status && status != FUGU_STATUS_FILE) {
        return "an exit status that a peer cannot have";
    }
    if (status) {
        link->machine->time.stop_status = status;
    }
    fugu_link_nodes(link->machine, process, &first, &end);
    for (uint32_t i = first; !wrong && i < end; i++) {
        wrong = link_take_status(r, &nodes[i]) ?: take_note(r, notes, i);
    }
    wrong = wrong ?: link_get_output(r, len, &output);
    return wrong ?: print_output(link, output, len);
}

FuguLinkResult fugu_link_collect_nodes(FuguLink *link, FuguNodeStatus *nodes,
                                       GPtrArray *notes)
{
    FuguLinkResult result = hear_all(link, FUGU_FRAME_NODES);

    if (result != FUGU_LINK_READY) {
        return result;
    }
    for (unsigned i = 1; i < link->pipes; i++) {
        const char *wrong = take_nodes(link, i, nodes, notes);

        if (wrong) {
            link_nonsense(link, i, wrong);
            return FUGU_LINK_OVER;
        }
    }
    return FUGU_LINK_READY;
}

/*
 * Waits up to a second until all peers have hung up, so that no process is
 * left when the hub has ended.
 */
void fugu_link_end(FuguLink *link, uint32_t status)
{
    int64_t deadline = g_get_monotonic_time() + G_TIME_SPAN_SECOND;

    for (unsigned i = 1; i < link->pipes; i++) {
        LinkBuffer *out = &link->pipe[i]->out;
        size_t at = link_begin(out, FUGU_FRAME_END);

        link_put_u32(out, status);
        link_finish(out, at);
    }
    link->over = true;
    for (unsigned i = 1; i < link->pipes; i++) {
        LinkReader r;
        unsigned type;

        while (link_pipe_flush(link->pipe[i]) == LINK_AGAIN ||
               link_pipe_receive(link->pipe[i], &type, &r) == LINK_AGAIN) {
            if (g_get_monotonic_time() > deadline) {
                break;
            }
            link_wait(&link->pipe[i], 1, &link->tries);
        }
    }
}
