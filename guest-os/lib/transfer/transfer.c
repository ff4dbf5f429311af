/*
 * Transfers. A transfer of few bytes is one message of words. Any other one
 * consists of bodies, which begin and end at whole words of the receiver's
 * memory, and of a message of words for the bytes before the first body and one
 * for the bytes after the last one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>

#include "library.h"
#include "udm-transfer.h"

#define WORDS   (UDM_TRANSFER_WORDS_MAX / sizeof(uint32_t))

_Static_assert(2 + WORDS == UDM_ARGS_MAX, "address, number of bytes, words");

/* ---- Handlers ------------------------------------------------------------ */

/* Arguments: where to store, the number of bytes, and words with them. */
static void store_words(void)
{
    void *to = (void *)udm_arg(0);
    uint32_t bytes = udm_arg(1), words[WORDS];

    for (unsigned k = 0; 4 * k < bytes; k++) {
        words[k] = udm_arg(2 + k);
    }
    udm_dispose();
    memcpy(to, words, bytes);
}

/* Argument: where to store the body. */
static void store_body(void)
{
    udm_storeback((void *)udm_arg(0), 0, udm_body_length());
    udm_dispose();
}

/* ---- Sending ------------------------------------------------------------- */

/* Sends up to UDM_TRANSFER_WORDS_MAX bytes. */
static void send_words(uint32_t node, char *to, const char *from,
                       uint32_t bytes)
{
    uint32_t words[WORDS];

    if (bytes) {
        memcpy(words, from, bytes);
        udm_inject_words(node, store_words, words, (bytes + 3) / 4,
                         (uintptr_t)to, bytes);
    }
}

/*
 * Copies whole words from an address that is not a multiple of 4, with aligned
 * loads. The first and the last load may reach beyond the bytes, but not beyond
 * their pages.
 */
static void copy_shifted(uint32_t *to, const char *from, uint32_t bytes)
{
    typedef uint32_t __attribute__((may_alias)) word_t;
    unsigned left = 8 * ((uintptr_t)from & 3), right = 32 - left;
    const word_t *source = (const word_t *)((uintptr_t)from & ~3u);
    uint32_t word = *source++;

    for (uint32_t k = 0; k < bytes / 4; k++) {
        uint32_t next = *source++;

        to[k] = word << left | next >> right;
        word = next;
    }
}

/* Sends whole words to an aligned address. */
static void send_bodies(uint32_t node, char *to, const char *from,
                        uint32_t bytes)
{
    while (bytes) {
        uint32_t body = bytes < FUGU_BODY_MAX ? bytes : FUGU_BODY_MAX;

        udm_inject_body(node, store_body, from, body, (uintptr_t)to);
        to += body;
        from += body;
        bytes -= body;
    }
}

/* The same from an address that is not aligned. */
static void send_shifted(uint32_t node, char *to, const char *from,
                         uint32_t bytes)
{
    uint32_t aligned[FUGU_BODY_MAX / sizeof(uint32_t)];

    while (bytes) {
        uint32_t body = bytes < FUGU_BODY_MAX ? bytes : FUGU_BODY_MAX;

        copy_shifted(aligned, from, body);
        send_bodies(node, to, (const char *)aligned, body);
        to += body;
        from += body;
        bytes -= body;
    }
}

void udm_transfer(uint32_t node, void *to, const void *from, size_t bytes)
{
    uint32_t before = -(uintptr_t)to & 3;       /* bytes before the bodies */
    uint32_t middle = (bytes - before) & ~3u;
    char *target = to;
    const char *source = from;

    if (in_handler()) {
        library_abort("udm_transfer() is called in a handler, where "
                      "udm_transfer_later() has to be");
    }
    if (bytes <= UDM_TRANSFER_WORDS_MAX) {
        send_words(node, target, source, bytes);
        return;
    }
    send_words(node, target, source, before);
    target += before;
    source += before;
    if ((uintptr_t)source & 3) {
        send_shifted(node, target, source, middle);
    } else {
        send_bodies(node, target, source, middle);
    }
    send_words(node, target + middle, source + middle,
               bytes - before - middle);
}

/* ---- Later --------------------------------------------------------------- */

static void run(struct udm_work *work)
{
    struct udm_transfer *transfer = (struct udm_transfer *)work;

    udm_transfer(transfer->node, transfer->to, transfer->from,
                 transfer->bytes);
    if (transfer->sent) {
        transfer->sent(transfer);
    }
}

bool udm_transfer_later(struct udm_transfer *transfer)
{
    transfer->work.run = run;
    return udm_defer(&transfer->work);
}
