/*
 * Protocol buffers: writes messages of Perfetto's format to a file
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/bswap.h"
#include "hw/fugu/observe/proto.h"

FuguProto *fugu_proto_open(const char *path)
{
    int fd = qemu_create(path, O_WRONLY | O_TRUNC, 0666, NULL);
    FuguProto *p;

    if (fd < 0) {
        return NULL;
    }
    p = g_new0(FuguProto, 1);
    p->fd = fd;
    return p;
}

void fugu_proto_flush(FuguProto *p)
{
    if (!p->failed) {
        p->failed = qemu_write_full(p->fd, p->data, p->used) != p->used;
    }
    p->used = 0;
}

bool fugu_proto_close(FuguProto *p)
{
    bool written;

    fugu_proto_flush(p);
    written = close(p->fd) == 0 && !p->failed;
    g_free(p);
    return written;
}
