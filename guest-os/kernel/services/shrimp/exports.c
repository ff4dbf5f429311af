/*
 * Exports.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>

#include "memory/memory.h"
#include "services/io.h"
#include "services/shrimp/exports.h"
#include "services/shrimp/pins.h"

struct exported *exports_find(struct shrimp_task *t, uint32_t number)
{
    for (unsigned i = 0; i < SHRIMP_EXPORTS; i++) {
        if (t->exported[i].bytes && t->exported[i].number == number) {
            return &t->exported[i];
        }
    }
    return NULL;
}

static struct exported *find_free(struct shrimp_task *t)
{
    for (unsigned i = 0; i < SHRIMP_EXPORTS; i++) {
        if (!t->exported[i].bytes) {
            return &t->exported[i];
        }
    }
    return NULL;
}

static bool is_sound(const struct shrimp_export *e)
{
    return !((e->address | e->bytes) & 7) && e->bytes &&
           e->bytes <= SHRIMP_EXPORT_MOST && e->address >= GLAZE_PROGRAM &&
           e->address < GLAZE_PROGRAM_END &&
           e->bytes <= GLAZE_PROGRAM_END - e->address &&
           e->who <= SHRIMP_KEY && e->job <= GLAZE_JOBS_LISTED;
}

/*
 * Checks that the process may write each page of a range, and makes tables for the
 * command pages. No page has to be in memory.
 */
static int32_t prepare(uint32_t address, uint32_t bytes)
{
    uint32_t end = address + bytes;

    for (uint32_t page = address & ~(GLAZE_PAGE - 1); page < end; page += GLAZE_PAGE) {
        if (memory_look(current, page, true) == MEMORY_NOT_THERE) {
            return -EFAULT;
        }
        if (!pins_prepare(current, page)) {
            return io_error(memory_wait_for_frame(current, page));
        }
    }
    return 0;
}

int32_t exports_make(uint32_t number, uint32_t structure)
{
    struct shrimp_task *t = current->shrimp;
    struct exported *place = find_free(t);
    struct shrimp_export e;
    enum memory_result result = memory_read(current, &e, structure, sizeof(e));
    int32_t prepared;

    if (result != MEMORY_OK) {
        return io_error(result);
    }
    if (!is_sound(&e)) {
        return -EINVAL;
    }
    if (exports_find(t, number)) {
        return -EEXIST;
    }
    if (!place) {
        return -ENOSPC;
    }
    prepared = prepare(e.address, e.bytes);
    if (prepared) {
        return prepared;
    }
    *place = (struct exported) {
        .bytes = e.bytes, .number = number, .address = e.address, .who = e.who,
        .job = e.job, .key = { e.key[0], e.key[1] },
    };
    gids_add(&shrimp->exporting, current->gid);
    shrimp_note();
    return 0;
}

/* Ends the grants of an export. Returns whether there are any. */
static bool end_grants(struct shrimp_task *t, unsigned exported)
{
    bool some = false;

    for (unsigned i = 0; i < SHRIMP_GRANTS; i++) {
        struct grant *g = &t->grants[i];

        if (g->state != GRANT_FREE && g->exported == exported) {
            g->state = g->state == GRANT_LIVE ? GRANT_ENDS : g->state;
            some = true;
        }
    }
    return some;
}

int32_t exports_end(uint32_t number)
{
    struct shrimp_task *t = current->shrimp;
    struct exported *e = exports_find(t, number);

    if (!e) {
        return -ENOENT;
    }
    e->ends = true;
    if (end_grants(t, e - t->exported)) {
        t->unexports = true;
        gids_add(&shrimp->granting, current->gid);
        shrimp_note();
        process_wait();
        return IO_AGAIN;
    }
    e->bytes = 0;
    return 0;
}

static bool lets(const struct process *p, const struct exported *e,
                 const struct question *q)
{
    switch (e->who) {
    case SHRIMP_OWN_JOB:
        return q->job == p->number;
    case SHRIMP_A_JOB:
        return q->job == e->job;
    default:
        return q->key[0] == e->key[0] && q->key[1] == e->key[1];
    }
}

struct exported *exports_for(struct process *p, const struct question *q,
                             int32_t *status)
{
    struct exported *e = p->shrimp ? exports_find(p->shrimp, q->number) : NULL;

    if (!e || e->ends) {
        *status = q->job == p->number ? ANSWER_WAIT : -ENOENT;
    } else if (!lets(p, e, q)) {
        *status = -EACCES;
    } else if (q->offset >= e->bytes || q->bytes > e->bytes - q->offset) {
        *status = -ERANGE;
    } else {
        *status = 0;
        return e;
    }
    return NULL;
}
