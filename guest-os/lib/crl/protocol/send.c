/*
 * Data of regions in more than one message, and data that have to wait.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "library.h"
#include "protocol/message.h"
#include "udm-work.h"

/* ---- Bodies ------------------------------------------------------------- */

/* Where the data of a region go. */
struct target {
    uint32_t node, address;
    udm_handler_t part;
};

static inline struct target target_of(const struct region *r)
{
    const struct directory *d = r->directory;

    return d ? (struct target){ d->requester, d->address, crl_on_data_part }
             : (struct target){ RID_NODE(r->rid), r->home, crl_on_back_part };
}

/*
 * Sends the rest of the data, from r->sent on, as far as that needs no wait.
 * Returns true if all have left. In an atomic section.
 */
static bool send_rest(struct region *r, enum purpose purpose)
{
    struct target to = target_of(r);

    while (r->sent < r->bytes) {
        uint32_t bytes = r->bytes - r->sent;

        bytes = bytes < FUGU_BODY_MAX ? bytes : FUGU_BODY_MAX;
        if (!udm_injectc_body(to.node, to.part, (uintptr_t)r->data + r->sent,
                              bytes, to.address, purpose, r->sent)) {
            return false;
        }
        r->sent += bytes;
    }
    return true;
}

bool crl_take_part(struct region *r)
{
    uint32_t offset = udm_arg(2), bytes = udm_body_length();

    if (bytes > r->bytes || offset > r->bytes - bytes) {
        crl_bad_message();
    }
    udm_storeback((char *)r->data + offset, 0, bytes);
    return offset + bytes == r->bytes;
}

/* ---- Deferred data ------------------------------------------------------ */

struct region *volatile crl_deferred;   /* the queue */
static struct region *last;

/* In an atomic section. NULL: the queue is empty. */
static struct region *take(void)
{
    struct region *r = crl_deferred;

    if (r) {
        crl_deferred = r->next_sending;
    }
    return r;
}

/* Waits with interrupts enabled: the section ends between two attempts. */
void crl_drain(void)
{
    while (crl_deferred) {
        struct region *r;

        udm_beginatom();
        r = take();
        while (r && !send_rest(r, r->sending)) {
            udm_endatom();
            udm_beginatom();
        }
        if (r) {
            r->sending = NOT_SENDING;
            crl_sent(r);
        }
        udm_endatom();
    }
}

static void run(struct udm_work *work)
{
    (void)work;
    crl_drain();
}

/* Puts a region into the queue. For a handler, a thread will drain it. */
static void region_put(struct region *r, enum purpose purpose)
{
    crl_counts.deferred++;
    r->sending = purpose;
    r->next_sending = NULL;
    if (crl_deferred) {
        last->next_sending = r;
    } else {
        crl_deferred = r;
    }
    last = r;
    if (in_handler()) {
        static struct udm_work work = { .run = run };

        udm_defer(&work);
    }
}

void crl_send(struct region *r, enum purpose purpose)
{
    r->sent = 0;
    if (crl_deferred || !send_rest(r, purpose)) {
        region_put(r, purpose);
    }
}
