/*
 * Inboxes on a machine with the M-Machine's interface: messages whose handlers store.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "glaze-calls.h"
#include "inbox.h"
#include "library.h"
#include "mm.h"

/* Here each process has the inbox at the same address, before it begins: in one page,
 * which is shared. */
static struct inbox inbox __attribute__((aligned(INBOX_BYTES)));

#define WINDOW  ((uint32_t)MM_WINDOW + MM_WINDOW_SIZE - MM_COLLECTIVE_SIZE)

static uint32_t page(void)
{
    return (uintptr_t)&inbox & -GLAZE_PAGE;
}

/* Makes the system call. The function of mm.h would make each program need the
 * M-Machine's interface. */
__attribute__((constructor))
static void share_inbox(void)
{
    struct glaze_segment segment = {
        .window = WINDOW, .address = page(), .bytes = GLAZE_PAGE,
    };

    if (COLLECTIVE_BY_MESSAGES) {
        collective_own = &inbox;
        if (glaze_call(GLAZE_MM, MM_SHARE, (uintptr_t)&segment, 0) < 0) {
            library_abort("no memory is left for collective operations");
        }
    }
}

/* Returns DestAddr of a word of a node's inbox; `own` is that word in this node's. */
static uint32_t at(uint32_t node, const volatile void *own)
{
    return WINDOW + node * GLAZE_PAGE + (uint32_t)(uintptr_t)own - page();
}

void collective_store(uint32_t node, const volatile uint32_t *own, uint32_t word)
{
    mm_send1(at(node, own), MM_HANDLER_IP(mm_store), word);
}

void collective_store_letter(uint32_t node, const volatile struct letter *own,
                             const union value *value, uint32_t source,
                             uint32_t identity, uint32_t count)
{
    uint32_t to = at(node, own), handler = MM_HANDLER_IP(collective_letter);

    if (value) {
        mm_send5(to, handler, source, identity, count, value->word[1], value->word[0]);
    } else {
        mm_send3(to, handler, source, identity, count);
    }
}

void collective_store_body(uint32_t node, const volatile uint32_t *own,
                           const uint32_t *body, uint32_t words)
{
    uint32_t k = 0;

    for (; k + 8 <= words; k += 8) {
        mm_send8(at(node, own + k), MM_HANDLER_IP(mm_store8), body[k], body[k + 1],
                 body[k + 2], body[k + 3], body[k + 4], body[k + 5], body[k + 6],
                 body[k + 7]);
    }
    for (; k < words; k++) {
        collective_store(node, own + k, body[k]);
    }
}
