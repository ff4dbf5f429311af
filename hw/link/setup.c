/*
 * The link: makes it, and joins the other processes
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/error-report.h"
#include "qemu/sockets.h"
#include "migration/blocker.h"
#include "system/system.h"
#include "hw/fugu/link/accept.h"
#include "hw/fugu/link/connect.h"
#include "hw/fugu/link/hub-side.h"
#include "hw/fugu/link/peer-side.h"
#include "hw/fugu/link/setup.h"
#include "hw/fugu/machine/netif.h"

/* Joins the other processes, or exits with a message. */
static void link_init_done(Notifier *n, void *data)
{
    FuguLink *link = container_of(n, FuguLink, init_done);
    FuguMachineState *m = link->machine;
    Error *err = NULL;
    g_autoptr(SocketAddress) addr = socket_parse(m->options.link_address, &err);
    LinkJoin j;

    if (!addr) {
        error_reportf_err(err, "link=%s: ", m->options.link_address);
        exit(1);
    }
    /* QEMU itself does this only later, when its main loop starts. */
    os_setup_signal_handling();
    link_join_init(&j, link);
    if (m->options.process == 0) {
        link_accept_peers(&j, addr);
    } else {
        link_connect_to_hub(&j, addr);
    }
    g_free(j.secret);
    link->joined = true;
}

static void link_exit(Notifier *n, void *data)
{
    link_quit(container_of(n, FuguLink, exit));
}

static void check_options(FuguMachineState *m)
{
    if (!m->options.link_address) {
        error_report("processes=%u: link=ADDRESS has to say where the hub "
                     "is, as in link=unix:/tmp/fugu.sock",
                     m->options.processes);
        exit(1);
    }
    if (m->options.transport == FUGU_TRANSPORT_TCP && !m->options.link_secret) {
        error_report("transport=tcp: link-secret=ID has to name a secret "
                     "object");
        exit(1);
    }
}

static void open_accounts(FuguLink *link)
{
    FuguMachineState *m = link->machine;
    const FuguNetifClass *kind = fugu_netif_kind(m);
    uint32_t most[FUGU_NETWORKS];

    QEMU_BUILD_BUG_ON((int)FUGU_NETWORKS != LINK_ACCOUNT_NETWORKS);
    QEMU_BUILD_BUG_ON((int)FUGU_NETWORKS != LINK_NETWORKS);
    for (int i = 0; i < FUGU_NETWORKS; i++) {
        FuguNetifLimits limits = kind->limits(m, i);

        assert(limits.words <= FUGU_PACKET_WORDS &&
               limits.body <= FUGU_PACKET_BODY_MAX);
        most[i] = limits.space;
        link->limits[i] = (LinkLimits) {
            .words = limits.space ? limits.words : 0,
            .body = limits.body,
            .counts_bodies = limits.counts_bodies,
            .stream = limits.stream,
        };
    }
    link_account_init(&link->in_network, m->options.node_count, most);
    link_account_init(&link->sent, m->options.node_count, most);
    link_account_init(&link->arrived, m->options.node_count, most);
}

FuguLink *fugu_link_new(FuguMachineState *m)
{
    FuguLink *link = g_new0(FuguLink, 1);
    Error *blocker = NULL;

    check_options(m);
    link->machine = m;
    if (m->options.process == 0) {
        link->pipes = m->options.processes;
        link->remote.deliver = link_deliver;
    } else {
        link->pipes = 1;
        link->remote.print = link_print;
    }
    open_accounts(link);
    link_wait_set_processes(m->options.processes);
    error_setg(&blocker, "a machine of several processes cannot be saved");
    migrate_add_blocker(&blocker, &error_fatal);
    link->init_done.notify = link_init_done;
    qemu_add_machine_init_done_notifier(&link->init_done);
    link->exit.notify = link_exit;
    qemu_add_exit_notifier(&link->exit);
    return link;
}
