/*
 * What lies outside of the machine's state, when the machine goes back
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "system/block-backend.h"
#include "hw/fugu/board/machine.h"
#include "hw/fugu/board/rounds.h"
#include "hw/fugu/devices/console/console.h"
#include "hw/fugu/devices/disk.h"
#include "hw/fugu/history/outside.h"

/* What a write to a disk has replaced. */
typedef struct Undo {
    uint32_t node;
    unsigned len;
    int64_t offset;
    uint8_t *data;
} Undo;

struct FuguOutside {
    FuguMachineState *machine;
    GArray *undo;               /* elements are Undo, oldest first */
    uint64_t bytes;             /* of all their data */
    GPtrArray *kept;            /* while a state is loaded: for each node, the
                                   input that no round has taken */
};

typedef struct NodeMark {
    uint64_t out, error;        /* bytes of output */
    uint32_t taken;             /* elements of FuguConsoleInput.taken */
} NodeMark;

struct FuguMark {
    unsigned undo;              /* length of FuguOutside.undo */
    NodeMark node[];
};

/* ---- Disks --------------------------------------------------------------- */

/* The only one of the process. */
static FuguOutside *the_outside;

static void record_disk(FuguMachineState *m, uint32_t node, int64_t offset,
                        unsigned len)
{
    FuguOutside *o = the_outside;
    Undo undo = { node, len, offset, g_malloc(len) };
    int ret = blk_pread(m->nodes[node]->disk->blk, offset, len, undo.data, 0);

    if (ret < 0) {
        warn_report("disk of node %u: %s: going back will not undo a write",
                    node, strerror(-ret));
        g_free(undo.data);
        return;
    }
    g_array_append_val(o->undo, undo);
    o->bytes += sizeof(undo) + len;
}

static void undo_last(FuguOutside *o)
{
    Undo *undo = &g_array_index(o->undo, Undo, o->undo->len - 1);
    BlockBackend *blk = o->machine->nodes[undo->node]->disk->blk;
    int ret = blk_pwrite(blk, undo->offset, undo->len, undo->data, 0);

    if (ret < 0) {
        warn_report("disk of node %u: %s: a write was not undone", undo->node,
                    strerror(-ret));
    }
    o->bytes -= sizeof(*undo) + undo->len;
    g_free(undo->data);
    g_array_set_size(o->undo, o->undo->len - 1);
}

/* ---- Marks --------------------------------------------------------------- */

FuguMark *fugu_mark_new(const FuguOutside *o)
{
    FuguMachineState *m = o->machine;
    FuguMark *mark = g_malloc0(sizeof(*mark) +
                               m->node_count * sizeof(mark->node[0]));

    mark->undo = o->undo->len;
    for (uint32_t i = 0; i < m->node_count; i++) {
        FuguConsole *console = m->nodes[i]->console;

        mark->node[i] = (NodeMark) {
            .out = console->output.out.before,
            .error = console->output.error.before,
            .taken = console->input.taken_next,
        };
    }
    return mark;
}

void fugu_outside_before(FuguOutside *o)
{
    FuguMachineState *m = o->machine;

    for (uint32_t i = 0; i < m->node_count; i++) {
        GByteArray *kept = g_byte_array_new();

        fugu_input_before_load(&m->nodes[i]->console->input, kept);
        g_ptr_array_add(o->kept, kept);
    }
}

void fugu_outside_after(FuguOutside *o, const FuguMark *mark)
{
    FuguMachineState *m = o->machine;

    for (uint32_t i = 0; i < m->node_count; i++) {
        FuguConsole *console = m->nodes[i]->console;

        console->output.out.before = mark->node[i].out;
        console->output.error.before = mark->node[i].error;
        fugu_input_after_load(&console->input, o->kept->pdata[i],
                              mark->node[i].taken);
    }
    g_ptr_array_set_size(o->kept, 0);
    while (o->undo->len > mark->undo) {
        undo_last(o);
    }
}

void fugu_outside_forget(FuguOutside *o)
{
    FuguMachineState *m = o->machine;

    m->rounds->ending.told = false;
    for (uint32_t i = 0; i < m->node_count; i++) {
        FuguConsole *console = m->nodes[i]->console;

        console->output.out.printed = console->output.out.before;
        console->output.error.printed = console->output.error.before;
        g_array_set_size(console->input.taken, console->input.taken_next);
    }
}

uint64_t fugu_outside_bytes(const FuguOutside *o)
{
    return o->bytes;
}

static void free_bytes(void *bytes)
{
    g_byte_array_unref(bytes);
}

FuguOutside *fugu_outside_new(FuguMachineState *m)
{
    FuguOutside *o = g_new0(FuguOutside, 1);

    o->machine = m;
    o->undo = g_array_new(false, false, sizeof(Undo));
    o->kept = g_ptr_array_new_with_free_func(free_bytes);
    for (uint32_t i = 0; i < m->node_count; i++) {
        fugu_input_record(&m->nodes[i]->console->input);
    }
    the_outside = o;
    m->disk_changes = record_disk;
    return o;
}
