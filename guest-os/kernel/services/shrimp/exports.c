/*
 * Exports.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>

#include "machine/hardware.h"
#include "machine/pending.h"
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

/* The most cycles for a page that prepare() checks, and its tables. */
#define CHECK_MOST      1200

/*
 * Checks that the process may write each page of the export that is being made, and
 * makes tables for the command pages. No page has to be in memory. Returns as a system
 * call does: another one goes on if there is no time for all.
 */
static int32_t prepare(struct shrimp_task *t)
{
    uint32_t end = t->made->address + t->made->bytes;
    bool first = true;

    for (; t->checked < end; t->checked += GLAZE_PAGE, first = false) {
        if (!first && !kernel_has_time(now(), CHECK_MOST)) {
            return IO_AGAIN;
        }
        if (memory_look(current, t->checked, true) == MEMORY_NOT_THERE) {
            return -EFAULT;
        }
        if (!pins_prepare(current, t->checked)) {
            return io_error(memory_wait_for_frame(current, t->checked));
        }
    }
    return 0;
}

/* Returns whether this export is the one that is being made: the call goes on. */
static bool is_made(const struct exported *made, const struct exported *e)
{
    return made && made->number == e->number && made->address == e->address &&
           made->bytes == e->bytes && made->who == e->who && made->job == e->job &&
           made->key[0] == e->key[0] && made->key[1] == e->key[1];
}

/* Forgets the export that is being made. */
static void drop(struct shrimp_task *t)
{
    if (t->made) {
        t->made->bytes = 0;
        t->made = NULL;
    }
}

/* Begins to make an export. Returns 0 or -errno. */
static int32_t export_begin(struct shrimp_task *t, const struct exported *new)
{
    drop(t);                    /* its call was given up */
    if (exports_find(t, new->number)) {
        return -EEXIST;
    }
    t->made = find_free(t);
    if (!t->made) {
        return -ENOSPC;
    }
    *t->made = *new;
    t->checked = new->address & ~(GLAZE_PAGE - 1);
    return 0;
}

int32_t exports_make(uint32_t number, uint32_t structure)
{
    struct shrimp_task *t = current->shrimp;
    struct exported new;
    struct shrimp_export e;
    enum memory_result result = memory_read(current, &e, structure, sizeof(e));
    int32_t status = 0;

    if (result != MEMORY_OK) {
        return io_error(result);
    }
    if (!is_sound(&e)) {
        return -EINVAL;
    }
    new = (struct exported) {
        .bytes = e.bytes, .number = number, .address = e.address, .who = e.who,
        .job = e.job, .ends = true, .key = { e.key[0], e.key[1] },
    };
    if (!is_made(t->made, &new)) {
        status = export_begin(t, &new);
    }
    if (!status) {
        status = prepare(t);
    }
    if (status) {
        if (status != IO_AGAIN) {
            drop(t);
        }
        return status;
    }
    t->made->ends = false;
    t->made = NULL;
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
    if (e == t->made) {
        t->made = NULL;
    }
    e->ends = true;
    if (end_grants(t, e - t->exported)) {
        gids_add(&shrimp->granting, current->gid);
        shrimp_note();
        shrimp_wait_for(SHRIMP_WAITS_GRANTS);
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
    } else if (!q->bytes || q->offset >= e->bytes ||
               q->bytes > e->bytes - q->offset) {
        *status = -ERANGE;
    } else {
        *status = 0;
        return e;
    }
    return NULL;
}
