/*
 * Protocol buffers: writes messages of Perfetto's format to a file
 *
 * The encoder knows wire types, not Perfetto. A message within a message has
 * its length before it, in two bytes, whatever it is: so it is written in one
 * go, without a copy.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_PROTO_H
#define FUGU_PROTO_H

#include "qemu/bswap.h"

#define FUGU_PROTO_ROOM         512     /* bytes that a packet may have */

typedef struct FuguProto {
    int fd;
    bool failed;                /* a write failed; nothing more is written */
    size_t used;
    uint8_t data[64 * 1024];
} FuguProto;

/* Opens @path for a new file. Returns NULL with errno set if that fails. */
FuguProto *fugu_proto_open(const char *path);
/* Writes what is left and closes the file. Returns whether all was written. */
bool fugu_proto_close(FuguProto *p);

/* Makes room for a packet, by writing what there is to the file. */
void fugu_proto_flush(FuguProto *p);
static inline void fugu_proto_room(FuguProto *p)
{
    if (p->used > sizeof(p->data) - FUGU_PROTO_ROOM) {
        fugu_proto_flush(p);
    }
}

static inline void fugu_proto_raw(FuguProto *p, uint64_t value)
{
    for (; value > 0x7f; value >>= 7) {
        p->data[p->used++] = value | 0x80;
    }
    p->data[p->used++] = value;
}

/* Field @field with a number, or with eight bytes. */
static inline void fugu_proto_number(FuguProto *p, unsigned field,
                                     uint64_t value)
{
    fugu_proto_raw(p, field << 3);
    fugu_proto_raw(p, value);
}

static inline void fugu_proto_fixed(FuguProto *p, unsigned field,
                                    uint64_t value)
{
    fugu_proto_raw(p, field << 3 | 1);
    stq_le_p(&p->data[p->used], value);
    p->used += 8;
}

/* Begins a message in field @field. Returns what fugu_proto_end() needs. */
static inline size_t fugu_proto_begin(FuguProto *p, unsigned field)
{
    fugu_proto_raw(p, field << 3 | 2);
    p->used += 2;
    return p->used;
}

static inline void fugu_proto_end(FuguProto *p, size_t start)
{
    size_t length = p->used - start;

    p->data[start - 2] = length | 0x80;
    p->data[start - 1] = length >> 7;
}

#endif /* FUGU_PROTO_H */
