/*
 * Data of regions in messages: as words if they are few, else as bodies.
 *
 * A message with words: argument 0 is the region's address on the receiver,
 * argument 1 the purpose, and the data follow. A message with a body: argument
 * 2 is the offset of the body in the data.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "library.h"
#include "region.h"

/* The offset of the data words in message and record: a multiple of 8. */
#define DATA_WORD       4

/* ---- Words -------------------------------------------------------------- */

/* Stores two words of the message that is being described. */
static inline void out_pair(uint32_t offset, uint64_t pair)
{
    asm volatile ("std %0, [%1 + %2]"
                  : : "r" (pair), "r" (FUGU_NI_USER_BASE + FUGU_U_OUT),
                      "r" (offset));
}

/* Loads two words of the current message. %g6: udm_record_() has the reason. */
static inline uint64_t in_pair(uint32_t offset)
{
    uint64_t pair;

    asm volatile ("ldd [%%g6 + %1], %0" : "=r" (pair) : "r" (offset));
    return pair;
}

static void send_words(uint32_t node, udm_handler_t handler, uint32_t address,
                       enum purpose purpose, const struct region *r)
{
    const uint64_t *data = (const uint64_t *)r->data;
    uint32_t end = DATA_WORD * 4 + r->bytes;

    UDM_OUT_(0, node);
    UDM_OUT_(1, (uintptr_t)handler);
    UDM_OUT_(2, address);
    UDM_OUT_(3, purpose);
    for (uint32_t offset = DATA_WORD * 4; offset < end; offset += 8) {
        out_pair(offset, *data++);
    }
    NI_LAUNCH_MORE(0, end / 4);
}

void crl_take_words(struct region *r)
{
    uint64_t *data = (uint64_t *)r->data;
    uint32_t end = FUGU_REC_WINDOW + DATA_WORD * 4 + r->bytes;

    for (uint32_t offset = FUGU_REC_WINDOW + DATA_WORD * 4; offset < end;
         offset += 8) {
        *data++ = in_pair(offset);
    }
}

/* ---- Bodies ------------------------------------------------------------- */

/* Where the data of a region go. */
struct target {
    uint32_t node, address;
    udm_handler_t words, part;
};

static inline struct target target_of(const struct region *r)
{
    const struct directory *d = r->directory;

    return d ? (struct target){ d->requester, d->address,
                                crl_on_data, crl_on_data_part }
             : (struct target){ RID_NODE(r->rid), r->home,
                                crl_on_back, crl_on_back_part };
}

/*
 * Sends a part of the data, if that needs no wait. Returns false if it does. In
 * an atomic section.
 */
static bool send_part(const struct region *r, enum purpose purpose,
                      uint32_t offset, uint32_t bytes)
{
    struct target to = target_of(r);

    return udm_injectc_body(to.node, to.part, (uintptr_t)r->data + offset,
                            bytes, to.address, purpose, offset);
}

bool crl_take_part(struct region *r)
{
    uint32_t offset = udm_arg(2), bytes = udm_body_length();

    if (offset + bytes > r->bytes) {
        crl_bad_message();
    }
    udm_storeback((char *)r->data + offset, 0, bytes);
    return offset + bytes == r->bytes;
}

/* ---- Deferred data ------------------------------------------------------ */

static struct region *volatile first;   /* the queue */
static struct region *last;
static udm_thread_t *sender;

static void put(struct region *r, enum purpose purpose)
{
    crl_counts.deferred++;
    r->sending = purpose;
    r->next_sending = NULL;
    if (first) {
        last->next_sending = r;
    } else {
        first = r;
    }
    last = r;
    if (in_handler()) {
        udm_thread_wake(sender);
    }
}

/* In an atomic section. NULL: the queue is empty. */
static struct region *take(void)
{
    struct region *r = first;

    if (r) {
        first = r->next_sending;
    }
    return r;
}

/*
 * Sends the rest of the data from *offset on, as far as that needs no wait. In
 * an atomic section. Returns true if all have left.
 */
static bool send_rest(struct region *r, uint32_t *offset)
{
    while (*offset < r->bytes) {
        uint32_t bytes = r->bytes - *offset;

        bytes = bytes < FUGU_BODY_MAX ? bytes : FUGU_BODY_MAX;
        if (!send_part(r, r->sending, *offset, bytes)) {
            return false;
        }
        *offset += bytes;
    }
    r->sending = NOT_SENDING;
    crl_sent(r);
    return true;
}

/* Waits with interrupts enabled: the section ends between two attempts. */
void crl_drain(void)
{
    while (first) {
        uint32_t offset = 0;
        struct region *r;

        udm_beginatom();
        r = take();
        while (r && !send_rest(r, &offset)) {
            udm_endatom();
            udm_beginatom();
        }
        udm_endatom();
    }
}

/* The thread that sends what handlers cannot send. */
static void *run(void *argument)
{
    (void)argument;
    for (;;) {
        udm_thread_block();
        crl_drain();
    }
    return NULL;
}

void crl_send_init(void)
{
    sender = udm_thread_create(run, NULL, UDM_HIGH);
    if (!sender) {
        crl_mistake(0, "no stack is left for a thread");
    }
}

void crl_send(struct region *r, enum purpose purpose)
{
    crl_counts.bytes += r->size;
    if (r->bytes <= WORDS_BYTES) {
        struct target to = target_of(r);

        send_words(to.node, to.words, to.address, purpose, r);
    } else if (r->bytes > FUGU_BODY_MAX || first ||
               !send_part(r, purpose, 0, r->bytes)) {
        put(r, purpose);
    }
}
