/*
 * The link: rounds and the end, a peer's side
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/devices/console.h"
#include "hw/fugu/report/reporter.h"
#include "hw/fugu/devices/files-host.h"
#include "hw/fugu/link/peer-side.h"

void link_print(FuguRemote *remote, bool error, const uint8_t *data,
                size_t len)
{
    FuguLink *link = container_of(remote, FuguLink, remote);
    LinkPrint print = { error, len, data };

    link_put_print(&link->output, &print);
}

/* Appends the console output so far to a frame. */
static void put_output(FuguLink *link, LinkBuffer *out)
{
    link_put_bytes(out, link->output.data, link->output.len);
    link->output.len = 0;
}

/* Sends ROUND: this process's packets, outlook and console output. */
static void tell_round(FuguLink *link, const FuguOutlook *o)
{
    FuguHub *hub = link->machine->parts.hub;
    FuguPacketList *sent = fugu_hub_sent(hub);
    LinkBuffer *out = &link->pipe[0]->out;
    LinkRound round = link_round_of(o);
    size_t at = link_begin(out, FUGU_FRAME_ROUND);
    const char *wrong;
    FuguPacket *p;

    QTAILQ_FOREACH(p, sent, next) {
        round.packets++;
    }
    round.output_len = link->output.len;
    link->quiet = !round.packets && !o->stops;
    link_put_round(out, &round);
    link_account_next_round(&link->sent);
    link_account_next_round(&link->arrived);
    while ((p = QTAILQ_FIRST(sent))) {
        QTAILQ_REMOVE(sent, p, next);
        wrong = link_enter(link, &link->sent, &link->arrived, p);
        assert(!wrong);
        link_send_packet(out, p);
        fugu_packet_free(hub, p);
    }
    put_output(link, out);
    if (!link_finish(out, at)) {
        fugu_link_fault(link, link->machine->options.process,
                        "has too much to send in one round");
    }
}

/* Sends NODES: the states of this process's nodes, with notes if @with_notes is
 * set, and the last output. Writes the nodes' files. */
static void tell_nodes(FuguLink *link, bool with_notes)
{
    FuguMachineState *m = link->machine;
    LinkBuffer *out = &link->pipe[0]->out;
    size_t at = link_begin(out, FUGU_FRAME_NODES);
    g_autoptr(GPtrArray) notes = fugu_reporter_notes(m, with_notes);

    fugu_console_flush_all(m);
    link_put_u32(out, link->output.len);
    link_put_u32(out, fugu_files_write_all(m));
    for (uint32_t i = m->parts.first; i < m->parts.end; i++) {
        FuguNodeStatus status = fugu_node_status(m->parts.nodes[i]);

        link_put_status(out, &status);
        link_put_note(out, notes->pdata[i]);
    }
    put_output(link, out);
    link_finish(out, at);
}

/*
 * Reads the frame GO: hands the frame's packets to the FuguHub, and sets
 * *@start. Returns NULL, or what is wrong.
 */
static const char *take_go(FuguLink *link, const FuguOutlook *o,
                           LinkReader *r, int64_t *start)
{
    FuguMachineState *m = link->machine;
    LinkRules rules = {
        .limits = link->limits,
        .sources = m->options.node_count,
        .dest = m->parts.first,
        .dests = m->parts.end - m->parts.first,
        .time = o->start,
        .arrival = o->start + m->options.quantum,
    };
    LinkGo go;
    const char *wrong = link_get_go(r, rules.arrival, &go);

    if (!wrong && go.start > rules.arrival) {
        /* The hub may have sent these packets in a round that it ran alone,
         * after this process's last one. */
        link_account_next_round(&link->sent);
        link_account_next_round(&link->arrived);
    }
    for (uint32_t i = 0; !wrong && i < go.packets; i++) {
        FuguPacket *p;

        wrong = link_take_packet(m->parts.hub, r, &rules, &p);
        if (!wrong) {
            wrong = link_enter(link, &link->arrived, &link->sent, p);
            fugu_hub_arrive(m->parts.hub, p);
        }
    }
    *start = go.start;
    return wrong ?: link_get_end(r);
}

/*
 * Handles the hub's next frame, if there is one. Returns READY if the frame
 * starts a round, OVER if the run is over, and AGAIN in all other cases.
 */
static FuguLinkResult hear_hub(FuguLink *link, const FuguOutlook *o,
                               int64_t *start)
{
    const char *wrong = NULL;
    uint32_t status, notes;
    LinkReader r;
    unsigned type;
    LinkResult result = link_pipe_receive(link->pipe[0], &type, &r);

    if (!link_goes_on(link, 0, result)) {
        return FUGU_LINK_OVER;
    }
    if (result == LINK_AGAIN) {
        return FUGU_LINK_AGAIN;
    }
    switch (type) {
    case FUGU_FRAME_EARLY:
        wrong = link_get_early(&r, o->start + link->machine->options.quantum,
                               start);
        if (!wrong) {
            return link->quiet ? FUGU_LINK_READY : FUGU_LINK_AGAIN;
        }
        break;
    case FUGU_FRAME_GO:
        wrong = take_go(link, o, &r, start);
        if (!wrong) {
            return FUGU_LINK_READY;
        }
        break;
    case FUGU_FRAME_FINISH:
        if (link_get_u32(&r, &notes) && !link_get_end(&r)) {
            tell_nodes(link, notes);
            return FUGU_LINK_AGAIN;
        }
        wrong = "an end of no known kind";
        break;
    case FUGU_FRAME_END:
        if (link_get_u32(&r, &status) && status <= 255) {
            link_leave(link, status);
            return FUGU_LINK_OVER;
        }
        wrong = "an end of no known kind";
        break;
    case FUGU_FRAME_ABORT:
        link_hear_abort(link, 0, r);
        return FUGU_LINK_OVER;
    default:
        wrong = "a frame that does not belong there";
    }
    link_nonsense(link, 0, wrong);
    return FUGU_LINK_OVER;
}

FuguLinkResult fugu_link_meet(FuguLink *link, const FuguOutlook *o,
                              int64_t *start)
{
    FuguLinkResult result;

    if (!link->told) {
        tell_round(link, o);
        link->told = true;
    }
    do {
        if (link->over || !link_flush_all(link)) {
            return FUGU_LINK_OVER;
        }
        result = hear_hub(link, o, start);
        if (result != FUGU_LINK_AGAIN) {
            link->told = false;
            link->tries = 0;
            return result;
        }
        result = link_pass_time(link);
    } while (result == FUGU_LINK_READY);
    return result;
}
