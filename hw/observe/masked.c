/*
 * Masked: the longest time for which a node has served neither its network nor
 * its clock
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "masked.h"

void fugu_masked_init(FuguMasked *m)
{
    m->pcs = g_array_new(false, false, sizeof(uint32_t));
    m->longest_pcs = g_array_new(false, false, sizeof(uint32_t));
}

void fugu_masked_start(FuguMasked *m, int64_t now, bool masked)
{
    m->known = now > 0 || !masked;      /* a snapshot, or the machine's start */
    m->masked = masked;
    m->paused = false;
    m->since = now;
}

/* The stretch that is under way ends. */
static void end(FuguMasked *m, int64_t now, int trap)
{
    if (m->known && now - m->since > m->longest) {
        GArray *pcs = m->longest_pcs;

        m->longest = now - m->since;
        m->began = m->since;
        m->trap = trap;
        m->longest_pcs = m->pcs;
        m->pcs = pcs;
    }
    g_array_set_size(m->pcs, 0);
}

void fugu_masked_look(FuguMasked *m, int64_t now, int trap)
{
    if (m->masked && !m->paused) {
        end(m, now, trap);
        m->since = now;
    }
}

void fugu_masked_pause(FuguMasked *m, int64_t now, int trap)
{
    fugu_masked_look(m, now, trap);
    m->paused = true;
}

void fugu_masked_set(FuguMasked *m, int64_t now, bool masked, int trap)
{
    if (masked == m->masked) {
        return;
    }
    if (masked) {
        m->since = now;
    } else {
        fugu_masked_look(m, now, trap);
        m->known = true;
    }
    m->masked = masked;
    m->paused = false;
}

void fugu_masked_go(FuguMasked *m, int64_t now)
{
    m->since = now;
    m->paused = false;
}

void fugu_masked_sample(FuguMasked *m, uint32_t pc)
{
    if (m->masked && m->known && !m->paused) {
        g_array_append_val(m->pcs, pc);
    }
}

void fugu_masked_write(FuguMasked *m, int64_t now, int trap, uint32_t node,
                       FILE *file)
{
    fugu_masked_look(m, now, trap);
    if (!m->longest) {
        return;
    }
    fprintf(file, "masked %u %" PRId64 " %" PRId64 " %d\n", node, m->began,
            m->longest, m->trap);
    for (unsigned i = 0; i < m->longest_pcs->len; i++) {
        fprintf(file, "sample %u %u\n", node,
                g_array_index(m->longest_pcs, uint32_t, i));
    }
}
