/*
 * What lies outside of the machine's state, when the machine goes back
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "system/block-backend.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/rounds/rounds.h"
#include "hw/fugu/devices/console.h"
#include "hw/fugu/devices/disk.h"
#include "hw/fugu/history/outside.h"

/* A write to a disk. It can be undone and done again. */
typedef struct Write {
    uint32_t node;
    unsigned len;
    int64_t offset;
    uint8_t *data;              /* what is not on the disk: the old contents
                                   before FuguOutside.done, else the new ones;
                                   NULL: the disk could not be read */
} Write;

struct FuguOutside {
    FuguMachineState *machine;
    GArray *writes;             /* elements are Write, oldest first */
    unsigned done;              /* of these, how many the disks have now */
    uint64_t bytes;             /* of all their data */
    GPtrArray *kept;            /* while a state is loaded: for each node, the
                                   input that no round has taken */
};

typedef struct NodeMark {
    uint64_t out, error;        /* bytes of output */
    uint32_t taken;             /* elements of FuguConsoleInput.taken */
} NodeMark;

struct FuguMark {
    unsigned writes;            /* that had been done */
    NodeMark node[];
};

/* ---- Disks --------------------------------------------------------------- */

/* The only one of the process. */
static FuguOutside *the_outside;

static Write *write_at(FuguOutside *o, unsigned i)
{
    return &g_array_index(o->writes, Write, i);
}

static BlockBackend *disk_of(FuguOutside *o, const Write *w)
{
    return o->machine->parts.nodes[w->node]->disk->blk;
}

/* Forgets the writes from @i on. */
static void forget_writes(FuguOutside *o, unsigned i)
{
    for (unsigned k = i; k < o->writes->len; k++) {
        o->bytes -= sizeof(Write) + write_at(o, k)->len;
        g_free(write_at(o, k)->data);
    }
    g_array_set_size(o->writes, i);
}

/*
 * The machine is about to write to a disk. If the run has been here before, the
 * log has this write and those after it, with the contents that they wrote.
 */
static void record_disk(FuguMachineState *m, uint32_t node, int64_t offset,
                        unsigned len)
{
    FuguOutside *o = the_outside;
    Write w = { node, len, offset, g_malloc(len) };
    int ret = blk_pread(disk_of(o, &w), offset, len, w.data, 0);

    if (ret < 0) {
        warn_report("disk of node %u: %s: going back will not undo a write",
                    node, strerror(-ret));
        g_free(g_steal_pointer(&w.data));
    }
    if (o->done == o->writes->len) {
        g_array_append_val(o->writes, w);
        o->bytes += sizeof(w) + len;
    } else {
        Write *known = write_at(o, o->done);

        o->bytes += (int64_t)len - known->len;
        g_free(known->data);
        *known = w;
    }
    o->done++;
}

/* Exchanges what log and disk have: undoes a write, or does it again. */
static void exchange(FuguOutside *o, Write *w)
{
    g_autofree uint8_t *other = g_malloc(w->len);
    int ret;

    if (!w->data) {
        return;
    }
    ret = blk_pread(disk_of(o, w), w->offset, w->len, other, 0);
    if (ret == 0) {
        ret = blk_pwrite(disk_of(o, w), w->offset, w->len, w->data, 0);
    }
    if (ret < 0) {
        warn_report("disk of node %u: %s: what was written at byte %" PRId64
                    " has not gone back", w->node, strerror(-ret), w->offset);
        return;
    }
    memcpy(w->data, other, w->len);
}

/* Lets the disks have the first @count writes. */
static void disks_go_to(FuguOutside *o, unsigned count)
{
    while (o->done > count) {
        exchange(o, write_at(o, --o->done));
    }
    while (o->done < count) {
        exchange(o, write_at(o, o->done++));
    }
}

/* ---- Marks --------------------------------------------------------------- */

FuguMark *fugu_mark_new(const FuguOutside *o)
{
    FuguMachineState *m = o->machine;
    FuguMark *mark = g_malloc0(sizeof(*mark) +
                               m->options.node_count * sizeof(mark->node[0]));

    mark->writes = o->done;
    for (uint32_t i = 0; i < m->options.node_count; i++) {
        FuguConsole *console = m->parts.nodes[i]->console;

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

    for (uint32_t i = 0; i < m->options.node_count; i++) {
        GByteArray *kept = g_byte_array_new();

        fugu_input_before_load(&m->parts.nodes[i]->console->input, kept);
        g_ptr_array_add(o->kept, kept);
    }
}

void fugu_outside_after(FuguOutside *o, const FuguMark *mark)
{
    FuguMachineState *m = o->machine;

    for (uint32_t i = 0; i < m->options.node_count; i++) {
        FuguConsole *console = m->parts.nodes[i]->console;

        console->output.out.before = mark->node[i].out;
        console->output.error.before = mark->node[i].error;
        fugu_input_after_load(&console->input, o->kept->pdata[i],
                              mark->node[i].taken);
    }
    g_ptr_array_set_size(o->kept, 0);
    disks_go_to(o, mark->writes);
}

void fugu_outside_forget(FuguOutside *o)
{
    FuguMachineState *m = o->machine;

    m->parts.rounds->ending.told = false;
    forget_writes(o, o->done);
    for (uint32_t i = 0; i < m->options.node_count; i++) {
        FuguConsole *console = m->parts.nodes[i]->console;

        console->output.out.printed = console->output.out.before;
        console->output.error.printed = console->output.error.before;
        fugu_input_forget(&console->input);
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
    o->writes = g_array_new(false, false, sizeof(Write));
    o->kept = g_ptr_array_new_with_free_func(free_bytes);
    for (uint32_t i = 0; i < m->options.node_count; i++) {
        fugu_input_record(&m->parts.nodes[i]->console->input);
    }
    the_outside = o;
    m->ops.disk_changes = record_disk;
    return o;
}
