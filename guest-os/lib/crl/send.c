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

/* Launches a message of `words` words. */
static inline void launch(uint32_t words)
{
    register uint32_t count asm ("g1") = words;

    asm volatile (".word %0"
                  : : "i" (FUGU_INSN(FUGU_OPC_LAUNCH, 0, 1, 0)), "r" (count)
                  : "memory");
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
    launch(end / 4);
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

static void send_part(const struct region *r, enum purpose purpose,
                      uint32_t offset, uint32_t bytes)
{
    struct target to = target_of(r);

    udm_inject_body(to.node, to.part, (uintptr_t)r->data + offset, bytes,
                    to.address, purpose, offset);
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

static struct region *take(void)
{
    struct region *r;

    udm_beginatom();
    r = first;
    if (r) {
        first = r->next_sending;
    }
    udm_endatom();
    return r;
}

void crl_drain(void)
{
    while (first) {
        struct region *r = take();
        uint32_t offset = 0;

        if (!r) {
            return;
        }
        for (; r->bytes - offset > FUGU_BODY_MAX; offset += FUGU_BODY_MAX) {
            send_part(r, r->sending, offset, FUGU_BODY_MAX);
        }
        udm_beginatom();
        send_part(r, r->sending, offset, r->bytes - offset);
        r->sending = NOT_SENDING;
        crl_sent(r);
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
    } else if (r->bytes <= FUGU_BODY_MAX && !first) {
        send_part(r, purpose, 0, r->bytes);
    } else {
        put(r, purpose);
    }
}
