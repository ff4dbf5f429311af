/*
 * Data of regions in one message: as words if they are few, else as a body.
 *
 * The arguments of a message with words: the region's address on the receiver,
 * the purpose, and the data. Those of a message with a body: address, purpose,
 * and the offset of the body in the data.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef MESSAGE_H
#define MESSAGE_H

#include "region.h"

/* Data of at most this size are words of a message. */
#define WORDS_BYTES     48

/* The place of pair k of the data words in message and record, in bytes. */
#define PAIR(k)         (16 + 8 * (k))

/*
 * Does `step` for the pairs 0, 1 and so on of `bytes` bytes. An unrolled loop:
 * the place of each pair is a constant, and fits into the instruction.
 */
#define EACH_PAIR(bytes, step) \
    do { \
        step(0); if ((bytes) <= 8) break; \
        step(1); if ((bytes) <= 16) break; \
        step(2); if ((bytes) <= 24) break; \
        step(3); if ((bytes) <= 32) break; \
        step(4); if ((bytes) <= 40) break; \
        step(5); \
    } while (0)

/* Sends a message with the data of a region. */
UDM_INLINE void crl_send_words(uint32_t node, udm_handler_t handler,
                               uint32_t address, enum purpose purpose,
                               const struct region *r)
{
    const uint64_t *data = (const uint64_t *)r->data;
    uint32_t bytes = r->bytes;

    UDM_OUT_(0, node);
    UDM_OUT_(1, (uintptr_t)handler);
    UDM_OUT_(2, address);
    UDM_OUT_(3, purpose);
#define OUT(k) \
    asm volatile ("std %0, [%%g0 + %1]" \
                  : : "r" (data[k]), \
                      "i" (FUGU_NI_USER_DISP + FUGU_U_OUT + PAIR(k)))
    EACH_PAIR(bytes, OUT);
#undef OUT
    NI_LAUNCH_MORE(4, bytes / 4);
}

/*
 * Sends the data of a region in one message, if that needs no wait for an
 * earlier body: with the handler `words` or with `part`. Returns false if it
 * does, or if the data are too long. In an atomic section.
 */
UDM_INLINE bool crl_send_at_once(uint32_t node, udm_handler_t words,
                                 udm_handler_t part, uint32_t address,
                                 enum purpose purpose, const struct region *r)
{
    if (r->bytes <= WORDS_BYTES) {
        crl_send_words(node, words, address, purpose, r);
        return true;
    }
    return r->bytes <= FUGU_BODY_MAX &&
           udm_injectc_body(node, part, r->data, r->bytes, address, purpose, 0);
}

/*
 * Copies the data words of the current message to a region. %g6: udm_record_()
 * in udm.h says why the access is a single load.
 */
UDM_INLINE void crl_take_words(struct region *r)
{
    uint64_t *data = (uint64_t *)r->data;
    uint32_t bytes = r->bytes;

#define IN(k) \
    asm volatile ("ldd [%%g6 + %1], %0" \
                  : "=r" (data[k]) : "i" (FUGU_REC_WINDOW + PAIR(k)))
    EACH_PAIR(bytes, IN);
#undef IN
}

#endif
