/*
 * The processes that have the other nodes of the machine
 *
 * The link (link/) fills in this table. Hub and console call it for what
 * leaves this process, and know nothing else of other processes. A machine
 * of one process has no table.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_REMOTE_H
#define FUGU_REMOTE_H

struct FuguPacket;

typedef struct FuguRemote FuguRemote;
struct FuguRemote {
    /* Takes a packet for a node of another process, and frees it. NULL in a
     * process that routes no packets. */
    void (*deliver)(FuguRemote *remote, struct FuguPacket *packet);

    /* Takes output for the machine's console, for standard error if @error is
     * set. NULL in the process that has the console. */
    void (*print)(FuguRemote *remote, bool error, const uint8_t *data,
                  size_t len);
};

#endif /* FUGU_REMOTE_H */
